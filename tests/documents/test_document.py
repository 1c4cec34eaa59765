"""A document's places, and the words for them."""

import re
from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.documents import Document, Marks, Path, decode, dotted, spelled
from agenttest.documents.document import Lines, OddKey, as_text
from agenttest.errors import InvalidInput, Problem

MARKS = Marks(1, 1, parts={"a": Marks(2, 5, 2, 1, parts={0: Marks(3, 7)})})
DOCUMENT = Document("f.yml", {"a": ["x"]}, MARKS)


def test_a_problem_stands_at_its_value() -> None:
    assert Problem("f.yml", 3, 7, "is odd") == DOCUMENT.problem(("a", 0), "is odd")


def test_a_problem_with_a_key_stands_at_the_key() -> None:
    assert Problem("f.yml", 2, 1, "is odd") == DOCUMENT.problem(("a",), "is odd", at_key=True)


def test_an_entry_without_a_key_stands_for_itself() -> None:
    assert Problem("f.yml", 3, 7, "is odd") == DOCUMENT.problem(("a", 0), "is odd", at_key=True)


def test_what_is_not_there_stands_where_it_would_be() -> None:
    assert Problem("f.yml", 2, 5, "lacks it") == DOCUMENT.problem(("a", 4, "b"), "lacks it")


@pytest.mark.parametrize(
    ("offset", "place"),
    [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (5, (3, 1)), (6, (3, 2)), (7, (4, 1)), (9, (5, 1)), (10, (5, 2))],
)
def test_lines_end_as_editors_say(offset: int, place: tuple[int, int]) -> None:
    assert place == Lines("ab\n\r\nx\r\u2028\nz").place(offset)


@given(st.text("a\r\n", max_size=30), st.integers(0, 30), st.integers(1, 6))
def test_lines_are_counted_on_from_the_blocks_that_a_text_is_taken_in(text: str, offset: int, size: int) -> None:
    starts = [0, *(found.end() for found in re.finditer("\r\n|\r|\n", text))]
    offset = min(offset, len(text))
    line = bisect_right(starts, offset)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agenttest.documents.document.BLOCK", size)
        assert (line, offset - starts[line - 1] + 1) == Lines(text).place(offset)


def test_of_millions_of_lines_few_are_kept() -> None:
    assert len(Lines("\n" * 1_000_000).blocks) < 1_000


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (("agent", "tools", 0, "name"), "agent.tools[0].name"),
        (("tools", "required", 2), "tools.required[2]"),
        (("\x1b", 0), "\\u001b[0]"),
        ((), ""),
    ],
)
def test_a_path_is_one_word(path: Path, name: str) -> None:
    assert name == dotted(path)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ((), "the file"),
        (("scenarios",), "scenarios"),
        (("scenarios", 3), "scenarios[3]"),
        (("scenarios", 3, "expect"), "expect"),
        (("scenarios", 3, "expect", "tools", "required", 0), "tools.required[0]"),
        (("scenarios", 3, "sources", 1), "sources[1]"),
        (("agent", "expect"), "agent.expect"),
    ],
)
def test_a_message_names_a_value_by_its_path_in_the_scenario(path: Path, name: str) -> None:
    assert name == spelled(path)


@pytest.mark.parametrize(
    ("word", "quoted"),
    [("no", '"no"'), ('a "b" c', r'"a \"b\" c"'), ("a\\b", r'"a\\b"'), ("\u202e", r'"\u202e"')],
)
def test_a_word_is_quoted_as_yaml_and_json_do(word: str, quoted: str) -> None:
    assert quoted == as_text(word)


def test_an_odd_key_equals_no_key_of_a_json_object() -> None:
    assert OddKey.of("1", 1) not in {"1": "a", 1: "a"}


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"a: \xff", (1, 4), "the file holds the byte 0xff, which is not UTF-8; save it as UTF-8"),
        ("ä\nö: ".encode() + b"\xe9", (2, 4), "the file holds the byte 0xe9, which is not UTF-8; save it as UTF-8"),
        (b"a\r\nb\r\xc3", (3, 1), "the file holds the byte 0xc3, which is not UTF-8; save it as UTF-8"),
        ("\ufeffa".encode() + b"\x80", (1, 2), "the file holds the byte 0x80, which is not UTF-8; save it as UTF-8"),
        (b"\xed\xa0\x80", (1, 1), "the file holds the byte 0xed, which is not UTF-8; save it as UTF-8"),
        ("a: 1".encode("utf-16"), (1, 1), "the file is UTF-16; save it as UTF-8"),
    ],
)
def test_bytes_that_are_not_utf_8_are_told_with_their_place(data: bytes, place: tuple[int, int], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        decode("f.yml", data)

    assert (Problem("f.yml", *place, message),) == caught.value.problems
