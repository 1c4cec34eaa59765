"""A path as it was written → what keeps the system from taking it at its word."""

from __future__ import annotations

import re
from pathlib import PurePath, PureWindowsPath

# Compiled where they are needed, which is on Windows only.
FORBIDDEN = r'[\x00-\x1f<>:"|?*]'  # a colon would name a stream inside a file
DEVICE = r"(?i:con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?"


def misread(path: PurePath) -> str | None:
    """Why a part of the path would not name a file of just that name, as on Windows it may not; else None."""
    if not isinstance(path, PureWindowsPath):
        return None
    reasons = (reason(part) for part in path.parts if part != path.anchor)
    return next((said for said in reasons if said is not None), None)


def reason(part: str) -> str | None:
    """The same of one part."""
    if forbidden := re.search(FORBIDDEN, part):
        return f"holds {forbidden[0]!r}, which Windows allows in no name; give it another name"
    if re.fullmatch(DEVICE, part):
        return f"names {part!r}, which Windows takes for a device; give it another name"
    if part.endswith((".", " ")):
        return f"names {part!r}, of which Windows drops the end; write it without"
    return None
