"""A report on scenario files → the entries of Markdown that a contract's has none of: gates, traces, warnings."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.model import Status
from agenttest.report import Report
from agenttest.reporters import causes, standing, trace
from agenttest.reporters.entries import VALUE, Name, name, place, situated, violation
from agenttest.reporters.gating import remedy
from agenttest.reporters.gfm import code, fence
from agenttest.reporters.parts import Entry

WORDS = {Status.PASS: "holds", Status.FAIL: "fails", Status.INCOMPLETE: "incomplete"}


def tolerated(report: Report, named: Name | None = None) -> Iterator[Entry]:
    """Each cause of what is violated and fails no gate."""
    yield from (violation(report, cause, named or name) for cause in causes.violations(report) if cause.tolerated)


def gates(report: Report) -> Iterator[Entry]:
    """Every gate of scenario files: its status, its message and, where it does not hold, what would make it hold."""
    for gate in report.verdict.gates if standing.tells_gates(report) else ():
        hint = f" in {code(report.path)}; to hold it: {remedy(gate)}" if remedy(gate) else ""
        said = f"- **{WORDS[gate.status]}** {code(gate.name)} {code(gate.message, VALUE)}{hint}\n"
        yield Entry(said, gate.message)


def traces(report: Report) -> Iterator[Entry]:
    """The steps of each scenario that did not pass, where they are told; the run directory holds all others."""
    for judged in report.scenarios:
        steps = trace.steps_of(judged)
        if judged.status is not Status.PASS and steps and report.observations_kept:
            free = f", {standing.FREE}" if standing.tolerated(report, judged) else ""
            lines = "\n".join(trace.listed(steps))
            yield Entry(f"#### {situated(report, judged)}{free}\n\n{fence(lines)}")


def warnings(report: Report) -> Iterator[Entry]:
    """What is said of scenarios that prove little."""
    for problem in standing.warnings(report):
        yield Entry(f"- {place(problem)}{code(problem.message, VALUE)}\n", problem.message)
