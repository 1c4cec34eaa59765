"""What a JSON Schema cannot say of scenario files: a step tells one thing, and of its kind; an id is used once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from agenttest.documents import Document
from agenttest.errors import Problem
from agenttest.quote import quote
from agenttest.steps import KINDS, PAYLOADS


def problems(document: Document) -> Iterator[Problem]:
    """What is wrong with a scenario's steps."""
    for index, raw in enumerate(steps(document.value)):
        if isinstance(raw, dict):
            yield from step_problems(document, index, raw)


def steps(value: Any) -> list[Any]:
    """The list of steps, as far as there is one."""
    raw = value.get("input") if isinstance(value, dict) else None
    found = raw.get("scriptedTrace") if isinstance(raw, dict) else None
    return found if isinstance(found, list) else []


def step_problems(document: Document, index: int, raw: dict[str, Any]) -> Iterator[Problem]:
    """A step has one payload, which is that of its kind; a kind alone says what is missing."""
    path, told = ("input", "scriptedTrace", index), [key for key in PAYLOADS.values() if raw.get(key) is not None]
    word = raw.get("kind")
    kind = KINDS.get(word.strip().lower()) if isinstance(word, str) else None
    if len(told) > 1:
        yield document.problem(path, f"the step has {' and '.join(told)}; write a step for each")
    elif kind is not None and told and PAYLOADS[kind] != told[0]:
        said = f"the step's kind is {quote(word, 40)}, and it has {told[0]}; its payload should be {PAYLOADS[kind]}"
        yield document.problem(path, said)
    elif kind is not None and not told and PAYLOADS[kind] not in ("message", "finalAnswer"):
        yield document.problem(path, f"the step's kind is {quote(word, 40)}, and it has no {PAYLOADS[kind]}; write it")
    elif word is None and not told:
        yield document.problem(path, f"the step tells nothing; give it one of {', '.join(PAYLOADS.values())}")


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
