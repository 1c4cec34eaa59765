"""A reply's JSON is read strictly, within bounds, and in no more time than its length asks for."""

import pytest

from agenttest.sources.endpoint.body import Unread, parse, read


def unread(data: bytes) -> str:
    with pytest.raises(Unread) as caught:
        read(data)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"\xef\xbb\xbf{}", "begins with a byte order mark, which JSON must not"),
        (b'{"a": "\xe9"}', "is not UTF-8: byte 0xe9 at offset 7"),
        ("{}".encode("utf-16"), "is not UTF-8: byte 0xff at offset 0"),
        (b'{"a": "\xed\xa0\x80"}', "is not UTF-8: byte 0xed at offset 7"),
        (b'data: {"choices": []}\n\ndata: [DONE]\n', "is an event stream, though stream is false"),
        (b': waiting\n\nevent: message\ndata: {"a": 1}\n', "is an event stream, though stream is false"),
        (b"{}\n{}", "is not JSON (line 2, column 1: extra data); it begins with '{} {}'"),
        (b"<html>\n No", "is not JSON (line 1, column 1: expecting value); it begins with '<html> No'"),
        (b'{"a": 1', "is not JSON (line 1, column 8: expecting ',' delimiter); it begins with '{\"a\": 1'"),
        (b"{'a': 1}", "is not JSON (line 1, column 2: expecting property name enclosed in double quotes)"),
        (b'{"a": {"b": 1, "b": 2}}', "holds the key 'b' twice in one object"),
        (b'{"a": NaN}', "holds NaN, which is no JSON number"),
        (b"[-Infinity]", "holds -Infinity, which is no JSON number"),
        (b"[-" + b"9" * 4301 + b"]", "holds an integer of more than 4,300 digits"),
        (b"[" * 65 + b"]" * 65, "nests deeper than 64 levels"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "nests deeper than 64 levels"),
        (b"[" + b"0," * 49_999 + b"0]", "holds more than 50,000 values"),
        (b"[" * 1_000_000, "holds more than 50,000 values"),
        (b'{"a":' * 1_000_000, "holds more than 50,000 values"),
    ],
)
def test_what_cannot_be_read_is_told(data: bytes, problem: str) -> None:
    assert unread(data).startswith(problem)


@pytest.mark.parametrize(
    "data",
    [
        b"[" + b"0," * 49_998 + b"0]",
        b"[" + b"[]," * 49_998 + b"{ }]",
        b"{" + b",".join(b'"%d":0' % key for key in range(24_999)) + b"}",
        b'["' + b"[{,:" * 100_000 + b'"]',
        b'["\\\\", "\\"[", "[\\\\\\"["]',
        b"[" * 64 + b"]" * 64,
        b"[-" + b"9" * 4300 + b"]",
        b" \r\n\t{} ",
    ],
)
def test_what_is_within_the_bounds_is_read(data: bytes) -> None:
    assert read(data) is not None


def test_a_number_beyond_a_double_is_infinite() -> None:
    assert [float("inf")] == read(b"[1e999]")


def test_halves_of_a_character_of_which_one_is_an_escape_become_one_character() -> None:
    assert {"a": "🦉"} == parse('{"a": "\ud83e\\udd89"}')


@pytest.mark.parametrize(
    "data",
    [b'"' * 2_000_000, b'{"a":"' + b'\\"' * 1_000_000, b'"' + b"\\" * 1_999_999, b"]" * 2_000_000, b"{}," * 700_000],
)
def test_hostile_bytes_are_refused_in_time(data: bytes) -> None:
    assert unread(data)  # would take minutes where it grew with the square
