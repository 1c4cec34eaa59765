"""`Report` → a page of HTML that stands alone; several reports → the index of their pages."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.model import Judged, Status
from agenttest.report import Report
from agenttest.reporters.html.index import Index
from agenttest.reporters.html.page import page
from agenttest.reporters.html.scenario import line, view
from agenttest.reporters.html.templates import Markup, block
from agenttest.reporters.html.templates import render as fill
from agenttest.reporters.parts import bytes_of
from agenttest.reporters.standing import tolerated

MOST = 8 << 20  # bytes of a page
FRAME = 1 << 20  # of these, for all that is not a scenario
OPEN = 5  # scenarios that are open at first
ORDER = (Status.FAIL, Status.INCOMPLETE, Status.PASS)

__all__ = ["Index", "render"]


def render(report: Report) -> str:
    """The report as one page of at most about 8 MB, whatever is in it."""
    return fill("report.html", page=page(report), blocks=blocks(report, MOST - FRAME))


def blocks(report: Report, room: int) -> list[Markup]:
    """Every scenario, the gravest first; once the room runs out, the rest have a line each."""
    ordered = sorted(report.scenarios, key=lambda judged: (ORDER.index(judged.status), tolerated(report, judged)))
    lines = [block("scenario.html", scenario=line(judged, report), opened=False) for judged in ordered]
    room -= sum(map(bytes_of, lines))
    wholes = list(fitting(report, ordered, lines, room))
    return [*wholes, *lines[len(wholes) :]]


def fitting(report: Report, ordered: list[Judged], lines: list[Markup], room: int) -> Iterator[Markup]:
    """The first scenarios with all that happened in them, while there is room for that instead of their lines."""
    for at, judged in enumerate(ordered):
        opened = at < OPEN and judged.status is not Status.PASS
        whole = block("scenario.html", scenario=view(judged, report), opened=opened)
        room -= bytes_of(whole) - bytes_of(lines[at])
        if room < 0:
            return
        yield whole
