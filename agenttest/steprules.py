"""A step's record → what is wrong with it that a JSON Schema cannot say: it tells one thing, and of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from agenttest.documents import Document, Path, schema
from agenttest.errors import Problem
from agenttest.model import StepKind
from agenttest.quote import quote
from agenttest.steps import KINDS, NOTE, PAYLOADS

OPTIONAL = (StepKind.MESSAGE,)  # a step of these may tell an empty text by telling nothing


def problems(document: Document, path: Path, raw: Any) -> Iterator[Problem]:
    """What is wrong with the list of steps at `path`, as far as it is one."""
    for index, each in enumerate(raw if isinstance(raw, list) else ()):
        said = wrong(each) if isinstance(each, dict) else None
        if said is not None:
            yield document.problem((*path, index), said)


def wrong(step: dict[str, Any]) -> str | None:
    """What is wrong with a step: it has one payload, which is that of its kind; a kind alone says what is missing."""
    told = [key for key in PAYLOADS.values() if step.get(key) is not None]
    word = step.get("kind")
    kind = KINDS.get(word.lower()) if isinstance(word, str) else None
    if len(told) > 1:
        return f"the step has {' and '.join(told)}; write a step for each"
    if told and kind is not None and PAYLOADS[kind] != told[0]:
        return f"the step's kind is {quote(word, 40)}, and it has {told[0]}; its payload should be {PAYLOADS[kind]}"
    if told or misspelt(step):
        return None
    if word is None:
        return f"the step tells nothing; give it one of {', '.join(PAYLOADS.values())}"
    if kind is not None and kind not in OPTIONAL:
        return f"the step's kind is {quote(word, 40)}, and it has no {PAYLOADS[kind]}; write it"
    return None


def misspelt(step: dict[str, Any]) -> bool:
    """Whether a step has a key that it should not have, of which the schema tells, and which may be its payload's."""
    return any(key not in known() and not key.startswith(NOTE) for key in step)


@cache
def known() -> frozenset[str]:
    """The keys of a step."""
    return frozenset(schema.load("scenario")["$defs"]["step"]["properties"])
