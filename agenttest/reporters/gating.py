"""A verdict's gates → what each of them would need to hold, and which of them nothing else in a report explains."""

from __future__ import annotations

from agenttest.errors import Problem
from agenttest.model import Gate, Status
from agenttest.report import Report
from agenttest.reporters.standing import tells_gates, unread

REMEDIES = {
    "scenario-discovery": "add a scenario file, or correct the path or what selects; contracts are named file by file",
    "explicit-oracles": "name at least one oracle in expected.oracles of each",
    "high-risk-pass": "correct the agent, or an oracle that asks for the wrong thing",
    "required-scenarios-pass": "correct the agent, or an oracle that asks for the wrong thing",
    "trace-presence": "script or record at least one step of each",
    "evidence-complete": "correct the files that are not valid, and bring the evidence that is missing",
    "selection-complete": "select these as well, or accept with --partial that they are left out",
    "all-scenarios-pass": "correct the agent, or an oracle that asks for the wrong thing, or leave --strict out",
    "no-shallow-scenario": "give each an oracle that looks at what it is about, or leave --lint=error out",
    "all-shards-present": "merge the runs of all shards, each as it was saved",
}
"""By a gate's name what makes it hold where it does not."""
UNDECIDED = "bring the evidence that is missing; see at each oracle what would prove it"
"""The same of a gate that is made of scenarios, where none of them is violated."""
EXPLAINED = ("explicit-oracles", "high-risk-pass", "required-scenarios-pass", "all-scenarios-pass")
"""The gates that are made of scenarios, each of which is told by itself."""
SHALLOW = "no-shallow-scenario"


def remedy(gate: Gate) -> str:
    """What would make a gate hold; nothing where it does."""
    if gate.status is Status.INCOMPLETE and gate.name in EXPLAINED:
        return UNDECIDED
    if gate.status is Status.INCOMPLETE and gate.name == "scenario-discovery":
        return "correct the files that are not valid"
    return "" if gate.status is Status.PASS else REMEDIES.get(gate.name, "")


def unexplained(report: Report) -> tuple[Gate, ...]:
    """The gates of scenario files that do not hold, and that no scenario's outcome and no problem explains."""
    if not tells_gates(report):
        return ()
    known = (*EXPLAINED, SHALLOW, *(["evidence-complete"] if unproven(report) else []))
    return tuple(gate for gate in report.verdict.gates if gate.status is not Status.PASS and gate.name not in known)


def unproven(report: Report) -> bool:
    """Whether there is an outcome that is not decided, or a file that is not valid."""
    return bool(unread(report)) or any(outcome.status is Status.INCOMPLETE for outcome in report.outcomes)


def shallow_matters(report: Report) -> bool:
    """Whether a scenario that proves little breaks the verdict."""
    return any(gate.name == SHALLOW and gate.status is not Status.PASS for gate in report.verdict.gates)


def problem_of(report: Report, gate: Gate) -> Problem:
    """A gate that does not hold as a problem: of the file that it names first, else of the suite."""
    hint = remedy(gate)
    return Problem(report.path, 0, 0, f"{gate.name}: {gate.message}{f'; {hint}' if hint else ''}")
