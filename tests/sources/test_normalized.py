"""An observations file becomes observations by scenario, or all that is wrong with it is told at once."""

import copy
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import InvalidInput, Problem
from agenttest.model import Observation, Observed, Provenance, ToolCall
from agenttest.sources import normalized

IDS = {"desk", "front-desk"}
MISTAKES = """\
{
  "version": "1",
  "scenario": [],
  "scenarios": [
    {"id": "dask", "response": 5},
    {"id": "attic"},
    {"id": "front desk"},
    {"id": "desk", "finish_reason": "length", "response_complete": true, "tool_calls_complete": true},
    {"id": " desk", "tool_calls": [{"nam": "pay"}, {"name": "pay", "arguments": null}], "refusal": null},
    {"id": "front-desk", "sources": [{}, {"id": ""}, {"url": "x"}, 4, " "], "id": "desk", "response": NaN},
    7
  ]
}
"""
MISTAKES_TOLD = """\
2:14: version is the text '1'; should be the integer 1, without quotes
3:3: unknown key 'scenario' in the file; did you mean 'scenarios'?
5:12: id is 'dask', no scenario of the suite; did you mean 'desk'?
5:32: response is the number 5; should be a text
6:12: id is 'attic', no scenario of the suite; use the id of a scenario, or remove the entry
7:12: id is the text 'front desk'; should be the id of a scenario: a letter or digit, then at most 95 letters, \
digits, . _ and -
8:68: response_complete is true, but finish_reason 'length' does not show that; write false, or correct it
8:97: tool_calls_complete is true, but finish_reason 'length' does not show that; write false, or correct it
9:12: id is 'desk' again (first on line 8); keep one observation of each scenario
9:37: unknown key 'nam' in tool_calls[0]; did you mean 'name'?
9:81: tool_calls[1].arguments is null; should be an object
9:100: refusal is null; should be true or false
10:38: sources[0] names no source; give it an id
10:49: sources[1].id is empty; should be a source id
10:54: sources[2] names no source; give it an id
10:55: unknown key 'url' in sources[2]; known here: id, source
10:68: sources[3] is the number 4; should be a source id, or an object with id or source
10:71: sources[4] is blank (' '); should be a text that is not blank
10:77: the key 'id' stands twice (first on line 10); keep one
10:103: NaN is no JSON number; write a finite number, or null
11:5: scenarios[6] is the number 7; should be an object
"""


def load(value: Any) -> Observed:
    return normalized.load("o.json", json.dumps(value).encode(), IDS)


def one(**fields: Any) -> Observation:
    """The observation of one entry."""
    return load({"version": 1, "scenarios": [{"id": "desk", **fields}]}).observations["desk"]


def told(data: str | bytes) -> list[str]:
    try:
        normalized.load("o.json", data.encode() if isinstance(data, str) else data, IDS)
    except InvalidInput as invalid:
        return [str(problem).removeprefix("o.json:") for problem in invalid.problems]
    return []


def entry(**fields: Any) -> str:
    return json.dumps({"version": 1, "scenarios": [{"id": "desk", **fields}]})


def test_all_problems_are_told_at_once_in_the_files_order() -> None:
    assert MISTAKES_TOLD.splitlines() == told(MISTAKES)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_the_same_problems_stand_on_the_same_lines_however_lines_end(end: str) -> None:
    assert MISTAKES_TOLD.splitlines() == told(MISTAKES.replace("\n", end))


def test_a_byte_order_mark_moves_no_place() -> None:
    assert MISTAKES_TOLD.splitlines() == told("\ufeff" + MISTAKES)


def test_a_valid_file_may_begin_with_a_byte_order_mark() -> None:
    assert [] == told("\ufeff" + entry())


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "1:1: the file is empty; write a JSON object"),
        (b"[]", "1:1: the file is an empty list; should be an object"),
        (b"null", "1:1: the file is null; should be an object"),
        (b"version: 1\n", "1:1: 'version' stands where a JSON value should stand"),
        (b"\xff{", "1:1: the file holds the byte 0xff, which is not UTF-8; save it as UTF-8"),
        ("{}".encode("utf-16"), "1:1: the file is UTF-16; save it as UTF-8"),
        (b"[" * 100_000, "1:70: the value nests deeper than 69 levels; flatten it"),
    ],
)
def test_a_file_that_is_no_observations_is_told_as_what_it_is(data: bytes, problem: str) -> None:
    assert [problem] == told(data)


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_arguments_may_nest_64_levels() -> None:
    assert (ToolCall("f", nested(64)),) == one(tool_calls=[{"name": "f", "arguments": nested(64)}]).tool_calls


def test_one_level_more_is_told_at_its_place() -> None:
    text = entry(tool_calls=[{"name": "f", "arguments": nested(65)}])

    assert [f"1:{text.index('{}') + 1}: the value nests deeper than 69 levels; flatten it"] == told(text)


@pytest.mark.parametrize(("zeros", "problems"), [(19_980, 0), (20_000, 1)])
def test_each_scenario_may_have_20_000_values(zeros: int, problems: int) -> None:
    found = told(entry(tool_calls=[{"name": "f", "arguments": {"a": [0] * zeros}}]))

    assert problems == len(found)


def test_more_values_are_told_without_reading_on() -> None:
    found = told(entry(refusal=5, tool_calls=[{"name": "f", "arguments": {"a": [0] * 30_000}}]))

    assert ["1:1: the file holds 30,019 values; at most 20,000 for each scenario may be, record less"] == found


def test_of_a_broken_file_no_more_is_looked_at_than_takes_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agenttest.sources.normalized.VALUES_WITH_PLACES", 5)

    found = told('{"version": 1, "scenarios": [{}, {}, {}, {}')

    said = "something is wrong in the file, and it is looked for in the 5 values before this only"
    assert [f"1:38: {said}; make the file smaller"] == found


def test_a_large_file_that_is_not_right_is_not_explained_before_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agenttest.sources.normalized.VALUES_WITH_PLACES", 5)

    found = told('{"version": 1, "scenarios": [{}, {}, {}, {}]}')

    assert [True] == [problem.endswith("make the file smaller") for problem in found]


def test_many_entries_that_the_suite_does_not_have_are_told_at_once() -> None:
    found = told('{"version": 1, "scenarios": [' + ", ".join(["{}"] * 200_000) + "]}")

    assert ["1:1: the file holds 200,005 values; at most 20,000 for each scenario may be, record less"] == found


def test_what_is_left_out_was_not_observed() -> None:
    assert Observation("desk") == one()


def test_every_field_is_kept() -> None:
    seen = one(
        response=" Yes.\n",
        response_complete=True,
        finish_reason="stop",
        tool_calls=[{"name": "pay", "arguments": {"sum": 5}}, {"name": "find"}],
        tool_calls_complete=False,
        refusal=False,
        sources=["faq", {"id": "policy"}, {"source": "manual"}],
        error=None,
    )

    calls = (ToolCall("pay", {"sum": 5}), ToolCall("find", None))
    assert Observation("desk", " Yes.\n", True, "stop", calls, False, False, ("faq", "policy", "manual")) == seen


@pytest.mark.parametrize("response", ["", " \n", "x" * 200_000, "\ud800", "\u202e"])
def test_any_response_was_observed(response: str) -> None:
    assert response == one(response=response).response


def test_an_observation_of_a_scenario_is_optional() -> None:
    assert {} == load({"version": 1, "scenarios": []}).observations


def test_where_observations_came_from_is_kept_with_the_digest_of_the_bytes() -> None:
    data = ("\ufeff" + entry() + "\r\n").encode()

    digest = hashlib.sha256(data).hexdigest()
    came = Provenance("observation_file", "unverified_fixture", "o.json", digest)
    assert came == normalized.load("o.json", data, IDS).provenance


@pytest.mark.parametrize(
    ("finish", "flags"),
    [
        ("stop", {"response_complete": True, "tool_calls_complete": True}),
        ("stop", {"response_complete": False, "tool_calls_complete": False}),
        ("tool_calls", {"response_complete": False, "tool_calls_complete": True}),
        (" stop ", {"response_complete": True}),
        ("length", {"response_complete": False, "tool_calls_complete": False}),
        ("length", {}),
        (None, {"response_complete": True, "tool_calls_complete": True}),
    ],
)
def test_a_flag_may_be_weaker_than_the_finish_reason(finish: str | None, flags: dict[str, bool]) -> None:
    assert [] == told(entry(finish_reason=finish, **flags))


@pytest.mark.parametrize(
    ("finish", "flag"),
    [
        ("tool_calls", "response_complete"),
        ("length", "response_complete"),
        ("Stop", "response_complete"),
        ("length", "tool_calls_complete"),
        ("content_filter", "tool_calls_complete"),
    ],
)
def test_a_flag_is_never_stronger_than_the_finish_reason(finish: str, flag: str) -> None:
    (problem,) = told(entry(finish_reason=finish, **{flag: True}))

    assert f"{flag} is true, but finish_reason '{finish}' does not show that; write false, or correct it" in problem


def test_a_blank_finish_reason_is_told_once() -> None:
    (problem,) = told(entry(finish_reason=" ", response_complete=True))

    assert problem.endswith("finish_reason is blank (' '); should be a text such as stop")


@pytest.mark.parametrize(("count", "problems"), [(250, 0), (251, 1)])
def test_a_scenario_has_at_most_250_calls(count: int, problems: int) -> None:
    assert problems == len(told(entry(tool_calls=[{"name": "f"}] * count)))


@pytest.mark.parametrize(("count", "problems"), [(1_000, 0), (1_001, 1)])
def test_a_scenario_has_at_most_1_000_sources(count: int, problems: int) -> None:
    assert problems == len(told(entry(sources=["s"] * count)))


def test_a_tool_may_be_called_by_any_name() -> None:
    assert (ToolCall("functions.pay:0 💰", None),) == one(tool_calls=[{"name": " functions.pay:0 💰 "}]).tool_calls


def test_of_many_unknown_ids_the_first_are_told_with_the_nearest() -> None:
    text = json.dumps({"version": 1, "scenarios": [{"id": f"desk{index}"} for index in range(30)]})

    assert 20 == sum("did you mean 'desk'?" in problem for problem in told(text))


def test_what_only_the_quick_reader_refuses_is_read_with_places(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        raise ValueError(text)

    monkeypatch.setattr(normalized.jsonfile, "parse", refuse)

    assert Observation("desk", "Yes.") == one(response="Yes.")


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["desk", "stop"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "name", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)
WHOLE = {
    "version": 1,
    "scenarios": [
        {
            "id": "desk",
            "response": "r",
            "finish_reason": "stop",
            "response_complete": True,
            "tool_calls": [{"name": "f", "arguments": {"a": [1, {"b": None}]}}],
            "tool_calls_complete": True,
            "refusal": False,
            "sources": ["s", {"id": "t"}],
        },
        {"id": "front-desk", "error": "timed out"},
    ],
}


def holders(value: Any) -> list[Any]:
    """Every mapping and list in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if isinstance(value, dict | list) else []), *(found for part in inner for found in holders(part))]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A whole file with some of its parts replaced by junk."""
    document = copy.deepcopy(WHOLE)
    for _ in range(draw(st.integers(0, 4))):
        holder = draw(st.sampled_from(holders(document)))
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if keys:
            holder[draw(st.sampled_from(keys))] = draw(JUNK)
    return json.dumps(document, indent=1, ensure_ascii=draw(st.booleans()))


def loaded_or_told(text: str) -> Observed | list[Problem]:
    try:
        return normalized.load("o.json", text.encode(errors="surrogatepass"), IDS)
    except InvalidInput as invalid:
        return list(invalid.problems)


@given(damaged())
def test_a_damaged_file_is_loaded_or_told(text: str) -> None:
    assert [] != loaded_or_told(text)


@given(damaged())
def test_problems_are_told_once_in_the_files_order(text: str) -> None:
    found = loaded_or_told(text)

    assert isinstance(found, Observed) or sorted(set(found)) == found


@given(damaged())
def test_problems_are_told_within_the_file(text: str) -> None:
    found, lines = loaded_or_told(text), text.split("\n")

    for problem in [] if isinstance(found, Observed) else found:
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1


@given(st.binary(max_size=40))
def test_any_bytes_are_told(data: bytes) -> None:
    assert told(data)
