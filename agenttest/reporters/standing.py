"""A scenario in its report → where it stands, what hangs on it, and whether a gate asks for it."""

from __future__ import annotations

from agenttest import gates
from agenttest.assertions import ASSERTIONS
from agenttest.errors import Problem
from agenttest.model import Assertion, Judged, Outcome, Scenario, Status
from agenttest.quote import clip, many
from agenttest.report import Report

TAGS = 100  # characters of all tags of a scenario
FREE = "fails no gate"


def tells_gates(report: Report) -> bool:
    """Whether the suite is of scenario files, which have risks, and gates that ask for some of them."""
    return report.suite is not None and report.suite.files is not None


def file_of(report: Report, scenario: Scenario) -> str:
    """The file that a scenario stands in."""
    return scenario.path or report.path


def place_of(report: Report, scenario: Scenario, line: int) -> str:
    """A line of a scenario, as `path:line`."""
    return f"{file_of(report, scenario)}:{line}"


def tolerated(report: Report, judged: Judged) -> bool:
    """Whether a scenario is violated and fails no gate."""
    if judged.status is not Status.FAIL or not tells_gates(report) or report.suite is None:
        return False
    return gates.tolerated(judged, report.verdict, report.suite.kind)


def counts(report: Report, judged: Judged) -> bool:
    """Whether a violated scenario breaks the suite's verdict."""
    return judged.status is Status.FAIL is report.status and not tolerated(report, judged)


def grave(report: Report, judged: Judged, outcome: Outcome) -> bool:
    """Whether an outcome that is not kept is an error: it breaks the verdict, or much is at stake in its scenario."""
    if outcome.status is Status.FAIL and counts(report, judged):
        return True
    return judged.scenario.gated and tells_gates(report)


SPARED = "being of low or medium risk and not required"


def spared(report: Report) -> str:
    """How many scenarios are violated and fail no gate; nothing where there are none."""
    count = sum(tolerated(report, judged) for judged in report.scenarios)
    return said_of_spared(count)


def said_of_spared(count: int) -> str:
    """What is said of so many scenarios that fail no gate."""
    if not count:
        return ""
    return f"{many(count, 'failing scenario')} {'fails' if count == 1 else 'fail'} no gate, {SPARED}"


def stakes(scenario: Scenario) -> str:
    """The risk of a scenario of a file, and whether it is required for the gates; nothing of a contract's."""
    if scenario.risk is None:
        return ""
    return f"{scenario.risk}, required" if scenario.required else str(scenario.risk)


def tags(scenario: Scenario) -> str:
    """The tags of a scenario."""
    return clip(", ".join(scenario.tags), TAGS)


def titled(assertion: Assertion) -> str:
    """What kind of assertion it is: its key in a contract; of an oracle its type, and the name that its author gave."""
    row = ASSERTIONS.get(assertion.kind)
    if row is not None:
        return row.path
    return f"{assertion.kind} ({clip(assertion.label, TAGS)})" if assertion.label else assertion.kind


def named(assertion: Assertion) -> str:
    """The assertion by its path and, of an oracle, its type."""
    return assertion.name if assertion.kind in ASSERTIONS else f"{assertion.name} {titled(assertion)}"


def unread(report: Report) -> tuple[Problem, ...]:
    """The problems of files that are no valid scenario."""
    return report.problems[: len(report.suite.problems)] if report.suite else ()


def unkept(report: Report) -> tuple[Problem, ...]:
    """The other problems: what kept a run from beginning, or from being saved."""
    return report.problems[len(unread(report)) :]


def warnings(report: Report) -> tuple[Problem, ...]:
    """What is said of scenarios that prove little."""
    return report.suite.warnings if report.suite else ()
