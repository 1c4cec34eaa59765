"""A scenario of a contract as it was read → `Asked`: its lists of names, as far as they have the right shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agenttest.documents import Document, Path, spelled
from agenttest.errors import Problem
from agenttest.quote import quote


@dataclass(frozen=True, slots=True)
class Entry:
    """A text in a list: where it stands, as it is, and without surrounding space."""

    index: int
    raw: str
    name: str


@dataclass(frozen=True, slots=True)
class Names:
    """The texts of the list at a path; `given` where there is a list, or null for an empty one."""

    path: Path
    given: bool
    entries: tuple[Entry, ...]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    @property
    def names(self) -> set[str]:
        """The names without surrounding space."""
        return {entry.name for entry in self.entries}


@dataclass(frozen=True, slots=True)
class Asked:
    """What one scenario asks for."""

    document: Document
    path: Path
    expect: Any
    available: Names
    contains: Names
    excludes: Names
    required: Names
    allowed: Names
    forbidden: Names
    sequence: Names
    sources: Names

    @property
    def max_calls(self) -> Any:
        """The value of `tools.max_calls`."""
        return member(member(self.expect, "tools"), "max_calls")

    def problem(self, names: Names, entry: Entry, said: str) -> Problem:
        """The problem with one name of a list."""
        path = (*names.path, entry.index)
        return self.document.problem(path, f"{spelled(path)} is {quote(entry.name, 60)}{said}")


def asked(document: Document, index: int) -> Asked:
    """What the scenario at this index asks for."""
    path: Path = ("scenarios", index)
    scenario = document.value["scenarios"][index]
    expect = member(scenario, "expect")
    response, tools, sources = (member(expect, name) for name in ("response", "tools", "sources"))
    below = {name: (*path, "expect", name) for name in ("response", "tools", "sources")}
    return Asked(
        document,
        path,
        expect,
        names(scenario, path, "available_tools"),
        names(response, below["response"], "contains"),
        names(response, below["response"], "excludes"),
        names(tools, below["tools"], "required"),
        names(tools, below["tools"], "allowed"),
        names(tools, below["tools"], "forbidden"),
        names(tools, below["tools"], "exact_sequence"),
        names(sources, below["sources"], "required"),
    )


def names(mapping: Any, path: Path, key: str) -> Names:
    """The texts of the list at a key; of an entry that is a mapping, its `name`."""
    found = mapping.get(key, 0) if isinstance(mapping, dict) else 0
    if not isinstance(found, list):
        return Names((*path, key), found is None, ())
    texts = ((index, member(item, "name", item)) for index, item in enumerate(found))
    return Names((*path, key), True, tuple(Entry(i, text, text.strip()) for i, text in texts if isinstance(text, str)))


def member(mapping: Any, key: str, otherwise: Any = None) -> Any:
    """The value of a key, or None where it is not there; something else where there is no such mapping."""
    return mapping.get(key) if isinstance(mapping, dict) else otherwise


def items(mapping: Any, key: str) -> list[Any]:
    """The list at a key, or an empty one."""
    found = member(mapping, key)
    return found if isinstance(found, list) else []
