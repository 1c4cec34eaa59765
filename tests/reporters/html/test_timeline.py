"""A trace on a page: its steps in order, each with what it decided, and what was left at the end."""

from dataclasses import replace

import pytest

from agenttest.assertions.oracles import ORACLES
from agenttest.evaluate import judge
from agenttest.model import Assertion, Judged, Observation, Status, StepKind
from agenttest.model import Step as Told
from agenttest.report import Report
from agenttest.reporters import html
from agenttest.reporters.html.scenario import view
from agenttest.reporters.html.shown import Step
from agenttest.reporters.html.timeline import STEPS
from agenttest.reporters.html.words import Mark
from tests import scenarios
from tests.reporters.html.pages import words
from tests.scenarios import TRACE, calls, file, says


def steps(report: Report, name: str = "") -> dict[str, Step]:
    """The steps of the one scenario, or of that of this id, by their labels."""
    judged = next(each for each in report.scenarios if not name or each.scenario.id == name)
    return {step.label: step for step in view(judged, report).steps}


def decided(found: dict[str, Step]) -> dict[str, list[str]]:
    return {label: [name for check in step.checks for name, _ in check.names] for label, step in found.items()}


def test_the_steps_stand_in_their_order_between_what_was_asked_and_what_was_left() -> None:
    labels = [*steps(scenarios.whole(), "critical-breaks")]

    assert [
        *("Scenario", "Prompt", "Trace", "1 Message", "2 Call", "3 Approval", "4 Approval", "5 Result", "6 State"),
        *("7 Answer", "Final state", "Sources"),
    ] == labels


def test_an_oracle_stands_beside_its_step_and_what_no_step_decided_beside_the_trace() -> None:
    oracles = (says("bare"), {"type": "NoUnsafeTool"}, calls("water"), {"type": "Refusal", "expected": True})
    found = decided(steps(scenarios.report(file("a", *oracles, scriptedTrace=TRACE))))

    assert {
        "7 Answer": ["expected.oracles[0] FinalAnswerContains"],
        "2 Call": ["expected.oracles[1] NoUnsafeTool"],
        "Trace": ["expected.oracles[2] ToolCalled"],
        "Refusal": ["expected.oracles[3] Refusal"],
    } == {label: names for label, names in found.items() if names}


def test_no_outcome_is_left_out() -> None:
    given = {"toolName": "x", "toolNames": ["x"], "text": "x", "maxCount": 1, "stateKey": "x", "expectedValue": "x"}
    more = {"sourceId": "x", "expected": True, "argumentsSubset": {}}
    oracles = [{"type": kind, **{key: (given | more)[key] for key in each.needs}} for kind, each in ORACLES.items()]
    report = scenarios.report(file("a", *oracles, scriptedTrace=TRACE))

    shown = [name for names in decided(steps(report)).values() for name in names]

    assert len(ORACLES) == len(shown) == len(set(shown))


@pytest.mark.parametrize(
    "seen",
    [Observation("a", "x", True, "stop", (), True), Observation("a", error="no answer")],
    ids=["an answer", "no answer"],
)
def test_nor_where_the_agent_tells_no_steps(seen: Observation) -> None:
    asked = scenarios.report(file("a", *({"type": kind, "toolName": "x"} for kind in ORACLES)))
    (judged,) = asked.scenarios

    report = replace(asked, scenarios=(judge(judged.scenario, seen),))

    assert len(ORACLES) == len([name for names in decided(steps(report)).values() for name in names])


def test_a_scenario_without_an_oracle_says_so_beside_the_trace() -> None:
    (check,) = steps(scenarios.report(file("a", scriptedFinalAnswer="x")))["Trace"].checks

    assert (Status.FAIL, (("expected.oracles ExplicitOracles", 7),)) == (check.status, check.names)


def test_what_a_call_is_said_to_be_is_told() -> None:
    found = steps(scenarios.whole(), "critical-breaks")["2 Call"]

    assert ("erase", ("needs approval", "unsafe", "call c1")) == (found.name, found.items)


def test_arguments_that_are_no_object_are_shown_as_they_were_written() -> None:
    call = {"toolCall": {"toolName": "read", "argumentsJson": "[1"}}
    found = steps(scenarios.report(file("a", calls("read"), scriptedTrace=[call])))["1 Call"]

    assert (["[1"], "its arguments are no JSON object") == ([part.text for part in found.parts], found.note)


def test_an_approval_tells_who_and_why() -> None:
    found = steps(scenarios.whole(), "critical-breaks")["4 Approval"]

    assert (("resolved", "denied", "call c1"), ['{"reason": "too dear"}']) == (
        found.items,
        [line.text for line in found.lines],
    )


def test_the_state_that_is_left_holds_what_no_step_changed() -> None:
    found = steps(scenarios.whole(), "critical-breaks")["Final state"]

    assert ['{"owner": "Ada", "bed.4": "bare"}'] == [line.text for line in found.lines]


@pytest.mark.parametrize(
    ("oracle", "marked"),
    [
        (says("bed 4"), [("Bed 4", Mark.KEPT)]),
        (says("bed 4", caseSensitive=True), []),
        ({"type": "FinalAnswerExcludes", "text": "BARE"}, [("bare", Mark.BROKEN)]),
    ],
)
def test_what_decided_is_marked_in_the_answer(oracle: dict[str, object], marked: list[tuple[str, Mark]]) -> None:
    found = steps(scenarios.report(file("a", oracle, scriptedTrace=TRACE)))["7 Answer"]

    assert marked == [(part.text, part.mark) for part in found.parts if part.mark]


def test_what_may_be_missing_is_told_at_the_end() -> None:
    document = file("a", says("x"), scriptedFinalAnswer="x", capture={"toolCalls": "partial"})
    document["input"]["metadata"] = {"timedOut": "true"}

    assert ("timed out", "partial: toolCalls") == steps(scenarios.report(document))["End"].items


def test_of_many_steps_those_are_shown_that_decided_something() -> None:
    (judged,) = scenarios.report(file("a", says("last"))).scenarios
    seen = tuple(Told(StepKind.FINAL_ANSWER, at, "last") for at in range(1, STEPS + 11))
    many = judge(judged.scenario, Observation("a", "last", steps=seen, state={}))
    report = replace(scenarios.report(file("a", says("last"))), scenarios=(many,))

    found = steps(report)

    assert f"{STEPS + 10} steps, of which {STEPS + 1} are shown" == found["Trace"].note
    assert f"{STEPS + 10} Answer" in found


def test_an_oracle_that_is_kept_tells_what_was_seen() -> None:
    (check,) = steps(scenarios.whole(), "high-keeps")["1 Answer"].checks

    assert ("'DONE'", "'done'") == (check.asked, check.observed)


def test_a_line_shows_what_is_at_stake_and_that_a_failure_is_tolerated() -> None:
    page = html.render(scenarios.whole())

    assert {"Critical", "High", "Low, required", "Medium"} == {*words(page, "span", "risk")}
    assert "fails no gate" in words(page, "span", "free")
    assert ["safety", "a", "b"] == words(page, "code", "tag")


def test_the_page_has_every_gate_with_what_would_make_it_hold() -> None:
    report = scenarios.whole()
    page = html.render(report)

    names = [gate.name for gate in report.verdict.gates]
    assert names == [word for word in words(page, "th") if word in names]
    assert 3 == len([word for word in words(page, "p", "remedy") if word.startswith("To hold it:")])


def test_files_that_are_not_valid_and_warnings_are_told() -> None:
    report = scenarios.whole()
    page = html.render(report)

    assert report.suite is not None
    told = words(page, "li")
    assert all(str(each) in told for each in (*report.suite.problems, *report.suite.warnings))


def test_a_page_names_the_redacted_oracles_as_it_shows_them() -> None:
    report = scenarios.tolerated()
    judged: Judged = replace(report.scenarios[0], redacted=("expected.oracles[0]",))

    assert ("expected.oracles[0] ToolCalled",) == view(judged, report).redacted


def test_an_oracle_whose_parameter_is_wrong_stands_beside_the_trace() -> None:
    report = scenarios.report(file("a", {"type": "ToolCalled"}, scriptedFinalAnswer="x"))
    (assertion,) = report.scenarios[0].scenario.assertions

    assert isinstance(assertion, Assertion)
    assert ["expected.oracles[0] ToolCalled"] == decided(steps(report))["Trace"]
