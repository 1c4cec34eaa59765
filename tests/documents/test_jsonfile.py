"""JSON is read strictly, with and without places, and both readers agree with the standard library's."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.documents import jsonfile
from agenttest.errors import InvalidInput
from tests.documents.words import SHAPES, misplaced, named

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(), max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
LAYOUTS = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 1, "\t"]),
        "separators": st.sampled_from([(",", ":"), (" , ", " : ")]),
        "ensure_ascii": st.booleans(),
    }
)
PIECES = ("[", "]", "{", "}", ",", ":", '"', '"a"', '"a": 1', "1", "-", "0", ".5", "e9", "1e999", "true", "nul", "NaN")
MIXED = st.lists(
    st.sampled_from((*PIECES, "null", " ", "\n", "\r", "\\", "\\u12", "\x00", "é", "٣", "//")), max_size=12
)
ESCAPE = r"the escape here is none of JSON's; write \\ for a backslash"
CONTROL = r"a line end or control character stands inside a text; write it as an escape such as \n"

MISTAKES = (
    ("", "1:1: the file is empty; write a JSON object"),
    (" \n", "1:1: the file is empty; write a JSON object"),
    ('{"a": 1', "1:8: the file ends where ',' or '}' should stand; close what is open"),
    ("[", "1:2: the file ends where a JSON value should stand; close what is open"),
    ('["a', "1:2: the text that begins here is never closed; end it with a double quote"),
    (
        "{'a': 1}",
        "1:2: a single quote stands where a key in double quotes should stand; write texts in double quotes",
    ),
    ("{a: 1}", "1:2: 'a' stands where a key in double quotes should stand"),
    ("[1, // one\n2]", "1:5: a comment stands where a JSON value should stand; JSON has none, remove it"),
    ("[1\n# one\n]", "2:1: a comment stands where ',' or ']' should stand; JSON has none, remove it"),
    ("[True]", "1:2: 'True' stands where a JSON value should stand; write true"),
    ("[None]", "1:2: 'None' stands where a JSON value should stand; write null"),
    ("[undefined]", "1:2: 'undefined' stands where a JSON value should stand"),
    ("[[1,], 2]", "1:4: a comma stands after the last entry; remove it"),
    ("[1,]", "1:3: a comma stands after the last entry; remove it"),
    ('{"a": 1,\n}', "1:8: a comma stands after the last entry; remove it"),
    ("[1 2]", "1:4: '2' stands where ',' or ']' should stand"),
    ('{"a" 1}', "1:6: '1' stands where ':' should stand"),
    ("[01]", "1:3: '1' stands where ',' or ']' should stand"),
    ("[+1]", "1:2: '+' stands where a JSON value should stand"),
    ("[1٣]", "1:3: '٣' stands where ',' or ']' should stand"),
    ('["a\nb"]', f"1:4: {CONTROL}"),
    ('["a\tb"]', f"1:4: {CONTROL}"),
    ('["C:\\dir"]', f"1:5: {ESCAPE}"),
    ('["\\u12"]', f"1:4: {ESCAPE}"),
    ("1 2", "1:3: '2' stands after the end of the JSON value; keep one value to a file"),
    ("{}\n{}", "2:1: '{' stands after the end of the JSON value; keep one value to a file"),
    ("[NaN]", "1:2: NaN is no JSON number; write a finite number, or null"),
    ("[-Infinity]", "1:2: -Infinity is no JSON number; write a finite number, or null"),
    ("[1e999]", "1:2: the number 1e999 is beyond what can be held; write a smaller one, or a text"),
    ('{"a": 1, "a": 2}', "1:10: the key 'a' stands twice (first on line 1); keep one"),
    ("\ufeff[1,]", "1:3: a comma stands after the last entry; remove it"),
    ("\u00a0[]", "1:1: '\\xa0' stands where a JSON value should stand"),
)


def told(text: str, depth: int = 20) -> list[str]:
    try:
        _, problems = jsonfile.read("f.json", text, depth)
    except InvalidInput as invalid:
        problems = list(invalid.problems)
    return [str(problem).removeprefix("f.json:") for problem in problems]


def parsed(text: str) -> list[Any]:
    """What the reader without places makes of a text: one value, or nothing."""
    try:
        return [jsonfile.parse(text)]
    except ValueError:
        return []


@given(VALUES, LAYOUTS)
def test_a_valid_text_means_the_same_to_every_reader(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout)
    document, problems = jsonfile.read("f.json", text, 20)

    assert [] == problems
    assert repr(json.loads(text)) == repr(jsonfile.parse(text)) == repr(document.value)


@given(MIXED.map("".join))
def test_both_readers_accept_the_same_texts(text: str) -> None:
    assert bool(parsed(text)) is not bool(told(text))


@given(MIXED.map("".join))
def test_nothing_is_accepted_that_the_standard_library_refuses(text: str) -> None:
    try:
        allowed = [json.loads(text)]
    except ValueError:
        allowed = []

    assert len(parsed(text)) <= len(allowed)


@given(VALUES, LAYOUTS, st.data())
def test_both_readers_accept_the_same_damaged_texts(value: Any, layout: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value, **layout)
    at, piece = data.draw(st.integers(0, len(text))), data.draw(st.sampled_from(("", *PIECES)))
    damaged = text[:at] + piece + text[at + data.draw(st.integers(0, 2)) :]

    assert bool(parsed(damaged)) is not bool(told(damaged))


@given(MIXED.map("".join))
def test_every_problem_is_at_a_place_in_the_text(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    for problem in told(text):
        line, column = map(int, problem.split(": ")[0].split(":"))
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1


@given(SHAPES, LAYOUTS, st.sampled_from(["\n", "\r", "\r\n"]))
def test_every_key_and_leaf_is_where_it_is_written(shape: Any, layout: dict[str, Any], end: str) -> None:
    text = json.dumps(named(shape), **layout).replace("\n", end)
    document, _ = jsonfile.read("f.json", text, 200)

    assert [] == misplaced(document, text)


@pytest.mark.parametrize(("text", "problem"), MISTAKES)
def test_what_is_no_json_is_told_at_its_place(text: str, problem: str) -> None:
    assert [problem] == told(text)


@pytest.mark.parametrize("text", [text for text, _ in MISTAKES])
def test_the_reader_without_places_refuses_it_too(text: str) -> None:
    assert [] == parsed(text)


def test_an_integer_of_thousands_of_digits_is_refused() -> None:
    (problem,) = told("9" * 5_000)

    assert f"1:1: the number {'9' * 39}… is beyond what can be held; write a smaller one, or a text" == problem


def test_reading_goes_on_after_what_can_be_skipped() -> None:
    text = '{"a": NaN,\n "a": 1e999,\n "b": {"c": 1,\n "c": 2}}'

    assert ["1:7", "2:7", "2:2", "4:2"] == [problem.split(": ")[0] for problem in told(text)]


def test_of_a_key_that_stands_twice_the_first_value_stays() -> None:
    document, _ = jsonfile.read("f.json", '{"a": 1, "a": 2}', 20)

    assert {"a": 1} == document.value


def test_values_nest_as_deep_as_allowed() -> None:
    assert [] == told("[" * 20 + "]" * 20)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_one_level_more_is_refused_at_its_place(opening: str) -> None:
    place = f"1:{20 * len(opening) + 1}"

    assert [f"{place}: the value nests deeper than 20 levels; flatten it"] == told(opening * 100_000)


def test_a_lone_surrogate_is_a_text_like_any_other() -> None:
    assert "\ud800" == jsonfile.parse('"\\ud800"')
