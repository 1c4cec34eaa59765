"""Oracles of the calls: tools are named in any case, as a whole, and a blocked attempt is a call."""

from typing import Any

import pytest

from agenttest.assertions.finding import Finding
from agenttest.model import Status, ToolCall
from tests.assertions.oracles.traces import call, finding, told

READ, HEAT, DRAIN = call("read_warmth"), call("set_heating", "a"), call("drain_tank", "ub")
MADE = (READ, HEAT, READ, DRAIN)
NAMES = "read_warmth, set_heating, read_warmth, drain_tank"


def test_a_call_is_found_in_any_case() -> None:
    expected = Finding("'SET_Heating' was called", NAMES, status=Status.PASS)
    assert expected == finding("ToolCalled", {"toolName": " SET_Heating "}, MADE)


def test_a_blocked_call_was_made() -> None:
    assert ("pass", "'drain_tank' was called") == told("ToolCalled", {"toolName": "drain_tank"}, MADE)


def test_a_call_that_was_never_made_is_told_with_what_was() -> None:
    assert Finding("'open_valve' was never called", NAMES) == finding("ToolCalled", {"toolName": "open_valve"}, MADE)


def test_a_misspelt_call_is_told() -> None:
    expected = ("fail", "'set_heatin' was never called; the nearest call is of 'set_heating'")
    assert expected == told("ToolCalled", {"toolName": "set_heatin"}, MADE)


def test_a_part_of_a_name_is_not_the_name() -> None:
    assert "fail" == told("ToolCalled", {"toolName": "read"}, MADE)[0]


def test_no_call_is_shown_as_nothing() -> None:
    assert Finding("'read' was never called", "") == finding("ToolCalled", {"toolName": "read"}, ())


def test_of_many_calls_the_first_are_shown() -> None:
    seen = finding("ToolCalled", {"toolName": "x"}, (READ,) * 1052).observed

    assert ", ".join(["read_warmth"] * 50) + " and 1,002 more" == seen


def test_a_tool_that_was_not_called_is_counted() -> None:
    expected = Finding("'open_valve' was not called", 0, status=Status.PASS)
    assert expected == finding("ToolNotCalled", {"toolName": "open_valve"}, MADE)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ((HEAT,), "'set_heating' was called once"),
        ((HEAT, READ, HEAT), "'set_heating' was called 2 times"),
        ((call("Set_Heating", "b"),), "'set_heating' was called once; the attempt was blocked"),
        ((HEAT, call("set_heating", "b")), "'set_heating' was called 2 times; 1 of these attempts was blocked"),
    ],
    ids=["once", "twice", "blocked", "one-blocked"],
)
def test_a_tool_that_was_called_must_not_be(made: tuple[ToolCall, ...], message: str) -> None:
    assert ("fail", message) == told("ToolNotCalled", {"toolName": "set_heating"}, made)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"maxCount": 4}, Finding("4 calls, at most 4 may be made", 4, status=Status.PASS)),
        ({"maxCount": 3}, Finding("4 calls, and at most 3 may be made", 4)),
        ({"maxCount": 1, "toolName": "  "}, Finding("4 calls, and at most 1 may be made", 4)),
        (
            {"maxCount": 1, "toolName": "DRAIN_tank"},
            Finding("1 call of 'DRAIN_tank', at most 1 may be made", 1, status=Status.PASS),
        ),
        (
            {"maxCount": 1, "toolName": "read_warmth"},
            Finding("2 calls of 'read_warmth', and at most 1 may be made", 2),
        ),
    ],
    ids=["all-kept", "all-broken", "blank-is-all", "one-tool-kept", "one-tool-broken"],
)
def test_attempts_are_counted_against_the_limit(given: dict[str, Any], expected: Finding) -> None:
    assert expected == finding("MaxToolCalls", given, MADE)


def opened(arguments: dict[str, Any] | None, written: str | None = None) -> ToolCall:
    return ToolCall("open_valve", arguments, None, written, False, False, False)


def arguments(wanted: Any, *made: ToolCall) -> Finding:
    return finding("ToolArguments", {"toolName": "Open_Valve", "argumentsSubset": wanted}, made)


def test_one_call_with_the_arguments_is_enough() -> None:
    expected = Finding("a call of 'Open_Valve' has the arguments", '{"bed": 4, "days": [1]}', status=Status.PASS)
    assert expected == arguments({"bed": 4}, opened({"bed": 3}), opened({"bed": 4, "days": [1]}))


def test_the_nearest_call_says_what_differs() -> None:
    found = arguments({"bed": 4, "days": [1]}, opened({"bed": 3}), opened({"bed": 4, "days": [2]}))

    message = "'Open_Valve' was called with other arguments: $.days[0] is 2, expected 1"
    assert Finding(message, '{"bed": 4, "days": [2]}', "$.days[0]") == found


@pytest.mark.parametrize(
    ("written", "why"),
    [(None, "were not observed"), ("", "were not observed"), ("[4]", "are no JSON object: '[4]'")],
    ids=["none", "empty", "a-list"],
)
def test_arguments_that_are_no_object_leave_it_open(written: str | None, why: str) -> None:
    found = arguments({"bed": 4}, opened({"bed": 3}), opened(None, written))

    message = f"the arguments of a call of 'Open_Valve' {why}"
    remedy = "record the arguments of every call as a JSON object"
    assert Finding(message, written or "", status=Status.INCOMPLETE, remedy=remedy) == found


def test_arguments_that_are_no_object_do_not_matter_beside_right_ones() -> None:
    assert Status.PASS is arguments({"bed": 4}, opened(None, "[4]"), opened({"bed": 4})).status


def test_no_call_has_no_arguments() -> None:
    assert Finding("'Open_Valve' was never called", "read_warmth") == arguments({"bed": 4}, READ)


def test_every_object_holds_no_arguments() -> None:
    assert Status.PASS is arguments({}, opened({"bed": 3})).status


@pytest.mark.parametrize(
    ("names", "message", "place"),
    [
        (["drain_tank"], "call 1 of the sequence is 'read_warmth', expected 'drain_tank'", "$[0]"),
        (["read_warmth"], "call 2 of the sequence is 'set_heating', expected no further call", "$[1]"),
        ([], "call 1 of the sequence is 'read_warmth', expected no further call", "$[0]"),
        (["read_warmth", "set_heating", "x"], "call 3 of the sequence is missing, expected 'x'", "$[2]"),
    ],
    ids=["another", "one-more", "none-expected", "one-less"],
)
def test_the_first_place_where_the_order_breaks_is_told(names: list[str], message: str, place: str) -> None:
    found = finding("ToolSequence", {"toolNames": names}, (READ, HEAT))

    assert Finding(message, "read_warmth, set_heating", place) == found


def test_the_exact_order_is_kept_in_any_case() -> None:
    found = finding("ToolSequence", {"toolNames": [" READ_warmth", "set_heating"]}, (READ, HEAT))

    expected = "the calls came in exactly this order"
    assert Finding(expected, "read_warmth, set_heating", status=Status.PASS) == found


def test_no_calls_are_a_sequence_too() -> None:
    assert "pass" == told("ToolSequence", {"toolNames": []}, ())[0]


def test_tools_that_are_not_listed_are_named_once() -> None:
    found = finding("ToolsAllowed", {"toolNames": ["Read_Warmth"]}, (*MADE, HEAT))

    assert "called and not allowed: 'set_heating', 'drain_tank'" == found.message


@pytest.mark.parametrize(
    ("names", "made", "message"),
    [(["READ_WARMTH "], (READ, READ), "every call is allowed"), ([], (), "no call was made")],
    ids=["listed", "none"],
)
def test_listed_tools_are_allowed(names: list[str], made: tuple[ToolCall, ...], message: str) -> None:
    assert ("pass", message) == told("ToolsAllowed", {"toolNames": names}, made)


def test_an_empty_list_allows_no_call() -> None:
    assert "fail" == told("ToolsAllowed", {"toolNames": []}, (READ,))[0]
