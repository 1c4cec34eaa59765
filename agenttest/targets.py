"""A path that something shall be written to → what speaks against it, in words that say what would be right."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import PurePosixPath

from agenttest.discovery import RECORDING
from agenttest.errors import InvalidInput
from agenttest.files import Project

NAME_BYTES = 255  # of one part of a path, on every usual file system


def obstacle(project: Project, path: str) -> str:
    """What keeps a file from being written there; nothing where there is room."""
    folders = []
    for part in [PurePosixPath(path), *PurePosixPath(path).parents][:-1]:
        kind, wanted = project.kind(str(part)), "file" if str(part) == path else "folder"
        if len(os.fsencode(part.name)) > NAME_BYTES:
            return f"a name of {len(os.fsencode(part.name))} bytes is too long; use at most {NAME_BYTES}"
        if kind not in (wanted, "nothing"):
            return f"{part} is a {kind}; name a plain file behind plain folders"
        folders += [part] if kind == "folder" else []
    nearest = folders[0] if folders else PurePosixPath(".")
    if not os.access(project.root / nearest, os.W_OK | os.X_OK):
        return f"permission denied in the folder {nearest}; let this user write there"
    return ""


def overwriting(project: Project, path: str, inputs: Iterable[str]) -> str:
    """What speaks against a file that is there: nothing that a run reads is written over."""
    read = filter(None, (below(project, name) for name in inputs))
    recorded = path.lower().endswith(RECORDING) and project.kind(path) == "file"
    if recorded or any(project.same(path, name) for name in read):
        return "it is what a run reads; name a file of its own, such as report.json"
    return ""


def inside(path: str, folders: Iterable[str]) -> str:
    """What speaks against a file in one of these folders, of which a run reads every file."""
    found = next((folder for folder in folders if PurePosixPath(path).is_relative_to(folder)), None)
    return f"it is inside {found}, which a run reads; name a place beside it" if found else ""


def below(project: Project, name: str) -> str | None:
    """A path below the root, or None where the name leads elsewhere."""
    try:
        return project.relative(name)
    except InvalidInput:
        return None
