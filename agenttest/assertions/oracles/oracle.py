"""What an oracle is: the row that judges it, the parameters that it reads, and what it expects in a few words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.assertions.finding import Row
from agenttest.quote import quote

Parameters: TypeAlias = Mapping[str, Any]

RIGHT: dict[str, tuple[Callable[[Any], bool], str]] = {
    "toolName": (lambda value: bool(value.strip()), "the name of a tool"),
    "text": (lambda value: value != "", "a text that is not empty"),
    "maxCount": (lambda value: value >= 0, "a number of calls from 0 on"),
    "stateKey": (lambda value: bool(value.strip()), "a key of the state"),
    "sourceId": (lambda value: bool(value.strip()), "the id of a source"),
}
"""By the name of a parameter whether a value of its type is right, and what would be."""
TYPES = {
    "expectedValue": "a text, which may be empty",
    "toolNames": "a list of tool names",
    "argumentsSubset": "an object with the arguments that a call must hold",
    "expected": "true or false",
}


@dataclass(frozen=True, slots=True)
class Oracle:
    """One type of oracle: it `needs` some parameters, and may have others (`reads`)."""

    row: Row
    summary: Callable[[Parameters], str]
    needs: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()

    def fault(self, kind: str, given: Parameters) -> str | None:
        """What keeps an oracle with these parameters from being judged."""
        for name in (*self.needs, *self.reads):
            value = given.get(name)
            right = RIGHT[name][1] if name in RIGHT else TYPES.get(name, "another value")
            if value is None and name in self.needs:
                return f"the oracle {kind} needs {name!r}: {right}"
            if value is not None and name in RIGHT and not RIGHT[name][0](value):
                return f"the oracle {kind} has {name!r} {quote(value, 60)}; it should be {right}"
        return None
