"""A step's record → what is wrong with it that a JSON Schema cannot say: it tells one thing, and of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agenttest.documents import Document, Path
from agenttest.errors import Problem
from agenttest.quote import quote
from agenttest.steps import KINDS, PAYLOADS

TEXTS = ("message", "finalAnswer")  # payloads that may be left out


def problems(document: Document, path: Path, raw: Any) -> Iterator[Problem]:
    """What is wrong with the list of steps at `path`, as far as it is one."""
    for index, each in enumerate(raw if isinstance(raw, list) else ()):
        if isinstance(each, dict):
            yield from step_problems(document, (*path, index), each)


def step_problems(document: Document, path: Path, raw: dict[str, Any]) -> Iterator[Problem]:
    """A step has one payload, which is that of its kind; a kind alone says what is missing."""
    told, word = [key for key in PAYLOADS.values() if raw.get(key) is not None], raw.get("kind")
    kind = KINDS.get(word.strip().lower()) if isinstance(word, str) else None
    if len(told) > 1:
        yield document.problem(path, f"the step has {' and '.join(told)}; write a step for each")
    elif kind is not None and told and PAYLOADS[kind] != told[0]:
        said = f"the step's kind is {quote(word, 40)}, and it has {told[0]}; its payload should be {PAYLOADS[kind]}"
        yield document.problem(path, said)
    elif kind is not None and not told and PAYLOADS[kind] not in TEXTS:
        yield document.problem(path, f"the step's kind is {quote(word, 40)}, and it has no {PAYLOADS[kind]}; write it")
    elif word is None and not told:
        yield document.problem(path, f"the step tells nothing; give it one of {', '.join(PAYLOADS.values())}")
