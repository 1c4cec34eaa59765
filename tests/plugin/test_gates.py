"""Gates are decided at a session's end, of all that should have been run, and decide how it exits."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

import pytest

from agenttest.plugin.gating import LABELS
from tests import projects
from tests.plugin import desk

pytest_plugins = "pytester"
Runner = Callable[..., pytest.RunResult]
GATE = re.compile(r"  (pass|FAIL|INCOMPLETE) +([a-z-]+): (.*)")
INTERRUPTED, FAILED = pytest.ExitCode.INTERRUPTED, pytest.ExitCode.TESTS_FAILED


def gates(result: pytest.RunResult) -> dict[str, str]:
    """The status of each gate, in order."""
    return {found[2]: found[1] for line in result.outlines if (found := GATE.match(line))}


def unheld(result: pytest.RunResult) -> dict[str, str]:
    """The gates that do not hold."""
    return {name: status for name, status in gates(result).items() if status != "pass"}


def test_every_gate_is_told_and_a_pass_exits_with_0(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path, basic=desk.scenario("basic"))
    projects.lay(place, "clerk.yml", greets="hello")

    result = run("--agenttest-gates")

    assert pytest.ExitCode.OK == result.ret
    result.stdout.fnmatch_lines(
        [
            "=* agent gates =*",
            desk.SCENARIOS,
            "  pass        scenario-discovery: 1 scenario found",
            "  pass        evidence-complete: everything could be decided",
            f"{desk.SCENARIOS}/clerk.yml",
            "  pass        all-scenarios-pass: no scenario is violated",
        ]
    )
    assert {} == unheld(result)


def test_scenarios_and_gates_come_out_as_on_the_command_line(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(
        pytester.path,
        good=desk.scenario("good"),
        bare=json.dumps({**json.loads(desk.scenario("bare")), "expected": {"oracles": []}}),
        high=desk.scenario("high", desk.BROKEN, risk="High"),
        open=desk.scenario("open", desk.BROKEN, **desk.PARTIAL),
        still=desk.scenario("still", {"type": "NoUnsafeTool"}, scriptedTrace=[], scriptedFinalAnswer=""),
    )
    projects.lay(place, "clerk.yml", greets="hello", leaves="good day", waits=None)

    result = run("--agenttest-gates", "--junitxml=out.xml")

    _, reports = projects.judge(pytester.path, desk.SCENARIOS, f"{desk.SCENARIOS}/clerk.yml", artifacts=False)
    assert {each.scenario.id: each.status for report in reports for each in report.scenarios} == dict(statuses())
    decided = [(LABELS[gate.status], gate.name, gate.message) for report in reports for gate in report.verdict.gates]
    assert decided == [(found[1], found[2], found[3]) for line in result.outlines if (found := GATE.match(line))]


def statuses() -> Iterator[tuple[str | None, str | None]]:
    """What the JUnit file says of each scenario."""
    for case in ET.parse("out.xml").getroot().iter("testcase"):
        said = {each.get("name"): each.get("value") for each in case.iter("property")}
        yield said["scenario_id"], said["status"]


def test_gates_are_not_told_unasked(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic"))

    assert "agent gates" not in run().stdout.str()


def test_a_failure_of_low_risk_fails_its_test_and_no_gate(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", desk.BROKEN))

    result = run("--agenttest-gates")

    assert (FAILED, {}) == (result.ret, unheld(result))


def test_a_failure_of_high_risk_fails_its_gate(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", desk.BROKEN, risk="High"))

    result = run("-o", "agenttest_gates=true")

    assert (FAILED, {"high-risk-pass": "FAIL"}) == (result.ret, unheld(result))


def test_incomplete_that_is_expected_still_leaves_its_gate_incomplete(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", **desk.PARTIAL))

    result = run("--agenttest-gates", "-o", "agenttest_incomplete=xfail")

    assert (INTERRUPTED, {"evidence-complete": "INCOMPLETE"}) == (result.ret, unheld(result))


def test_a_trace_without_a_step_fails_its_gate_though_its_test_passes(run: Runner, pytester: pytest.Pytester) -> None:
    oracle = {"type": "MaxToolCalls", "maxCount": 0}
    desk.lay(pytester.path, basic=desk.scenario("basic", oracle, scriptedTrace=[], scriptedFinalAnswer=""))

    result = run("--agenttest-gates")

    result.assert_outcomes(passed=1)
    assert (FAILED, {"trace-presence": "FAIL"}) == (result.ret, unheld(result))


@pytest.mark.parametrize(
    ("risk", "found"),
    [("High", (INTERRUPTED, {"selection-complete": "INCOMPLETE"})), ("Low", (pytest.ExitCode.OK, {}))],
)
def test_what_is_deselected_is_missed_by_the_gate_that_asks_for_it(
    run: Runner, pytester: pytest.Pytester, risk: str, found: object
) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic"), other=desk.scenario("other", risk=risk))

    result = run("--agenttest-gates", "-k", "basic")

    assert found == (result.ret, unheld(result))


def test_the_gate_names_the_plugins_flag_and_that_accepts_what_is_left_out(
    run: Runner, pytester: pytest.Pytester
) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic"), other=desk.scenario("other", risk="High"))

    told = run("--agenttest-gates", "-k", "basic").stdout.str()
    accepted = run("--agenttest-gates", "-k", "basic", "--agenttest-partial")

    assert "left out, and asked for by a gate: 'other'; --agenttest-partial accepts that" in told
    assert (pytest.ExitCode.OK, {}) == (accepted.ret, unheld(accepted))


@pytest.mark.parametrize(
    ("accepted", "found"),
    [((), (INTERRUPTED, {"selection-complete": "INCOMPLETE"})), (("--agenttest-partial",), (pytest.ExitCode.OK, {}))],
    ids=["asked for whole", "in part"],
)
def test_a_contract_is_asked_for_whole(
    run: Runner, pytester: pytest.Pytester, accepted: tuple[str, ...], found: object
) -> None:
    place = desk.lay(pytester.path, basic=desk.scenario("basic"))
    projects.lay(place, "clerk.yml", greets="hello")

    result = run("--agenttest-gates", "-k", "basic", *accepted)

    assert found == (result.ret, unheld(result))


def test_what_a_failure_kept_from_being_run_is_incomplete_whatever_its_risk(
    run: Runner, pytester: pytest.Pytester
) -> None:
    desk.lay(pytester.path, a=desk.scenario("a", desk.BROKEN), b=desk.scenario("b"))

    result = run("-x", "--agenttest-gates")

    assert {"selection-complete": "INCOMPLETE"} == unheld(result)
    result.stdout.fnmatch_lines(["  INCOMPLETE  selection-complete: not run: 'b'"])


def test_a_file_that_is_not_valid_leaves_the_gates_incomplete(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path, good=desk.scenario("good"), bad="{}")
    (place / "clerk.yml").write_text("version: 1\n")

    result = run("--agenttest-gates", "--continue-on-collection-errors")

    assert FAILED == result.ret
    assert {"evidence-complete": "INCOMPLETE"} == unheld(result)
    result.stdout.fnmatch_lines(["  INCOMPLETE  evidence-complete: the contract cannot be judged: *"])


def test_gates_say_nothing_where_nothing_was_run_as_a_file_is_not_valid(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, good=desk.scenario("good"), bad="{}")

    result = run("--agenttest-gates")

    assert (INTERRUPTED, {}) == (result.ret, gates(result))
    result.stdout.fnmatch_lines(["not decided: nothing was run, as not everything could be collected"])


def test_nothing_is_gated_where_nothing_is_to_be_run(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic"))

    result = run("--agenttest-gates", "--collect-only")

    assert (pytest.ExitCode.OK, {}) == (result.ret, gates(result))


def test_gates_without_scenarios_are_an_error_of_the_call(run: Runner) -> None:
    result = run("--agenttest-gates")

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines(["ERROR: agenttest: gates need scenarios; *"])
