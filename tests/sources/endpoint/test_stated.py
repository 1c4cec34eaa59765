"""A refusal, sources, a finish reason and usage count where they are stated as values, and in no other form."""

from typing import Any

import pytest

from tests.sources.endpoint.messages import completion, doubts, observed, seen

NO = {"type": "refusal", "refusal": "No."}
BLANK = {"type": "refusal", "refusal": " "}


@pytest.mark.parametrize(
    ("message", "refusal"),
    [
        ({"refusal": True}, True),
        ({"refusal": False}, False),
        ({"refusal": None}, False),
        ({"refusal": ""}, False),
        ({"refusal": " \n"}, False),
        ({"refusal": "No."}, True),
        ({"refusal": "No.", "content": None}, True),
        ({"content": [NO]}, True),
        ({"content": [{"type": "refusal", "text": "No."}]}, True),
        ({"content": [BLANK, NO], "refusal": None}, True),
        ({"content": [NO], "refusal": False}, True),
        ({"content": [NO], "refusal": []}, True),
        ({"content": [BLANK]}, False),
        ({}, None),
        ({"content": "I'm sorry, I can't do that."}, None),
        ({"refusal": ["No."]}, None),
        ({"refusal": 1}, None),
        ({"refusal": {}, "content": [BLANK]}, None),
    ],
)
def test_a_refusal_is_stated_as_a_value_a_text_or_a_part(message: Any, refusal: bool | None) -> None:
    assert refusal is observed(**message).refusal


@pytest.mark.parametrize(
    ("sources", "ids"),
    [
        ([], ()),
        (["a", " b "], ("a", "b")),
        ([{"id": "a"}, {"source": "b"}, {"id": None, "source": "c"}], ("a", "b", "c")),
        ([{"id": "a", "source": "b"}, {"id": "", "source": "c"}], ("a", "c")),
        ([{"id": " a ", "title": "A", "score": 0.5}], ("a",)),
        (["a"] * 1000, ("a",) * 1000),
    ],
)
def test_sources_are_a_list_of_ids(sources: Any, ids: tuple[str, ...]) -> None:
    assert ids == observed(sources=sources).sources


@pytest.mark.parametrize(
    ("sources", "doubt"),
    [
        (None, "sources is null, no list"),
        ("a", "sources is 'a', no list"),
        ({"id": "a"}, "sources is an object, no list"),
        (["a"] * 1001, "sources holds 1,001 entries, and at most 1,000 are judged"),
        (["a", " "], "sources[1] names no source"),
        ([{}], "sources[0] names no source"),
        (["a", {"id": 5, "source": "a"}], "sources[1] names no source"),
        ([{"id": " ", "source": "a"}], "sources[0] names no source"),
        ([None], "sources[0] names no source"),
    ],
)
def test_sources_in_another_form_are_not_observed(sources: Any, doubt: str) -> None:
    assert (None, doubt) == (observed(sources=sources).sources, doubts(sources=sources)["sources"])


def test_a_refusal_in_another_form_is_told() -> None:
    assert {"refusal": "refusal is a list, no boolean, text or null"} == doubts(refusal=[])


@pytest.mark.parametrize(
    ("finish", "flags"),
    [
        ("stop", (True, True)),
        (" stop ", (True, True)),
        ("tool_calls", (False, True)),
        ("length", (False, False)),
        ("content_filter", (False, False)),
        ("Stop", (False, False)),
        ("end_turn", (False, False)),
        ("s" * 64, (False, False)),
    ],
)
def test_what_is_whole_follows_from_the_finish_reason(finish: str, flags: tuple[bool, bool]) -> None:
    found = observed(finish, content="Yes.", tool_calls=[{"function": {"name": "a"}}])

    assert (finish.strip(), flags) == (found.finish_reason, (found.response_complete, found.tool_calls_complete))


@pytest.mark.parametrize(
    ("finish", "doubt"),
    [
        (None, "the reply has no finish_reason"),
        ("", "finish_reason is '', no short text"),
        (" ", "finish_reason is '', no short text"),
        (1, "finish_reason is a number, no short text"),
        ("s" * 65, "finish_reason is a text of 65 characters, no short text"),
    ],
)
def test_without_a_finish_reason_nothing_is_known_to_be_whole(finish: Any, doubt: str) -> None:
    found = observed(finish, content="Yes.", tool_calls=[])

    assert (None, None, None) == (found.finish_reason, found.response_complete, found.tool_calls_complete)
    assert [f"{doubt}, so it may not be whole"] * 2 == list(doubts(finish, content="Yes.", tool_calls=[]).values())


@pytest.mark.parametrize(
    ("message", "finish"),
    [
        ({"function_call": {"name": "a", "arguments": "{}"}}, "tool_calls"),
        ({"tool_calls": [{"function": {"name": "a"}}]}, "tool_calls"),
        ({}, "function_call"),
        ({"function_call": {}}, "function_call"),
    ],
)
def test_the_legacy_finish_reason_is_tool_calls_where_a_call_is_shown(message: Any, finish: str) -> None:
    assert finish == observed("function_call", **message).finish_reason


def test_a_finish_reason_inside_the_message_does_not_count() -> None:
    assert None is observed(None, content="Yes.", finish_reason="stop").finish_reason


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (
            {"prompt_tokens": 40, "completion_tokens": 0, "total_tokens": 40},
            {"prompt_tokens": 40, "completion_tokens": 0, "total_tokens": 40},
        ),
        ({"prompt_tokens": 4, "completion_tokens": None, "total_tokens": "4", "cost": 1}, {"prompt_tokens": 4}),
        ({"prompt_tokens": True, "completion_tokens": 1.0, "total_tokens": -1}, {}),
        ({"total_tokens": 10**20}, {}),
        (None, {}),
        ([1], {}),
    ],
)
def test_usage_is_what_was_counted(usage: Any, counted: dict[str, int]) -> None:
    exchange = seen(completion({"content": "Yes."}, usage=usage)).exchange

    assert counted == (exchange and exchange.usage)
