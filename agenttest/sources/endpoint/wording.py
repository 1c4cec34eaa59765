"""What an endpoint said → a few words of it for a message, on one line."""

from __future__ import annotations

from typing import Any

SHOWN = 60  # characters
NOUNS = {dict: "an object", list: "a list", int: "a number", float: "a number"}
CONSTANTS = {None: "null", True: "true", False: "false"}


def shown(value: Any) -> str:
    """A text in quotes, or what else the value is."""
    if value is None or isinstance(value, bool):
        return CONSTANTS[value]
    if not isinstance(value, str):
        return NOUNS[type(value)]
    told = short(value, SHOWN)
    return f"a text of {len(value):,} characters" if told == "…" else f"'{told}'"


def short(text: str, limit: int) -> str:
    """The beginning of a text. It ends with a whole word: half of a secret would be known for one by nobody."""
    line = " ".join(text[: limit * 4].split())
    if len(line) <= limit and len(text) <= limit * 4:
        return line
    kept, _, _ = line[:limit].rpartition(" ")
    return f"{kept} …".lstrip()
