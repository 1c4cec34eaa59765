"""What an endpoint said → a few words of it for a message, on one line."""

from __future__ import annotations

from typing import Any

SHOWN = 60  # characters
NOUNS = {dict: "an object", list: "a list", bool: "true or false", int: "a number", float: "a number"}


def shown(value: Any) -> str:
    """A text in quotes, or what else the value is."""
    if isinstance(value, str):
        return f"'{short(value, SHOWN)}'"
    return "null" if value is None else NOUNS[type(value)]


def short(text: str, limit: int) -> str:
    """The beginning of a text. It ends with a whole word: half of a secret would be known for one by nobody."""
    line = " ".join(text[: limit * 4].split())
    if len(line) <= limit and len(text) <= limit * 4:
        return line
    kept, _, _ = line[:limit].rpartition(" ")
    return f"{kept} …".lstrip()
