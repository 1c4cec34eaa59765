"""A long text → its parts to be shown: what decided something is marked, and what is left out is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agenttest.quote import many

AROUND = 200  # characters on either side of a mark that lies beyond what is shown
LONGEST = 2_000  # characters of one mark
OFTEN = 20  # marks of one text
MOST = 100  # marks in all


class Mark(StrEnum):
    """Why a part stands out: it breaks an assertion, it keeps one, or it says what is left out."""

    BROKEN = "broken"
    KEPT = "kept"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Part:
    """Some text, plain or marked."""

    text: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a text with its mark."""

    start: int
    end: int
    mark: Mark


def parts(text: str, limit: int, needles: Sequence[tuple[str, Mark]] = ()) -> Iterator[Part]:
    """The beginning of the text up to `limit` characters, and beyond it the surroundings of what breaks something."""
    spans = sorted(found(text, limit, needles))
    at = 0
    for start, end in windows(len(text), limit, spans):
        yield from gap(start - at)
        yield from cut(text, start, end, spans)
        at = end
    yield from gap(len(text) - at)


def found(text: str, limit: int, needles: Iterable[tuple[str, Mark]]) -> list[Span]:
    """Where the needles stand, in the order in which they have a claim to a place; no two overlap."""
    spans: list[Span] = []
    for needle, mark in sorted(needles, key=lambda each: each[1] is not Mark.BROKEN):
        for start in places(text if mark is Mark.BROKEN else text[: limit + len(needle)], needle):
            span = Span(start, start + min(len(needle), LONGEST), mark)
            if len(spans) < MOST and all(span.end <= other.start or other.end <= span.start for other in spans):
                spans.append(span)
    return spans


def places(text: str, needle: str) -> Iterator[int]:
    """Where a needle begins, the first times."""
    at = text.find(needle) if needle else -1
    for _ in range(OFTEN):
        if at < 0:
            return
        yield at
        at = text.find(needle, at + len(needle))


def windows(length: int, limit: int, spans: Iterable[Span]) -> list[tuple[int, int]]:
    """The stretches that are shown, in order, apart from each other."""
    shown = [(0, min(limit, length))]
    for span in spans:
        start, end = max(0, span.start - AROUND), min(length, span.end + AROUND)
        if span.mark is not Mark.BROKEN or span.end <= shown[-1][1]:
            continue
        if start <= shown[-1][1]:
            shown[-1] = (shown[-1][0], end)
        else:
            shown.append((start, end))
    return shown


def cut(text: str, start: int, end: int, spans: Iterable[Span]) -> Iterator[Part]:
    """One stretch of the text, its marked parts apart."""
    at = start
    for span in spans:
        if span.start < end and span.end > start:
            first, last = max(span.start, start), min(span.end, end)
            yield from plain(text[at:first])
            yield Part(text[first:last], span.mark)
            at = last
    yield from plain(text[at:end])


def plain(text: str) -> Iterator[Part]:
    """A part without a mark, if there is any text."""
    if text:
        yield Part(text)


def gap(length: int) -> Iterator[Part]:
    """What is said of characters that are left out, if there are any."""
    if length > 0:
        yield Part(f"{many(length, 'character')} left out", Mark.GAP)
