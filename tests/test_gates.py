"""The verdict follows from every gate, and the worst one says why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.gates import decide
from agenttest.model import Judged, Merged, Reason, Shard, Status, Verdict
from tests.nouns import judged

PASS, FAIL, INCOMPLETE = Status.PASS, Status.FAIL, Status.INCOMPLETE
RUNS = st.lists(st.lists(st.sampled_from(Status), max_size=3).map(lambda statuses: judged(*statuses)), max_size=4)


@pytest.mark.parametrize(
    ("scenarios", "verdict"),
    [
        ([judged(PASS), judged(PASS, PASS)], Verdict(PASS, Reason.KEPT)),
        ([judged(PASS), judged(PASS, FAIL)], Verdict(FAIL, Reason.VIOLATION, ("all-scenarios-pass",))),
        ([judged(PASS, INCOMPLETE)], Verdict(INCOMPLETE, Reason.MISSING_EVIDENCE, ("evidence-complete",))),
        (
            [judged(INCOMPLETE), judged(FAIL)],
            Verdict(FAIL, Reason.VIOLATION, ("all-scenarios-pass", "evidence-complete")),
        ),
        (
            [judged(FAIL, INCOMPLETE)],
            Verdict(FAIL, Reason.VIOLATION, ("all-scenarios-pass", "evidence-complete")),
        ),
        ([judged(PASS), judged()], Verdict(INCOMPLETE, Reason.MISSING_EVIDENCE, ("evidence-complete",))),
        ([], Verdict(INCOMPLETE, Reason.MISSING_EVIDENCE, ("evidence-complete",))),
    ],
)
def test_the_worst_gate_decides(scenarios: list[Judged], verdict: Verdict) -> None:
    assert verdict == decide(scenarios)


@given(RUNS)
def test_the_verdict_is_the_worst_scenario(scenarios: list[Judged]) -> None:
    assert Status.worst(each.status for each in scenarios) is decide(scenarios).status


@given(RUNS)
def test_a_pass_holds_every_gate_and_nothing_else_does(scenarios: list[Judged]) -> None:
    verdict = decide(scenarios)

    assert (verdict.status is PASS) is (verdict.gates == ())


MISSING, NONE_MISSING = Merged(3, (Shard(2, 3),)), Merged(3)


@pytest.mark.parametrize(
    ("scenarios", "merged", "verdict"),
    [
        ([judged(PASS)], NONE_MISSING, Verdict(PASS, Reason.KEPT)),
        ([judged(PASS)], MISSING, Verdict(INCOMPLETE, Reason.MISSING_EVIDENCE, ("all-shards-present",))),
        (
            [judged(FAIL)],
            MISSING,
            Verdict(FAIL, Reason.VIOLATION, ("all-scenarios-pass", "all-shards-present")),
        ),
        (
            [judged(PASS), judged(INCOMPLETE)],
            MISSING,
            Verdict(INCOMPLETE, Reason.MISSING_EVIDENCE, ("evidence-complete", "all-shards-present")),
        ),
    ],
)
def test_without_a_shard_a_merged_run_is_no_pass(scenarios: list[Judged], merged: Merged, verdict: Verdict) -> None:
    assert verdict == decide(scenarios, merged)
