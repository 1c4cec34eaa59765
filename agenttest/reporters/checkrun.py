"""Reports → the annotations, title and summary of a check run, within GitHub's limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

from agenttest.github.commands import Level
from agenttest.quote import clip, one_line, printable
from agenttest.report import Ending, Report
from agenttest.reporters.github import Annotations, Note, Place, plain
from agenttest.reporters.markdown import Summary, headline

MOST = 500  # annotations, in ten requests
MESSAGE_BYTES = 64_000
TITLE_LENGTH = 255
SUMMARY_LENGTH = 60_000  # of 65,535
LEVELS = {Level.ERROR: "failure", Level.WARNING: "warning", Level.NOTICE: "notice"}
BEYOND = re.compile("[^\0-\uffff]")


class CheckRun:
    """Takes reports one by one and keeps the gravest annotations; `locate` gives where one may stand, or None."""

    def __init__(self, locate: Callable[[str, int], Place | None] = plain) -> None:
        self.locate = locate
        self.kept = Annotations(locate, most=MOST)

    def add(self, report: Report) -> None:
        """Note what is wrong with one suite."""
        self.kept.add(report)

    def annotations(self) -> list[dict[str, Any]]:
        """At most 500, what is violated first, hints last; what has no place is in the summary only."""
        return [*islice(chain.from_iterable(map(self.placed, Level)), MOST)]

    def placed(self, level: Level) -> Iterator[dict[str, Any]]:
        """The annotations of one level."""
        for note in self.kept.notes[level].shown:
            place = self.locate(note.path, note.line)
            if place and not BEYOND.search(place[0]):
                yield annotation(level, note, place)


def annotation(level: Level, note: Note, place: Place) -> dict[str, Any]:
    """One annotation as the API takes it; columns only where the line is the note's own."""
    path, line = place
    columns = {"start_column": note.column, "end_column": note.column} if note.column and line == note.line else {}
    details = {"raw_details": cut(note.details)} if note.details else {}
    return {
        "path": path,
        "start_line": line,
        "end_line": line,
        **columns,
        "annotation_level": LEVELS[level],
        "title": clip(basic(one_line(note.title)).strip(), TITLE_LENGTH) or "agenttest",
        "message": cut(note.message) or "(no message)",
        **details,
    }


def title(found: Summary, ending: Ending) -> str:
    """The verdict."""
    return headline(ending.status, ending.reason, gated=found.gated)


def summary(found: Summary, ending: Ending) -> str:
    """The job summary in short, or the verdict; an escape may be two and a half times as long as its character."""
    text = basic(found.text(ending, SUMMARY_LENGTH))
    short = text if len(text) <= SUMMARY_LENGTH else basic(found.text(ending, SUMMARY_LENGTH * 2 // 5))
    return short or title(found, ending)


def cut(text: str) -> str:
    """The text, printable and within the bytes that an annotation may have."""
    shown = basic(printable(text)).strip()
    return shown.encode()[:MESSAGE_BYTES].decode("utf-8", "ignore")


def basic(text: str) -> str:
    r"""The text with characters above U+FFFF, which the API does not take, as escapes (`\U0001f600`)."""
    return BEYOND.sub(lambda found: f"\\U{ord(found[0]):08x}", text)
