"""What an observation can prove is decided once: a channel is known, or missing with the reason and the remedy."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.evidence import AGAIN, Missing, weigh
from agenttest.model import Exchange, Observation, ToolCall
from tests.nouns import observation

SEEN = {"response": "Yes.", "tool_calls": (ToolCall("pay", {}),), "refusal": False, "sources": ("faq",)}
ANSWERS = ("response", "refusal", "sources")
FLAGS = st.sampled_from([None, True, False])


def missing(name: str, **fields: Any) -> Missing:
    found = weigh(observation(**{**SEEN, **fields})).channel(name)
    assert isinstance(found, Missing)
    return found


@pytest.mark.parametrize(("name", "field"), [(n, n) for n in ANSWERS] + [("tools", "tool_calls")])
def test_a_whole_observation_proves_every_channel(name: str, field: str) -> None:
    assert SEEN[field] == weigh(observation(**SEEN)).channel(name)


@pytest.mark.parametrize(("name", "field"), [(n, n) for n in ANSWERS] + [("tools", "tool_calls")])
def test_flags_alone_prove_it_too(name: str, field: str) -> None:
    assert SEEN[field] == weigh(observation(**SEEN, finish_reason=None)).channel(name)


@pytest.mark.parametrize(
    ("name", "field", "empty"),
    [
        ("response", "response", ""),
        ("tools", "tool_calls", ()),
        ("refusal", "refusal", False),
        ("sources", "sources", ()),
    ],
)
def test_observed_and_empty_is_known(name: str, field: str, empty: Any) -> None:
    assert empty == weigh(observation(**{field: empty})).channel(name)


@pytest.mark.parametrize(
    ("name", "reason", "remedy"),
    [
        ("response", '"response" was not observed', 'record "response": the text of the final answer'),
        ("tools", '"tool_calls" was not observed', 'record "tool_calls": the list of all calls, [] for none'),
        ("refusal", '"refusal" was not observed', 'record "refusal": true or false, as the agent stated it'),
        ("sources", '"sources" was not observed', 'record "sources": the list of cited ids, [] for none'),
    ],
)
def test_what_was_not_observed_is_missing(name: str, reason: str, remedy: str) -> None:
    assert Missing(reason, remedy) == weigh(observation()).channel(name)


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"response_complete": None}, "response_complete is not stated"),
        ({"response_complete": False}, "response_complete is false"),
        ({"finish_reason": "length"}, "finish_reason is 'length', so the response may not be whole"),
        ({"finish_reason": "tool_calls"}, "finish_reason is 'tool_calls', so the response may not be whole"),
        ({"finish_reason": "Stop"}, "finish_reason is 'Stop', so the response may not be whole"),
    ],
)
def test_an_answer_that_may_not_be_whole_proves_nothing(name: str, fields: dict[str, Any], reason: str) -> None:
    assert reason == missing(name, **fields).reason


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"tool_calls_complete": None}, "tool_calls_complete is not stated"),
        ({"tool_calls_complete": False}, "tool_calls_complete is false"),
        ({"finish_reason": "length"}, "finish_reason is 'length', so the tool calls may not be whole"),
    ],
)
def test_calls_that_may_not_be_whole_prove_nothing(fields: dict[str, Any], reason: str) -> None:
    assert reason == missing("tools", **fields).reason


def test_calls_are_whole_when_the_reply_ends_with_them() -> None:
    found = weigh(observation(**SEEN, finish_reason="tool_calls", response_complete=False))

    assert SEEN["tool_calls"] == found.tools


def test_what_was_seen_of_it_all_the_same_is_kept() -> None:
    assert "Yes." == missing("response", response_complete=False).seen


@pytest.mark.parametrize("name", [*ANSWERS, "tools"])
def test_an_error_leaves_nothing_proven(name: str) -> None:
    found = missing(name, error="timed out")

    assert (
        Missing("the agent could not be observed: 'timed out'", "record the scenario again, without an error") == found
    )


@pytest.mark.parametrize("name", [*ANSWERS, "tools"])
def test_no_observation_proves_nothing(name: str) -> None:
    reason, remedy = "no observation of this scenario", "record an entry with the scenario's id"

    assert Missing(reason, remedy) == weigh(None).channel(name)


def test_why_there_is_no_observation_may_be_known() -> None:
    why = Missing("the time ran out", "give it more")

    assert why == weigh(None, why).response


@given(st.sampled_from([None, "stop", "tool_calls", "length"]), FLAGS, FLAGS)
def test_saying_less_never_proves_more(finish: str | None, response: bool | None, calls: bool | None) -> None:
    seen = Observation("a", "r", response, finish, (), calls, True, ())

    for less in (replace(seen, response_complete=None), replace(seen, tool_calls_complete=False)):
        for name in ("response", "tools", "refusal", "sources"):
            assert isinstance(weigh(less).channel(name), Missing) or not isinstance(weigh(seen).channel(name), Missing)


def live(name: str, exchange: Exchange, **fields: Any) -> Missing:
    found = weigh(observation(**{**SEEN, **fields}), None, exchange).channel(name)
    assert isinstance(found, Missing)
    return found


@pytest.mark.parametrize("name", [*ANSWERS, "tools"])
def test_a_doubt_about_a_live_reply_says_best_why_it_may_not_be_whole(name: str) -> None:
    told = {"response": "content[1] is no text", "tools": "choices[1] holds calls too"}
    exchange = Exchange(200, 5, doubts=told)

    found = live(name, exchange, response_complete=False, tool_calls_complete=False, finish_reason="stop")

    assert told["tools" if name == "tools" else "response"] == found.reason


def test_a_doubt_decides_nothing() -> None:
    exchange = Exchange(200, 5, doubts={"response": "x", "tools": "y", "refusal": "z"})

    assert weigh(observation(**SEEN)) == weigh(observation(**SEEN), None, exchange)


@pytest.mark.parametrize(
    ("finish", "remedy"),
    [
        ("length", "raise --max-tokens, or have the agent answer in fewer words"),
        ("tool_calls", "expect an answer only where the agent needs no tool for it, as no tool is run"),
        ("content_filter", 'have the agent give a whole reply that finishes with "stop"'),
    ],
)
def test_what_would_help_a_live_reply_to_be_whole_depends_on_its_end(finish: str, remedy: str) -> None:
    assert remedy == live("response", Exchange(200, 5), finish_reason=finish, response_complete=False).remedy


@pytest.mark.parametrize(
    ("name", "field", "missing"),
    [
        ("response", "response", '"content": the text of the final answer'),
        ("tools", "tool_calls", '"tool_calls": the list of all calls, [] for none'),
        ("refusal", "refusal", '"refusal": the text of a refusal, null for none'),
        ("sources", "sources", '"sources": the list of cited ids, [] for none'),
    ],
)
def test_what_a_live_reply_does_not_have_is_what_the_agent_should_send(name: str, field: str, missing: str) -> None:
    found = live(name, Exchange(200, 5), **{field: None})

    said = f"the reply's message has no {missing.split(':')[0]}"
    assert (said, f"have the agent send {missing}") == (found.reason, found.remedy)


def test_a_value_that_tells_nothing_is_told() -> None:
    exchange = Exchange(200, 5, doubts={"sources": "sources[1] names no source"})

    assert "sources[1] names no source" == live("sources", exchange, sources=None).reason


@pytest.mark.parametrize("remedy", ["wait", None])
def test_a_live_reply_that_shows_nothing_may_know_what_would_help(remedy: str | None) -> None:
    found = live("response", Exchange(503, 5, remedy=remedy), error="status 503")

    assert Missing("the agent could not be observed: 'status 503'", remedy or AGAIN) == found


def test_the_words_of_a_provider_are_told_whole() -> None:
    error = "status 400: " + "word " * 60

    assert error in live("response", Exchange(400, 5), error=error).reason
