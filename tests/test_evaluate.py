"""Each assertion gets one outcome, and none passes without evidence."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.assertions import ASSERTIONS
from agenttest.evaluate import judge
from agenttest.evidence import Missing
from agenttest.model import Observation, Status, ToolCall
from tests.nouns import observation, outcome, scenario

NAMES = {
    "response_contains": ("response.contains[0]", "Yes"),
    "response_excludes": ("response.excludes[0]", "No"),
    "tool_required": ("tools.required[0]", {"name": "pay"}),
    "tools_allowed": ("tools.allowed", ("pay",)),
    "tool_forbidden": ("tools.forbidden[0]", "send"),
    "tool_exact_sequence": ("tools.exact_sequence", ("pay",)),
    "tool_max_calls": ("tools.max_calls", 1),
    "refusal": ("refusal", False),
    "source_required": ("sources.required[0]", "faq"),
}
ASKED = tuple((name, kind, expected) for kind, (name, expected) in NAMES.items())
KEPT = observation(response="Yes.", tool_calls=(ToolCall("pay", {}),), refusal=False, sources=("faq",))
BROKEN = observation(response="No.", tool_calls=(ToolCall("send", {}),) * 2, refusal=True, sources=())
CHANNELS = st.fixed_dictionaries(
    {
        "response": st.sampled_from([None, "", "Yes", "No"]),
        "response_complete": st.sampled_from([None, True, False]),
        "finish_reason": st.sampled_from([None, "stop", "tool_calls", "length"]),
        "tool_calls": st.sampled_from([None, (), (ToolCall("pay", None),), (ToolCall("send", {}),)]),
        "tool_calls_complete": st.sampled_from([None, True, False]),
        "refusal": st.sampled_from([None, True, False]),
        "sources": st.sampled_from([None, (), ("faq",)]),
        "error": st.sampled_from([None, "gone"]),
    }
)


def statuses(seen: Observation | None) -> list[Status]:
    return [found.status for found in judge(scenario(*ASKED), seen).outcomes]


def test_every_kind_can_pass() -> None:
    assert [Status.PASS] * len(ASSERTIONS) == statuses(KEPT)


def test_every_kind_can_fail() -> None:
    assert [Status.FAIL] * len(ASSERTIONS) == statuses(BROKEN)


def test_every_kind_is_incomplete_without_an_observation() -> None:
    assert [Status.INCOMPLETE] * len(ASSERTIONS) == statuses(None)


@pytest.mark.parametrize("kind", NAMES)
def test_a_pass_says_what_was_kept(kind: str) -> None:
    name, expected = NAMES[kind]

    assert ASSERTIONS[kind].kept == outcome((name, kind, expected), KEPT).message


@given(CHANNELS)
def test_nothing_passes_or_fails_on_incomplete_evidence(fields: dict[str, Any]) -> None:
    seen = Observation("desk", **fields)
    answer = seen.response_complete is True and seen.finish_reason in (None, "stop")
    calls = seen.tool_calls_complete is True and seen.finish_reason in (None, "stop", "tool_calls")

    for found in judge(scenario(*ASKED), seen).outcomes:
        whole = calls if found.assertion.name.startswith("tools") else answer
        assert (whole and seen.error is None) or found.status is Status.INCOMPLETE


@given(CHANNELS)
def test_outcomes_stand_in_the_order_of_what_was_asked(fields: dict[str, Any]) -> None:
    asked = scenario(*ASKED)

    assert asked.assertions == tuple(found.assertion for found in judge(asked, Observation("desk", **fields)).outcomes)


def test_a_kind_is_judged_together_and_told_apart() -> None:
    asked = scenario(
        ("tools.required[0]", "tool_required", {"name": "pay"}),
        ("refusal", "refusal", False),
        ("tools.required[1]", "tool_required", {"name": "pay"}),
    )

    found = judge(asked, observation(tool_calls=(ToolCall("pay", {}),), refusal=False))
    assert [Status.PASS, Status.PASS, Status.FAIL] == [each.status for each in found.outcomes]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("response_excludes", "response_complete is false; seen so far: the response contains 'No'"),
        ("tools_allowed", "tool_calls_complete is false; seen so far: called and not allowed: 'send'"),
        ("tool_forbidden", "tool_calls_complete is false; seen so far: the forbidden 'send' was called 2 times"),
        (
            "tool_max_calls",
            "tool_calls_complete is false; seen so far: the agent made 2 calls, and at most 1 may be made",
        ),
    ],
)
def test_a_violation_in_partial_evidence_is_shown_and_stays_incomplete(kind: str, message: str) -> None:
    name, expected = NAMES[kind]
    seen = observation(
        response="No.",
        response_complete=False,
        finish_reason=None,
        tool_calls=(ToolCall("send", {}),) * 2,
        tool_calls_complete=False,
    )

    found = outcome((name, kind, expected), seen)
    assert (Status.INCOMPLETE, message) == (found.status, found.message)


@pytest.mark.parametrize("kind", ["response_contains", "tool_required", "tool_exact_sequence", "source_required"])
def test_what_may_still_come_is_no_violation(kind: str) -> None:
    name, expected = NAMES[kind]

    found = outcome(
        (name, kind, expected), observation(response_complete=False, tool_calls_complete=False, response="")
    )
    assert "seen so far" not in found.message


def test_an_incomplete_outcome_says_what_would_make_it_provable() -> None:
    name, expected = NAMES["refusal"]

    found = outcome((name, "refusal", expected), observation())
    assert 'record "refusal": true or false, as the agent stated it' == found.remedy


def test_why_nothing_was_observed_is_told() -> None:
    found = judge(scenario(*ASKED), None, Missing("the time ran out", "give it more"))

    assert {("the time ran out", "give it more")} == {(each.message, each.remedy) for each in found.outcomes}


def test_a_finding_is_handed_on_whole() -> None:
    entry = {"name": "pay", "arguments": {"sum": 5}}

    found = outcome(
        ("tools.required[0]", "tool_required", entry), observation(tool_calls=(ToolCall("pay", {"sum": 6}),))
    )
    assert ({"name": "pay", "arguments": {"sum": 6}}, "$.sum") == (found.observed, found.difference)


def test_a_scenario_that_asks_for_nothing_does_not_pass() -> None:
    assert Status.INCOMPLETE is judge(scenario(), KEPT).status


def test_what_the_scenario_calls_partial_is_decided_by_no_answer() -> None:
    asked = replace(
        scenario(("expected.oracles[0]", "ToolNotCalled", {"toolName": "pay"})),
        input={"prompt": "p", "executor": "endpoint", "capture": {"toolCalls": "partial"}},
    )

    assert Status.INCOMPLETE is judge(asked, observation(response="Done.", tool_calls=())).status
