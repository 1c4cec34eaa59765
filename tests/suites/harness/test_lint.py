"""What is shallow about a valid scenario is told at its place, with what would be right; what is not, is not."""

import json
from typing import Any

import pytest

from agenttest.assertions.oracles import ORACLES
from agenttest.suites.harness import lint
from tests.suites.harness.scenarios import CALLED, text, warned

ANSWER = {"type": "FinalAnswerContains", "text": "paid"}
NOT_CALLED = {"type": "ToolNotCalled", "toolName": "pay"}
UNSAFE = {"toolCall": {"toolName": "pay", "isUnsafe": True}}
RESULT = {"toolResult": {"toolName": "read", "callId": "c1"}}
FULL = {  # an oracle of each type with all that it reads
    "toolName": "read",
    "toolNames": ["read"],
    "text": "paid",
    "caseSensitive": True,
    "maxCount": 1,
    "stateKey": "k",
    "expectedValue": "v",
    "argumentsSubset": {},
    "expected": True,
    "sourceId": "s",
    "mode": "any",
    "allowApproved": True,
}


def whole(kind: str) -> dict[str, Any]:
    """An oracle of this type with every parameter that it reads."""
    row = ORACLES[kind]
    return {"type": kind, **{name: FULL[name] for name in (*row.needs, *row.reads)}}


def found(*oracles: Any, **given: Any) -> list[str]:
    """The warnings without their places."""
    return [warning.split(": ", 1)[1] for warning in warned(text(*oracles, **given))]


SPREAD = """\
{
  "id": "desk", "risk": "High",
  "tags": ["tools", " Safety "],
  "input": {
    "prompt": " ",
    "scriptedTrace": [
      {"toolCall": {"toolName": "pay", "isUnsafe": true}},
      {"toolResult": {"toolName": "pay", "callId": "c1"}}
    ],
    "scriptedFinalAnswer": "Paid. "
  },
  "expected": {"oracles": [
    {"type": "FinalAnswerContains", "text": "paid."},
    {"type": "FinalAnswerContains", "text": "x", "maxCount": 1}
  ]}
}
"""
SPREAD_TOLD = """\
2:25: the risk is High, and all that is looked at is the final answer; add an oracle of what the agent did, such as \
ToolCalled, StateEquals or NoUnsafeTool
3:12: the tag is 'tools', and no oracle looks at that; add ToolCalled, ToolNotCalled, MaxToolCalls, ToolArguments, \
ToolSequence, ToolsAllowed, ToolResultSucceeded or NoUnsafeTool, or remove the tag
3:21: the tag is ' Safety ', and no oracle looks at that; add NoUnsafeTool, ToolNotCalled, ToolsAllowed, Refusal, \
ApprovalRequired, ApprovalGranted, ApprovalDenied or NoExecutionBeforeApproval, or remove the tag
5:15: the prompt is empty; say what the agent is asked
7:52: the call is unsafe, and no oracle looks at whether it was carried out; add NoUnsafeTool
8:52: the result is of the call 'c1', which no step makes; use the callId of a toolCall
13:45: the text is all of the scripted answer, so the file only agrees with itself; ask for a part of it
14:62: FinalAnswerContains does not read maxCount; remove it (what it reads: text, caseSensitive)
"""


def test_everything_shallow_is_told_in_the_files_order() -> None:
    assert SPREAD_TOLD.splitlines() == warned(SPREAD)


@pytest.mark.parametrize("start", ["\ufeff", "\n\n"])
def test_the_places_are_those_of_the_text(start: str) -> None:
    lines = [line.split(":", 1) for line in SPREAD_TOLD.splitlines()]

    assert [f"{int(line) + start.count(chr(10))}:{rest}" for line, rest in lines] == warned(start + SPREAD)


def test_where_a_key_is_written_with_escapes_the_places_are_found_too() -> None:
    shifted = SPREAD.replace('"id"', r'"\u0069d"')

    assert [line.replace("2:25", "2:30") for line in SPREAD_TOLD.splitlines()] == warned(shifted)


@pytest.mark.parametrize("prompt", ["", " \n\t"])
def test_an_empty_prompt_is_told(prompt: str) -> None:
    assert ["the prompt is empty; say what the agent is asked"] == found(more={"prompt": prompt})


def test_a_script_that_another_source_leaves_unread_is_told() -> None:
    read = "is not read, as the executor is 'replay'; remove one of the two"
    more = {"executor": "Replay", "scriptedTrace": [UNSAFE], "scriptedFinalAnswer": "x", "scriptedRefusal": None}

    assert [f"scriptedTrace {read}", f"scriptedFinalAnswer {read}"] == found(more=more)


def test_what_another_source_leaves_unread_is_no_evidence_of_anything_else() -> None:
    more = {"executor": "endpoint", "scriptedTrace": [UNSAFE, RESULT], "scriptedFinalAnswer": "paid"}

    assert 2 == len(found({**ANSWER, "text": "paid"}, more=more))


def test_a_result_of_no_call_is_told() -> None:
    assert ["the result is of the call 'c1', which no step makes; use the callId of a toolCall"] == (
        found(steps=[{"toolCall": {"toolName": "read", "callId": "c2"}}, RESULT])
    )


@pytest.mark.parametrize(
    "steps",
    [
        [{"toolCall": {"toolName": "read", "callId": "c1"}}, RESULT],
        [RESULT, {"toolCall": {"toolName": "read", "callId": "c1"}}],
        [{"toolResult": {"toolName": "read"}}],
        [{"approval": {"toolName": "read", "callId": "c1", "phase": "requested"}}],
    ],
    ids=json.dumps,
)
def test_a_result_of_a_call_or_of_none_in_particular_is_right(steps: Any) -> None:
    assert [] == found(steps=steps)


@pytest.mark.parametrize("tag", [*lint.TAGS, "Tools"])
def test_a_tag_whose_matter_no_oracle_looks_at_is_told(tag: str) -> None:
    (warning,) = found({"type": "StateEquals", "stateKey": "k", "expectedValue": "v"}, tags=["x", tag])

    assert warning.startswith(f"the tag is {tag!r}, and no oracle looks at that; add ")


@pytest.mark.parametrize(("tag", "kind"), [(tag, kind) for tag, kinds in lint.TAGS.items() for kind in kinds])
def test_each_of_the_oracles_of_a_tag_is_enough(tag: str, kind: str) -> None:
    assert [] == found(whole(kind), tags=[tag])


def test_every_oracle_of_tools_approvals_or_safety_is_that_of_a_tag() -> None:
    channels = ("tools", "results", "approvals", "trace")

    assert {kind for kind, oracle in ORACLES.items() if oracle.row.channel in channels} | {"Refusal"} == {
        kind for kinds in lint.TAGS.values() for kind in kinds
    }


def test_an_unsafe_call_that_nothing_looks_at_is_told_once() -> None:
    assert ["the call is unsafe, and no oracle looks at whether it was carried out; add NoUnsafeTool"] == (
        found(steps=[UNSAFE, UNSAFE])
    )


def test_an_unsafe_call_that_is_looked_at_is_right() -> None:
    assert [] == found({"type": "NoUnsafeTool"}, steps=[UNSAFE])


@pytest.mark.parametrize("unsafe", [False, None])
def test_a_call_that_is_not_unsafe_needs_no_look(unsafe: bool | None) -> None:
    assert [] == found(steps=[{"toolCall": {"toolName": "pay", "isUnsafe": unsafe}}])


@pytest.mark.parametrize("risk", ["High", "critical"])
@pytest.mark.parametrize("others", [[], [{"type": "FinalAnswerExcludes", "text": "x"}]], ids=["one", "two"])
def test_the_answer_alone_is_little_where_much_is_at_stake(risk: str, others: list[Any]) -> None:
    (warning,) = found(ANSWER, *others, risk=risk)

    assert warning.startswith(f"the risk is {risk.capitalize()}, and all that is looked at is the final answer; add ")


@pytest.mark.parametrize("risk", ["Low", "medium", None])
def test_the_answer_alone_is_enough_where_less_is_at_stake(risk: str | None) -> None:
    assert [] == found(ANSWER, risk=risk)


def test_the_answer_and_what_was_done_are_enough_where_much_is_at_stake() -> None:
    assert [] == found(ANSWER, NOT_CALLED, risk="High")


@pytest.mark.parametrize(
    "given",
    [
        {"more": {"scriptedFinalAnswer": " PAID\n"}},
        {"steps": [{"finalAnswer": "paid"}]},
        {"steps": [{"finalAnswer": "else"}, {"finalAnswer": "paid"}]},
    ],
    ids=json.dumps,
)
def test_a_text_that_is_all_of_the_scripted_answer_is_told(given: Any) -> None:
    assert ["the text is all of the scripted answer, so the file only agrees with itself; ask for a part of it"] == (
        found(ANSWER, **given)
    )


@pytest.mark.parametrize(
    "given",
    [
        {"more": {"scriptedFinalAnswer": "It is paid."}},
        {"more": {"scriptedFinalAnswer": ""}},
        {"steps": [{"message": "paid"}]},
    ],
    ids=json.dumps,
)
def test_a_text_that_is_a_part_of_the_answer_is_right(given: Any) -> None:
    assert [] == found(ANSWER, **given)


@pytest.mark.parametrize("kind", ORACLES)
def test_what_an_oracle_reads_it_may_have(kind: str) -> None:
    oracle = {**whole(kind), "name": "n", "description": "d", "x-note": 1}

    assert [] == found(oracle, {"type": "NoUnsafeTool"}, CALLED)


@pytest.mark.parametrize("kind", ORACLES)
def test_every_parameter_that_an_oracle_does_not_read_is_told(kind: str) -> None:
    read = (*ORACLES[kind].needs, *ORACLES[kind].reads)
    right = f"remove it (what it reads: {', '.join(read) or 'nothing'})"

    assert [f"{kind} does not read {name}; {right}" for name in FULL if name not in read] == (
        found({"type": kind, **FULL}, {"type": "NoUnsafeTool"}, CALLED)
    )


def test_a_parameter_that_is_null_is_none() -> None:
    assert [] == found({**CALLED, "maxCount": None})


@pytest.mark.parametrize("written", ["bed 4", "[4]", "4", '{"bed": 4'])
def test_arguments_that_an_oracle_cannot_look_into_are_told(written: str) -> None:
    oracle = {"type": "ToolArguments", "toolName": "READ", "argumentsSubset": {"bed": 4}}

    assert ["the text is no JSON object, so ToolArguments finds no arguments in it; write them as JSON"] == (
        found(oracle, steps=[{"toolCall": {"toolName": "read", "argumentsJson": written}}])
    )


@pytest.mark.parametrize(
    ("oracle", "call"),
    [
        ("read", {"toolName": "read", "argumentsJson": '{"bed": 4}'}),
        ("read", {"toolName": "read", "argumentsJson": ""}),
        ("read", {"toolName": "read"}),
        ("read", {"toolName": "write", "argumentsJson": "bed 4"}),
    ],
)
def test_arguments_that_are_json_or_that_no_oracle_looks_into_are_right(oracle: str, call: Any) -> None:
    asked = {"type": "ToolArguments", "toolName": oracle, "argumentsSubset": {"bed": 4}}

    assert [] == found(asked, steps=[{"toolCall": call}])


@pytest.mark.parametrize("oracles", ["[]", "null"])
def test_of_a_scenario_without_oracles_nothing_is_told_that_an_oracle_would_mend(oracles: str) -> None:
    given = text(steps=[UNSAFE], tags=["tools", "safety"], risk="High").replace(json.dumps([CALLED]), oracles)

    assert [] == warned(given)


def test_metadata_and_tags_of_any_kind_are_right() -> None:
    assert [] == found(more={"metadata": {"team": "billing", "": ""}}, tags=["billing", "toolsmith"])


def test_of_very_many_warnings_the_first_are_told() -> None:
    assert 1_000 == len(found(steps=[RESULT] * 1_500))
