"""One input, as the workflow gives it → its value, or the `Problem` that says what would be right."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TypeVar

from agenttest.errors import Problem
from agenttest.github.context import Context
from agenttest.quote import quote

WITH = "with: {}"  # how a workflow writes an input
NUMBERS: dict[type[float], tuple[re.Pattern[str], str]] = {
    int: (re.compile("[0-9]{1,9}"), "a whole number"),
    float: (re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?"), "a number"),
}


class Switch(StrEnum):
    """On or off."""

    FALSE = "false"
    TRUE = "true"


Word = TypeVar("Word", bound=StrEnum)
Number = TypeVar("Number", int, float)


def problem(name: str, said: str) -> Problem:
    """A problem of an input, named as the workflow writes it."""
    return Problem(WITH.format(name), 0, 0, said)


def text(context: Context, name: str) -> str | None:
    """An input of one value, without space around it; None where nothing is left."""
    return (context.input(name) or "").strip() or None


def lines(context: Context, name: str) -> tuple[str, ...]:
    """An input of one value a line, without blank lines."""
    given = context.input(name) or ""
    return tuple(line.strip() for line in given.splitlines() if line.strip())


def word(context: Context, name: str, default: Word) -> Word:
    """An input that is one of a few words."""
    given = (context.input(name) or default).strip().lower()
    known = {str(choice): choice for choice in type(default)}
    return known.get(given, default)


def on(context: Context, name: str) -> bool:
    """Whether a switch is on, which none is by itself."""
    return word(context, name, Switch.FALSE) is Switch.TRUE


def number(context: Context, name: str, kind: type[Number]) -> Number | Problem | None:
    """An input that is a number in plain digits, whatever its bounds; None where it is not given."""
    given = text(context, name)
    if given is None:
        return None
    pattern, right = NUMBERS[kind]
    return kind(given) if pattern.fullmatch(given) else problem(name, f"is {quote(given)}; give {right}, such as 10")
