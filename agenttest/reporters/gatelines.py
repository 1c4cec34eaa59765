"""`Report` → text for people that says of each gate whether it holds, and why, and ends in the verdict."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from agenttest.quote import one_line
from agenttest.report import Report
from agenttest.reporters.text import Look, gate_line, head, invalid, verdict


def render(report: Report, look: Look | None = None) -> str:
    """The gates of one suite."""
    look = look or Look()
    return "".join(f"{line}\n" for line in (invalid if report.suite is None else lines)(report, look))


def lines(report: Report, look: Look) -> Iterator[str]:
    """What was judged, a line for each gate, and the verdict."""
    yield from head(report, look)
    yield from [] if report.scenarios else [""]
    wide = max((len(gate.name) for gate in report.verdict.gates), default=0)
    for gate in report.verdict.gates:
        yield from gate_line(gate, wide, look)
    yield ""
    told = report.suite.problems if report.suite else ()
    yield from (f"not saved: {one_line(str(problem))}" for problem in report.problems if problem not in told)
    yield verdict(report, look)
    if report.directory is not None:
        yield f"saved in {one_line(look.prefix + report.directory)}"
        yield f"replay: agenttest replay {one_line(shlex.quote(look.prefix + report.directory))}"
