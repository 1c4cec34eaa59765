"""The JSON value that came in place of a completion → the provider's own words in it, short and on one line."""

from __future__ import annotations

from typing import Any

from agenttest.sources.endpoint.wording import short

MESSAGE = 240  # characters
CODE = 60
HOLDERS = ("error", "errors", "detail", "message", "msg")  # from the outside in, and the best first
CODES = ("code", "type", "status")


def words(value: Any) -> str:
    """Such as `'Rate limit reached' (rate_limit_exceeded)`; empty where nothing is said."""
    while not isinstance(value, str):
        inner = next((found for found in within(value) if found), None)
        if inner is None:
            return code(value)
        if isinstance(inner, str):
            return " ".join(filter(None, (quoted(inner), code(value))))
        value = inner
    return quoted(value)


def within(value: Any) -> list[Any]:
    """What may hold the words of an object, or of a list's first entry."""
    if isinstance(value, dict):
        return [value.get(name) for name in HOLDERS if isinstance(value.get(name), dict | list | str)]
    return value[:1] if isinstance(value, list) else []


def code(value: Any) -> str:
    """The code, or else the type, of an error, in brackets."""
    said = [value.get(name) for name in CODES] if isinstance(value, dict) else []
    found = [short(str(each), CODE) for each in said if isinstance(each, str | int) and not isinstance(each, bool)]
    return next((f"({told})" for told in found if told), "")


def quoted(text: str) -> str:
    """A text in quotes; nothing where it is blank."""
    told = short(text, MESSAGE)
    return f"'{told}'" if told else ""
