"""What is shown of a value fits on a line, and nothing in it acts on a terminal or a log."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.quote import SHOWN, UNSEEN, clip, one_line, printable, quote, written

TEXTS = st.text(st.characters() | st.sampled_from("\x1b\x07\r\n\t\x85\u200b\u202e\u2028\ufeff\ud800\x7f'\"\\"))
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(TEXTS, inner, max_size=5),
)


@given(JSON)
def test_a_quoted_value_is_one_line(value: Any) -> None:
    assert len(quote(value).splitlines()) == 1


@given(JSON)
def test_nothing_in_a_quoted_value_acts(value: Any) -> None:
    assert UNSEEN.search(quote(value)) is None


@given(JSON)
def test_a_quoted_value_is_valid_utf_8(value: Any) -> None:
    assert quote(value).encode()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("it's", '"it\'s"'),
        ("a\nb", r"'a\nb'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        (None, "null"),
        (True, "true"),
        (1.0, "1.0"),
        (10**20, "100000000000000000000"),
        ({"a": ["é", None]}, '{"a": ["é", null]}'),
        (["\u202e"], r'["\u202e"]'),
        (("a",), '["a"]'),
        ([], "[]"),
    ],
)
def test_texts_are_shown_as_python_writes_them_and_other_values_as_json(value: Any, shown: str) -> None:
    assert shown == quote(value)


def test_a_long_text_is_cut_and_its_length_told() -> None:
    assert f"'{'x' * 140}'… (1,000 characters)" == quote("x" * 1_000)


def test_a_text_that_just_fits_is_whole() -> None:
    assert f"'{'x' * SHOWN}'" == quote("x" * SHOWN)


def test_a_long_value_is_cut() -> None:
    assert SHOWN == len(quote([0] * 1_000))


def test_of_a_value_no_more_is_written_than_is_shown() -> None:
    assert quote([0] * 100 + [object()]).startswith("[0, 0, ")


@pytest.mark.parametrize(("text", "shown"), [("abc", "abc"), ("abcd", "abcd"), ("abcde", "abc…")])
def test_a_text_is_cut_with_a_mark(text: str, shown: str) -> None:
    assert shown == clip(text, 4)


def test_printable_text_keeps_its_lines() -> None:
    assert "a\tb\n\\u000dc" == printable("a\tb\n\rc")


@given(TEXTS)
def test_printable_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == printable(printable(text))


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\nb\tc", r"a\nb\tc"), ("\r\n::error::x", r"\u000d\n::error::x"), ("a\u2028b", r"a\u2028b"), ("é 💰", "é 💰")],
)
def test_a_text_goes_on_one_line(text: str, line: str) -> None:
    assert line == one_line(text)


def test_of_a_long_value_no_more_is_looked_at_than_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr("agenttest.quote.printable", lambda text: read.append(text) or text)

    assert '["' + "x" * 157 + "…" == quote(["x" * 1_000_000, ["y"] * 1_000_000])
    assert [161] == [len(text) for text in read]


@given(JSON)
def test_a_short_value_is_shown_as_json(value: Any) -> None:
    assert clip(printable(json.dumps(value, ensure_ascii=False)), 400) == written(value, 400)
