"""A step tells one thing, and of its kind; words of kinds are read in any case and with space around them."""

from typing import Any

import pytest

from agenttest import steprules
from agenttest.documents import Document, Marks
from agenttest.model import Approval, StepKind, ToolCall
from agenttest.steps import step

CALL = {"toolName": "read_file"}


def said(*steps: Any) -> list[str]:
    """What is wrong with some steps."""
    return [each.message for each in steprules.problems(Document("a.json", {}, Marks(1, 1)), ("steps",), [*steps])]


@pytest.mark.parametrize(
    "raw",
    [
        {"message": "hi"},
        {"kind": " toolcall ", "toolCall": CALL},
        {"kind": "ToolCall", "toolCall": CALL, "message": None},
        {"kind": "Message"},
        {"kind": "FinalAnswer", "finalAnswer": ""},
        {"kind": "a word that the schema refuses", "toolCall": CALL},
        "no step, which the schema refuses",
    ],
)
def test_a_step_of_one_kind_is_right(raw: Any) -> None:
    assert [] == said(raw)


@pytest.mark.parametrize(
    ("raw", "wrong"),
    [
        ({}, "the step tells nothing; give it one of message, toolCall, toolResult, stateChange, approval, "),
        ({"message": "hi", "toolCall": CALL}, "the step has message and toolCall; write a step for each"),
        ({"kind": "message", "toolCall": CALL}, "the step's kind is 'message', and it has toolCall; its payload"),
        ({"kind": "ToolCall"}, "the step's kind is 'ToolCall', and it has no toolCall; write it"),
        ({"kind": "FinalAnswer", "finalAnswer": None}, "the step's kind is 'FinalAnswer', and it has no finalAnswer;"),
    ],
)
def test_a_step_of_several_kinds_or_none_is_told(raw: Any, wrong: str) -> None:
    (found,) = said(raw)

    assert found.startswith(wrong)


def test_what_are_no_steps_at_all_is_left_to_the_schema() -> None:
    assert [] == list(steprules.problems(Document("a.json", {}, Marks(1, 1)), ("steps",), {"a": {}}))


def test_space_around_the_word_of_a_kind_counts_for_nothing() -> None:
    assert StepKind.TOOL_CALL == step({"kind": " ToolCall\n", "toolCall": CALL}, 1).kind


def test_space_around_the_words_of_an_approval_counts_for_nothing() -> None:
    raw = {"approval": {**CALL, "phase": " Resolved", "decision": "DENIED "}}

    assert Approval("read_file", "resolved", "denied") == step(raw, 1).payload


@pytest.mark.parametrize("text", ['{"a": NaN}', '{"a": -Infinity}', '{"a": 1e999}', "[]", "{", "[" * 100_000])
def test_arguments_that_are_no_finite_object_are_not_observed(text: str) -> None:
    found = step({"toolCall": {**CALL, "argumentsJson": text}}, 1).payload

    assert isinstance(found, ToolCall)
    assert (text, None) == (found.written, found.arguments)
