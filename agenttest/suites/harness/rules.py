"""What a JSON Schema cannot say of scenario files: a step tells one thing, and of its kind; an id is used once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from agenttest.documents import Document, schema
from agenttest.errors import Problem
from agenttest.model import StepKind
from agenttest.quote import one_line, quote
from agenttest.steps import KINDS, NOTE, PAYLOADS

if TYPE_CHECKING:
    from agenttest.suites.harness.scenariofile import Valid

OPTIONAL = (StepKind.MESSAGE, StepKind.FINAL_ANSWER)  # a step of these may tell an empty text by telling nothing


def problems(document: Document) -> Iterator[Problem]:
    """What is wrong with a scenario's steps."""
    for index, raw in enumerate(steps(document.value)):
        said = wrong(raw) if isinstance(raw, dict) else None
        if said is not None:
            yield document.problem(("input", "scriptedTrace", index), said)


def steps(value: Any) -> list[Any]:
    """The list of steps, as far as there is one."""
    raw = value.get("input") if isinstance(value, dict) else None
    found = raw.get("scriptedTrace") if isinstance(raw, dict) else None
    return found if isinstance(found, list) else []


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


def unique(found: Iterable[Valid]) -> tuple[list[Valid], list[Problem]]:
    """Those whose id no other one has, whatever its case, and the problems of those that share one."""
    by_id: dict[str, list[Valid]] = {}
    for each in found:
        by_id.setdefault(each.scenario.id.casefold(), []).append(each)
    alone = [group[0] for group in by_id.values() if len(group) == 1]
    return alone, [problem for group in by_id.values() if len(group) > 1 for problem in doubles(group)]


def doubles(group: list[Valid]) -> Iterator[Problem]:
    """What is said of each file whose id another one has too."""
    for each in group:
        other = group[1] if each is group[0] else group[0]
        said = (
            f"id {quote(each.scenario.id, 60)} is also that of {one_line(other.scenario.path or '')}; give each its own"
        )
        yield Problem(each.scenario.path or "", each.line, each.column, said)
