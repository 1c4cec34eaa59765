"""Steps of a trace in short words, one line each, whatever is in them."""

import pytest

from agenttest.model import Approval, StateChange, Step, StepKind, ToolCall, ToolResult
from agenttest.reporters.trace import listed, outline, told

CALL = ToolCall("erase", None, "c1", '{"bed": 4}', True, True, False)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (Step(StepKind.MESSAGE, 1, "Let me\nlook."), r"'Let me\nlook.'"),
        (Step(StepKind.TOOL_CALL, 1, CALL), 'erase {"bed": 4} (needs approval, unsafe)'),
        (Step(StepKind.TOOL_CALL, 1, ToolCall("read", None, blocked=True)), "read (blocked)"),
        (Step(StepKind.TOOL_RESULT, 1, ToolResult("read", True, output="11 %")), "read succeeded: '11 %'"),
        (Step(StepKind.TOOL_RESULT, 1, ToolResult("read", False, error="no")), "read failed: 'no'"),
        (Step(StepKind.TOOL_RESULT, 1, ToolResult("read", False)), "read failed"),
        (Step(StepKind.STATE_CHANGE, 1, StateChange("valve", "open", "closed")), "valve: 'closed' → 'open'"),
        (Step(StepKind.STATE_CHANGE, 1, StateChange("valve", "open")), "valve: 'open'"),
        (Step(StepKind.APPROVAL, 1, Approval("erase", "requested")), "erase requested"),
        (
            Step(StepKind.APPROVAL, 1, Approval("erase", "resolved", "denied", more={"reason": "dear"})),
            "erase resolved, denied: 'dear'",
        ),
        (Step(StepKind.FINAL_ANSWER, 1, "Done."), "'Done.'"),
    ],
    ids=lambda value: value.kind if isinstance(value, Step) else None,
)
def test_each_kind_of_step_says_what_it_tells(step: Step, expected: str) -> None:
    assert expected == told(step)


def test_a_list_has_a_line_for_each_step_and_counts_the_rest() -> None:
    steps = tuple(Step(StepKind.MESSAGE, at, "x") for at in range(1, 6))

    assert ["  1  Message  'x'", "  2  Message  'x'", "     and 3 more steps"] == list(listed(steps, 2))


def test_an_outline_names_the_tools_and_keys_in_order() -> None:
    steps = (
        Step(StepKind.TOOL_CALL, 1, CALL),
        Step(StepKind.STATE_CHANGE, 2, StateChange("bed.4", "bare")),
        Step(StepKind.FINAL_ANSWER, 3, "Done."),
    )

    assert "ToolCall erase, StateChange bed.4, FinalAnswer" == outline(steps, 100)


def test_an_outline_is_cut() -> None:
    steps = tuple(Step(StepKind.MESSAGE, at, "x") for at in range(30))

    assert 50 == len(outline(steps, 50))
