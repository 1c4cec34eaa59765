"""What the reports of a session say of scenarios → the gates of every suite, told at its end, and its exit code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from agenttest import gates
from agenttest.gates import Asked, Policy
from agenttest.github.commands import inert
from agenttest.model import (
    Filters,
    Gate,
    Judged,
    Observation,
    Outcome,
    Problem,
    Reason,
    Scenario,
    Status,
    Suite,
    Verdict,
)
from agenttest.plugin.cases import Loaded
from agenttest.plugin.paths import Paths
from agenttest.plugin.wording import flagged
from agenttest.quote import one_line

SELECTION = ("what pytest was asked to run",)
NOTHING_BAD = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
EXITS = {Status.FAIL: pytest.ExitCode.TESTS_FAILED, Status.INCOMPLETE: pytest.ExitCode.INTERRUPTED}
COLOURS = {Status.PASS: "green", Status.FAIL: "red", Status.INCOMPLETE: "yellow"}
LABELS = {Status.PASS: "pass", Status.FAIL: "FAIL", Status.INCOMPLETE: "INCOMPLETE"}


class Gating:
    """The hooks by which the process that has all reports decides the gates."""

    def __init__(self, paths: Paths, *, partial: bool) -> None:
        self.paths, self.partial = paths, partial
        self.selected: set[str] = set()
        self.reported: dict[str, Mapping[str, str]] = {}
        self.decided: list[tuple[str, Verdict]] = []
        self.broken = False

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note what is to be run in this process."""
        self.selected.update(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Note what is to be run in other ones."""
        self.selected.update(ids)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that something could not be collected, after which pytest runs nothing unless it is told to."""
        self.broken = self.broken or report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what became of a scenario; of a test that its process did not survive there is only a failure."""
        found = {name: str(value) for name, value in report.user_properties}
        if report.when == "call" and "assertions" in found:
            self.reported[report.nodeid] = found

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Decide, and have pytest exit so where nothing else was wrong; not where nothing was to be run at all."""
        if session.config.getoption("collectonly") or self.undecided:
            return
        self.decided = [(path, verdict) for path, found in self.paths.suites() if (verdict := self.verdict(found))]
        status = Status.worst(verdict.status for _, verdict in self.decided)
        if status is not Status.PASS and session.exitstatus in NOTHING_BAD:
            session.exitstatus = EXITS[status]

    @property
    def undecided(self) -> bool:
        """Whether nothing was run, as something could not be collected, so that no gate says anything."""
        return self.broken and not self.reported

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Every gate of every suite."""
        if self.decided or self.undecided:
            terminalreporter.write_sep("=", "agent gates")
        if self.undecided:
            terminalreporter.write_line("not decided: nothing was run, as not everything could be collected")
        for path, verdict in self.decided:
            terminalreporter.write_line(inert(one_line(path)))
            for gate in verdict.gates:
                said = f"  {LABELS[gate.status]:10}  {gate.name}: {inert(flagged(one_line(gate.message)))}"
                terminalreporter.write_line(said, **{COLOURS[gate.status]: True})

    def verdict(self, found: Loaded | Sequence[Problem]) -> Verdict | None:
        """The verdict on a suite; nothing on a contract of which nothing was asked for, where that is accepted."""
        if not isinstance(found, Loaded):
            return unjudged(found[0])
        suite, nodes = found.suite, {each.id: self.paths.node_of(found, each) for each in found.suite.scenarios}
        ran = [each for each in suite.scenarios if nodes[each.id] in self.reported]
        rest = [each for each in suite.scenarios if nodes[each.id] not in self.reported]
        not_run = tuple(each for each in rest if self.expected(suite, nodes[each.id]))
        left_out = tuple(each for each in rest if not self.expected(suite, nodes[each.id]))
        if suite.files is None and not ran and not not_run:
            return None
        asked = Asked(SELECTION if left_out else (), Filters(partial=self.partial))
        policy = Policy(suite.kind, suite.problems, suite.warnings, left_out, asked, not_run=not_run)
        return gates.decide([rebuilt(each, self.reported[nodes[each.id]]) for each in ran], None, policy)

    def expected(self, suite: Suite, node: str) -> bool:
        """Whether a scenario without a report should have one: it was selected, or its contract is asked for whole."""
        return node in self.selected or (suite.files is None and not self.partial)


def unjudged(problem: Problem) -> Verdict:
    """The verdict on a contract that is not valid, or has no valid recording."""
    gate = Gate("evidence-complete", Status.INCOMPLETE, f"the contract cannot be judged: {problem.message}")
    return Verdict(Status.INCOMPLETE, Reason.INVALID_INPUT, (gate,))


def rebuilt(scenario: Scenario, told: Mapping[str, str]) -> Judged:
    """A judged scenario as far as gates look at it, from what its report carries."""
    statuses = map(Status, told["assertions"].split())
    outcomes = tuple(Outcome(*each, "") for each in zip(scenario.assertions, statuses, strict=True))
    steps = None if told.get("steps") != "0" else ()
    return Judged(scenario, Observation(scenario.id, steps=steps), outcomes)
