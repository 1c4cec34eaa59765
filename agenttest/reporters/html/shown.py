"""`Step`, one thing that happened in a scenario, as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from agenttest.model import Status
from agenttest.reporters.html.checks import Check
from agenttest.reporters.html.difference import Line, scrolled
from agenttest.reporters.html.words import Part


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened: its label and name, its text, value or list, a remark, and what it decided."""

    label: str
    name: str = ""
    parts: tuple[Part, ...] = ()
    lines: tuple[Line, ...] = ()
    more: bool = False
    items: tuple[str, ...] = ()
    note: str = ""
    warning: str = ""
    checks: tuple[Check, ...] = ()
    offending: bool = False

    @property
    def long(self) -> bool:
        """Whether its text is so long that it is scrolled."""
        return scrolled(chain((line.text for line in self.lines), (part.text for part in self.parts)))

    @property
    def tells(self) -> bool:
        """Whether something was observed in it."""
        return bool(self.parts or self.lines or self.name or (self.items and self.label != "End"))

    @property
    def status(self) -> Status | None:
        """The worst of what it decided or took part in, None where that is nothing."""
        found = [check.status for check in self.checks] + [Status.FAIL] * self.offending
        return Status.worst(found) if found else None
