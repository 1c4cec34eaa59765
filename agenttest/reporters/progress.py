"""Scenarios as they are judged → one line for people that says how far a run is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate

from agenttest.model import Judged, Status
from agenttest.quote import one_line
from agenttest.reporters.text import sums

WIDEST = 2  # columns of a character that is not of ASCII


@dataclass(slots=True)
class Progress:
    """Counts the scenarios of one suite after another."""

    statuses: Counter[Status] = field(default_factory=Counter)

    def line(self, judged: Judged, number: int, count: int, columns: int) -> str:
        """What is judged so far, of it the latest by its name, in so many columns; no word in it is an agent's."""
        if number == 1:
            self.statuses.clear()
        self.statuses[judged.status] += 1
        found = {status: self.statuses[status] for status in Status}
        told = sums(found, ("passed", "failed", "incomplete"))
        done = str(number).rjust(len(str(count)))
        return fitted(f"  {done}/{count}  {told}  {one_line(judged.scenario.id)}", columns)


def fitted(text: str, columns: int) -> str:
    """The text, or its beginning with a mark where it may take more columns than there are."""
    if width(text) <= columns:
        return text
    ends = accumulate(map(width, text))
    return text[: sum(end <= columns - WIDEST for end in ends)] + "…"


def width(text: str) -> int:
    """The most columns that a line may take."""
    return sum(1 if char.isascii() else WIDEST for char in text)
