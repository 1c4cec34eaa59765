"""A step's record is read as what it says, and written as it was."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.model import StepKind, ToolCall
from agenttest.steps import arguments_of, ordered, record, step

TEXTS = st.text(max_size=8)
NAMES = st.text("abc", min_size=1, max_size=3)
FLAGS = st.booleans()
RECORDS = st.one_of(
    st.fixed_dictionaries({"kind": st.just("Message"), "message": TEXTS}),
    st.fixed_dictionaries({"kind": st.just("FinalAnswer"), "finalAnswer": TEXTS}),
    st.fixed_dictionaries(
        {
            "kind": st.just("ToolCall"),
            "toolCall": st.fixed_dictionaries(
                {"toolName": NAMES, "requiresApproval": FLAGS, "isUnsafe": FLAGS, "wasBlocked": FLAGS},
                optional={"callId": TEXTS, "argumentsJson": TEXTS},
            ),
        }
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("ToolResult"),
            "toolResult": st.fixed_dictionaries(
                {"toolName": NAMES, "succeeded": FLAGS}, optional={"output": TEXTS, "errorMessage": TEXTS}
            ),
        }
    ),
    st.fixed_dictionaries(
        {"kind": st.just("StateChange"), "stateChange": st.fixed_dictionaries({"key": TEXTS, "newValue": TEXTS})}
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("Approval"),
            "approval": st.fixed_dictionaries(
                {"toolName": NAMES, "phase": st.just("resolved"), "decision": st.just("approved"), "reason": TEXTS}
            ),
        }
    ),
)


@given(RECORDS, st.integers(1, 9))
def test_a_record_that_was_read_is_written_as_it_was(raw: dict[str, Any], sequence: int) -> None:
    raw = {**raw, "sequence": sequence}

    assert raw == record(step(raw, 1))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ("{}", {}),
        (None, None),
        ("", None),
        ("[1]", None),
        ("{", None),
        ('{"a": NaN}', None),
        ('{"a": 1e999}', None),
        ('{"a": 1, "a": 2}', None),
        ('{"a": {"b": 1, "b": 1}}', None),
        ("[" * 100_000, None),
    ],
    ids=map(str, range(11)),
)
def test_arguments_are_known_where_their_text_is_one_object(written: str | None, expected: Any) -> None:
    assert expected == arguments_of(written)


def test_what_a_call_does_not_say_is_not_so() -> None:
    told = step({"toolCall": {"toolName": " pay "}}, 1).payload

    assert ToolCall("pay", None, None, None, False, False, False) == told


def test_steps_stand_by_their_sequence_and_otherwise_by_their_place() -> None:
    raw = [{"message": "c", "sequence": 3}, {"message": "b"}, {"message": "a", "sequence": 1}, {"message": "d"}]

    assert ["a", "b", "c", "d"] == [each.payload for each in ordered(raw)]


@pytest.mark.parametrize("kind", StepKind)
def test_the_word_of_a_kind_is_known_in_any_case(kind: StepKind) -> None:
    payloads: dict[StepKind, Any] = {
        StepKind.MESSAGE: "x",
        StepKind.FINAL_ANSWER: "x",
        StepKind.TOOL_CALL: {"toolName": "x"},
        StepKind.TOOL_RESULT: {"toolName": "x"},
        StepKind.STATE_CHANGE: {"key": "x", "newValue": "y"},
        StepKind.APPROVAL: {"toolName": "x", "phase": "requested"},
    }
    key = kind[0].lower() + kind[1:]

    assert kind is step({"kind": kind.upper(), key: payloads[kind]}, 1).kind
