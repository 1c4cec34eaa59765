"""Checks of the calls in a trace: tools are named in any case, and a blocked call was attempted too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agenttest.assertions.finding import Finding
from agenttest.assertions.oracles.oracle import Parameters
from agenttest.model import Status, ToolCall
from agenttest.quote import quote

SHOWN = 50


def called(given: Parameters, made: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """The tool was called, with any arguments."""
    name = given["toolName"].strip()
    if named(name, made):
        yield Finding(f"{quote(name)} was called", names(made), status=Status.PASS)
    else:
        yield Finding(f"{quote(name)} was never called", names(made))


def named(name: str, made: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls of the tool of this name, in any case."""
    return [call for call in made if call.name.casefold() == name.casefold()]


def names(made: Sequence[ToolCall]) -> str:
    """The names of the calls in order, the first of them where they are many."""
    more = f" and {len(made) - SHOWN:,} more" if len(made) > SHOWN else ""
    return ", ".join(call.name for call in made[:SHOWN]) + more
