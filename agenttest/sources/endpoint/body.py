"""The bytes of a reply → its JSON value, read strictly and within bounds, or `Unread` with the cause in words."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any, NoReturn

from agenttest.settings import REPLY_DEPTH, REPLY_VALUES
from agenttest.sources.endpoint.wording import shown

DIGITS = 4300  # of an integer, as Python reads at most
STRING = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL
)  # also one that is never closed, so that it is linear
SURROGATE = re.compile("[\ud800-\udfff]")
STEPS = {"{": 1, "[": 1, "}": -1, "]": -1}
STREAM = ("data:", "event:", "id:", "retry:", ":")  # what a line of an event stream may begin with


class Unread(ValueError):
    """What is wrong with the JSON, in words that go on from what it is the JSON of."""


def read(data: bytes) -> Any:
    """The value of a whole reply; Unread where it holds none that may be looked at."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise Unread("begins with a byte order mark, which JSON must not")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise Unread(f"is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start:,}") from error
    if not text.strip():
        raise Unread("is empty")
    if text.lstrip().startswith(STREAM):
        raise Unread("is an event stream, though stream is false")
    return parse(text)


def parse(text: str) -> Any:
    """The value of a JSON text without double keys, NaN and endless integers; Unread where it is none, or too large.

    A number beyond a double is infinite. Lone surrogates that make a pair with an escape become one character.
    """
    bounded(text)
    try:
        return DECODER.decode(SURROGATE.sub(escaped, text))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Unread(f"is not JSON ({where}: {error.msg.lower()}); it begins with {shown(text)}") from error


def bounded(text: str) -> None:
    """Unread where the text nests too deep or holds too many values, found before anything is built of it."""
    bare = "".join(STRING.sub("0", text).split())
    opened = bare.count("{") + bare.count("[")
    count = 1 + bare.count(",") + bare.count(":") + opened - bare.count("{}") - bare.count("[]")
    if count > REPLY_VALUES:
        raise Unread(f"holds more than {REPLY_VALUES:,} values")
    depths = accumulate(STEPS[mark] for mark in re.findall(r"[\[\]{}]", bare))
    if any(depth > REPLY_DEPTH for depth in depths):
        raise Unread(f"nests deeper than {REPLY_DEPTH} levels")


def escaped(found: re.Match[str]) -> str:
    """A character as JSON's escape."""
    return f"\\u{ord(found[0]):04x}"


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without double keys."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Unread(f"holds the key {shown(key)} twice in one object")
        found[key] = value
    return found


def integer(word: str) -> int:
    """An integer that takes no time to read."""
    if len(word.lstrip("-")) > DIGITS:
        raise Unread(f"holds an integer of more than {DIGITS:,} digits")
    return int(word)


def never(word: str) -> NoReturn:
    """NaN and Infinity are no JSON."""
    raise Unread(f"holds {word}, which is no JSON number")


DECODER = json.JSONDecoder(object_pairs_hook=once, parse_int=integer, parse_constant=never)
