"""Tool calls are judged by their names, their order, their number and what their arguments hold."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.assertions import ASSERTIONS, Finding
from agenttest.model import Status, ToolCall
from tests.assertions.findings import calls, finding, message

ENTRIES = st.lists(
    st.sampled_from(
        [{"name": "a"}, {"name": "a", "arguments": {}}, {"name": "a", "arguments": {"x": 1}}, {"name": "b"}]
    ),
    max_size=4,
)
CALLS = st.lists(
    st.builds(ToolCall, st.sampled_from("ab"), st.sampled_from([None, {}, {"x": 1}, {"x": 1, "y": 2}, {"x": 2}])),
    max_size=4,
).map(tuple)


def required(entries: list[dict[str, Any]], seen: tuple[ToolCall, ...]) -> dict[int, Finding]:
    return dict(ASSERTIONS["tool_required"].check(entries, seen))


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name, arguments)


def serves(entry: dict[str, Any], seen: ToolCall) -> bool:
    """Whether a call serves an entry, written down once more for flat arguments."""
    if entry["name"] != seen.name:
        return False
    return "arguments" not in entry or (
        seen.arguments is not None and entry["arguments"].items() <= seen.arguments.items()
    )


def most(entries: list[dict[str, Any]], seen: tuple[ToolCall, ...]) -> int:
    """How many entries can get a call of their own at most, by trying every way."""
    ways = permutations([*seen, *[None] * len(entries)], len(entries))
    return max(sum(c is not None and serves(e, c) for e, c in zip(entries, way, strict=True)) for way in ways)


@given(ENTRIES, CALLS)
def test_as_many_entries_as_possible_get_a_call_of_their_own(entries: list[dict[str, Any]], seen: Any) -> None:
    assert len(entries) - most(entries, seen) == len(required(entries, seen))


@given(ENTRIES, CALLS)
def test_only_an_entry_with_arguments_is_ever_incomplete(entries: list[dict[str, Any]], seen: Any) -> None:
    incomplete = [index for index, found in required(entries, seen).items() if found.status is Status.INCOMPLETE]

    assert all("arguments" in entries[index] for index in incomplete)


@given(ENTRIES, CALLS)
def test_whatever_unobserved_arguments_are_never_turns_a_fail_to_a_pass(
    entries: list[dict[str, Any]], seen: Any
) -> None:
    failed = {index for index, found in required(entries, seen).items() if found.status is Status.FAIL}
    for arguments in ({}, {"x": 1}):
        known = tuple(ToolCall(c.name, arguments if c.arguments is None else c.arguments) for c in seen)
        assert not failed or required(entries, known)


@pytest.mark.parametrize(
    ("entry", "seen"),
    [
        ({"name": "pay"}, call("pay")),
        ({"name": "pay"}, ToolCall("pay", None)),
        ({"name": "pay", "arguments": {}}, call("pay", sum=5)),
        ({"name": "pay", "arguments": {"sum": 5}}, call("pay", sum=5.0, to="x")),
    ],
)
def test_a_required_call_was_made(entry: dict[str, Any], seen: ToolCall) -> None:
    assert finding("tool_required", entry, (call("other"), seen)) is None


def test_a_tool_that_was_not_called_is_told_with_those_that_were() -> None:
    assert Finding("'pay' was not called", ["find", "send"]) == finding(
        "tool_required", {"name": "pay"}, calls("find", "send")
    )


def test_a_tool_is_called_by_its_exact_name() -> None:
    said = message("tool_required", {"name": "pay"}, calls("Pay", "pay_now"))

    assert "'pay' was not called; the nearest call is of 'Pay'" == said


def test_the_nearest_call_is_told_with_its_first_difference() -> None:
    entry = {"name": "pay", "arguments": {"sum": 5, "to": {"id": 7}, "due": "now"}}
    far, near = call("pay", sum=6, to=None), call("pay", sum=5, to={"id": 8}, due="now", more=1)

    assert Finding(
        "'pay' was called with other arguments: $.to.id is 8, expected 7",
        {"name": "pay", "arguments": {"sum": 5, "to": {"id": 8}, "due": "now", "more": 1}},
        "$.to.id",
    ) == finding("tool_required", entry, (far, near, call("find", sum=5)))


def test_a_call_that_another_entry_needs_is_told_as_such() -> None:
    entries = [{"name": "pay"}, {"name": "pay"}]

    assert {1: Finding("'pay' was called once, and other entries need each of these calls", ["pay"])} == required(
        entries, (call("pay"),)
    )


def test_an_entry_is_told_of_a_free_call_rather_than_of_one_in_use() -> None:
    entries = [{"name": "pay", "arguments": {"sum": 5}}, {"name": "pay", "arguments": {"sum": 5}}]

    (found,) = required(entries, (call("pay", sum=5), call("pay", sum=6))).values()
    assert "'pay' was called with other arguments: $.sum is 6, expected 5" == found.message


def test_where_every_call_is_in_use_the_nearest_of_them_is_told() -> None:
    entries = [{"name": "pay", "arguments": {"sum": 5}}, {"name": "pay", "arguments": {"sum": 6}}]

    (found,) = required(entries, (call("find", sum=6), call("pay", sum=5))).values()
    assert "'pay' was called with other arguments: $.sum is 5, expected 6" == found.message


def test_unobserved_arguments_leave_an_entry_incomplete() -> None:
    entry = {"name": "pay", "arguments": {"sum": 5}}

    assert Finding(
        "'pay' was called, but the arguments of the call were not observed",
        ["pay"],
        None,
        Status.INCOMPLETE,
        'record the "arguments" of every call',
    ) == finding("tool_required", entry, (ToolCall("pay", None),))


def test_unobserved_arguments_of_a_call_in_use_leave_nothing_open() -> None:
    entries = [{"name": "pay"}, {"name": "pay", "arguments": {"sum": 5}}]

    (found,) = required(entries, (ToolCall("pay", None),)).values()
    assert Status.FAIL is found.status


def test_a_call_with_unobserved_arguments_is_left_to_the_entry_that_may_need_it() -> None:
    entries = [{"name": "pay"}, {"name": "pay", "arguments": {"sum": 5}}]

    (found,) = required(entries, (ToolCall("pay", None), call("pay", sum=6))).values()
    assert Status.INCOMPLETE is found.status


@pytest.mark.parametrize("seen", [(), ("find",), ("find", "find", "pay")])
def test_every_call_is_allowed(seen: tuple[str, ...]) -> None:
    assert finding("tools_allowed", ("find", "pay"), calls(*seen)) is None


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (("pay", "find", "pay"), "called and not allowed: 'pay'"),
        (("b", "pay", "a"), "called and not allowed: 'b', 'pay', 'a'"),
        (tuple("abcde"), "called and not allowed: 'a', 'b', 'c', 'd', 'e'"),
        (tuple("abcdef"), "called and not allowed: 'a', 'b', 'c', 'd', 'e' and 1 more"),
    ],
)
def test_calls_that_are_not_allowed_are_named_once(seen: tuple[str, ...], said: str) -> None:
    assert Finding(said, list(seen)) == finding("tools_allowed", ("find",), calls(*seen))


def test_nothing_allowed_allows_no_call() -> None:
    assert "called and not allowed: 'find'" == message("tools_allowed", (), calls("find"))


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        ((), None),
        (("paying", "Pay"), None),
        (("find", "pay"), "the forbidden 'pay' was called once"),
        (("pay", "pay"), "the forbidden 'pay' was called 2 times"),
    ],
)
def test_a_forbidden_tool_is_not_called(seen: tuple[str, ...], said: str | None) -> None:
    assert said == message("tool_forbidden", "pay", calls(*seen))


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (("find", "pay"), None),
        (("find", "send"), "call 2 of the sequence is 'send', expected 'pay'"),
        (("pay", "find"), "call 1 of the sequence is 'pay', expected 'find'"),
        (("find",), "call 2 of the sequence is missing, expected 'pay'"),
        (("find", "pay", "pay"), "call 3 of the sequence is 'pay', expected no further call"),
        ((), "call 1 of the sequence is missing, expected 'find'"),
    ],
)
def test_the_calls_come_in_exactly_this_order(seen: tuple[str, ...], said: str | None) -> None:
    assert said == message("tool_exact_sequence", ("find", "pay"), calls(*seen))


def test_the_place_in_the_sequence_is_told() -> None:
    found = finding("tool_exact_sequence", ("find", "pay"), calls("find", "send"))

    assert found is not None
    assert "$[1]" == found.difference


def test_an_empty_sequence_is_no_call() -> None:
    assert finding("tool_exact_sequence", (), ()) is None


@pytest.mark.parametrize(
    ("most_calls", "made", "said"),
    [
        (0, 0, None),
        (2, 2, None),
        (1, 2, "the agent made 2 calls, and at most 1 may be made"),
        (0, 1, "the agent made 1 call, and at most 0 may be made"),
        (10**30, 3, None),
    ],
)
def test_no_more_calls_than_the_limit(most_calls: int, made: int, said: str | None) -> None:
    assert said == message("tool_max_calls", most_calls, calls(*["find"] * made))


def test_of_many_calls_the_first_are_shown() -> None:
    found = finding("tool_max_calls", 1, calls(*["find"] * 200))

    assert found is not None
    assert ["find"] * 50 == found.observed
