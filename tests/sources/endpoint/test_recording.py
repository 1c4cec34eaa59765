"""What a live run records is a valid observations file, and it is judged as the live reply was."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent import call
from tests.sources.endpoint.messages import MAX_TOKENS, completion, live, offline, recorded, seen

TEXTS = st.text(st.characters(exclude_categories=[]), max_size=20)  # lone surrogates are among them
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def some(*likely: Any) -> st.SearchStrategy[Any]:
    """One of the likely values, or any."""
    return st.sampled_from(likely) | VALUES


NAMES = some("find", "wipe", " find ", "\ud83e")
ARGUMENTS = some({"a": 1}, '{"a": 1}', "", '{"a": "\ud83e\\udd89"}', '{"a": 1e999}', "{", '{"\ud83e\\udd89": -0.0}')
FUNCTIONS = some(None) | st.fixed_dictionaries({"name": NAMES}, optional={"arguments": ARGUMENTS})
ENTRIES = st.fixed_dictionaries({}, optional={"function": FUNCTIONS, "name": NAMES, "custom": FUNCTIONS}) | VALUES
PARTS = VALUES | st.fixed_dictionaries(
    {"type": some("text", "refusal", "thinking", "tool_use", "image_url")},
    optional={"text": TEXTS, "refusal": TEXTS, "name": NAMES},
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "content": some("30 days", None, '<tool_call>\n{"name"', "x" * 200_001) | st.lists(PARTS, max_size=4),
        "tool_calls": some(None, [], [call("find", {"a": 1})], [call("wipe")] * 251) | st.lists(ENTRIES, max_size=4),
        "function_call": FUNCTIONS,
        "refusal": some(None, True, "No.", ""),
        "sources": some(["faq"], [{"id": "faq"}], [" "], ["\ud83e"], ["faq"] * 1001),
        "reasoning_content": some("<function=wipe>"),
    },
)
CHOICES = st.fixed_dictionaries(
    {"message": MESSAGES, "finish_reason": some("stop", "tool_calls", "function_call", "length", " stop ", None)},
    optional={"error": some(None, {"message": "no"}), "delta": MESSAGES},
)
REPLIES = VALUES | st.fixed_dictionaries(
    {"choices": st.lists(CHOICES | VALUES, min_size=1, max_size=3)},
    optional={
        "usage": some({"completion_tokens": MAX_TOKENS}),
        "error": some(None, {"message": "no"}),
        "detail": VALUES,
    },
)
TABLE = {
    "nothing": {},
    "all kept": {"content": "30 days", "tool_calls": [], "refusal": True, "sources": ["faq"]},
    "all broken": {"content": "90 days", "tool_calls": [call("wipe")] * 2, "refusal": False, "sources": []},
    "one call": {"content": None, "tool_calls": [call("find", {"a": 1})]},
    "a legacy call": {"function_call": {"name": "wipe", "arguments": "{}"}},
    "calls cut": {"tool_calls": [call("find", '{"a": ')]},
    "a malformed call": {"tool_calls": [None, call("wipe")]},
    "a flat call": {"tool_calls": [{"name": "wipe", "arguments": {}}]},
    "too many calls": {"tool_calls": [call("wipe")] * 251},
    "huge arguments": {"tool_calls": [call("find", json.dumps({"a": [0] * 30_000}))]},
    "a call in markup": {"content": "30 days <function=wipe>", "tool_calls": []},
    "parts": {"content": [{"type": "text", "text": "\ud83e"}, {"type": "text", "text": "\udd89"}, {"type": "audio"}]},
    "a refusal part": {"content": [{"type": "refusal", "refusal": "No."}]},
    "a long text": {"content": "x" * 200_000},
    "too long a text": {"content": "30 days" + "x" * 200_000},
    "odd values": {"content": 5, "tool_calls": 5, "refusal": 5, "sources": 5},
    "hostile texts": {"content": "\x00\u202e\ud800", "tool_calls": [call("\x00\ud800")], "sources": ["\x85a\u2028"]},
}
BODIES = [b"", b"null", b'{"error": "\\ud800"}', b"<html>", b"\xff", b"[" * 100_000, b'{"choices": [{"message": {}}]}']


@pytest.mark.parametrize("finish", ["stop", "tool_calls", "function_call", "length", None, 5, " ", "\ud800"])
@pytest.mark.parametrize("message", TABLE)
def test_a_recorded_reply_is_what_was_seen_and_is_judged_alike(message: str, finish: Any) -> None:
    found = seen(completion(TABLE[message], finish))

    assert found.observation
    assert found.observation == recorded(found.observation)
    assert live(found) == offline(found)


@pytest.mark.parametrize("status", [200, 302, 400, 503])
@pytest.mark.parametrize("body", BODIES)
def test_an_answer_that_is_no_completion_is_recorded_with_its_error(body: bytes, status: int) -> None:
    found = seen(body, status)

    assert found.observation
    assert found.observation == recorded(found.observation)


@given(REPLIES, st.sampled_from([200, 200, 200, 302, 400, 500]))
def test_whatever_is_sent_is_recorded_and_judged_alike(value: Any, status: int) -> None:
    found = seen(value, status)

    assert found.observation
    assert found.observation == recorded(found.observation)
    assert live(found) == offline(found)


@given(st.binary(max_size=200), st.sampled_from([200, 400, 500]))
def test_whatever_bytes_come_are_recorded(data: bytes, status: int) -> None:
    found = seen(data, status)

    assert found.observation
    assert found.observation == recorded(found.observation)


@given(REPLIES, st.integers(0, 400), st.binary(max_size=3))
def test_a_damaged_reply_is_recorded(value: Any, at: int, damage: bytes) -> None:
    good = json.dumps(value).encode()

    found = seen(good[:at] + damage + good[at + len(damage) :])

    assert found.observation
    assert found.observation == recorded(found.observation)
