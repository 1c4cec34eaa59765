"""An oracle stands beside the step that decided it, as far as that can be told."""

from typing import Any

import pytest

from agenttest.assertions.oracles import ORACLES
from agenttest.model import Approval, Assertion, Outcome, StateChange, Status, Step, StepKind, ToolCall, ToolResult
from agenttest.reporters.html.deciding import FINDERS, deciding

FAIL, PASS = Status.FAIL, Status.PASS
PAYLOADS = (
    ToolCall("read", None),
    ToolCall("Erase", None, requires_approval=True, unsafe=True, blocked=True),
    Approval("erase", "resolved", "denied"),
    ToolCall("erase", None, unsafe=True),
    ToolResult("erase", succeeded=True),
    StateChange("bed", "dry"),
    StateChange("bed", "wet"),
    "First.",
    "Last.",
)
KINDS = {
    ToolCall: StepKind.TOOL_CALL,
    Approval: StepKind.APPROVAL,
    ToolResult: StepKind.TOOL_RESULT,
    StateChange: StepKind.STATE_CHANGE,
    str: StepKind.FINAL_ANSWER,
}
STEPS = [Step(KINDS[type(each)], at, each) for at, each in enumerate(PAYLOADS, 1)]  # type: ignore[index]


def outcome(kind: str, status: Status, given: Any, fault: str | None = None) -> Outcome:
    return Outcome(Assertion("expected.oracles[0]", kind, given, 7, 5, fault=fault), status, "so")


@pytest.mark.parametrize(
    ("kind", "status", "given", "expected"),
    [
        ("ToolCalled", PASS, {"toolName": "ERASE "}, 1),
        ("ToolCalled", FAIL, {"toolName": "water"}, None),
        ("ToolNotCalled", FAIL, {"toolName": "erase"}, 1),
        ("ToolNotCalled", PASS, {"toolName": "water"}, None),
        ("MaxToolCalls", FAIL, {"maxCount": 2}, 3),
        ("MaxToolCalls", FAIL, {"maxCount": 1, "toolName": "erase"}, 3),
        ("MaxToolCalls", FAIL, {"maxCount": 0}, 0),
        ("MaxToolCalls", PASS, {"maxCount": 3}, None),
        ("ToolsAllowed", FAIL, {"toolNames": ["READ"]}, 1),
        ("ToolsAllowed", FAIL, {"toolNames": []}, 0),
        ("NoUnsafeTool", FAIL, {}, 3),
        ("ApprovalRequired", PASS, {}, 1),
        ("ApprovalRequired", FAIL, {"toolName": "read"}, 0),
        ("ApprovalDenied", PASS, {"toolName": "erase"}, 2),
        ("ApprovalGranted", FAIL, {"toolName": "erase"}, 2),
        ("ApprovalGranted", FAIL, {"toolName": "read"}, None),
        ("ToolResultSucceeded", PASS, {"toolName": "erase"}, 4),
        ("ToolArguments", FAIL, {"toolName": "erase", "argumentsSubset": {}}, 1),
        ("StateEquals", FAIL, {"stateKey": "bed", "expectedValue": "dry"}, 6),
        ("StateEquals", FAIL, {"stateKey": "Bed", "expectedValue": "dry"}, None),
        ("FinalAnswerContains", PASS, {"text": "Last"}, 8),
        ("FinalAnswerExcludes", FAIL, {"text": "Last"}, 8),
        ("ToolSequence", FAIL, {"toolNames": ["read"]}, None),
        ("NoExecutionBeforeApproval", FAIL, {}, None),
    ],
)
def test_the_step_that_decided(kind: str, status: Status, given: Any, expected: int | None) -> None:
    assert expected == deciding(outcome(kind, status, given), STEPS)


def test_an_oracle_that_cannot_be_judged_was_decided_by_no_step() -> None:
    assert None is deciding(outcome("ToolCalled", FAIL, {"toolName": "erase"}, "it has no name"), STEPS)


def test_an_empty_trace_decides_nothing_by_a_step() -> None:
    kinds = {kind: {"toolName": "x", "stateKey": "x", "maxCount": 0} for kind in ORACLES}

    assert {None} == {deciding(outcome(kind, status, given), ()) for kind, given in kinds.items() for status in Status}


def test_only_oracles_that_there_are_have_a_finder() -> None:
    assert set() == {kind for kind, _ in FINDERS} - ORACLES.keys()
