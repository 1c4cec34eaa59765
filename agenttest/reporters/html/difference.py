"""Expected and observed JSON → the lines of their difference; a value alone → its lines, indented to be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, zip_longest
from typing import Any

from agenttest.assertions.subset import same
from agenttest.quote import ENCODER, clip, written

WIDTH = 60  # characters of a value that stands on one line
SCALAR = 1_000  # characters of a text in a value
STEP = "  "
DEEPEST = 12  # levels that are still indented
LINES = 120  # lines of a value or a difference
SCROLLED = 12  # lines on a narrow page from which on a box may need to be scrolled
CHARACTERS = 8_000  # of these lines together


class Sign(StrEnum):
    """Whose line it is: both sides', what is expected, what was observed, observed and not asked about."""

    SAME = "same"
    EXPECTED = "expected"
    OBSERVED = "observed"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a value or of a difference."""

    sign: Sign
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a value: its depth, its key before it, a comma behind it."""

    depth: int = 0
    head: str = ""
    tail: str = ""

    def line(self, sign: Sign, text: str) -> Line:
        """A line of the value at its depth."""
        return Line(sign, STEP * min(self.depth, DEEPEST) + text)

    def opened(self, sign: Sign, bracket: str) -> Line:
        """The value's first line, of several."""
        return self.line(sign, self.head + bracket)

    def closed(self, sign: Sign, bracket: str) -> Line:
        """The value's last line, of several."""
        return self.line(sign, bracket + self.tail)


class Nothing:
    """Stands where one side has no value."""


def bounded(lines: Iterable[Line]) -> tuple[tuple[Line, ...], bool]:
    """As many of the first lines as may be shown, and whether there are more."""
    shown: list[Line] = []
    room = CHARACTERS
    for line in lines:
        room -= len(line.text)
        if room < 0 or len(shown) == LINES:
            return tuple(shown), True
        shown.append(line)
    return tuple(shown), False


def scrolled(texts: Iterable[str]) -> bool:
    """Whether these lines may take more of a narrow page than they should, so that they are scrolled in a box."""
    return sum(1 + text.count("\n") + len(text) // 30 for text in texts) > SCROLLED


def spread(value: Any, sign: Sign = Sign.SAME, frame: Frame | None = None) -> Iterator[Line]:
    """A value's lines, made one after another; what fits on one line stands on one."""
    frame = frame or Frame()
    short = written(value, WIDTH + 1)
    if not container(value) or not value:
        yield frame.line(sign, frame.head + written(value, SCALAR) + frame.tail)
    elif len(short) <= WIDTH:
        yield frame.line(sign, frame.head + short + frame.tail)
    elif isinstance(value, Mapping):
        yield frame.opened(sign, "{")
        for inner, each in zip(framed(map(keyed, value), frame, len(value)), value.values(), strict=True):
            yield from spread(each, sign, inner)
        yield frame.closed(sign, "}")
    else:
        yield frame.opened(sign, "[")
        for inner, each in zip(framed(("" for _ in value), frame, len(value)), value, strict=True):
            yield from spread(each, sign, inner)
        yield frame.closed(sign, "]")


def contrast(expected: Any, observed: Any, frame: Frame | None = None) -> Iterator[Line]:
    """Where the observed value lacks what is expected of it: of an object's keys only the expected ones count."""
    frame = frame or Frame()
    if isinstance(expected, Mapping) and isinstance(observed, Mapping):
        names = list(dict.fromkeys(chain(expected, observed)))
        pairs = ((expected.get(name, Nothing), observed.get(name, Nothing)) for name in names)
        yield frame.opened(Sign.SAME, "{")
        for inner, (wanted, seen) in zip(framed(map(keyed, names), frame, len(names)), pairs, strict=True):
            yield from member(wanted, seen, inner, Sign.MORE)
        yield frame.closed(Sign.SAME, "}")
    elif listed(expected) and listed(observed):
        both = list(zip_longest(expected, observed, fillvalue=Nothing))
        yield frame.opened(Sign.SAME, "[")
        for inner, (wanted, seen) in zip(framed(("" for _ in both), frame, len(both)), both, strict=True):
            yield from member(wanted, seen, inner, Sign.OBSERVED)
        yield frame.closed(Sign.SAME, "]")
    elif not container(expected) and not container(observed) and same(expected, observed):
        yield from spread(observed, Sign.SAME, frame)
    else:
        yield from spread(expected, Sign.EXPECTED, frame)
        yield from spread(observed, Sign.OBSERVED, frame)


def member(expected: Any, observed: Any, frame: Frame, alone: Sign) -> Iterator[Line]:
    """One member of an object or a list; `alone` is the sign of one that was observed and not expected."""
    if expected is Nothing:
        yield from spread(observed, alone, frame)
    elif observed is Nothing:
        yield from spread(expected, Sign.EXPECTED, frame)
    else:
        yield from contrast(expected, observed, frame)


def sequence(expected: Sequence[str], observed: Sequence[str]) -> Iterator[Line]:
    """Two lists of names, a name a line, aligned so that most of them are the same."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, expected, observed, autojunk=False)
    for _, start, end, begin, stop in matcher.get_opcodes():
        if expected[start:end] == observed[begin:stop]:
            yield from named(Sign.SAME, expected[start:end])
        else:
            yield from named(Sign.EXPECTED, expected[start:end])
            yield from named(Sign.OBSERVED, observed[begin:stop])


def named(sign: Sign, texts: Iterable[str]) -> Iterator[Line]:
    """A line for each text."""
    for text in texts:
        yield Line(sign, clip(text, SCALAR))


def framed(heads: Iterable[str], around: Frame, count: int) -> Iterator[Frame]:
    """The frames of a value's members: one deeper, a comma behind all but the last."""
    for index, head in enumerate(heads, 1):
        yield Frame(around.depth + 1, head, "," if index < count else "")


def keyed(name: str) -> str:
    """A key as it stands before its value."""
    return f"{clip(ENCODER.encode(name[:SCALAR]), SCALAR)}: "


def container(value: Any) -> bool:
    """Whether the value holds others."""
    return isinstance(value, Mapping) or listed(value)


def listed(value: Any) -> bool:
    """Whether the value is a list."""
    return isinstance(value, Sequence) and not isinstance(value, str)
