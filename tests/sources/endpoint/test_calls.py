"""A call is a call in whatever shape and by whatever name; what is malformed hides no other, yet some may lack."""

import json
from typing import Any

import pytest

from agenttest.model import ToolCall
from tests.agent import call
from tests.sources.endpoint.messages import completion, doubts, observed, recorded, seen


def calls(finish: str = "stop", /, **message: Any) -> tuple[tuple[ToolCall, ...] | None, bool | None]:
    found = observed(finish, **message)
    return found.tool_calls, found.tool_calls_complete


def arguments(given: Any) -> Any:
    (only,) = observed(tool_calls=[call("f", given)]).tool_calls or ()
    return only.arguments


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ({}, None),
        ({"function_call": None}, None),
        ({"tool_calls": None}, ()),
        ({"tool_calls": []}, ()),
        ({"tool_calls": [], "function_call": None}, ()),
        ({"tool_calls": [call("b"), call("a")]}, (ToolCall("b", {}), ToolCall("a", {}))),
        ({"tool_calls": [{"function": {"name": "a", "arguments": "{}"}}]}, (ToolCall("a", {}),)),
        ({"tool_calls": [{**call("a"), "id": "", "type": "custom"}] * 2}, (ToolCall("a", {}),) * 2),
        ({"tool_calls": [{"type": "custom", "custom": {"name": "a", "input": "x"}}]}, (ToolCall("a", None),)),
        ({"tool_calls": [call("a")] * 250}, (ToolCall("a", {}),) * 250),
        ({"function_call": {"name": "a", "arguments": '{"b": 1}'}}, (ToolCall("a", {"b": 1}),)),
        ({"tool_calls": None, "function_call": {"name": "a"}}, (ToolCall("a", None),)),
    ],
)
def test_the_calls_that_a_message_shows_are_all_of_them(message: Any, shown: Any) -> None:
    assert (shown, True) == calls(**message)


@pytest.mark.parametrize("name", ["find.book", "a" * 65, "functions.x", "поиск", "a b", "🦉", "\u202e", "<b>"])
def test_a_call_by_any_name_is_shown_as_it_came(name: str) -> None:
    assert ((ToolCall(name, {}),), True) == calls(tool_calls=[call(name)])


def test_space_around_a_name_hides_no_call() -> None:
    assert ((ToolCall("wipe", {}),), True) == calls(tool_calls=[call(" wipe\n")])


@pytest.mark.parametrize(
    ("listed", "also", "count"),
    [
        ([call("a", '{"b": 1}')], {"name": "a", "arguments": {"b": 1}}, 1),
        ([call("a", '{"b": 1}')], {"name": "a", "arguments": {"b": True}}, 2),
        ([call("a")], {"name": "b", "arguments": "{}"}, 2),
        ([call("a", None)], {"name": "a"}, 1),
    ],
)
def test_a_legacy_call_is_added_unless_it_is_listed(listed: Any, also: Any, count: int) -> None:
    found, complete = calls(tool_calls=listed, function_call=also)

    assert (count, True) == (len(found or ()), complete)


@pytest.mark.parametrize(
    ("message", "shown", "doubt"),
    [
        ({"tool_calls": False}, None, "tool_calls is false, no list"),
        ({"tool_calls": "none"}, None, "tool_calls is 'none', no list"),
        ({"tool_calls": {}}, None, "tool_calls is an object, no list"),
        ({"tool_calls": 5, "function_call": {"name": "a"}}, ["a"], "tool_calls is a number, no list"),
        ({"tool_calls": [None]}, [], "tool_calls[0] is no call with a name"),
        ({"tool_calls": [call("a"), None, call("b")]}, ["a", "b"], "tool_calls[1] is no call with a name"),
        ({"tool_calls": [{"type": "function"}]}, [], "tool_calls[0] is no call with a name"),
        ({"tool_calls": [{"function": {}}]}, [], "tool_calls[0] is no call with a name"),
        ({"tool_calls": [{"function": {}, "name": "a"}]}, [], "tool_calls[0] is no call with a name"),
        ({"tool_calls": [call(" ")]}, [], "tool_calls[0] is no call with a name"),
        ({"tool_calls": [{"function": {"name": 5}}]}, [], "tool_calls[0] is no call with a name"),
        ({"tool_calls": [{"name": "a", "arguments": {}}]}, ["a"], "tool_calls[0] is no call with a function object"),
        ({"tool_calls": [{"function": "a"}]}, ["a"], "tool_calls[0] is no call with a function object"),
        ({"tool_calls": [call("a")] * 251}, ["a"] * 250, "tool_calls holds 251 calls, and at most 250 are judged"),
        (
            {"tool_calls": [call("a")] * 250, "function_call": {"name": "b"}},
            ["a"] * 250,
            "there are more than 250 calls",
        ),
        ({"function_call": {}}, [], "function_call is no call with a name"),
        ({"function_call": "a"}, [], "function_call is no call with a name"),
    ],
)
def test_what_is_malformed_hides_no_other_call_but_leaves_them_incomplete(message: Any, shown: Any, doubt: str) -> None:
    found, complete = calls(**message)

    names = None if found is None else [each.name for each in found]
    assert (shown, False, doubt) == (names, complete, doubts(**message)["tools"])


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1.0, "b": [null, true]}', {"a": 1.0, "b": [None, True]}),
        (' {"a": 1}\n', {"a": 1}),
        ("", {}),
        (" \n", {}),
        (nested(57), nested(57)),
        (json.dumps(nested(64)), nested(64)),
        ('{"a": ' + "9" * 4300 + "}", {"a": int("9" * 4300)}),
        ('{"a": "\ud83e\\udd89"}', {"a": "🦉"}),
    ],
)
def test_arguments_are_an_object_or_its_text_or_blank(given: Any, shown: Any) -> None:
    assert shown == arguments(given)


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        5,
        True,
        "null",
        "7",
        '["1"]',
        '"{}"',
        '"{\\"a\\": 1}"',
        '{"a": 1',
        '{"a": 1};',
        '{"a": 1}{}',
        '{"a": 1, "a": 1}',
        '{"a": {"b": 1, "b": 2}}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": [1e999]}',
        json.dumps(nested(65)),
        '{"a": ' + "9" * 4301 + "}",
        '{"a": [' + "0," * 60_000 + "0]}",
        "[" * 100_000,
        "\ufeff{}",
    ],
)
def test_arguments_that_are_no_object_are_not_observed(given: Any) -> None:
    assert None is arguments(given)


def test_arguments_that_are_not_observed_leave_the_calls_complete() -> None:
    assert ((ToolCall("f", None),), True) == calls(tool_calls=[call("f", "{")])


def test_a_number_beyond_a_double_in_an_object_leaves_the_arguments_unobserved() -> None:
    body = json.dumps(completion({"tool_calls": [call("f", {"a": [[0.5]]})]})).replace("0.5", "1e999")

    found = seen(body.encode()).observation

    assert (ToolCall("f", None),) == (found and found.tool_calls)


@pytest.mark.parametrize(
    ("zeros", "shown"), [((9_900, 9_900), [True, True]), ((9_900, 10_200, 5), [True, False, True])]
)
def test_arguments_beyond_20_000_values_in_all_are_not_observed(zeros: tuple[int, ...], shown: list[bool]) -> None:
    found = observed(tool_calls=[call("f", json.dumps({"a": [0] * count})) for count in zeros])

    assert shown == [each.arguments is not None for each in found.tool_calls or ()]


def test_arguments_beyond_20_000_values_are_told() -> None:
    told = doubts(tool_calls=[call("f", json.dumps({"a": [0] * 20_000}))])

    assert {"arguments": "arguments that go beyond 20,000 values in all are not observed"} == told


@pytest.mark.parametrize(("zeros", "shown"), [(19_962, True), (19_963, False)])
def test_with_as_many_values_as_there_may_be_a_recording_is_valid(zeros: int, shown: bool) -> None:
    found = observed(tool_calls=[call("f", json.dumps({"a": [0] * zeros}))])

    assert [shown] == [each.arguments is not None for each in found.tool_calls or ()]
    assert found == recorded(found)
