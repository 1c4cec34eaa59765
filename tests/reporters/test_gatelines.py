"""The gates of a suite: a line for each, then the verdict; nobody's words act in it."""

from dataclasses import replace

from agenttest.errors import Problem
from agenttest.model import Gate
from agenttest.reporters.gatelines import render
from tests.reporters.reports import FAIL, PASS, invalid, judged, outcome, report


def test_each_gate_has_a_line_and_the_verdict_comes_last() -> None:
    one = report(judged("greets", outcome(PASS)))
    gates = (Gate("one", PASS, "so"), Gate("the-other", FAIL, "not\nso"))
    shown = render(replace(one, verdict=replace(one.verdict, status=FAIL, gates=gates), directory="runs/1"))

    assert [
        "  pass        one        so",
        "  FAIL        the-other  not\\nso",
        "",
        "FAIL (kept, exit 1)",
        "saved in runs/1",
        "replay: agenttest replay runs/1",
    ] == shown.splitlines()[-6:]


def test_what_could_not_be_saved_is_said_and_a_file_that_is_no_scenario_is_not_said_again() -> None:
    bad, lost = Problem("a.json", 1, 1, "is wrong"), Problem("runs/1", 0, 0, "cannot be written")
    one = report(judged("greets", outcome(PASS)))
    assert one.suite
    shown = render(replace(one, suite=replace(one.suite, problems=(bad,)), problems=(bad, lost)))

    assert ["not saved: runs/1: cannot be written"] == [
        line for line in shown.splitlines() if "wri" in line or "wro" in line
    ]


def test_where_nothing_was_judged_the_problems_are_told() -> None:
    assert render(invalid(Problem("a.yml", 1, 2, "is wrong"))).startswith("a.yml:1:2: is wrong\n")
