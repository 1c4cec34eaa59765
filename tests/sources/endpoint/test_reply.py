"""A reply is read for what it shows: generously in its form, and never for more than it shows."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.model import Status, ToolCall
from agenttest.settings import OBSERVATION_VALUES, REPLY_DEPTH, REPLY_VALUES
from tests.nouns import scenario
from tests.sources.endpoint.replies import (
    MAX_TOKENS,
    call,
    completion,
    doubt,
    error,
    observed,
    recorded,
    seen,
    statuses,
)

TEXT = {"type": "text", "text": "30 days"}
THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "maybe 90"}]}
IMAGE = {"type": "image_url", "image_url": {"url": "data:,"}}
LONG = "x" * 200_001
LOOK = ToolCall("look", {})
EVERYTHING = scenario(
    ("response.contains[0]", "response_contains", "30"),
    ("response.excludes[0]", "response_excludes", "90"),
    ("tools.required[0]", "tool_required", {"name": "look", "arguments": {"order": 7}}),
    ("tools.allowed", "tools_allowed", ["look"]),
    ("tools.forbidden[0]", "tool_forbidden", "erase"),
    ("tools.exact_sequence", "tool_exact_sequence", ["look"]),
    ("tools.max_calls", "tool_max_calls", 1),
    ("refusal", "refusal", True),
    ("sources.required[0]", "source_required", "policy"),
)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("30 days", "30 days"),
        (" 30 days\n", " 30 days\n"),
        ("", ""),
        (None, None),
        ([], None),
        ([TEXT, {"text": "."}], "30 days."),
        ([{"type": "output_text", "text": "a"}, TEXT], "a30 days"),
        ([THOUGHT, TEXT], "30 days"),
        ([{"type": "reasoning", "text": "maybe 90"}, TEXT], "30 days"),
        ([{"type": "refusal", "refusal": "No."}], None),
        ([IMAGE, TEXT], "30 days"),
        (7, None),
        ({"text": "30 days"}, None),
        (LONG, None),
        (LONG[1:], LONG[1:]),
    ],
)
def test_the_response_is_the_text_that_a_user_sees(content: Any, text: str | None) -> None:
    assert text == observed(completion(content=content)).response


def test_reasoning_beside_the_content_is_never_the_answer() -> None:
    found = observed(completion(content=None, reasoning_content="30 days", reasoning="30 days"))

    assert found.response is None


@pytest.mark.parametrize("content", [[IMAGE, TEXT], [TEXT, 7], [{"type": "text"}], 7, {"text": "x"}, True, LONG])
def test_content_that_is_not_understood_leaves_the_response_incomplete(content: Any) -> None:
    found = completion(content=content)

    assert observed(found).response_complete is False
    assert "content" in doubt(found, "response")


@pytest.mark.parametrize("content", ["30 days", "", [TEXT], [THOUGHT, TEXT], [{"type": "refusal", "refusal": "No."}]])
def test_content_that_is_understood_is_whole_where_the_reply_stopped(content: Any) -> None:
    found = completion(content=content)

    assert observed(found).response_complete is True
    assert doubt(found, "response") == ""


@pytest.mark.parametrize(
    ("finish", "response", "tools"),
    [
        ("stop", True, True),
        (" stop\n", True, True),
        ("STOP", False, False),
        ("tool_calls", False, True),
        ("length", False, False),
        ("content_filter", False, False),
        ("x" * 64, False, False),
        ("x" * 65, None, None),
        ("", None, None),
        (" ", None, None),
        (None, None, None),
        (7, None, None),
    ],
)
def test_the_finish_reason_says_what_is_whole(finish: Any, response: bool | None, tools: bool | None) -> None:
    found = observed(completion(finish, content="", tool_calls=[call("look")]))

    assert (response, tools) == (found.response_complete, found.tool_calls_complete)


@pytest.mark.parametrize(
    ("message", "calls"),
    [
        ({}, None),
        ({"tool_calls": None}, ()),
        ({"tool_calls": []}, ()),
        ({"tool_calls": [call("look")]}, (LOOK,)),
        ({"tool_calls": [call(" look\n")]}, (LOOK,)),
        ({"tool_calls": [call("a.b ✗")]}, (ToolCall("a.b ✗", {}),)),
        ({"tool_calls": [{"function": {"name": "look", "arguments": "{}"}}]}, (LOOK,)),
        ({"tool_calls": [{**call("look"), "type": "custom"}]}, (LOOK,)),
        ({"tool_calls": [call("look"), call("look")]}, (LOOK, LOOK)),
        ({"tool_calls": [call("look"), None]}, (LOOK,)),
        ({"tool_calls": [call(""), call("look")]}, (LOOK,)),
        ({"tool_calls": False}, None),
        ({"tool_calls": {}}, None),
        ({"tool_calls": "none"}, None),
        ({"function_call": {"name": "look", "arguments": "{}"}}, (LOOK,)),
        ({"function_call": {"name": "look", "arguments": "{}"}, "tool_calls": [call("look")]}, (LOOK,)),
        ({"function_call": {"name": "x", "arguments": "{}"}, "tool_calls": [call("look")]}, (LOOK, ToolCall("x", {}))),
        ({"function_call": None, "tool_calls": []}, ()),
        ({"tool_calls": [{"type": "custom", "custom": {"name": "shell", "input": "ls"}}]}, (ToolCall("shell", None),)),
    ],
)  # fmt: skip
def test_every_call_that_is_shown_is_seen(message: dict[str, Any], calls: tuple[ToolCall, ...] | None) -> None:
    assert calls == observed(completion(content="", **message)).tool_calls


@pytest.mark.parametrize(
    "calls",
    [
        [call("look"), None],
        [call(None)],
        [call(" ")],
        [{}],
        [7],
        [{"type": "function"}],
        False,
        {},
        "x",
        [call("a")] * 251,
    ],
)
def test_a_malformed_call_leaves_the_calls_incomplete(calls: Any) -> None:
    found = completion(content="", tool_calls=calls)

    assert observed(found).tool_calls_complete is False
    assert doubt(found, "tools") != ""


def test_at_most_250_calls_are_judged() -> None:
    assert 250 == len(observed(completion(tool_calls=[call("a")] * 251)).tool_calls or ())
    assert observed(completion(tool_calls=[call("a")] * 250)).tool_calls_complete is True


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ("", {}),
        (" \n", {}),
        ("{}", {}),
        ('{"a": 1} ', {"a": 1}),
        ('{"a": 1};', None),
        ('{"a": 1, "a": 1}', None),
        ('{"a": NaN}', None),
        ('{"a": 1e999}', None),
        ('{"a": ', None),
        ('["a"]', None),
        ('"{}"', None),
        ("null", None),
        ("7", None),
        (None, None),
        (["a"], None),
        (7, None),
        ('{"a": ' * 70 + "1" + "}" * 70, None),
    ],
)
def test_arguments_are_one_object_or_not_observed(given: Any, arguments: Any) -> None:
    (found,) = observed(completion(tool_calls=[call("look", given)])).tool_calls or ()

    assert arguments == found.arguments


def test_of_more_arguments_than_a_recording_may_hold_nothing_is_observed() -> None:
    many = json.dumps({"a": [0] * OBSERVATION_VALUES})

    found = observed(completion(tool_calls=[call("look", many), call("look", '{"a": 1}')]))

    assert (ToolCall("look", None), ToolCall("look", {"a": 1})) == found.tool_calls


@pytest.mark.parametrize(
    ("message", "refusal"),
    [
        ({}, None),
        ({"refusal": None}, False),
        ({"refusal": ""}, False),
        ({"refusal": " "}, False),
        ({"refusal": "I must not."}, True),
        ({"refusal": True}, True),
        ({"refusal": False}, False),
        ({"refusal": 1}, None),
        ({"refusal": ["no"]}, None),
        ({"content": [{"type": "refusal", "refusal": "No."}]}, True),
        ({"content": [{"type": "refusal", "refusal": "No."}], "refusal": None}, True),
        ({"content": "I am sorry, I cannot."}, None),
    ],
)
def test_a_refusal_is_what_is_stated_as_one(message: dict[str, Any], refusal: bool | None) -> None:
    assert refusal is observed(completion(**message)).refusal


@pytest.mark.parametrize(
    ("message", "sources"),
    [
        ({}, None),
        ({"sources": []}, ()),
        ({"sources": [" a ", {"id": "b", "page": 7}]}, ("a", "b")),
        ({"sources": [{"source": "c"}, {"id": "", "source": "d"}, {"id": "e", "source": "f"}]}, ("c", "d", "e")),
        ({"sources": None}, None),
        ({"sources": "a"}, None),
        ({"sources": [""]}, None),
        ({"sources": ["a", 7]}, None),
        ({"sources": [{"id": 7}]}, None),
        ({"sources": [{}]}, None),
        ({"citations": ["a"]}, None),
        ({"sources": ["a"] * 1001}, None),
        ({"sources": ["a"] * 1000}, ("a",) * 1000),
    ],
)
def test_sources_are_a_list_of_ids(message: dict[str, Any], sources: tuple[str, ...] | None) -> None:
    assert sources == observed(completion(**message)).sources


@pytest.mark.parametrize(("message", "channel"), [({"refusal": 7}, "refusal"), ({"sources": None}, "sources")])
def test_a_value_that_tells_nothing_is_told(message: dict[str, Any], channel: str) -> None:
    assert channel in doubt(completion(content="", **message), channel)


def test_the_legacy_finish_of_a_call_that_is_shown_is_that_of_a_call() -> None:
    found = observed(completion("function_call", content=None, function_call={"name": "look", "arguments": "{}"}))

    assert ("tool_calls", True, (LOOK,)) == (found.finish_reason, found.tool_calls_complete, found.tool_calls)


def used(tokens: int, finish: str, calls: list[Any]) -> dict[str, Any]:
    return {**completion(finish, content="", tool_calls=calls), "usage": {"completion_tokens": tokens}}


CONTRADICTIONS = {
    "no call behind its finish reason": completion("tool_calls", content="", tool_calls=[]),
    "no legacy call behind its finish reason": completion("function_call", content="", tool_calls=[]),
    "the cap reached behind a call": used(MAX_TOKENS, "tool_calls", [call("look")]),
    "calls in another choice": {
        "choices": [
            {"message": {"content": "", "tool_calls": []}, "finish_reason": "stop"},
            {"message": {"content": "", "tool_calls": [call("look")]}, "finish_reason": "stop"},
        ]
    },
    "calls beside the message": {
        "choices": [{"message": {"content": "", "tool_calls": []}, "finish_reason": "stop", "tool_calls": [call("a")]}]
    },
    "a call among the content": completion(content=[TEXT, {"type": "tool_use", "name": "look"}], tool_calls=[]),
}
LEFT = (
    '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>',
    "Let me see. <function=look>{}</function>",
    '<function_calls><invoke name="look"></invoke></function_calls>',
    '[TOOL_CALLS][{"name": "look", "arguments": {}}]',
    '<|python_tag|>{"name": "look", "parameters": {}}',
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function",
    '<|tool_call|>[{"name": "look"}]',
    'functools[{"name": "look", "arguments": {}}]',
    "```tool_code\nprint(default_api.look())\n```",
    '{"name": "look", "arguments": {"order": 7}}',
    "Thought: I should look.\nAction: look\nAction Input: 7",
)
PROSE = (
    "The refund takes 30 days.",
    "Use the <tool_call> tag to call a tool.",
    "The model writes `<function=look>` where it calls.",
    "Your function: to refund. Its name is 'look'.",
    '{"status": "ok", "days": 30}',
    "a < b and c > d [sic]",
    "",
)


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_reply_that_contradicts_itself_leaves_the_calls_incomplete(name: str) -> None:
    assert observed(CONTRADICTIONS[name]).tool_calls_complete is False
    assert doubt(CONTRADICTIONS[name], "tools") != ""


@pytest.mark.parametrize("text", LEFT)
def test_a_call_that_is_left_in_the_text_leaves_the_calls_incomplete(text: str) -> None:
    found = completion(content=text, tool_calls=[])

    assert observed(found).tool_calls_complete is False
    assert "no call is shown" in doubt(found, "tools")


@pytest.mark.parametrize("text", PROSE)
def test_talk_about_calls_is_none(text: str) -> None:
    assert observed(completion(content=text, tool_calls=[])).tool_calls_complete is True


@pytest.mark.parametrize("text", LEFT)
def test_where_a_call_is_shown_its_text_is_not_looked_at(text: str) -> None:
    assert observed(completion(content=text, tool_calls=[call("look")])).tool_calls_complete is True


def test_a_stop_is_believed_though_the_cap_was_reached() -> None:
    assert observed(used(MAX_TOKENS, "stop", [])).tool_calls_complete is True


def test_a_call_below_the_cap_is_whole() -> None:
    assert observed(used(MAX_TOKENS - 1, "tool_calls", [call("look")])).tool_calls_complete is True


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (None, {}),
        ({}, {}),
        ({"prompt_tokens": 1, "total_tokens": 3}, {"prompt_tokens": 1, "total_tokens": 3}),
        ({"prompt_tokens": None, "completion_tokens": True, "total_tokens": 1.5}, {}),
        ({"prompt_tokens": -1, "cached_tokens": 7}, {}),
        ("many", {}),
    ],
)  # fmt: skip
def test_the_tokens_are_those_that_were_counted(usage: Any, counted: dict[str, int]) -> None:
    exchange = seen({**completion(content=""), "usage": usage}).exchange

    assert exchange is not None
    assert (200, 7, counted) == (exchange.status, exchange.latency_ms, exchange.usage)


NO_COMPLETIONS: dict[str, tuple[Any, str]] = {
    "nothing": (b"", "empty"),
    "spaces": (b" \n", "empty"),
    "no UTF-8": ("é".encode("latin-1"), "not UTF-8"),
    "UTF-16": (json.dumps(completion()).encode("utf-16"), "not UTF-8"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "byte order mark"),
    "no JSON": (b"<html>", "not JSON"),
    "cut": (b'{"choices": [', "not JSON"),
    "two values": (b"{} {}", "not JSON"),
    "a double key": (b'{"choices": [], "choices": []}', "twice"),
    "NaN": (b'{"x": NaN}', "NaN"),
    "deep": (b"[" * 70 + b"]" * 70, f"deeper than {REPLY_DEPTH}"),
    "deeper than any reader": (b"[" * 100_000, "50,000 values"),
    "too many values": (json.dumps([0] * REPLY_VALUES).encode(), f"more than {REPLY_VALUES:,} values"),
    "endless integer": (b'{"x": ' + b"9" * 5000 + b"}", "integer"),
    "a list": ([], "no object"),
    "null": (None, "no object"),
    "a stream": (b'data: {"choices": []}\n\n', "event stream"),
    "no choices": ({"object": "chat.completion"}, "no choice"),
    "empty choices": ({"choices": []}, "no choice"),
    "a null choice": ({"choices": [None]}, "choices[0]"),
    "no message": ({"choices": [{"finish_reason": "stop"}]}, "no message"),
    "a null message": ({"choices": [{"message": None}]}, "no message"),
    "a delta": ({"choices": [{"delta": {"content": "30 days"}}]}, "streamed"),
    "an error": ({"error": {"message": "overloaded", "code": 529}}, "overloaded"),
    "an error's code": ({"error": {"message": "overloaded", "code": 529}}, "529"),
    "an error's text": ({"error": "overloaded"}, "overloaded"),
    "an error beside a choice": ({**completion(content="30 days"), "error": {"message": "cut off"}}, "cut off"),
    "an error in the choice": (
        {"choices": [{"message": {"content": "30 days"}, "finish_reason": "error", "error": {"message": "lost"}}]},
        "lost",
    ),
    "a detail": ({"detail": "Not authenticated"}, "Not authenticated"),
}


@pytest.mark.parametrize("name", NO_COMPLETIONS)
def test_what_is_no_completion_is_an_error_in_words(name: str) -> None:
    body, words = NO_COMPLETIONS[name]

    assert words in error(body)


@pytest.mark.parametrize("name", NO_COMPLETIONS)
def test_it_is_no_failure_that_would_end_the_run(name: str) -> None:
    assert seen(NO_COMPLETIONS[name][0]).transport is None


def test_a_number_beyond_a_double_elsewhere_does_no_harm() -> None:
    body = b'{"score": 1e999, "choices": [{"finish_reason": "stop", "message": {"content": "nine"}}]}'

    assert "nine" == observed(body).response


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308, 399])
def test_a_redirect_is_not_followed_whatever_it_says(status: int) -> None:
    assert f"status {status}: a redirect, which is not followed" == error(completion(content="30 days"), status)


@pytest.mark.parametrize("status", [100, 199, 400, 401, 404, 408, 418, 422, 429, 500, 503, 599])
def test_a_status_that_is_no_success_is_an_error_whatever_it_says(status: int) -> None:
    assert f"status {status}" in error(completion(content="30 days"), status)


@pytest.mark.parametrize("status", [200, 201, 202, 206])
def test_every_success_is_read(status: int) -> None:
    found = seen(completion(content="30 days"), status).observation

    assert found is not None
    assert "30 days" == found.response


def test_an_error_is_told_in_the_providers_words() -> None:
    body = {
        "error": {"message": "Failed to call a function.", "type": "invalid_request_error", "code": "tool_use_failed"}
    }

    told = error(body, 400)

    assert all(words in told for words in ("status 400", "Failed to call a function.", "tool_use_failed"))


def test_words_of_any_length_are_told_on_one_short_line() -> None:
    told = error({"error": {"message": "a\nb " * 100_000}}, 500)

    assert 500 > len(told)
    assert "\n" not in told


@pytest.mark.parametrize(("status", "ends"), [(401, True), (404, True), (429, True), (503, True), (302, True)])
def test_a_status_of_the_endpoint_itself_can_end_the_run(status: int, ends: bool) -> None:
    assert ends is (seen({}, status).transport is not None)


@pytest.mark.parametrize("status", [400, 413, 415, 422])
def test_a_status_of_the_one_request_cannot(status: int) -> None:
    assert seen({}, status).transport is None


def test_the_same_status_is_the_same_failure_whatever_is_said_with_it() -> None:
    assert seen({"error": "a"}, 503).transport == seen({"error": "b"}, 503).transport


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
texts = st.sampled_from(["30 days", "", " ", "look", "{}", '{"order": 7}', "{", *LEFT]) | st.text(max_size=8)
parts = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "refusal", "tool_use", "x", None])},
    optional={"text": texts, "refusal": texts, "name": texts},
)
functions = st.fixed_dictionaries({}, optional={"name": texts | json_values, "arguments": texts | json_values})
calls = st.fixed_dictionaries({}, optional={"function": functions})
messages = st.fixed_dictionaries(
    {},
    optional={
        "content": texts | st.lists(parts, max_size=4) | json_values,
        "tool_calls": st.none() | st.lists(calls, max_size=4) | json_values,
        "function_call": calls | json_values,
        "refusal": texts | json_values,
        "sources": st.lists(texts | json_values, max_size=3) | json_values,
    },
)
finishes = st.sampled_from(["stop", "tool_calls", "length", "function_call", "error", "", None]) | json_values
choices = st.fixed_dictionaries({}, optional={"message": messages | json_values, "finish_reason": finishes})
bodies = json_values | st.fixed_dictionaries(
    {},
    optional={
        "choices": st.lists(choices | json_values, max_size=3) | json_values,
        "error": json_values,
        "usage": st.fixed_dictionaries({}, optional={"completion_tokens": json_values | st.just(MAX_TOKENS)}),
    },
)


@given(bodies)
def test_what_is_seen_in_any_reply_is_a_valid_recording_of_it(body: Any) -> None:
    found = seen(body).observation

    assert found is not None
    assert found == recorded(found)


@given(bodies)
def test_a_recording_is_judged_as_the_live_reply_was(body: Any) -> None:
    found = seen(body)

    assert found.observation is not None
    assert statuses(EVERYTHING, found) == statuses(EVERYTHING, type(found)(recorded(found.observation)))


@given(st.binary(max_size=200))
def test_any_bytes_are_an_observation_or_an_error(data: bytes) -> None:
    found = seen(data).observation

    assert found is not None
    assert found == recorded(found)


@given(messages, finishes)
def test_nothing_passes_where_a_forbidden_call_is_shown(message: dict[str, Any], finish: Any) -> None:
    forbidden = {**message, "tool_calls": [call("erase")]}

    *_, status = statuses(
        scenario(("tools.forbidden[0]", "tool_forbidden", "erase")), seen(completion(finish, **forbidden))
    )

    assert status is not Status.PASS
