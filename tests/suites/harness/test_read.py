"""A scenario file is a scenario, or everything that is wrong with it is told at once, at its place."""

import copy
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agenttest.documents import schema
from agenttest.model import Risk, SuiteFile
from agenttest.settings import SCENARIO_DEPTH, SCENARIO_VALUES
from agenttest.suites.harness import scenariofile
from tests.suites.harness.scenarios import said, scenario, suite, text, told

MISTAKES = """\
{
  "iD": "desk",
  "descripton": "d",
  "risk": "Hgih",
  "tags": ["a", 1, " "],
  "requiredForGates": true,
  "oracle": [],
  "input": {
    "prompt": 5,
    "executor": " ",
    "timeoutMilliseconds": 1.0,
    "timeoutMilliseconds": 5,
    "metadata": {"timedOut": true},
    "capture": {"toolCalls": "partly", "answer": "partial"},
    "scriptedTrace": [
      {"kind": "ToolCal", "toolCall": {"toolName": "a"}},
      {"kind": "Message", "toolCall": {"toolName": "a"}},
      {"toolCall": {"toolName": "a"}, "stateChange": {"key": "k", "newValue": "v"}},
      {"sequence": 4},
      {"kind": "toolcall", "toolcall": {"toolName": "a"}},
      {"kind": "TOOLRESULT", "toolResult": null},
      {"toolCall": {"toolNam": "a", "argumentsJson": {"a": 1}}},
      {"approval": {"toolName": "a", "phase": "done"}}
    ]
  },
  "expected": {
    "requiredForGates": "true",
    "oracles": [
      {"type": "toolCalled", "toolname": "a"},
      {"type": "LooksGood"},
      {"toolName": "a"},
      {"type": "MaxToolCalls", "maxCount": NaN},
      {"type": "MaxToolCalls", "maxCount": "2"}
    ]
  }
}
"""
KNOWN = ", ".join(schema.load("scenario")["$defs"]["oracle"]["properties"]["type"]["enum"])
MISTAKES_TOLD = f"""\
2:3: unknown key 'iD' in the file; did you mean 'id'?
3:3: unknown key 'descripton' in the file; did you mean 'description'?
4:11: risk is the text 'Hgih'; did you mean 'High'?
5:17: tags[1] is the number 1; should be a text that is not blank
5:20: tags[2] is blank (' '); should be a text that is not blank
6:3: unknown key 'requiredForGates' in the file; it belongs in expected
7:3: unknown key 'oracle' in the file; did you mean 'oracles', which belongs in expected?
9:15: input.prompt is the number 5; should be a text
10:17: input.executor is blank (' '); should be a text that is not blank
11:28: input.timeoutMilliseconds is the number 1.0; should be a whole number of milliseconds from 1 on
12:5: the key 'timeoutMilliseconds' stands twice (first on line 11); keep one
13:30: input.metadata.timedOut is the boolean true; should be a text
14:30: input.capture.toolCalls is the text 'partly'; did you mean 'partial'?
14:40: unknown key 'answer' in input.capture; did you mean 'finalAnswer'?
16:16: input.scriptedTrace[0].kind is the text 'ToolCal'; did you mean 'ToolCall'?
17:7: the step's kind is 'Message', and it has toolCall; its payload should be message
18:7: the step has toolCall and stateChange; write a step for each
19:7: the step tells nothing; give it one of message, toolCall, toolResult, stateChange, approval, finalAnswer
20:28: unknown key 'toolcall' in input.scriptedTrace[4]; did you mean 'toolCall'?
21:7: the step's kind is 'TOOLRESULT', and it has no toolResult; write it
22:21: unknown key 'toolNam' in input.scriptedTrace[6].toolCall; did you mean 'toolName'?
22:54: input.scriptedTrace[6].toolCall.argumentsJson is an object; should be a text that holds JSON
23:47: input.scriptedTrace[7].approval.phase is the text 'done'; should be one of requested, resolved
27:25: expected.requiredForGates is the text 'true'; should be true or false, without quotes
29:16: expected.oracles[0].type is the text 'toolCalled'; did you mean 'ToolCalled'?
29:30: unknown key 'toolname' in expected.oracles[0]; did you mean 'toolName'?
30:16: expected.oracles[1].type is the text 'LooksGood'; should be one of {KNOWN}
31:7: expected.oracles[2] lacks the key 'type'; add it: which check
32:44: NaN is no JSON number; write a finite number, or null
33:44: expected.oracles[4].maxCount is the text '2'; should be an integer, without quotes
"""


def test_all_problems_are_told_at_once_in_the_files_order() -> None:
    assert MISTAKES_TOLD.splitlines() == told(MISTAKES)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_the_same_problems_stand_on_the_same_lines_however_lines_end(end: str) -> None:
    assert MISTAKES_TOLD.splitlines() == told(MISTAKES.replace("\n", end))


def test_a_byte_order_mark_moves_no_place() -> None:
    assert MISTAKES_TOLD.splitlines() == told("\ufeff" + MISTAKES)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("", "1:1: the file is empty; write a JSON object"),
        (" \n", "1:1: the file is empty; write a JSON object"),
        ("null", "1:1: the file is null; should be an object"),
        ("[]", "1:1: the file is an empty list; should be an object"),
        ('"id"', "1:1: the file is the text 'id'; should be an object"),
        ('{"id": 1,', "1:10: the file ends where a key in double quotes should stand; close what is open"),
        ("{}\n{}", "2:1: '{' stands after the end of the JSON value; keep one value to a file"),
        (b'{"id":\n "a\xff"}', "2:4: the file holds the byte 0xff, which is not UTF-8; save it as UTF-8"),
        (text().encode("utf-16"), "1:1: the file is UTF-16; save it as UTF-8"),
        (text().encode("utf-16-le"), "1:1: the file is UTF-16; save it as UTF-8"),
        (text().encode("utf-16-be"), "1:1: the file is UTF-16; save it as UTF-8"),
        ("[" * 100_000, f"1:{SCENARIO_DEPTH + 1}: the value nests deeper than 64 levels; flatten it"),
    ],
)
def test_what_is_no_scenario_at_all_is_told_as_what_it_is(data: str | bytes, problem: str) -> None:
    assert problem in told(data)


def test_observations_in_a_scenarios_place_are_told_as_such() -> None:
    right = "let its name end in .observations.json"

    assert [f"1:1: the file holds observations, and no scenario; {right}"] == (
        told('{"version": 1, "scenarios": [{"id": "desk", "response": "Yes."}]}')
    )


def test_a_file_that_was_not_read_is_told_with_why() -> None:
    assert ["a.json: is a folder; name a file"] == [
        str(problem) for problem in scenariofile_problems(SuiteFile("a.json", refused="is a folder; name a file"))
    ]


def scenariofile_problems(file: SuiteFile) -> Any:
    with pytest.raises(scenariofile.InvalidInput) as caught:
        scenariofile.read(file)
    return caught.value.problems


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_byte_order_mark_may_stand_at_the_start(mark: str) -> None:
    assert "desk" == scenario(mark + text()).id


def test_keys_may_be_written_with_escapes() -> None:
    assert "desk" == scenario(text().replace('"id"', r'"\u0069d"')).id


OPTIONAL = [
    *(("$schema",), ("name",), ("description",), ("risk",), ("tags",)),
    *(("input", key) for key in schema.load("scenario")["$defs"]["input"]["properties"] if key != "prompt"),
    *(("input", "capture", key) for key in schema.load("scenario")["$defs"]["capture"]["properties"]),
    *(("expected", key) for key in ("requiredForGates", "oracles")),
]


@pytest.mark.parametrize("path", OPTIONAL, ids=".".join)
def test_null_means_that_an_optional_key_is_left_out(path: tuple[str, ...]) -> None:
    raw = json.loads(text(more={"capture": {}}))
    holder = raw
    for key in path[:-1]:
        holder = holder[key]
    without = {key: value for key, value in holder.items() if key != path[-1]}
    holder[path[-1]] = None
    nulled = scenario(json.dumps(raw))
    holder.clear()
    holder.update(without)
    absent = scenario(json.dumps(raw))

    assert (absent.risk, absent.tags, absent.required, absent.title, absent.executor) == (
        (nulled.risk, nulled.tags, nulled.required, nulled.title, nulled.executor)
    )
    assert [check.summary for check in absent.assertions] == [check.summary for check in nulled.assertions]


@pytest.mark.parametrize("path", [("id",), ("input",), ("expected",), ("input", "prompt")], ids=".".join)
def test_null_is_no_value_of_a_required_key(path: tuple[str, ...]) -> None:
    raw: Any = json.loads(text())
    holder = raw if len(path) == 1 else raw[path[0]]
    holder[path[-1]] = None

    (problem,) = said(json.dumps(raw))
    assert problem.startswith(f"{'.'.join(path)} is null; should be ")


EVERYWHERE = {
    "x-note": 1,
    "id": "desk",
    "input": {
        "x-note": [],
        "prompt": "Hello",
        "capture": {"x-note": {}},
        "replay": {"trace": "t", "x-note": None},
        "scriptedTrace": [
            {"x-note": 1, "toolCall": {"toolName": "read", "x-note": 1}},
            {"toolResult": {"toolName": "read", "x-note": 1}},
            {"stateChange": {"key": "k", "newValue": "v", "x-note": 1}},
            {"approval": {"toolName": "read", "phase": "requested", "x-note": 1}},
        ],
    },
    "expected": {"x-note": 1, "oracles": [{"type": "ToolCalled", "toolName": "read", "x-note": 1}]},
}


def test_keys_of_ones_own_may_stand_wherever_a_key_may() -> None:
    assert [] == told(json.dumps(EVERYWHERE))


def test_a_key_of_ones_own_is_no_payload() -> None:
    step = "the step tells nothing; give it one of message, toolCall, toolResult, stateChange, approval, finalAnswer"

    assert [step] == said(text(steps=[{"x-toolCall": {}}]))


def test_an_editors_schema_may_be_named() -> None:
    assert [] == told(text(**{"$schema": "../scenario.schema.json"}))


@pytest.mark.parametrize("word", ["High", "high", "HIGH", "hIgH"])
def test_the_risk_is_written_in_any_case(word: str) -> None:
    assert Risk.HIGH == scenario(text(risk=word)).risk


@pytest.mark.parametrize("word", ["High ", " High", "High\n", "", "3", "Hıgh"])
def test_nothing_but_the_word_is_a_risk(word: str) -> None:
    (problem,) = said(text(risk=word))

    assert problem.startswith("risk is ")


@pytest.mark.parametrize(
    "step",
    [
        {"kind": "TOOLCALL", "toolCall": {"toolName": "a"}},
        {"kind": "toolresult", "toolResult": {"toolName": "a"}},
        {"kind": "StateChange", "stateChange": {"key": "k", "newValue": ""}},
        {"kind": "approval", "approval": {"toolName": "a", "phase": "RESOLVED", "decision": "Denied"}},
        {"kind": "finalAnswer", "finalAnswer": ""},
        {"kind": "message"},
        {"kind": None, "toolCall": {"toolName": "a"}, "toolResult": None},
        {"toolCall": {"toolName": "a", "isUnsafe": None}},
        {"message": "m"},
    ],
    ids=json.dumps,
)
def test_a_step_has_one_payload_and_its_kind_in_any_case_or_none(step: Any) -> None:
    assert [] == told(text(steps=[step]))


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ({"kind": "ToolCall\n", "toolCall": {"toolName": "a"}}, "did you mean 'ToolCall'?"),
        ({"kind": 1, "toolCall": {"toolName": "a"}}, "should be one of Message, ToolCall, ToolResult, StateChange"),
        ({"kind": "FinalAnswer", "message": "m"}, "its payload should be finalAnswer"),
        ({"message": "m", "finalAnswer": "m"}, "the step has message and finalAnswer; write a step for each"),
        ({"kind": "Approval"}, "the step's kind is 'Approval', and it has no approval; write it"),
        ({"approval": {"toolName": "a", "phase": "resolved", "decision": "approve"}}, "did you mean 'approved'?"),
        ({"toolCall": {"toolName": " "}}, "should be a text that is not blank"),
        ({"stateChange": {"key": "k"}}, "lacks the key 'newValue'; add it: the value from now on"),
        ({"stateChange": {"key": "k", "x-newValue": ""}}, "lacks the key 'newValue'; add it: the value from now on"),
        ({"stateChange": {"key": "k", "newValue": 1}}, "newValue is the number 1; should be a text"),
        ([], "input.scriptedTrace[0] is an empty list; should be an object with one payload"),
        (None, "input.scriptedTrace[0] is null; should be an object with one payload"),
    ],
    ids=json.dumps,
)
def test_what_is_no_step_is_told(step: Any, problem: str) -> None:
    (message,) = said(text(steps=[step]))

    assert problem in message


@pytest.mark.parametrize("count", ["1.0", "true", '"1"', "1e2", "[]"])
def test_only_an_integer_is_a_number_of_calls(count: str) -> None:
    (problem,) = said(text({"type": "ToolCalled", "maxCount": 7}).replace("7", count))

    assert problem.startswith("expected.oracles[0].maxCount is ")


def test_more_oracles_than_may_be_are_told() -> None:
    oracles = [{"type": "ToolCalled", "toolName": "a"}] * 251

    assert ["expected.oracles has 251 entries; should have at most 250"] == said(text(*oracles))


def test_values_nest_as_deep_as_allowed() -> None:
    nested: Any = 1
    for _ in range(SCENARIO_DEPTH - 1):
        nested = [nested]

    assert [] == told(text(**{"x-deep": nested}))


def test_one_level_more_is_told_at_its_place() -> None:
    start = text()[:-1] + ', "x-deep": '

    assert [f"1:{len(start) + SCENARIO_DEPTH}: the value nests deeper than 64 levels; flatten it"] == (
        told(start + "[" * SCENARIO_DEPTH + "]" * SCENARIO_DEPTH + "}")
    )


def test_a_long_trace_is_no_deep_one() -> None:
    assert [] == told(text(steps=[{"toolCall": {"toolName": "read"}}] * 1_000))


def test_more_values_than_may_be_are_told_with_their_number() -> None:
    held = f"{SCENARIO_VALUES + 18:,}"

    assert [f"1:1: the file holds {held} values (keys count); at most 200,000 may be, tell less of the trace"] == (
        told(text(**{"x-many": [1] * SCENARIO_VALUES}))
    )


def test_a_long_text_is_no_number_of_values() -> None:
    assert [] == told(text(description='",:[{' * SCENARIO_VALUES))


def test_of_very_many_problems_the_first_are_told() -> None:
    problems = told(text(tags=[1] * 5_000))

    assert (1_001, "more than 1,000 things are wrong in the file; these are told") == (
        len(problems),
        problems[0].strip(),
    )


def test_a_lone_surrogate_in_an_escape_is_a_text_like_any_other() -> None:
    assert "a\ud800" == scenario(text().replace('"desk"', r'"a\ud800"')).id


WHOLE: Any = {
    **EVERYWHERE,
    "name": "n",
    "risk": "High",
    "tags": ["tools", "safety"],
    "expected": {"requiredForGates": True, "oracles": [{"type": "ToolCalled", "toolName": "read", "name": "reads"}]},
}
LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | st.text(max_size=3)
WORDS = st.sampled_from(
    ["", " ", "ToolCalled", "high", "read", "requested", "x", "é‮", "ToolCall\n", "scripted", "\ud800"]
)
KEYS = st.sampled_from([*schema.homes("scenario"), "x-a", "", "oracle", "Id"])
JUNK: st.SearchStrategy[Any] = st.recursive(
    LEAVES | WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)


def holders(value: Any) -> list[Any]:
    """Every object and list in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if isinstance(value, dict | list) else []), *(found for part in inner for found in holders(part))]


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A whole scenario with some of its parts replaced by junk, or by junk added."""
    document = copy.deepcopy(WHOLE)
    for _ in range(draw(st.integers(1, 3))):
        holder = draw(st.sampled_from(holders(document)))
        if isinstance(holder, dict):
            holder[draw(st.sampled_from([*holder, draw(KEYS)]))] = draw(JUNK)
        else:
            holder.insert(draw(st.integers(0, len(holder))), draw(JUNK))
    return document


@given(damaged() | JUNK)
def test_a_damaged_scenario_is_a_scenario_or_told_with_places_in_it(document: Any) -> None:
    written = json.dumps(document, indent=1)
    found = suite(written)
    lines = written.split("\n")

    assert bool(found.problems) is not bool(found.scenarios)
    for problem in (*found.problems, *found.warnings):
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1


@given(damaged())
def test_what_is_known_to_be_valid_is_what_the_library_takes_for_valid(document: Any) -> None:
    assert (not schema.errors(document, schema.load("scenario"))) is schema.accepts("scenario")(document)


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"\xff\xfe")
@example(b"\xef\xbb\xbf")
@example(b"\xef\xbb\xbf\xef\xbb\xbf{}")
@example(b"\x00")
def test_any_bytes_at_all_are_told_as_what_they_are(data: bytes) -> None:
    assert told(data)


@given(st.data())
def test_a_cut_or_changed_text_is_read_or_told(data: st.DataObject) -> None:
    whole = json.dumps(WHOLE).encode()
    at, size = data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, 3))
    found = suite(whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + size :])

    assert bool(found.problems) is not bool(found.scenarios)
