"""What a JSON Schema cannot say of scenario files: a step tells one thing, and of its kind."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest import steprules
from agenttest.documents import Document
from agenttest.errors import Problem


def problems(document: Document) -> Iterator[Problem]:
    """What is wrong with a scenario's steps."""
    raw = document.value.get("input") if isinstance(document.value, dict) else None
    steps = raw.get("scriptedTrace") if isinstance(raw, dict) else None
    yield from steprules.problems(document, ("input", "scriptedTrace"), steps)
