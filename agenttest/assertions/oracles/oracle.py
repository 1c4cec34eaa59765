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
    "text": (lambda value: bool(value.strip()), "a text that is not blank"),
    "maxCount": (lambda value: value >= 0, "a number of calls from 0 on"),
    "stateKey": (lambda value: bool(value.strip()), "a key of the state"),
    "sourceId": (lambda value: bool(value.strip()), "the id of a source"),
}
"""By the name of a parameter that is needed whether a value of its type is right, and what would be."""
TYPES = {
    "expectedValue": "a text, which may be empty",
    "toolNames": "a list of tool names",
    "argumentsSubset": "an object with the arguments that a call must hold",
    "expected": "true or false",
}


@dataclass(frozen=True, slots=True)
class Oracle:
    """One type of oracle: it `needs` some parameters, and may have others (`reads`); a blank one of these is none."""

    row: Row
    summary: Callable[[Parameters], str]
    needs: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()

    def wrong(self, given: Parameters) -> str | None:
        """The first parameter that keeps an oracle from being judged: it is missing, or no possible value."""
        return next((name for name in self.needs if not is_right(name, given.get(name))), None)

    def fault(self, kind: str, given: Parameters) -> str | None:
        """What keeps an oracle with these parameters from being judged, in words."""
        name = self.wrong(given)
        if name is None:
            return None
        value, right = given.get(name), RIGHT[name][1] if name in RIGHT else TYPES[name]
        if value is None:
            return f"the oracle {kind} needs {name!r}: {right}"
        return f"the oracle {kind} has {name!r} {quote(value, 60)}; it should be {right}"


def is_right(name: str, value: Any) -> bool:
    """Whether a value of a parameter's type is one that it may have."""
    return value is not None and (name not in RIGHT or RIGHT[name][0](value))
