"""A scenario that does not pass says what is wrong and where, without a traceback; incomplete is shown as that."""

import os
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from textwrap import dedent

import pytest

from tests import projects
from tests.plugin import desk

pytest_plugins = "pytester"
Runner = Callable[..., pytest.RunResult]


def test_a_failure_tells_the_scenario_its_evidence_and_each_oracle(run: Runner, pytester: pytest.Pytester) -> None:
    answer = {"type": "FinalAnswerContains", "text": "bye", "name": "says goodbye"}
    desk.lay(pytester.path, basic=desk.scenario("basic", desk.CALLED, desk.BROKEN, answer, risk="High"))

    result = run("-q")

    shown = """\
        basic FAIL (High risk, executor scripted)
        evidence: scripted in the file itself, so this tests its oracles and no agent
        FAIL  ToolCalled: 'pay' was never called
          expected: 'pay'
          actual:   'read_file'
          at tests/agent-scenarios/basic.json:22 expected.oracles[1]
        FAIL  says goodbye: the final answer does not contain 'bye'
          expected: 'bye'
          actual:   'read'
          at tests/agent-scenarios/basic.json:26 expected.oracles[2]
        """
    assert dedent(shown) in result.stdout.str() + "\n"


def test_the_summary_says_the_first_thing_that_is_wrong(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", desk.BROKEN, desk.BROKEN))

    result = run("-q")

    name = f"{desk.SCENARIOS}/basic.json::basic"
    assert f"FAILED {name} - 'pay' was never called (and 1 more)" in result.outlines


def test_a_failure_on_one_line_names_the_scenarios_file_and_line(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path, basic=desk.scenario("basic", desk.BROKEN))

    result = run("--tb=line")

    assert f"{place / 'basic.json'}:2: 'pay' was never called" in result.outlines


def test_a_scenario_of_a_contract_says_what_its_recording_proves(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path)
    projects.lay(place, "clerk.yml", greets="good day")

    result = run()

    result.stdout.fnmatch_lines(
        [
            "greets FAIL",
            "evidence: a recording, which does not prove that a running agent produced it",
            "FAIL  the response does not contain 'hello'",
            "  expected: 'hello'",
            "  actual:   'good day'",
            f"  at {desk.SCENARIOS}/clerk.yml:4 response.contains[[]0]",
        ],
        consecutive=True,
    )


def test_words_that_a_terminal_or_a_log_could_obey_are_told_as_text(run: Runner, pytester: pytest.Pytester) -> None:
    oracle = {"type": "ToolCalled", "toolName": "\x1b[31mred\n::error::x", "name": "\x1b[2Jclear\n::warning::y"}
    desk.lay(pytester.path, basic=desk.scenario("\x1b[1mbold\n::notice::z", oracle))

    shown = run("-v").stdout.str()

    assert "\x1b" not in shown
    assert [] == [line for line in shown.splitlines() if line.startswith("::")]


@pytest.mark.parametrize("flags", [(), ("--agenttest-gates",), ("--tb=line",)])
@pytest.mark.parametrize("name", ["::error file=x::pwn", "##[error]pwn", " ::stop-commands::x"])
def test_an_id_is_no_command_of_a_workflow(
    run: Runner, pytester: pytest.Pytester, name: str, flags: tuple[str, ...]
) -> None:
    oracle = {"type": "ToolCalled", "toolName": "never"}
    desk.lay(pytester.path, basic=desk.scenario(name, oracle, risk="High"))

    shown = run(*flags).stdout.str()

    assert [] == [line for line in shown.splitlines() if line.lstrip().startswith("::") or "##[" in line]


def test_incomplete_is_a_failure_that_is_shown_as_incomplete(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", **desk.PARTIAL))

    result = run("-v")

    assert pytest.ExitCode.TESTS_FAILED == result.ret
    name = f"{desk.SCENARIOS}/basic.json::basic"
    result.stdout.fnmatch_lines(
        [
            f"{name} INCOMPLETE *",
            "=* INCOMPLETE =*",
            "_* basic _*",
            "basic INCOMPLETE (Low risk, executor scripted)",
            "INCOMPLETE  ToolCalled: the trace may not hold all of toolCalls",
            "  to prove: record *",
            "=* incomplete scenarios =*",
            f"INCOMPLETE {name} - the trace may not hold all of toolCalls",
            "=* 1 incomplete in *",
        ]
    )


def test_incomplete_is_a_letter_of_its_own(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", **desk.PARTIAL))

    assert run("-q").outlines[0].startswith("I ")


@pytest.mark.parametrize("style", ["no", "line"])
def test_without_tracebacks_incomplete_is_only_listed(run: Runner, pytester: pytest.Pytester, style: str) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", **desk.PARTIAL))

    shown = run(f"--tb={style}").stdout.str()

    assert "= incomplete scenarios =" in shown
    assert "evidence:" not in shown


def test_incomplete_is_expected_where_that_is_configured(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", **desk.PARTIAL), broken=desk.scenario("broken", desk.BROKEN))

    result = run("-o", "agenttest_incomplete=xfail", "-rx")

    result.assert_outcomes(failed=1, xfailed=1)
    result.stdout.fnmatch_lines(["XFAIL *basic.json::basic - the trace may not hold all of toolCalls"])


def test_incomplete_can_be_nothing_else(run: Runner) -> None:
    result = run("-o", "agenttest_incomplete=skip")

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines(["ERROR: agenttest_incomplete is 'skip'; it should be fail or xfail"])


def test_an_executor_that_there_is_not_is_incomplete(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", executor="runtime"))

    result = run()

    result.stdout.fnmatch_lines(["basic INCOMPLETE (Low risk, executor runtime)", "=* 1 incomplete in *"])


def test_junit_xml_carries_what_the_scenario_is_and_why_it_fails(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", desk.BROKEN, risk="High"))

    run("--junitxml=out.xml")

    (case,) = ET.parse(pytester.path / "out.xml").getroot().iter("testcase")
    properties = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert {
        "scenario_id": "basic",
        "risk": "High",
        "status": "fail",
        "evidence": "scripted",
        "assertions": "fail",
        "steps": "2",
    } == properties
    (failure,) = case.iter("failure")
    assert "'pay' was never called" == failure.get("message")
    assert "basic FAIL (High risk, executor scripted)" in str(failure.text)


def test_what_failed_is_run_again(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, good=desk.scenario("good"), broken=desk.scenario("broken", desk.BROKEN))
    run()

    result = run("--lf")

    result.assert_outcomes(failed=1)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are text")
def test_a_file_whose_name_is_no_text_is_judged_like_any_other(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic", {"type": "ToolCalled", "toolName": "never"}))
    folder = os.fsencode(pytester.path / desk.SCENARIOS)
    os.rename(folder + b"/basic.json", folder + b"/b\xff.json")

    result = run()

    result.assert_outcomes(failed=1)
    assert pytest.ExitCode.TESTS_FAILED == result.ret
