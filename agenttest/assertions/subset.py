"""JSON subset: where an observed value does not hold what is expected of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenttest.quote import quote

PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Difference:
    """A JSON path, and in words what should be there and what is."""

    path: str
    expected: str
    observed: str

    def __str__(self) -> str:
        return f"{self.path} is {self.observed}, expected {self.expected}"


def differences(expected: Any, observed: Any, path: str = "$") -> Iterator[Difference]:
    """Every place where observed lacks what is expected.

    Objects need every expected key and may have more; lists are equally long and match element by element;
    numbers are equal by value and never booleans; texts, booleans and null are the same.
    """
    if isinstance(expected, Mapping):
        yield from object_differences(expected, observed, path)
    elif isinstance(expected, Sequence) and not isinstance(expected, str):
        yield from list_differences(expected, observed, path)
    elif not same(expected, observed):
        yield Difference(path, quote(expected), quote(observed))


def object_differences(expected: Mapping[str, Any], observed: Any, path: str) -> Iterator[Difference]:
    """Differences of an expected object."""
    if not isinstance(observed, Mapping):
        yield Difference(path, "an object", quote(observed))
        return
    for key, value in expected.items():
        inner = f"{path}.{key}" if PLAIN_KEY.fullmatch(key) else f"{path}[{quote(key)}]"
        if key in observed:
            yield from differences(value, observed[key], inner)
        else:
            yield Difference(inner, quote(value), "missing")


def list_differences(expected: Sequence[Any], observed: Any, path: str) -> Iterator[Difference]:
    """Differences of an expected list."""
    if not isinstance(observed, Sequence) or isinstance(observed, str):
        yield Difference(path, "a list", quote(observed))
        return
    for index, (value, seen) in enumerate(zip(expected, observed, strict=False)):
        yield from differences(value, seen, f"{path}[{index}]")
    if len(expected) != len(observed):
        yield Difference(path, f"a list of {len(expected)}", f"a list of {len(observed)}")


def same(expected: Any, observed: Any) -> bool:
    """Equal scalars of one kind; integers and other numbers are one kind, compared exactly."""
    if isinstance(expected, bool) or isinstance(observed, bool):
        return expected is observed
    if isinstance(expected, int | float) and isinstance(observed, int | float):
        return expected == observed
    return type(expected) is type(observed) and bool(expected == observed)
