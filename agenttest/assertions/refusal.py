"""The check of an explicit, typed refusal; polite prose is none."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.assertions.finding import Finding


def refusal(expected: bool, observed: bool) -> Iterator[Finding]:
    """The agent refused, or did not, as it must."""
    if expected is not observed:
        yield Finding("the agent refused, and must not" if observed else "the agent did not refuse, and must", observed)
