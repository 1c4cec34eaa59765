"""Checks of the final answer's text: exact, case-sensitive, no normalisation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal

from agenttest.assertions.finding import Finding
from agenttest.quote import clip, quote

EXCERPT = 300
INVISIBLE = "[\u00ad\u200b-\u200f\u2060\ufeff]"  # compiled where it is needed, which is seldom
CHUNK = 200  # what normalising takes grows with the square of a run of combining marks, which an agent may make long


def contains(expected: str, response: str) -> Iterator[Finding]:
    """The text stands in the response, character for character."""
    if expected not in response:
        near = nearly(expected, response)
        yield Finding(f"the response does not contain {quote(expected)}{near}", clip(response, EXCERPT))


def excludes(expected: str, response: str) -> Iterator[Finding]:
    """The text does not stand in the response."""
    at = response.find(expected)
    if at >= 0:
        yield Finding(f"the response contains {quote(expected)}", excerpt(response, at, len(expected)))


def nearly(expected: str, response: str) -> str:
    """What would have to be overlooked for the text to be found, if that is all."""
    for what, form in FORMS.items():
        if form(expected) and form(expected) in formed(what, response):
            return f"; it does when {what} is overlooked"
    return ""


def normal(form: Literal["NFC", "NFKC"], text: str) -> str:
    """The text in a Unicode form, made piece by piece: a near miss over the seam of two is not worth a hanging run."""
    from unicodedata import normalize

    return "".join(normalize(form, text[at : at + CHUNK]) for at in range(0, len(text), CHUNK))


FORMS: dict[str, Callable[[str], str]] = {
    "letter case": str.casefold,
    "white space": lambda text: " ".join(text.split()),
    "invisible characters": lambda text: re.sub(INVISIBLE, "", text),
    "Unicode form (NFC)": lambda text: normal("NFC", text),
    "Unicode form (NFKC)": lambda text: normal("NFKC", text),
}


@lru_cache(maxsize=len(FORMS))
def formed(what: str, response: str) -> str:
    """A response in one of FORMS; all texts that it lacks are looked for in the same."""
    return FORMS[what](response)


def excerpt(text: str, at: int, length: int) -> str:
    """The part of the text around a place, with marks where it goes on."""
    start, end = max(0, at - 100), min(len(text), at + min(length, EXCERPT) + 100)
    return "…" * (start > 0) + text[start:end] + "…" * (end < len(text))
