"""YAML is read as version 1.1 says, strictly, and every part keeps its place."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from agenttest.documents import yamlfile
from agenttest.documents.yamlfile import Bounds
from agenttest.errors import InvalidInput
from tests.documents.words import SHAPES, misplaced, named

BOUNDS = Bounds(depth=32, values=20_000, string=1_000)
LOADERS = {"libyaml": yaml.CSafeLoader, "python": yaml.SafeLoader}
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
STYLES = st.fixed_dictionaries(
    {
        "default_flow_style": st.sampled_from([True, False, None]),
        "default_style": st.sampled_from([None, '"', "'"]),
        "indent": st.integers(2, 6),
        "width": st.sampled_from([10, 80]),
        "explicit_start": st.booleans(),
    }
)
MIXED = st.text(st.sampled_from("ab1:-?[]{}#&*!|>%@`'\"\\,.~<= \t\n\r\u2028\x85\0é"), max_size=40)


def read(text: str, bounds: Bounds = BOUNDS) -> Any:
    document, problems = yamlfile.read("f.yml", text, bounds)
    assert [] == problems
    return document.value


def told(text: str, bounds: Bounds = BOUNDS) -> list[str]:
    try:
        _, problems = yamlfile.read("f.yml", text, bounds)
    except InvalidInput as invalid:
        problems = list(invalid.problems)
    return [str(problem).removeprefix("f.yml:") for problem in problems]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("yes", True),
        ("Off", False),
        ("true", True),
        ("y", "y"),
        ("~", None),
        ("", None),
        ("null", None),
        ("12", 12),
        ("-7", -7),
        ("017", 15),
        ("0o17", "0o17"),
        ("0x1F", 31),
        ("0b11", 3),
        ("1_000", 1000),
        ("12:30", 750),
        ("12:30.5", 750.5),
        ("1.5", 1.5),
        ("1e3", "1e3"),
        ("1.0e+3", 1000.0),
        ("=", "="),
        ("08", "08"),
        ("'12'", "12"),
        ('"yes"', "yes"),
        ("!!str 12", "12"),
        ("!!int '12'", 12),
        ("! 12", 12),
        ("&anchor 12", 12),
    ],
)
def test_a_plain_word_is_what_yaml_1_1_says(word: str, value: Any) -> None:
    found = read(f"a: {word}\n")["a"]

    assert (type(value), value) == (type(found), found)


@pytest.mark.parametrize("word", ["yes", "~", "", "017", "12:30", "1.5"])
def test_a_word_that_reads_as_no_text_is_kept_as_written(word: str) -> None:
    document, _ = yamlfile.read("f.yml", f"a: {word}\n", BOUNDS)

    assert word == document.word(("a",))


def test_a_text_has_no_word() -> None:
    document, _ = yamlfile.read("f.yml", "a: no, thanks\n", BOUNDS)

    assert document.word(("a",)) is None


@pytest.mark.parametrize("text", ["", " \n", "# nothing\n", "\ufeff", "--- # nothing\n"])
def test_a_file_without_a_value_is_null(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: 2\na: 3\n", "3:1: the key 'a' stands twice (first on line 1); keep one"),
        ("a: {b: 1,\n  b: 2}\n", "2:3: the key 'b' stands twice (first on line 1); keep one"),
        ("a: &x 1\nb: *x\n", "2:4: the alias *x stands here; write the value out, or quote the text"),
        ("a:\n- *x\n", "2:3: the alias *x stands here; write the value out, or quote the text"),
        ("a: !x b\n", "1:4: the tag !x stands here; remove it, and quote a text that begins with '!'"),
        ("a: !!binary b\n", "1:4: the tag !!binary stands here; remove it, and quote a text that begins with '!'"),
        ("a: !<u:r> b\n", "1:4: the tag !<u:r> stands here; remove it, and quote a text that begins with '!'"),
        ("a: !!python/name:os.x {}\n", "1:4: the tag !!python/name:os.x stands here; remove it"),
        ("a: !!set {b, c}\n", "1:4: the tag !!set stands here; remove it"),
        ("a: !!map [b]\n", "1:4: the tag !!map stands here; remove it"),
        ("a: 2025-11-30\n", '1:4: 2025-11-30 is a date in YAML, and no JSON value; quote it: "2025-11-30"'),
        ("a: <<\n", '1:4: << is a merge key in YAML, and no JSON value; quote it: "<<"'),
        ("a: .nan\n", "1:4: .nan is no number that JSON can hold; write another, or quote it as text"),
        ("a: -.INF\n", "1:4: -.INF is no number that JSON can hold; write another, or quote it as text"),
        ("a: !!int x\n", "1:4: 'x' cannot be read as an integer; write one, or remove the tag"),
        ("a: !!int ''\n", "1:4: '' cannot be read as an integer; write one, or remove the tag"),
        ("a: !!bool maybe\n", "1:4: 'maybe' cannot be read as true or false; write one, or remove the tag"),
        ("<<: {a: 1}\n", "1:1: the merge key << stands here; write the keys out"),
        ("? [a]\n: 1\n", "1:3: a list stands where a key should; write a text, and quote one that begins with '['"),
        ("{a: 1}: 2\n", "1:1: a mapping stands where a key should; write a text, and quote one that begins with '{'"),
        ("*a : 1\n", "1:1: an alias stands where a key should; write a text, and quote one that begins with '*'"),
        ("a: 1\n---\nb: 2\n", "2:1: a second document begins here; keep one document to a file"),
        ("\ufeffa: !x b\n", "1:4: the tag !x stands here; remove it, and quote a text that begins with '!'"),
        ("a: \x01\n", "1:4: the character U+0001 stands here, which YAML does not allow; remove it"),
        ("é\r\ra: \0\n", "3:4: the character U+0000 stands here, which YAML does not allow; remove it"),
    ],
)
@pytest.mark.parametrize("loader", LOADERS)
def test_what_json_has_not_is_refused(text: str, problem: str, loader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlfile, "LOADER", LOADERS[loader])

    assert [problem] == told(text)


@pytest.mark.parametrize(
    "digits",
    [
        "9" * 5_000,
        "0x" + "f" * 5_000,
        "0b" + "1" * 5_000,
        "1" + ":1" * 50_000,
        "1" + ":1" * 600 + ".5",
        "9" * 400 + ".0",
    ],
    ids=["decimal", "hexadecimal", "binary", "base 60", "base 60 fraction", "fraction"],
)
def test_a_number_beyond_what_can_be_held_is_refused(digits: str) -> None:
    (problem,) = told(f"a: {digits}\n")

    assert "is no number that JSON can hold; write another, or quote it as text" in problem


@pytest.mark.parametrize(("digits", "base"), [("7" * 3_500, 10), ("0x" + "f" * 3_498, 16)])
def test_the_longest_integer_can_be_written_again(digits: str, base: int) -> None:
    assert str(int(digits, base)) == json.dumps(read(f"a: {digits}")["a"])


def test_one_digit_more_is_refused() -> None:
    assert 1 == len(told("a: " + "7" * 3_501))


def test_a_quoted_merge_key_is_a_key_like_any_other() -> None:
    assert {"<<": 1} == read('"<<": 1')


def test_every_problem_is_told_in_the_files_order() -> None:
    text = "a: *x\nb: !y {a: 1, a: 2}\nc: [.inf, 2020-01-01]\n? [k]\n: *z\n"

    places = [problem.rsplit(": ", 1)[0].split(": ")[0] for problem in told(text)]

    assert ["1:4", "2:4", "2:14", "3:5", "3:11", "4:3", "5:3"] == places


def test_half_a_character_is_refused_by_the_parser_without_libyaml_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlfile, "LOADER", yaml.SafeLoader)

    assert ["1:4: the text holds half a character; write the character itself"] == told('a: "\\ud83d\\ude00"')


def test_of_a_key_that_stands_twice_the_first_value_stays() -> None:
    document, _ = yamlfile.read("f.yml", "a: 1\na: 2\n", BOUNDS)

    assert {"a": 1} == document.value


def test_a_key_that_is_no_text_keeps_its_word_and_value() -> None:
    (key,) = read("on: 1\n")

    assert ("on", True) == (key.word, key.read)


@pytest.mark.parametrize(("text", "value"), [("[[[1]]]", [[[1]]]), ("{a: {b: {c: 1}}}", {"a": {"b": {"c": 1}}})])
def test_values_nest_as_deep_as_allowed(text: str, value: Any) -> None:
    assert value == read(text, Bounds(depth=3, values=100, string=10))


@pytest.mark.parametrize(("text", "place"), [("[[[[1]]]]", "1:4"), ("{a: {b: {c: {}}}}", "1:13")])
def test_one_level_more_is_refused_at_its_place(text: str, place: str) -> None:
    assert [f"{place}: the value nests deeper than 3 levels; flatten it"] == told(text, Bounds(3, 100, 10))


@pytest.mark.parametrize("text", ["[" * 9_000, "{a: " * 9_000, "- " * 9_000], ids=["flow", "mappings", "dashes"])
def test_nesting_without_end_is_refused(text: str) -> None:
    (problem,) = told(text)

    assert problem.endswith("; flatten it")


def test_keys_and_values_are_counted_up_to_the_bound() -> None:
    assert {"a": 1, "b": [2]} == read("{a: 1, b: [2]}", Bounds(32, values=6, string=10))


def test_one_value_more_is_refused_at_its_place() -> None:
    problem = "1:12: this is value number 6 of the file (keys count); at most 5 may be, split it"

    assert [problem] == told("{a: 1, b: [2]}", Bounds(32, values=5, string=10))


def test_a_text_is_as_long_as_allowed() -> None:
    assert "x" * 10 == read("x" * 10, Bounds(32, 10, string=10))


@pytest.mark.parametrize("text", ["a: {}", "{}: a", "- {}"])
def test_a_longer_text_is_refused(text: str) -> None:
    (problem,) = told(text.format("x" * 11), Bounds(32, 10, string=10))

    assert problem.endswith(": the text has 11 characters; at most 10 may be, shorten it")


@given(VALUES, STYLES)
def test_what_yaml_writes_is_read_back(value: Any, style: dict[str, Any]) -> None:
    text = yaml.dump(value, Dumper=yaml.SafeDumper, **style)

    assert repr(value) == repr(read(text)) or sort(value) == sort(read(text))


def sort(value: Any) -> Any:
    """A value with its mappings in one order, as YAML sorts keys when it writes."""
    if isinstance(value, dict):
        return {key: sort(value[key]) for key in sorted(value)}
    return [sort(inner) for inner in value] if isinstance(value, list) else repr(value)


@given(SHAPES, STYLES, st.sampled_from(["\n", "\r", "\r\n"]), st.sampled_from(list(LOADERS)))
def test_every_key_and_leaf_is_where_it_is_written(shape: Any, style: dict[str, Any], end: str, loader: str) -> None:
    text = yaml.dump(named(shape), Dumper=yaml.SafeDumper, **style).replace("\n", end)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yamlfile, "LOADER", LOADERS[loader])
        document, _ = yamlfile.read("f.yml", text, BOUNDS)

    assert [] == misplaced(document, text)


@pytest.mark.parametrize("odd", ["\x85", "\u2028", "\u2029"])
def test_a_line_ends_only_where_editors_end_it(odd: str) -> None:
    assert ["2:4: the alias *b stands here; write the value out, or quote the text"] == told(f'a: "x{odd}y"\nb: *b\n')


@given(MIXED, st.sampled_from(list(LOADERS)))
def test_any_text_is_read_or_refused_at_a_place_in_it(text: str, loader: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yamlfile, "LOADER", LOADERS[loader])
        problems = told(text)

    for problem in problems:
        line, column = map(int, problem.split(": ")[0].split(":"))
        assert 1 <= line <= len(lines)
        assert 1 <= column <= len(lines[line - 1]) + 1
