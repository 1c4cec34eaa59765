"""Checks of the final answer's text: exact, case-sensitive, no normalisation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agenttest.assertions.finding import Finding
from agenttest.quote import clip, quote

EXCERPT = 300
INVISIBLE = "[\u00ad\u200b-\u200f\u2060\ufeff]"  # compiled where it is needed, which is seldom


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
    from unicodedata import normalize

    forms = (
        (lambda text: text.casefold(), "letter case"),
        (lambda text: " ".join(text.split()), "white space"),
        (lambda text: re.sub(INVISIBLE, "", text), "invisible characters"),
        (lambda text: normalize("NFC", text), "Unicode form (NFC)"),
        (lambda text: normalize("NFKC", text), "Unicode form (NFKC)"),
    )
    for form, what in forms:
        if form(expected) and form(expected) in form(response):
            return f"; it does when {what} is overlooked"
    return ""


def excerpt(text: str, at: int, length: int) -> str:
    """The part of the text around a place, with marks where it goes on."""
    start, end = max(0, at - 100), min(len(text), at + min(length, EXCERPT) + 100)
    return "…" * (start > 0) + text[start:end] + "…" * (end < len(text))
