"""Where a scenario stands, what is at stake in it, and whether a gate asks for it."""

import pytest

from agenttest.errors import Problem
from agenttest.gates import Asked
from agenttest.model import Judged
from agenttest.report import Report
from agenttest.reporters import standing
from tests import scenarios
from tests.reporters.reports import FAIL, alike, judged, outcome
from tests.scenarios import FOLDER, calls, file

WHOLE = scenarios.whole()
BREAKS = file("breaks", calls("water"), risk="Low", scriptedFinalAnswer="Later.")


def found(name: str, report: Report = WHOLE) -> Judged:
    return next(each for each in report.scenarios if each.scenario.id == name)


def test_a_scenario_of_a_file_stands_in_that_file() -> None:
    assert f"{FOLDER}/high-keeps.json:2" == standing.place_of(WHOLE, found("high-keeps").scenario, 2)


def test_a_scenario_of_a_contract_stands_in_the_contract() -> None:
    assert "desk.yml:7" == standing.place_of(alike(FAIL, 1), judged("a", outcome(FAIL)).scenario, 7)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("critical-breaks", False), ("high-keeps", False), ("low-required", False), ("medium-breaks", True)],
)
def test_only_a_failure_that_no_gate_asks_for_is_tolerated(name: str, *, expected: bool) -> None:
    assert expected is standing.tolerated(WHOLE, found(name))


@pytest.mark.parametrize(
    "report",
    [
        scenarios.report(BREAKS, asked=Asked(strict=True)),
        scenarios.report({**BREAKS, "expected": {"oracles": BREAKS["expected"]["oracles"], "requiredForGates": True}}),
        scenarios.report(file("breaks", risk="Low", scriptedFinalAnswer="Later.")),
        scenarios.report(file("breaks", calls("water"), risk="Low")),
    ],
    ids=["strict", "required", "no oracle", "no step"],
)
def test_a_failure_that_fails_a_gate_is_not(report: Report) -> None:
    assert (False, True) == (
        standing.tolerated(report, report.scenarios[0]),
        standing.counts(report, report.scenarios[0]),
    )


def test_a_contract_tolerates_nothing() -> None:
    report = alike(FAIL, 1)

    assert (False, True) == (
        standing.tolerated(report, report.scenarios[0]),
        standing.counts(report, report.scenarios[0]),
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [("critical-breaks", True), ("low-required", True), ("medium-breaks", False)],
)
def test_risk_and_being_required_make_what_is_not_kept_an_error(name: str, *, expected: bool) -> None:
    scenario = found(name)

    assert expected is standing.grave(WHOLE, scenario, scenario.outcomes[0])


def test_what_is_at_stake_is_said_in_a_word_or_two() -> None:
    said = {each.scenario.id: standing.stakes(each.scenario) for each in WHOLE.scenarios}

    assert {
        "critical-breaks": "Critical",
        "high-keeps": "High",
        "low-required": "Low, required",
        "medium-breaks": "Medium",
    } == said


def test_nothing_is_said_of_what_is_at_stake_in_a_contract() -> None:
    assert "" == standing.stakes(judged("a", outcome(FAIL)).scenario)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("high-keeps", "expected.oracles[0] FinalAnswerContains (says it)"),
        ("medium-breaks", "expected.oracles[0] ToolCalled"),
    ],
)
def test_an_oracle_is_named_by_its_path_its_type_and_its_authors_name(name: str, expected: str) -> None:
    assert expected == standing.named(found(name).scenario.assertions[0])


def test_an_assertion_of_a_contract_is_named_by_its_path() -> None:
    assert "response.contains[0]" == standing.named(outcome(FAIL).assertion)


def test_problems_of_files_are_told_apart_from_what_was_not_saved() -> None:
    lost = Problem("agent-test-runs", 0, 0, "no space left")
    report = scenarios.with_problem(WHOLE, lost)

    assert ({f"{FOLDER}/broken.json"}, (lost,)) == (
        {problem.path for problem in standing.unread(report)},
        standing.unkept(report),
    )
