"""The check of cited sources: equal ids, never links found in prose."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.assertions.finding import Finding
from agenttest.quote import quote

SHOWN = 50


def required(expected: str, sources: tuple[str, ...]) -> Iterator[Finding]:
    """The source's id is among the cited ones."""
    if expected not in sources:
        yield Finding(f"the source {quote(expected)} is not cited", list(sources[:SHOWN]))
