"""The test-run report: the sections in their order, the same each time, and nobody's words but shown as such."""

import re
from dataclasses import replace
from hashlib import sha256

import pytest

from agenttest.errors import Problem
from agenttest.model import Gate, Judged, Observation, Risk, Status, Verdict
from agenttest.report import Ending, Report, TraceFile, ending
from agenttest.reporters.testrun import Page, cell_of, render, value
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, hostile, invalid, judged, outcome, report

BAR = re.compile(r"(?<!\\)\|")
WORDS = (
    "::error::x|y",
    "`a`|b",
    "c\\|d",
    "</table><script>|",
    "# x\n| y |\n\n::warning::z",
    "e\\\\|f\u202e",
    "##[error]|",
)


def page(*reports: Report, place: str = "docs/testing/run.md", status: Status = PASS) -> str:
    found = Page(place)
    for each in reports:
        found.add(each)
    return found.text(Ending(status, reports[0].verdict.reason))


def gated(*gates: Gate, **more: object) -> Report:
    """A report of one scenario with these gates."""
    one = report(judged("greets", outcome(PASS)))
    return replace(one, verdict=replace(one.verdict, gates=gates), **more)  # type: ignore[arg-type]


def test_the_sections_stand_in_their_order() -> None:
    titles = [line for line in render(gated(Gate("evidence-complete", PASS, "so"))).splitlines() if line[:1] == "#"]

    assert ["# Test run report", "## Gates", "## Scenarios", "## Oracle Results", "### `greets`"] == titles


@pytest.mark.parametrize(
    ("status", "said"),
    [(PASS, "**PASS** (kept, exit 0)"), (FAIL, "**FAIL** (violation, exit 1)"), (INCOMPLETE, "**INCOMPLETE** (")],
)
def test_the_status_of_all_gates_comes_first(status: Status, said: str) -> None:
    assert f"# Test run report\n\nGate status: {said}" in render(report(judged("greets", outcome(status))))


def test_scenarios_and_oracles_are_counted() -> None:
    shown = render(report(judged("a", outcome(PASS), outcome(FAIL)), judged("b", outcome(INCOMPLETE))))

    assert "2 scenarios: 0 passed, 1 failed, 1 incomplete; 3 oracles: 1 passed, 1 failed, 1 incomplete.\n" in shown


def test_a_gate_has_a_row() -> None:
    assert "| high-risk-pass | FAIL | `not passed: 'a'` |\n" in render(
        gated(Gate("high-risk-pass", FAIL, "not passed: 'a'"))
    )


def test_a_script_is_said_to_be_no_agent() -> None:
    came = replace(gated().provenance, kind="scenario_files", trust="scripted")  # type: ignore[type-var]

    shown = render(gated(provenance=came))

    assert "Evidence: **scripted** in the scenario files: this run tests the oracles and not a running agent" in shown


def test_the_path_of_a_trace_starts_from_the_report() -> None:
    traced = gated(traces={"greets": TraceFile("artifacts/traces/greets-1.trace.json", "0" * 64)})

    assert "| `../../artifacts/traces/greets-1.trace.json` |" in page(traced)


def test_a_trace_that_is_not_there_is_not_named() -> None:
    assert "| `greets` | – | PASS | no | not written |" in page(gated())


@pytest.mark.parametrize(
    ("risk", "required", "gate", "said"),
    [
        (Risk.LOW, False, "high-risk-pass", "| Low | PASS | no |"),
        (Risk.CRITICAL, False, "high-risk-pass", "| Critical | PASS | yes (risk) |"),
        (Risk.MEDIUM, True, "high-risk-pass", "| Medium | PASS | yes (required) |"),
        (Risk.LOW, False, "all-scenarios-pass", "| Low | PASS | yes (every scenario) |"),
    ],
)
def test_a_row_says_whether_a_gate_asks_for_the_scenario(risk: Risk, required: bool, gate: str, said: str) -> None:
    one = judged("greets", outcome(PASS))
    one = replace(one, scenario=replace(one.scenario, risk=risk, required=required))

    assert said in page(replace(report(one), verdict=Verdict(PASS, report(one).verdict.reason, (Gate(gate, PASS),))))


def seen(**fields: object) -> Judged:
    """A scenario in which this was seen."""
    return replace(judged("greets", outcome(PASS)), observation=Observation("greets", **fields))  # type: ignore[arg-type]


def test_the_final_answer_is_shown() -> None:
    assert "\nFinal answer: `Hello, you.`\n" in render(report(seen(response="Hello, you.")))


def test_what_kept_an_answer_from_coming_is_shown() -> None:
    assert "\nFinal answer: none\n\nExecutor error: `no such trace`\n" in render(report(seen(error="no such trace")))


def test_a_long_value_is_cut_and_the_rest_digested() -> None:
    text = "a" * 500 + "b" * 1_234

    shown = value(text)

    assert f"`{'a' * 500}` and 1,234 more characters (SHA-256 {sha256(b'b' * 1_234).hexdigest()[:16]}…)" == shown


def test_a_value_that_is_no_text_is_json() -> None:
    assert '`{"a":[1,"x"]}`' == value({"a": [1, "x"]})


@pytest.mark.parametrize("text", ["a|b", "a\\|b", "a\\\\|b", "|", "\\|", "||\\||"])
def test_no_bar_in_a_cell_ends_it_be_it_that_a_backslash_escapes_the_one_before_it(text: str) -> None:
    found = cell_of(text)

    assert [] == [
        bar.start() for bar in re.finditer(r"\|", found) if not re.search(r"(?<!\\)\\$", found[: bar.start()])
    ]


def test_foreign_words_make_no_cell_no_heading_and_no_command() -> None:
    for each in hostile(WORDS):
        lines = render(each).splitlines()
        tables = [line for line in lines if line.startswith("|")]

        assert {4, 6} >= {len(BAR.findall(line)) for line in tables}
        assert [] == [
            line for line in lines if re.match(r"\s*(::|##\[)|#+ (?!`|Test|Gates|Scen|Oracle|Prob|Inv|Warn)", line)
        ]


def test_foreign_words_are_markdown_nowhere_outside_code() -> None:
    for each in hostile(WORDS):
        outside = re.sub(r"(`+) ?.*? ?\1(?!`)", "", render(each))

        assert "script" not in outside
        assert "\u202e" not in outside


def test_a_selection_says_what_it_left_out() -> None:
    selection = {"asked": [], "tags": [["safety"]], "risk": None, "min_risk": None, "partial": True, "left_out": ["b"]}

    shown = page(gated(selection=selection))

    assert 'Selection: `{"tags":[["safety"]]}`; 1 left out and accepted as partial: `b`.\n' in shown


def test_files_that_are_no_scenario_and_warnings_have_their_lists() -> None:
    bad, shallow = Problem("a.json", 3, 4, "is wrong"), Problem("b.json", 1, 2, "proves little")
    one = gated(problems=(bad,))
    assert one.suite
    one = replace(one, suite=replace(one.suite, problems=(bad,), warnings=(shallow,)))

    shown = page(one)

    assert shown.endswith(
        "## Invalid Files\n\n- `a.json:3:4: is wrong`\n\n## Warnings\n\n- `b.json:1:2: proves little`\n"
    )


def test_what_kept_a_run_from_beginning_is_a_problem() -> None:
    shown = render(invalid(Problem("desk.yml", 3, 1, "is wrong")))

    assert "## Problems\n\n- `desk.yml:3:1: is wrong`\n" in shown


def test_several_suites_are_told_apart_everywhere() -> None:
    one, other = gated(Gate("g", PASS)), replace(gated(Gate("g", PASS)), path="b.yml")

    shown = page(one, other)

    assert "| Suite | Gate | Status | Message |" in shown
    assert "| `b.yml` | `greets` |" in shown
    assert "### `desk.yml` `greets`" in shown
    assert "Evidence of `b.yml`: " in shown


def test_the_ending_of_the_call_is_what_stands_at_the_top() -> None:
    assert "**INCOMPLETE**" in Page().text(ending(invalid()))
