"""An outline has the value that the whole reader has, and the asked-for parts at the same places."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.documents import Document, Path, jsonfile
from agenttest.documents.outline import EACH, Outline, Parts, outline
from agenttest.errors import InvalidInput
from tests.documents.test_jsonfile import LAYOUTS, MISTAKES, MIXED, PIECES, VALUES

PARTS: Parts = {"a": {}, "b": {EACH: {"a": {}}}, "c": {"d": {EACH: {}}, "a": {}}}
ASKED: tuple[Path, ...] = (
    (), ("a",), ("b",), ("b", 0), ("b", 1), ("b", 1, "a"), ("c",), ("c", "d"), ("c", "d", 0), ("c", "a")
)  # fmt: skip
KEYS = st.sampled_from(["a", "b", "c", "d", "x", "é", ""])
INNER = st.lists(st.dictionaries(KEYS, VALUES, max_size=2) | VALUES, max_size=3)
DOCUMENTS = st.dictionaries(KEYS, VALUES | INNER | st.dictionaries(KEYS, VALUES | INNER, max_size=3), max_size=4)
TEXTS = st.builds(lambda value, layout: json.dumps(value, **layout), DOCUMENTS, LAYOUTS)


def places(found: Document | Outline) -> list[tuple[int, int, int, int]]:
    """The marks at every asked-for path, or around it."""
    marks = [found.mark(path) for path in ASKED]
    return [(mark.line, mark.column, mark.key_line, mark.key_column) for mark in marks]


def outlined(text: str) -> list[Any]:
    """The outline of a text, or nothing."""
    try:
        return [outline("f.json", text, PARTS)]
    except (ValueError, RecursionError):
        return []


def whole(text: str) -> list[Document]:
    """The document of a text in which nothing is wrong."""
    try:
        document, problems = jsonfile.read("f.json", text, 200)
    except InvalidInput:
        return []
    return [] if problems else [document]


@given(TEXTS, st.sampled_from(["\n", "\r", "\r\n"]), st.sampled_from(["", "\ufeff"]))
def test_the_value_and_the_asked_for_places_are_those_of_the_whole_reader(text: str, end: str, mark: str) -> None:
    (document,), found = whole(text.replace("\n", end)), outlined(mark + text.replace("\n", end))

    if "\\" not in text:
        assert 1 == len(found)
    for one in found:
        assert (repr(document.value), places(document)) == (repr(one.value), places(one))


@given(MIXED.map("".join) | MIXED.map(lambda pieces: '{"a": [' + "".join(pieces)))
def test_nothing_is_outlined_that_the_whole_reader_refuses(text: str) -> None:
    assert len(outlined(text)) <= len(whole(text))


@given(TEXTS, st.data())
def test_no_damaged_text_is_read_as_something_else(text: str, data: st.DataObject) -> None:
    at, piece = data.draw(st.integers(0, len(text))), data.draw(st.sampled_from(("", *PIECES)))
    damaged = text[:at] + piece + text[at + data.draw(st.integers(0, 2)) :]

    assert [repr(one.value) for one in outlined(damaged)] in ([], [repr(one.value) for one in whole(damaged)])


@pytest.mark.parametrize("text", [text for text, _ in MISTAKES])
def test_what_is_no_json_is_left_to_the_other_reader(text: str) -> None:
    assert [] == outlined(text)


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', '{"\\u0061": 1}', '{"x": {"y": 1, "y": 2}}', '{"c": {"d": 1, "d": 2}}', "[" * 100_000]
)
def test_double_keys_escaped_keys_and_depth_are_left_to_the_other_reader(text: str) -> None:
    assert [] == outlined(text)


def test_what_was_not_asked_for_is_where_its_holder_is() -> None:
    (found,) = outlined('{"x": 1,\n "b": [\n {"x": [2]}]}')

    assert (3, 2) == (found.mark(("b", 0, "x", 0)).line, found.mark(("b", 0, "x", 0)).column)
