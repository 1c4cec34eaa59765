"""Around the scenarios: the verdict, the causes, what to correct, where it all comes from, what to do next."""

from dataclasses import replace

import pytest

from agenttest.errors import Problem
from agenttest.model import Gate, Reason, Shard, Status, Verdict
from agenttest.report import Report
from agenttest.reporters.html.facts import Fact
from agenttest.reporters.html.page import CAUSES, LINKS, PROBLEMS, page
from agenttest.reporters.html.scenario import anchor
from tests import nouns
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report

MIXED = report(
    judged("broken", outcome(FAIL, "it is not so")),
    judged("missing", outcome(INCOMPLETE, "nothing was seen", remedy="record it")),
    judged("kept", outcome(PASS)),
)


def fact(name: str, found: Report) -> Fact | None:
    return next((each for each in page(found).facts if each.name == name), None)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_a_sentence_without_a_sign(reason: Reason) -> None:
    found = page(Report(Verdict(Status.INCOMPLETE, reason), "desk.yml")).headline

    assert found.isascii()
    assert found[0].isupper()


def test_a_violation_before_an_interruption_stays_one() -> None:
    found = page(replace(MIXED, verdict=Verdict(FAIL, Reason.INTERRUPTED)))

    assert "The agent breaks its contract" == found.headline
    assert "Not everything was judged: interrupted." == found.remark


def test_scenarios_and_assertions_are_counted() -> None:
    assert {FAIL: 1, INCOMPLETE: 1, PASS: 1} == page(MIXED).counts
    assert "3 assertions: 1 violated, 1 not provable, 1 kept" == page(MIXED).more_counts


def test_violations_come_before_what_is_missing() -> None:
    found = [(each.status, each.message, each.remedy) for each in page(MIXED).causes]

    assert [(FAIL, "it is not so", ""), (INCOMPLETE, "nothing was seen", "record it")] == found


def test_a_cause_links_to_the_first_of_its_scenarios() -> None:
    (cause,) = page(alike(FAIL, LINKS + 2)).causes

    assert [f"#{anchor(f's{n:03}')}" for n in range(LINKS)] == [link.address for link in cause.links]
    assert 2 == cause.more


def test_causes_beyond_a_number_are_counted() -> None:
    found = page(report(*(judged(f"s{n}", outcome(FAIL, f"{n}")) for n in range(CAUSES + 3))))

    assert (CAUSES, 3) == (len(found.causes), found.more_causes)


def test_problems_have_their_places() -> None:
    assert ("desk.yml:3:5: is wrong",) == page(invalid(Problem("desk.yml", 3, 5, "is wrong"))).problems


def test_problems_beyond_a_number_are_counted() -> None:
    found = page(invalid(*(Problem("desk.yml", n, 1, "x") for n in range(PROBLEMS + 7)))).problems

    assert (PROBLEMS + 1, "and 7 more") == (len(found), found[-1])


def test_what_a_recording_proves_is_said() -> None:
    said = "checked from a recording, which does not prove that a running agent produced it"

    assert f"Observations from desk.observations.json: {said}." == page(MIXED).source
    assert Fact("Trust", "unverified_fixture", said) == fact("Trust", MIXED)


def test_a_trust_that_has_no_words_is_named() -> None:
    assert MIXED.provenance is not None
    found = replace(MIXED, provenance=replace(MIXED.provenance, trust="seen_elsewhere"))

    assert "Observations from desk.observations.json: seen_elsewhere." == page(found).source


def test_the_digests_are_there() -> None:
    found = page(replace(MIXED, evidence_digest="d" * 64)).facts

    assert ["5" * 64, "a" * 64, "d" * 64] == [each.value for each in found if len(each.value) == 64]


def test_a_selection_says_of_how_many() -> None:
    assert "all 3 of the contract" == (fact("Scenarios", MIXED) or Fact("")).note


def test_a_shard_says_which() -> None:
    found = replace(MIXED, scenarios=MIXED.scenarios[:1], shard=Shard(2, 3))

    assert "1 of the contract's 3; shard 2/3" == (fact("Scenarios", found) or Fact("")).note


def test_gates_that_did_not_hold_are_named() -> None:
    found = replace(
        MIXED, verdict=replace(MIXED.verdict, gates=(Gate("one", FAIL), Gate("held", PASS), Gate("two", INCOMPLETE)))
    )

    assert Fact("Gates not held", "one, two") == fact("Gates not held", found)


def test_the_time_is_that_of_the_run() -> None:
    found = replace(MIXED, harness={"started_at": "2025-01-01T00:00:00.000Z", "duration_ms": 12})

    assert Fact("Run at", "2025-01-01T00:00:00.000Z", "in 12 ms") == fact("Run at", found)


def test_the_next_command_is_exact() -> None:
    assert "agenttest replay 'agent runs/1'" == page(replace(MIXED, directory="agent runs/1")).command


def test_a_run_that_is_not_saved_says_so() -> None:
    found = replace(MIXED, directory=None)

    assert "" == page(found).command
    assert Fact("Run directory", note="none: this run is not saved") == fact("Run directory", found)


def test_observations_that_were_left_out_are_told() -> None:
    assert fact("Observations left out", MIXED) is None
    assert fact("Observations left out", replace(MIXED, observations_kept=False)) is not None


def test_a_live_run_says_whose_answers_were_judged() -> None:
    assert (
        "Answers of a loopback endpoint, model 'desk-assistant': observed while the agent ran."
        == page(nouns.live_report()).source
    )


def test_a_live_run_tells_the_endpoint_but_not_its_address() -> None:
    found = nouns.live_report(source="contract", authenticated=True)

    assert Fact("Endpoint", "loopback", "named by the contract; a token was sent") == fact("Endpoint", found)
    assert "0123456789abcdef" * 4 == fact("its fingerprint", found).value  # type: ignore[union-attr]
    assert "desk-assistant" == fact("Model", found).value  # type: ignore[union-attr]
    assert None is fact("Observations", found)


def test_a_live_run_tells_what_was_exchanged_and_within_which_limits() -> None:
    said = "4 exchanges (1 failed), 95–30,012 ms, 1,204 tokens; at most 30 s, 1,024 tokens and 2,097,152 bytes each"

    assert Fact("Exchanges", note=said) == fact("Exchanges", nouns.live_report())


def test_what_was_decided_unseen_is_told() -> None:
    said = "1 assertion was decided on words that are redacted here"

    assert Fact("Redacted", note=said) == fact("Redacted", nouns.live_report())
    assert None is fact("Redacted", MIXED)


def test_the_recorded_answers_can_be_judged_again() -> None:
    found = replace(nouns.live_report(), path="my desk.yml")

    assert "agenttest test 'my desk.yml' --observations agent-test-runs/1/observations.json" == page(found).again


@pytest.mark.parametrize(
    "found",
    [
        MIXED,
        replace(nouns.live_report(), directory=None),
        replace(nouns.live_report(), problems=(Problem("", 0, 0, "x"),)),
    ],
    ids=["a recording", "not saved", "not whole"],
)
def test_where_there_are_no_recorded_answers_none_are_named(found: Report) -> None:
    assert "" == page(found).again
