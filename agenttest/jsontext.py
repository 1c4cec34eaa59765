"""A value → JSON text that is the same every time, valid UTF-8, and inert in a terminal."""

from __future__ import annotations

import json
from typing import Any

from agenttest.quote import printable

COMPACT = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
SPACED = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False)


def compact(value: Any) -> str:
    """On one line without spaces, keys sorted: the form that digests are taken of."""
    return inert(COMPACT.encode(value))


def spread(document: dict[str, Any]) -> str:
    """One line for each key and for each entry of a list of objects: quick to write, good to read and to compare."""
    lines = [f"  {SPACED.encode(key)}: {entries(value)}" for key, value in sorted(document.items())]
    return inert("{\n" + ",\n".join(lines) + "\n}\n")


def entries(value: Any) -> str:
    """A list of objects over several lines, anything else on one."""
    if isinstance(value, list | tuple) and value and all(isinstance(item, dict) for item in value):
        return "[\n    " + ",\n    ".join(map(SPACED.encode, value)) + "\n  ]"
    return SPACED.encode(value)


def inert(text: str) -> str:
    """JSON text with escapes for all that acts instead of being seen; of ASCII, JSON leaves only DEL unescaped."""
    return text if text.isascii() and "\x7f" not in text else printable(text)
