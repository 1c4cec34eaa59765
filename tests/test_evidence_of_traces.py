"""What a trace can prove: everything, but for the kinds of evidence that it calls partial, and for what it lacks."""

from dataclasses import fields, replace

import pytest

from agenttest.evidence import TRACED, UNTOLD, Evidence, Missing, weigh
from agenttest.model import Approval, Observation, StateChange, Step, StepKind, ToolCall, ToolResult

CALL = ToolCall("pay", {"sum": 5}, "c1", '{"sum": 5}', True, False, False)
STEPS = (
    Step(StepKind.TOOL_CALL, 1, CALL),
    Step(StepKind.APPROVAL, 2, Approval("pay", "requested")),
    Step(StepKind.TOOL_RESULT, 3, ToolResult("pay", True)),
    Step(StepKind.STATE_CHANGE, 4, StateChange("k", "v")),
    Step(StepKind.FINAL_ANSWER, 5, "Paid."),
)
WHOLE = Observation("desk", "Paid.", refusal=False, sources=("faq",), steps=STEPS, state={"k": "v"})
PROVEN = {
    "response": "Paid.",
    "tools": (CALL,),
    "refusal": False,
    "sources": ("faq",),
    "state": {"k": "v"},
    "results": STEPS,
    "approvals": STEPS,
    "trace": STEPS,
}


def test_a_whole_trace_proves_every_channel() -> None:
    assert Evidence(**PROVEN) == weigh(WHOLE)  # type: ignore[arg-type]


def test_every_channel_needs_some_kind_of_evidence() -> None:
    assert {field.name for field in fields(Evidence)} == {channel for needed in TRACED.values() for channel in needed}


@pytest.mark.parametrize("kind", TRACED)
def test_a_partial_kind_of_evidence_leaves_open_what_needs_it_and_keeps_what_was_seen(kind: str) -> None:
    found = weigh(replace(WHOLE, partial=(kind,)))

    why, remedy = f"the trace may not hold all of {kind}", f"record all of {kind}, and call it complete"
    expected = PROVEN | {channel: Missing(why, remedy, PROVEN[channel]) for channel in TRACED[kind]}
    assert Evidence(**expected) == found  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", TRACED)
@pytest.mark.parametrize("seen", [WHOLE, Observation("desk", "Paid.", True, "stop", (CALL,), True, False, ("faq",))])
def test_what_a_scenario_calls_partial_is_so_whatever_the_source_says(seen: Observation, kind: str) -> None:
    found = weigh(seen, partial=(kind,))

    assert [True] * len(TRACED[kind]) == [isinstance(found.channel(name), Missing) for name in TRACED[kind]]


def test_all_kinds_that_are_partial_are_named() -> None:
    found = weigh(replace(WHOLE, partial=("toolCalls", "state", "toolResults"))).trace

    assert isinstance(found, Missing)
    assert "the trace may not hold all of toolCalls and toolResults" == found.reason


@pytest.mark.parametrize("channel", UNTOLD)
def test_what_a_trace_does_not_tell_is_missing(channel: str) -> None:
    found = weigh(replace(WHOLE, **{channel: None})).channel(channel)

    wanted = UNTOLD[channel]
    assert Missing(f"the trace has no {wanted.split(':')[0]}", f"record {wanted}") == found


def test_no_steps_are_a_trace_in_which_nothing_happened() -> None:
    found = weigh(replace(WHOLE, steps=()))

    assert ((), ()) == (found.tools, found.trace)


def test_a_run_that_failed_proves_nothing_though_it_has_steps() -> None:
    found = weigh(replace(WHOLE, error="it crashed"))

    why = Missing("the agent could not be observed: 'it crashed'", "record the scenario again, without an error")
    assert Evidence(why, why, why, why, why, why, why, why) == found


def test_time_that_ran_out_is_told_and_decides_nothing() -> None:
    assert weigh(WHOLE) == weigh(replace(WHOLE, timed_out=True))
