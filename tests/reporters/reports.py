"""Small reports to render, said in few words."""

from collections.abc import Sequence

from agenttest.errors import Problem
from agenttest.model import (
    Agent,
    Assertion,
    Json,
    Judged,
    Outcome,
    Provenance,
    Reason,
    Scenario,
    Status,
    Suite,
    Verdict,
)
from agenttest.report import Report

AGENT = Agent(None, None, 30.0, (), ())
REASONS = {Status.PASS: Reason.KEPT, Status.FAIL: Reason.VIOLATION, Status.INCOMPLETE: Reason.MISSING_EVIDENCE}
FAIL, INCOMPLETE, PASS = Status.FAIL, Status.INCOMPLETE, Status.PASS


def outcome(
    status: Status,
    message: str = "it is so",
    line: int = 7,
    *,
    kind: str = "response_contains",
    expected: Json = "safe",
    observed: Json = None,
    difference: str | None = None,
    remedy: str | None = None,
) -> Outcome:
    name = {"response_contains": "response.contains[0]", "tool_max_calls": "tools.max_calls"}[kind]
    return Outcome(Assertion(name, kind, expected, line, 5), status, message, observed, difference, remedy)


def judged(scenario: str, *outcomes: Outcome) -> Judged:
    return Judged(Scenario(scenario, "x", None, None, tuple(o.assertion for o in outcomes), 3), None, outcomes)


def report(*scenarios: Judged, path: str = "desk.yml", came: str = "desk.observations.json") -> Report:
    status = Status.worst(each.status for each in scenarios)
    suite = Suite("agent_behavior", 1, path, "", "5" * 64, AGENT, tuple(each.scenario for each in scenarios))
    provenance = Provenance("observations", "unverified_fixture", came, "a" * 64)
    verdict = Verdict(status, REASONS[status])
    return Report(verdict, path, suite, scenarios, provenance, "agent-test-runs/1")


def alike(status: Status, count: int, message: str = "it is so") -> Report:
    """Many scenarios of one cause, each at a line of its own."""
    return report(*(judged(f"s{n:03}", outcome(status, message, n + 1)) for n in range(count)))


def invalid(*problems: Problem, path: str = "desk.yml") -> Report:
    return Report(Verdict(Status.INCOMPLETE, Reason.INVALID_INPUT), path, problems=problems)


def hostile(texts: Sequence[str]) -> list[Report]:
    """Reports in which every word that can be an agent's, or a stranger's, is one of these."""
    message, expected, observed, difference, remedy, name, path = texts
    broken = outcome(FAIL, message, expected=expected, observed=observed, difference=difference)
    calls: Json = [expected, {observed: message}]
    many = outcome(FAIL, observed, kind="tool_max_calls", expected=calls, observed=calls)
    missing = outcome(INCOMPLETE, message, remedy=remedy)
    scenarios = (judged(name, broken, many, missing), judged(message, missing), judged(expected, outcome(PASS)))
    return [report(*scenarios, path=path, came=observed), invalid(Problem(path, 3, 1, message), path=path)]
