"""JSON subset: where an observed value does not hold what is expected of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenttest.quote import quote

PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Words(str):
    """What is said of a value in words, where the value itself would say less."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The keys and indexes that lead to a place, what should be there, and what is: values, or words for them."""

    steps: tuple[str | int, ...]
    expected: Any
    observed: Any

    @property
    def path(self) -> str:
        """The place as a JSON path: `$.ids[0]`."""
        return "$" + "".join(map(step, self.steps))

    def __str__(self) -> str:
        return f"{self.path} is {said(self.observed)}, expected {said(self.expected)}"


def step(part: str | int) -> str:
    """One step of a JSON path."""
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if PLAIN_KEY.fullmatch(part) else f"[{quote(part)}]"


def said(value: Any) -> str:
    """A value quoted, words as they are."""
    return value if isinstance(value, Words) else quote(value)


def differences(expected: Any, observed: Any, steps: tuple[str | int, ...] = ()) -> Iterator[Difference]:
    """Every place where observed lacks what is expected.

    Objects need every expected key and may have more; lists are equally long and match element by element;
    numbers are equal by value and never booleans; texts, booleans and null are the same.
    """
    if isinstance(expected, Mapping):
        yield from object_differences(expected, observed, steps)
    elif isinstance(expected, Sequence) and not isinstance(expected, str):
        yield from list_differences(expected, observed, steps)
    elif not same(expected, observed):
        yield Difference(steps, expected, observed)


def object_differences(
    expected: Mapping[str, Any], observed: Any, steps: tuple[str | int, ...]
) -> Iterator[Difference]:
    """Differences of an expected object."""
    if not isinstance(observed, Mapping):
        yield Difference(steps, Words("an object"), observed)
        return
    for key, value in expected.items():
        if key in observed:
            yield from differences(value, observed[key], (*steps, key))
        else:
            yield Difference((*steps, key), value, Words("missing"))


def list_differences(expected: Sequence[Any], observed: Any, steps: tuple[str | int, ...]) -> Iterator[Difference]:
    """Differences of an expected list."""
    if not isinstance(observed, Sequence) or isinstance(observed, str):
        yield Difference(steps, Words("a list"), observed)
        return
    for index, (value, seen) in enumerate(zip(expected, observed, strict=False)):
        yield from differences(value, seen, (*steps, index))
    if len(expected) != len(observed):
        yield Difference(steps, Words(f"a list of {len(expected)}"), Words(f"a list of {len(observed)}"))


def same(expected: Any, observed: Any) -> bool:
    """Equal scalars: numbers by value, exactly, and a boolean is no number."""
    if isinstance(expected, bool) or isinstance(observed, bool):
        return expected is observed
    return bool(expected == observed)
