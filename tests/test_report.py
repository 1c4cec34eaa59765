"""A report says all of a run in JSON types, and its digest covers the evidence and nothing else."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest

from agenttest import gates
from agenttest.errors import Problem
from agenttest.evaluate import judge
from agenttest.jsontext import compact
from agenttest.model import (
    Agent,
    Judged,
    Merged,
    Observation,
    Provenance,
    Reason,
    Shard,
    Status,
    Suite,
    ToolCall,
    Verdict,
)
from agenttest.report import Report, digest_of, evidence_digest, invalid, to_document
from tests.nouns import observation, scenario

ASKED = scenario(
    ("response.contains[0]", "response_contains", "nine"),
    ("tools.required[0]", "tool_required", {"name": "pay", "arguments": {"sum": 5}}),
    ("refusal", "refusal", False),
)
SEEN = observation(response="At nine.", tool_calls=(ToolCall("pay", {"sum": 6}),))
CAME = Provenance("observation_file", "unverified_fixture", "o.json", "b" * 64)


def report(*scenarios: Judged, **more: Any) -> Report:
    suite = Suite("agent_behavior", 1, "c.yml", "text", "a" * 64, Agent(None, None, 30.0, (), ()), (ASKED,))
    return Report(gates.decide(scenarios), "c.yml", suite, scenarios, CAME, **more)


JUDGED = judge(ASKED, SEEN)
DOCUMENT = to_document(report(JUDGED, directory="runs/1"))


def test_the_verdict_comes_with_its_reason_and_the_gates_that_did_not_hold() -> None:
    assert ("fail", "violation", ["all-scenarios-pass", "evidence-complete"]) == (
        DOCUMENT["status"],
        DOCUMENT["reason"],
        [gate["name"] for gate in DOCUMENT["gates"] if gate["status"] != "pass"],
    )


def test_the_contract_is_named_with_its_version_and_digest() -> None:
    assert {"version": 1, "path": "c.yml", "digest": "a" * 64} == DOCUMENT["contract"]


def test_scenarios_and_assertions_are_counted_by_status() -> None:
    assert {
        "scenario_count": 1,
        "passed_scenarios": 0,
        "failed_scenarios": 1,
        "incomplete_scenarios": 0,
        "assertion_count": 3,
        "passed_assertions": 1,
        "failed_assertions": 1,
        "incomplete_assertions": 1,
    } == DOCUMENT["summary"]


def test_coverage_tells_what_could_be_decided_by_kind() -> None:
    def row(passed: int, failed: int, incomplete: int) -> dict[str, int]:
        return {"requested": 1, "passed": passed, "failed": failed, "incomplete": incomplete}

    assert {
        "requested": 3,
        "completed": 2,
        "incomplete": 1,
        "by_assertion": {"response_contains": row(1, 0, 0), "tool_required": row(0, 1, 0), "refusal": row(0, 0, 1)},
    } == DOCUMENT["coverage"]


def test_each_outcome_stands_with_its_place() -> None:
    assert [
        {
            "assertion": "response.contains[0]",
            "kind": "response_contains",
            "status": "pass",
            "message": "the response contains the text",
            "expected": "nine",
            "observed": None,
            "line": 10,
            "column": 5,
        },
        {
            "assertion": "tools.required[0]",
            "kind": "tool_required",
            "status": "fail",
            "message": "'pay' was called with other arguments: $.sum is 6, expected 5",
            "expected": {"name": "pay", "arguments": {"sum": 5}},
            "observed": {"name": "pay", "arguments": {"sum": 6}},
            "line": 11,
            "column": 5,
            "difference": "$.sum",
        },
        {
            "assertion": "refusal",
            "kind": "refusal",
            "status": "incomplete",
            "message": '"refusal" was not observed',
            "expected": False,
            "observed": None,
            "line": 12,
            "column": 5,
            "remedy": 'record "refusal": true or false, as the agent stated it',
        },
    ] == DOCUMENT["scenarios"][0]["assertions"]


def test_a_scenario_stands_with_its_observation() -> None:
    (only,) = DOCUMENT["scenarios"]

    assert ("desk", "fail", 3, "At nine.") == (
        only["id"],
        only["status"],
        only["line"],
        only["observation"]["response"],
    )


def test_a_scenario_that_was_not_observed_says_so() -> None:
    assert to_document(report(judge(ASKED, None)))["scenarios"][0]["observation"] is None


def test_observations_can_be_left_out() -> None:
    assert "observation" not in to_document(report(JUDGED, observations_kept=False))["scenarios"][0]


def test_provenance_binds_the_source_and_what_was_selected_of_it() -> None:
    selected = [DOCUMENT["scenarios"][0]["observation"]]

    assert {
        "kind": "observation_file",
        "trust": "unverified_fixture",
        "path": "o.json",
        "source_digest": "b" * 64,
        "selected_digest": hashlib.sha256(compact(selected).encode()).hexdigest(),
        "schema_version": 1,
    } == DOCUMENT["provenance"]


@pytest.mark.parametrize(("directory", "saved"), [(None, False), ("runs/1", True)])
def test_files_are_named_where_the_run_was_saved(directory: str | None, saved: bool) -> None:
    assert saved is ("state" in to_document(report(JUDGED, directory=directory))["artifacts"])


def test_the_digest_is_of_the_compact_evidence() -> None:
    evidence = {key: value for key, value in DOCUMENT.items() if key != "evidence_digest"}

    assert hashlib.sha256(compact(evidence).encode()).hexdigest() == DOCUMENT["evidence_digest"]


@pytest.mark.parametrize("key", ["harness", "issues", "error", "evidence_digest"])
def test_what_is_no_evidence_is_not_in_the_digest(key: str) -> None:
    assert DOCUMENT["evidence_digest"] == evidence_digest({**DOCUMENT, key: "another"})


@pytest.mark.parametrize("key", sorted(set(DOCUMENT) - {"evidence_digest"}))
def test_all_else_is(key: str) -> None:
    assert DOCUMENT["evidence_digest"] != evidence_digest({**DOCUMENT, key: "another"})


def test_another_observation_makes_another_digest() -> None:
    other = judge(ASKED, replace(SEEN, response="At nine!"))

    assert DOCUMENT["evidence_digest"] != to_document(report(other, directory="runs/1"))["evidence_digest"]


def test_where_a_run_was_saved_makes_no_other_digest() -> None:
    assert DOCUMENT["evidence_digest"] == to_document(report(JUDGED, directory="elsewhere/2"))["evidence_digest"]


def test_a_block_about_the_run_stands_beside_the_evidence() -> None:
    assert {"run_id": "1"} == to_document(report(JUDGED, harness={"run_id": "1"}))["harness"]


def test_a_run_that_could_not_begin_tells_its_problems_with_their_places() -> None:
    document = to_document(invalid("c.yml", [Problem("c.yml", 3, 5, "is odd"), Problem("c.yml", 4, 1, "is even")]))

    del document["evidence_digest"]
    assert {
        "schema_version": 1,
        "kind": "agent_behavior",
        "status": "incomplete",
        "reason": "invalid-input",
        "scenarios": [],
        "error": "c.yml:3:5: is odd",
        "issues": [
            {"path": "c.yml", "line": 3, "column": 5, "message": "is odd"},
            {"path": "c.yml", "line": 4, "column": 1, "message": "is even"},
        ],
    } == document


def test_a_run_may_end_for_another_reason() -> None:
    assert "internal" == to_document(invalid("c.yml", [], Reason.INTERNAL))["reason"]


def test_the_status_is_the_verdicts() -> None:
    assert Status.INCOMPLETE is Report(Verdict(Status.INCOMPLETE, Reason.BUDGET), "c.yml").status


@pytest.mark.parametrize("text", ["\ud800", "\x1b[31m", "\u202e", "</script>", "::error::x", "é 💰"])
def test_whatever_an_agent_says_is_reported(text: str) -> None:
    calls = (ToolCall("x" + text, {"k" + text: [text]}),)
    seen = Observation("desk", text, True, "stop", calls, True, False, ("s" + text,))

    document = to_document(report(judge(ASKED, seen)))
    assert text == json.loads(compact(document))["scenarios"][0]["observation"]["response"]


def test_equal_values_have_equal_digests() -> None:
    assert digest_of({"a": 1, "b": (2,)}) == digest_of({"b": [2], "a": 1})


@pytest.mark.parametrize(
    ("of", "told"),
    [
        ({}, {}),
        ({"shard": Shard(2, 3)}, {"shard": "2/3"}),
        ({"merged": Merged(3)}, {}),
        ({"merged": Merged(3, (Shard(1, 3), Shard(3, 3)))}, {"missing_shards": ["1/3", "3/3"]}),
    ],
)
def test_a_part_says_which_it_is_and_a_whole_only_which_parts_it_lacks(of: dict[str, Any], told: Any) -> None:
    document = to_document(report(JUDGED, directory="runs/1", **of))

    assert told == {key: document[key] for key in ("shard", "missing_shards") if key in document}
    assert (of.get("shard") is None and not told) is (document["evidence_digest"] == DOCUMENT["evidence_digest"])
