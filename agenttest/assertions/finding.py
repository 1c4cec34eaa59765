"""What a check yields, and the row that a check stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.model import Json, Status


@dataclass(frozen=True, slots=True)
class Finding:
    """What speaks against an assertion or, with the status pass, for it.

    `message` names the cause alone, so that equal causes read alike.
    """

    message: str
    observed: Json = None
    difference: str | None = None
    status: Status = Status.FAIL
    remedy: str | None = None


Check: TypeAlias = Callable[[Any, Any], Iterator[Finding]]
GroupCheck: TypeAlias = Callable[[Sequence[Any], Any], Iterator[tuple[int, Finding]]]


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of assertion. `refutable`: what is seen can already break it, whatever else was not seen."""

    path: str
    channel: str
    check: GroupCheck
    kept: str
    refutable: bool = False


def each(check: Check) -> GroupCheck:
    """A check of one expectation, applied to every one of its kind."""

    def group(expectations: Sequence[Any], value: Any) -> Iterator[tuple[int, Finding]]:
        for index, expected in enumerate(expectations):
            for finding in check(expected, value):
                yield index, finding

    return group
