"""Evidence that contradicts itself never proves which calls were made."""

from typing import Any

import pytest

from agenttest.model import Status
from tests.agent import call
from tests.sources.endpoint.messages import MAX_TOKENS, completion, doubts, live, observed, seen

MARKUP = '<tool_call>\n{"name": "wipe", "arguments": {}}\n</tool_call>'


def tools(value: Any) -> tuple[bool | None, str | None]:
    """Whether the calls are complete, and why not."""
    found = seen(value)
    assert found.observation is not None
    assert found.exchange is not None
    return found.observation.tool_calls_complete, found.exchange.doubts.get("tools")


@pytest.mark.parametrize("message", [{}, {"tool_calls": []}, {"tool_calls": None}])
def test_a_finish_with_calls_beside_none_is_none(message: Any) -> None:
    assert (False, "finish_reason is 'tool_calls', but no call is shown") == tools(completion(message, "tool_calls"))


def test_a_legacy_finish_beside_no_call_says_so() -> None:
    told = doubts("function_call", tool_calls=[])

    assert "finish_reason is 'function_call', but no call is shown" == told["tools"]


@pytest.mark.parametrize(
    ("finish", "used", "complete"),
    [
        ("tool_calls", MAX_TOKENS - 1, True),
        ("tool_calls", MAX_TOKENS, False),
        ("tool_calls", MAX_TOKENS + 1, False),
        ("function_call", MAX_TOKENS, False),
        ("stop", MAX_TOKENS, True),
        ("tool_calls", None, True),
    ],
)
def test_a_reached_cap_behind_calls_is_a_cut_and_a_stop_is_believed(finish: str, used: Any, complete: bool) -> None:
    usage = {"completion_tokens": used}

    assert complete is tools(completion({"tool_calls": [call("a")]}, finish, usage=usage))[0]


def test_a_reached_cap_is_told() -> None:
    value = completion({"tool_calls": [call("a")]}, "tool_calls", usage={"completion_tokens": 100})

    assert "finish_reason is 'tool_calls', but all 100 tokens were used up, so calls may be cut off" == tools(value)[1]


@pytest.mark.parametrize(
    "other",
    [
        {"message": {"tool_calls": [call("wipe")]}},
        {"message": {"function_call": {"name": "wipe"}}},
        {"message": {"tool_calls": "wipe"}},
        {"delta": {"tool_calls": [call("wipe")]}},
        {"tool_calls": [call("wipe")]},
    ],
)
def test_calls_in_another_choice_leave_the_calls_incomplete(other: Any) -> None:
    value = completion({"content": "Yes.", "tool_calls": []})
    value["choices"] += [None, {"message": {"content": "No.", "tool_calls": []}}, other]

    assert (False, "choices[3] holds calls too, and only the message of choices[0] is judged") == tools(value)


@pytest.mark.parametrize("beside", [{"tool_calls": [call("wipe")]}, {"delta": {"tool_calls": [call("wipe")]}}])
def test_calls_beside_the_message_leave_the_calls_incomplete(beside: Any) -> None:
    value = completion({"content": "Yes.", "tool_calls": []})
    value["choices"][0] |= beside

    assert False is tools(value)[0]


@pytest.mark.parametrize(
    "others", [[None, 5], [{"message": {"content": MARKUP, "tool_calls": []}}], [{"message": None}]]
)
def test_other_choices_without_calls_say_nothing(others: Any) -> None:
    value = completion({"content": "Yes.", "tool_calls": []})
    value["choices"] += others

    assert (True, None) == tools(value)


@pytest.mark.parametrize(
    "message",
    [
        {"content": MARKUP, "tool_calls": []},
        {"content": MARKUP, "tool_calls": None},
        {"content": [{"type": "text", "text": MARKUP[:6]}, {"type": "text", "text": MARKUP[6:]}], "tool_calls": []},
        {"content": MARKUP},
    ],
)
def test_markup_where_no_call_is_shown_leaves_the_calls_incomplete(message: Any) -> None:
    assert (False, "no call is shown, but the content holds the begin of one: <tool_call> {") == tools(
        completion(message)
    )


def test_markup_beside_a_call_is_text() -> None:
    assert (True, None) == tools(completion({"content": MARKUP, "tool_calls": [call("a")]}))


def test_markup_leaves_the_response_whole() -> None:
    assert (MARKUP, True) == (lambda found: (found.response, found.response_complete))(observed(content=MARKUP))


@pytest.mark.parametrize("content", [None, "", " \n", [{"type": "thinking", "thinking": "…"}]])
def test_a_call_that_is_stuck_in_the_thoughts_counts_where_there_is_no_answer(content: Any) -> None:
    value = completion({"content": content, "reasoning_content": f"So: {MARKUP}", "tool_calls": []})

    assert (False, "no call is shown, but the reasoning holds the begin of one: <tool_call> {") == tools(value)


def test_thoughts_of_a_call_before_an_answer_are_thoughts() -> None:
    assert (True, None) == tools(completion({"content": "No.", "reasoning_content": MARKUP, "tool_calls": []}))


@pytest.mark.parametrize("kind", ["tool_use", "tool_call", "function_call", "server_tool_use", "mcp_call"])
def test_a_call_among_the_parts_of_the_content_leaves_the_calls_incomplete(kind: str) -> None:
    part = {"type": kind, "name": "wipe", "input": {}}

    assert (False, "the content holds a call of 'wipe', and tool_calls does not") == tools(
        completion({"content": [part], "tool_calls": [call("a")]})
    )


@pytest.mark.parametrize(
    "part", [{"type": "tool_use", "name": " a ", "input": {}}, {"type": "tool_result"}, {"type": "image_url"}]
)
def test_a_part_that_is_a_listed_call_or_none_says_nothing_of_the_calls(part: Any) -> None:
    assert (True, None) == tools(completion({"content": [part], "tool_calls": [call("a")]}))


def test_all_that_speaks_against_the_calls_is_told() -> None:
    told = doubts("tool_calls", content=MARKUP, tool_calls=[None])["tools"]

    assert 3 == len(told.split("; "))


def test_a_violation_in_contradictory_evidence_is_shown_and_stays_incomplete() -> None:
    value = completion({"content": "Yes.", "tool_calls": [call("wipe"), None]})

    assert {Status.INCOMPLETE} == set(live(seen(value))[2:8])
