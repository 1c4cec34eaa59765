"""A scenario of a contract as it was read → `Asked`: its lists of names, as far as they have the right shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agenttest.documents import Document, Path, spelled
from agenttest.errors import Problem
from agenttest.quote import quote


class Asked:
    """What the scenario at this index asks for."""

    def __init__(self, document: Document, index: int) -> None:
        self.document, self.path = document, ("scenarios", index)
        scenario = document.value["scenarios"][index]
        self.expect = member(scenario, "expect")
        response, tools, sources = (member(self.expect, name) for name in ("response", "tools", "sources"))
        below = (*self.path, "expect")
        self.available = Names(scenario, self.path, "available_tools")
        self.contains = Names(response, (*below, "response"), "contains")
        self.excludes = Names(response, (*below, "response"), "excludes")
        self.required = Names(tools, (*below, "tools"), "required")
        self.allowed = Names(tools, (*below, "tools"), "allowed")
        self.forbidden = Names(tools, (*below, "tools"), "forbidden")
        self.sequence = Names(tools, (*below, "tools"), "exact_sequence")
        self.sources = Names(sources, (*below, "sources"), "required")
        self.max_calls = member(tools, "max_calls")

    def problem(self, listed: Names, at: int, said: str) -> Problem:
        """The problem with one text of a list."""
        path = (*listed.path, at)
        return self.document.problem(path, f"{spelled(path)} is {quote(listed.texts[at].strip(), 60)}{said}")


class Names:
    """The texts of the list at a key, by index; of an entry that is a mapping, its `name`."""

    __slots__ = ("given", "length", "path", "texts")

    def __init__(self, mapping: Any, path: Path, key: str) -> None:
        found = mapping.get(key, 0) if isinstance(mapping, dict) else 0
        self.path, self.given, self.length = (*path, key), found is None, 0  # null stands for an empty list
        self.texts: dict[int, str] = {}
        if isinstance(found, list):
            self.given, self.length = True, len(found)
            texts = enumerate(member(item, "name", item) for item in found)
            self.texts = {index: text for index, text in texts if isinstance(text, str)}

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Each name without surrounding space, with its index."""
        return ((index, text.strip()) for index, text in self.texts.items())

    @property
    def names(self) -> set[str]:
        """The names without surrounding space."""
        return {text.strip() for text in self.texts.values()}


def member(mapping: Any, key: str, otherwise: Any = None) -> Any:
    """The value of a key, or None where it is not there; something else where there is no such mapping."""
    return mapping.get(key) if isinstance(mapping, dict) else otherwise


def items(mapping: Any, key: str) -> list[Any]:
    """The list at a key, or an empty one."""
    found = member(mapping, key)
    return found if isinstance(found, list) else []
