"""Checks of the final answer in a trace."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.assertions.finding import Finding
from agenttest.assertions.oracles.oracle import Parameters
from agenttest.model import Status
from agenttest.quote import clip, quote

EXCERPT = 300


def contains(given: Parameters, answer: str) -> Iterator[Finding]:
    """The text stands in the final answer, in any case unless the case counts."""
    text, within = given["text"], answer
    if not given.get("caseSensitive"):
        text, within = text.casefold(), within.casefold()
    if text in within:
        yield Finding("the final answer contains the text", clip(answer, EXCERPT), status=Status.PASS)
    else:
        yield Finding(f"the final answer does not contain {quote(given['text'])}", clip(answer, EXCERPT))
