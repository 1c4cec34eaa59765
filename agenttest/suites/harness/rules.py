"""What a JSON Schema cannot say of scenario files: a step tells one thing, and of its kind; an id is used once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agenttest import steprules
from agenttest.documents import Document
from agenttest.errors import Problem
from agenttest.quote import quote


def problems(document: Document) -> Iterator[Problem]:
    """What is wrong with a scenario's steps."""
    raw = document.value.get("input") if isinstance(document.value, dict) else None
    steps = raw.get("scriptedTrace") if isinstance(raw, dict) else None
    yield from steprules.problems(document, ("input", "scriptedTrace"), steps)


def unique(documents: Iterable[Document]) -> tuple[list[Document], list[Problem]]:
    """The documents whose id no other one has, whatever its case, and the problems of those that share one."""
    by_id: dict[str, list[Document]] = {}
    for document in documents:
        by_id.setdefault(document.value["id"].strip().casefold(), []).append(document)
    alone = [group[0] for group in by_id.values() if len(group) == 1]
    return alone, [problem for group in by_id.values() if len(group) > 1 for problem in doubles(group)]


def doubles(group: list[Document]) -> Iterator[Problem]:
    """What is said of each file whose id another one has too."""
    for document in group:
        other = next(each for each in group if each is not document)
        said = f"id {quote(document.value['id'].strip(), 60)} is also that of {other.name}; give each its own"
        yield document.problem(("id",), said)
