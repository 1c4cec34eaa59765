"""The verdict follows from every gate, and the worst one says why."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.gates import CONTRACT, GATES, HARNESS, Asked, Policy, decide
from agenttest.model import (
    Agent,
    Assertion,
    Filters,
    Gate,
    Judged,
    Merged,
    Observation,
    Problem,
    Reason,
    Risk,
    Shard,
    Status,
    Suite,
)
from tests.nouns import judged, scenario

PASS, FAIL, INCOMPLETE = Status.PASS, Status.FAIL, Status.INCOMPLETE
RUNS = st.lists(st.lists(st.sampled_from(Status), max_size=3).map(lambda statuses: judged(*statuses)), max_size=4)
STEP = Observation("desk")
BARE = Assertion("expected.oracles", "ExplicitOracles", None, 1, 1, fault="none")


@pytest.mark.parametrize(
    ("scenarios", "status", "reason", "unheld"),
    [
        ([judged(PASS), judged(PASS, PASS)], PASS, Reason.KEPT, ()),
        ([judged(PASS), judged(PASS, FAIL)], FAIL, Reason.VIOLATION, ("all-scenarios-pass",)),
        ([judged(PASS, INCOMPLETE)], INCOMPLETE, Reason.MISSING_EVIDENCE, ("evidence-complete",)),
        ([judged(INCOMPLETE), judged(FAIL)], FAIL, Reason.VIOLATION, ("all-scenarios-pass", "evidence-complete")),
        ([judged(FAIL, INCOMPLETE)], FAIL, Reason.VIOLATION, ("all-scenarios-pass", "evidence-complete")),
        ([judged(PASS), judged()], INCOMPLETE, Reason.MISSING_EVIDENCE, ("evidence-complete",)),
        ([], INCOMPLETE, Reason.MISSING_EVIDENCE, ("evidence-complete",)),
    ],
)
def test_the_worst_gate_decides(
    scenarios: list[Judged], status: Status, reason: Reason, unheld: tuple[str, ...]
) -> None:
    verdict = decide(scenarios)

    assert (status, reason, unheld) == (verdict.status, verdict.reason, verdict.unheld)


@given(RUNS)
def test_the_verdict_on_a_contract_is_the_worst_scenario(scenarios: list[Judged]) -> None:
    assert Status.worst(each.status for each in scenarios) is decide(scenarios).status


@given(RUNS, st.sampled_from([CONTRACT, HARNESS]))
def test_a_pass_holds_every_gate_and_nothing_else_does(scenarios: list[Judged], kind: str) -> None:
    verdict = decide(scenarios, policy=Policy(kind))

    assert (verdict.status is PASS) is (verdict.unheld == ())


@pytest.mark.parametrize("kind", GATES)
def test_every_gate_is_told_with_words(kind: str) -> None:
    asked = Asked(("x",), strict=True, lint="error")

    verdict = decide([judged(PASS)], policy=Policy(kind, asked=asked, not_run=(judged(PASS, name="x").scenario,)))

    assert [True] * len(GATES[kind]) == [bool(gate.name and gate.message) for gate in verdict.gates]


@pytest.mark.parametrize("kind", GATES)
def test_what_should_have_been_run_and_was_not_is_incomplete_whatever_its_risk(kind: str) -> None:
    verdict = decide([judged(PASS)], policy=Policy(kind, not_run=(judged(PASS, name="clerk").scenario,)))

    assert Gate("selection-complete", INCOMPLETE, "not run: 'clerk'") in verdict.gates


MISSING, NONE_MISSING = Merged(3, (Shard(2, 3),)), Merged(3)


@pytest.mark.parametrize(
    ("scenarios", "merged", "status", "unheld"),
    [
        ([judged(PASS)], NONE_MISSING, PASS, ()),
        ([judged(PASS)], MISSING, INCOMPLETE, ("all-shards-present",)),
        ([judged(FAIL)], MISSING, FAIL, ("all-scenarios-pass", "all-shards-present")),
        ([judged(PASS), judged(INCOMPLETE)], MISSING, INCOMPLETE, ("evidence-complete", "all-shards-present")),
    ],
)
def test_without_a_shard_a_merged_run_is_no_pass(
    scenarios: list[Judged], merged: Merged, status: Status, unheld: tuple[str, ...]
) -> None:
    verdict = decide(scenarios, merged)

    assert (status, unheld) == (verdict.status, verdict.unheld)


def of(status: Status, risk: Risk = Risk.LOW, name: str = "desk", **fields: Any) -> Judged:
    """A scenario of a file with one outcome of this status."""
    one = judged(status, name=name)
    return replace(one, scenario=replace(one.scenario, risk=risk, **fields), observation=STEP)


def gates_of(scenarios: list[Judged], **policy: Any) -> dict[str, Gate]:
    """Every gate of a folder of scenarios, by name."""
    return {gate.name: gate for gate in decide(scenarios, policy=Policy(HARNESS, **policy)).gates}


def test_a_folder_of_scenarios_has_its_gates_in_their_order() -> None:
    assert [
        "scenario-discovery",
        "explicit-oracles",
        "high-risk-pass",
        "required-scenarios-pass",
        "trace-presence",
        "evidence-complete",
    ] == list(gates_of([of(PASS)]))


def test_a_folder_without_scenarios_fails_its_discovery_alone() -> None:
    verdict = decide([], policy=Policy(HARNESS))

    assert (FAIL, ("scenario-discovery",)) == (verdict.status, verdict.unheld)


def test_files_that_are_no_scenarios_leave_it_open_whether_there_are_any() -> None:
    verdict = decide([], policy=Policy(HARNESS, problems=(Problem("a.json", 1, 1, "broken"),)))

    assert (INCOMPLETE, ("scenario-discovery", "evidence-complete")) == (verdict.status, verdict.unheld)


@pytest.mark.parametrize(
    ("risk", "required", "unheld"),
    [
        (Risk.LOW, False, ()),
        (Risk.MEDIUM, False, ()),
        (Risk.HIGH, False, ("high-risk-pass",)),
        (Risk.CRITICAL, False, ("high-risk-pass",)),
        (Risk.LOW, True, ("required-scenarios-pass",)),
        (Risk.CRITICAL, True, ("high-risk-pass", "required-scenarios-pass")),
    ],
)
def test_a_violation_fails_the_gates_that_ask_for_its_scenario(
    risk: Risk, required: bool, unheld: tuple[str, ...]
) -> None:
    verdict = decide([of(FAIL, risk, required=required)], policy=Policy(HARNESS))

    assert unheld == verdict.unheld


def test_a_strict_call_counts_every_violation() -> None:
    verdict = decide([of(FAIL)], policy=Policy(HARNESS, asked=Asked(strict=True)))

    assert ("all-scenarios-pass",) == verdict.unheld


def test_open_evidence_of_much_at_stake_leaves_its_gate_open() -> None:
    found = gates_of([of(INCOMPLETE, Risk.HIGH)])

    assert (INCOMPLETE, INCOMPLETE) == (found["high-risk-pass"].status, found["evidence-complete"].status)


def test_a_scenario_without_an_oracle_fails_its_gate() -> None:
    bare = of(FAIL)
    bare = replace(bare, scenario=replace(bare.scenario, assertions=(BARE,)))

    assert FAIL is gates_of([bare])["explicit-oracles"].status


@pytest.mark.parametrize(
    ("observation", "status"),
    [
        (replace(STEP, steps=()), FAIL),
        (STEP, PASS),
        (None, PASS),
    ],
)
def test_a_trace_without_a_step_fails_its_gate(observation: Observation | None, status: Status) -> None:
    assert status is gates_of([replace(of(PASS), observation=observation)])["trace-presence"].status


LEFT_OUT = replace(scenario(name="b"), risk=Risk.HIGH)


@pytest.mark.parametrize(
    ("left_out", "partial", "status"),
    [
        (LEFT_OUT, False, INCOMPLETE),
        (LEFT_OUT, True, PASS),
        (replace(LEFT_OUT, risk=Risk.MEDIUM), False, PASS),
        (replace(LEFT_OUT, risk=Risk.LOW, required=True), False, INCOMPLETE),
    ],
)
def test_a_selection_may_not_leave_out_what_a_gate_asks_for_unless_that_is_meant(
    left_out: Any, partial: bool, status: Status
) -> None:
    asked = Asked(filters=Filters((("x",),), partial=partial))

    assert status is gates_of([of(PASS)], left_out=(left_out,), asked=asked)["selection-complete"].status


@pytest.mark.parametrize(("lint", "unheld"), [("warn", ()), ("error", ("no-shallow-scenario",))])
def test_a_shallow_scenario_is_a_warning_unless_it_is_an_error(lint: str, unheld: tuple[str, ...]) -> None:
    policy = Policy(HARNESS, warnings=(Problem("a.json", 1, 1, "proves little"),), asked=Asked(lint=lint))

    assert unheld == decide([of(PASS)], policy=policy).unheld


def test_many_scenarios_are_named_in_few_words() -> None:
    found = gates_of([of(FAIL, Risk.HIGH, name=f"s{at}") for at in range(30)])

    assert found["high-risk-pass"].message.endswith("'s9' and 20 more")


SHALLOW = (Problem("a.json", 1, 1, "proves little"), Problem("b.json", 1, 1, "proves little"))


def test_what_was_left_out_is_not_asked_whether_it_is_shallow() -> None:
    one, other = (replace(scenario(name=name), path=f"{name}.json") for name in ("a", "b"))
    suite = Suite(HARNESS, 1, "s", "", "", Agent(None, None, 30.0, (), ()), (one, other), (), (), SHALLOW)

    assert SHALLOW[:1] == Policy.of(suite, [one], Asked(("a",))).warnings
