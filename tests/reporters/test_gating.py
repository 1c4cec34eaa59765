"""Gates that do not hold: what would make each hold, and which of them nothing else explains."""

from dataclasses import replace

import pytest

from agenttest.gates import ALL, GATES, SHARDS, Asked, Policy
from agenttest.model import Filters, Gate, Risk, Status, Verdict
from agenttest.report import Report
from agenttest.reporters.gating import REMEDIES, remedy, shallow_matters, unexplained
from tests import scenarios
from tests.reporters.reports import FAIL, alike
from tests.scenarios import calls, file, says


def named(report: Report) -> list[str]:
    return [gate.name for gate in unexplained(report)]


def test_every_gate_has_a_remedy() -> None:
    names = {rule.decide((), Policy(kind)).name for kind, rules in GATES.items() for rule in rules}

    assert {*names, SHARDS} == REMEDIES.keys()


def test_a_gate_that_holds_needs_none() -> None:
    assert "" == remedy(Gate("high-risk-pass", Status.PASS))


def test_what_scenarios_and_files_explain_is_not_told_again() -> None:
    assert [] == named(scenarios.whole())


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (scenarios.report(), ["scenario-discovery"]),
        (scenarios.report(file("quiet", {"type": "MaxToolCalls", "maxCount": 0})), ["trace-presence"]),
    ],
    ids=["nothing", "no step"],
)
def test_what_nothing_else_explains_is(report: Report, expected: list[str]) -> None:
    assert expected == named(report)


def test_a_selection_that_leaves_out_too_much_is_told() -> None:
    whole = scenarios.whole()
    asked = Asked(filters=Filters(risk=Risk.LOW))
    assert whole.suite is not None
    policy = Policy.of(whole.suite, (), asked)
    gates = tuple(rule.decide((), policy) for rule in GATES[policy.kind] if rule.asked(policy))
    report = replace(whole, scenarios=(), verdict=replace(whole.verdict, gates=gates))

    assert ["selection-complete"] == [name for name in named(report) if name.startswith("selection")]


def test_evidence_that_is_stale_is_told_as_no_scenario_tells_it() -> None:
    kept = scenarios.tolerated()
    gates = (Gate("evidence-complete", Status.INCOMPLETE, "stale"),)

    assert ["evidence-complete"] == named(replace(kept, verdict=replace(kept.verdict, gates=gates)))


def test_a_contracts_gates_are_all_explained() -> None:
    gates = (Gate("all-scenarios-pass", FAIL), Gate("other", FAIL))

    assert [] == named(replace(alike(FAIL, 1), verdict=Verdict(FAIL, alike(FAIL, 1).verdict.reason, gates)))


@pytest.mark.parametrize(("asked", "expected"), [(ALL, False), (Asked(lint="error"), True)])
def test_a_shallow_scenario_matters_where_a_gate_says_so(asked: Asked, *, expected: bool) -> None:
    shallow = file("shallow", says("done"), calls("x"), scriptedFinalAnswer="done")

    assert expected is shallow_matters(scenarios.report(shallow, asked=asked))
