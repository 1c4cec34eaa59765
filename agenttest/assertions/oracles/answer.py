"""Checks of the final answer in a trace: in any case unless the case counts, and exact in all else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from agenttest.assertions.finding import Finding
from agenttest.assertions.oracles.letters import fold
from agenttest.assertions.oracles.oracle import Parameters
from agenttest.assertions.response import EXCERPT, FORMS, excerpt, formed
from agenttest.model import Status
from agenttest.quote import clip, quote

CASE = "letter case"


def contains(given: Parameters, answer: str) -> Iterator[Finding]:
    """The text stands in the final answer."""
    if found(given, answer) >= 0:
        yield Finding("the final answer contains the text", clip(answer, EXCERPT), status=Status.PASS)
    elif not answer:
        yield Finding(f"the final answer is empty, so it does not contain {quote(given['text'])}", answer)
    else:
        near = nearly(given, answer)
        yield Finding(f"the final answer does not contain {quote(given['text'])}{near}", clip(answer, EXCERPT))


def excludes(given: Parameters, answer: str) -> Iterator[Finding]:
    """The text does not stand in the final answer."""
    at = found(given, answer)
    if at < 0:
        yield Finding("the final answer does not contain the text", clip(answer, EXCERPT), status=Status.PASS)
    else:
        yield Finding(f"the final answer contains {quote(given['text'])}", excerpt(answer, at, len(given["text"])))


def found(given: Parameters, answer: str) -> int:
    """Where the text first stands in the answer; below 0 where it does not."""
    text = str(given["text"])
    return answer.find(text) if given.get("caseSensitive") else folded(answer).find(fold(text))


@lru_cache(maxsize=1)
def folded(answer: str) -> str:
    """An answer without its case; all texts are looked for in the same."""
    return fold(answer)


def nearly(given: Parameters, answer: str) -> str:
    """What would have to be overlooked for the text to be found, if that is all."""
    exact = bool(given.get("caseSensitive"))
    text, within = (given["text"], answer) if exact else (fold(given["text"]), folded(answer))
    for what, form in FORMS.items():
        if (exact or what != CASE) and form(text) and form(text) in formed(what, within):
            return f"; it does when {what} is overlooked"
    return ""
