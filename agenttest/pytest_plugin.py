"""pytest's options → scenarios collected, judged and gated, where they ask for it; else nothing more is imported."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from agenttest.model import Judged
    from agenttest.plugin.cases import Case

MARKERS = (
    "agent_scenario: a scenario of an agent, from a scenario file or a contract",
    "risk_low: little is at stake in the scenario",
    "risk_medium: something is at stake in the scenario",
    "risk_high: much is at stake in the scenario",
    "risk_critical: most is at stake in the scenario",
    "agent_risk(level): how much is at stake in the scenario, as low, medium, high or critical",
    "agent_tag(name): a tag of the scenario",
    "agent_gate: a gate asks for this very scenario: it is required, or of high or critical risk",
)
INCOMPLETE = "incomplete"
SHOWN_AS = ("fail", "xfail")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The flags, and the ini options of the same names."""
    flags = parser.getgroup("agenttest", "scenarios of agents")
    flags.addoption("--agenttest", action="append", default=[], metavar="PATH", help="collect scenarios at PATH too")
    flags.addoption("--agenttest-observations", metavar="PATH", help="judge contracts by the recordings at PATH")
    flags.addoption("--agenttest-gates", action="store_true", help="decide the gates when all has run")
    flags.addoption("--agenttest-partial", action="store_true", help="accept that what a gate asks for is left out")
    parser.addini("agenttest_paths", "files and folders to collect scenarios from", "paths")
    parser.addini("agenttest_observations", "a recording, or a folder of them, to judge contracts by")
    parser.addini("agenttest_gates", "decide the gates when all has run", "bool", False)
    parser.addini("agenttest_partial", "accept that what a gate asks for is left out", "bool", False)
    parser.addini("agenttest_incomplete", "show what cannot be decided as: fail or xfail", default=SHOWN_AS[0])


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known, and take part where a path is opted in."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    given = config.getini("agenttest_incomplete")
    if given not in SHOWN_AS:
        raise pytest.UsageError(f"agenttest_incomplete is {given!r}; it should be {' or '.join(SHOWN_AS)}")
    if config.getoption("agenttest") or config.getini("agenttest_paths"):
        from agenttest.plugin import opting

        opting.opt_in(config)
    elif config.getoption("agenttest_gates") or config.getini("agenttest_gates"):
        raise pytest.UsageError("agenttest: gates need scenarios; name their folder in agenttest_paths or --agenttest")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note of a report that it is of a scenario that cannot be decided."""
    report = yield
    incomplete = getattr(call.excinfo and call.excinfo.value, "incomplete", None)
    if isinstance(incomplete, str) and report.failed:
        report.agenttest = INCOMPLETE  # type: ignore[attr-defined]
        if item.config.getini("agenttest_incomplete") == "xfail":
            report.outcome, report.wasxfail = "skipped", incomplete
    return report


def pytest_report_teststatus(report: pytest.CollectReport | pytest.TestReport) -> Any:
    """What cannot be decided is shown as that."""
    if getattr(report, "agenttest", None) == INCOMPLETE and report.failed:
        return INCOMPLETE, "I", ("INCOMPLETE", {"yellow": True})
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what could not be decided, as pytest tells only what it knows of."""
    if terminalreporter.stats.get(INCOMPLETE):
        from agenttest.plugin import showing

        showing.incomplete(terminalreporter, terminalreporter.stats[INCOMPLETE])


@pytest.fixture
def run_scenario(request: pytest.FixtureRequest) -> Callable[[Case], Judged]:
    """Judge a scenario of `agenttest.pytest.scenarios`, tell of it in the test's report, and fail where it does not
    pass; what was judged is returned, to look at."""
    from agenttest.plugin.failures import checked, properties

    def run(case: Case) -> Judged:
        __tracebackhide__ = True
        told = case.judge()
        request.node.user_properties.extend(properties(told))
        return checked(told).judged

    return run
