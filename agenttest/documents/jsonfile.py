"""JSON bytes → `Document`, strictly: no double keys, no NaN, bounded nesting and values; places are looked up where one is needed."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NoReturn

from agenttest.documents.document import Document, Marks
from agenttest.errors import InvalidInput, Problem
from agenttest.quote import quote

SPACE = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
WORD = re.compile(r"-?[A-Za-z_]\w*")
CONSTANTS = {"true": True, "false": False, "null": None}
LINE_END = re.compile(r"\r\n|\r|\n")


class Suspicious(ValueError):
    """Something that the plain parser accepts and this format does not."""


class Refused(Exception):
    """The text cannot be read any further."""


def parse(text: str) -> Any:
    """The value of a JSON text without places; ValueError or RecursionError where it is not one that this format allows."""
    return DECODER.decode(text)


def read(name: str, text: str, depth: int) -> Document:
    """The document of a JSON text with the place of every value, or InvalidInput with all that is wrong with it as JSON."""
    text = text.removeprefix("\ufeff")
    reader = Reader(name, text, depth, [], [0, *(found.end() for found in LINE_END.finditer(text))])
    try:
        value, marks, end = reader.value(reader.skip(0), 0)
        if (end := reader.skip(end)) != len(reader.text):
            reader.report(end, "is text after the end of the JSON value; remove it")
    except Refused as refused:
        raise InvalidInput(reader.problems) from refused
    if reader.problems:
        raise InvalidInput(reader.problems)
    return Document(name, value, marks)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without double keys."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Suspicious
    return found


def finite(word: str) -> float:
    """A number that a double can hold."""
    number = float(word)
    if not math.isfinite(number):
        raise Suspicious
    return number


def never(_: str) -> NoReturn:
    """NaN and Infinity are no JSON."""
    raise Suspicious


DECODER = json.JSONDecoder(object_pairs_hook=once, parse_float=finite, parse_constant=never)


@dataclass(slots=True)
class Reader:
    """Reads a JSON text value by value with its places; collects problems and goes on where it can."""

    name: str
    text: str
    depth: int
    problems: list[Problem]
    line_starts: list[int]

    def value(self, at: int, depth: int) -> tuple[Any, Marks, int]:
        """The value at this offset, its marks, and where it ends."""
        first = self.text[at : at + 1]
        if first in ("{", "["):
            if depth >= self.depth:
                self.refuse(at, f"nests deeper than {self.depth} levels; flatten it")
            return self.object(at, depth + 1) if first == "{" else self.array(at, depth + 1)
        if first == '"':
            text, end = self.string(at)
            return text, self.mark(at), end
        if found := NUMBER.match(self.text, at):
            return self.number(at, found), self.mark(at), found.end()
        return self.constant(at)

    def object(self, at: int, depth: int) -> tuple[dict[str, Any], Marks, int]:
        """An object; of a key that stands twice the first value stays."""
        values: dict[str, Any] = {}
        marks = self.mark(at)
        marks.parts = {}
        end = self.skip(at + 1)
        while self.text[end : end + 1] != "}":
            key_at = end
            key, end = self.string(end)
            value, mark, end = self.value(self.skip(self.expect(self.skip(end), ":")), depth)
            mark.key_line, mark.key_column = self.place(key_at)
            if key in values:
                first = marks.parts[key].key_line
                self.report(key_at, f"the key {quote(key)} stands twice (first on line {first}); keep one")
            else:
                values[key], marks.parts[key] = value, mark
            end = self.next(end, "}")
        return values, marks, end + 1

    def array(self, at: int, depth: int) -> tuple[list[Any], Marks, int]:
        """An array."""
        values: list[Any] = []
        marks = self.mark(at)
        marks.parts = {}
        end = self.skip(at + 1)
        while self.text[end : end + 1] != "]":
            value, mark, end = self.value(end, depth)
            marks.parts[len(values)] = mark
            values.append(value)
            end = self.next(end, "]")
        return values, marks, end + 1

    def next(self, at: int, close: str) -> int:
        """Past the comma to the next entry, or to the closing bracket."""
        at = self.skip(at)
        if self.text[at : at + 1] == close:
            return at
        comma, at = at, self.skip(self.expect(at, ",", f"or {close!r} "))
        if self.text[at : at + 1] == close:
            self.refuse(comma, "is a comma after the last entry; remove it")
        return at

    def string(self, at: int) -> tuple[str, int]:
        """A text in double quotes."""
        if self.text[at : at + 1] != '"':
            self.refuse(at, f"{self.seen(at)} where a text in double quotes should stand")
        try:
            found: tuple[str, int] = scanstring(self.text, at + 1, True)
        except json.JSONDecodeError as error:
            self.refuse(
                error.pos, f"is not JSON: {error.msg.lower().removesuffix(' at')}; escape it, and close the text"
            )
        return found

    def number(self, at: int, found: re.Match[str]) -> int | float:
        """An integer, or a number that a double can hold."""
        try:
            return finite(found[0]) if found[1] or found[2] else int(found[0])
        except ValueError:
            self.report(at, f"the number {quote(found[0], 40)} is beyond what can be held; write it as text")
            return 0

    def constant(self, at: int) -> tuple[Any, Marks, int]:
        """true, false or null."""
        found = WORD.match(self.text, at)
        if found and found[0] in CONSTANTS:
            return CONSTANTS[found[0]], self.mark(at), found.end()
        if found and found[0] in ("NaN", "Infinity", "-Infinity"):
            self.report(at, f"{found[0]} is no JSON number; write a finite number or null")
            return 0, self.mark(at), found.end()
        self.refuse(at, f"{self.seen(at)} where a JSON value should stand")

    def seen(self, at: int) -> str:
        """What stands at this offset, in words."""
        rest = self.text[at : at + 12]
        hints = {"": "the text ends", "'": "a single quote stands", "/": "a comment stands", "#": "a comment stands"}
        return hints.get(rest[:1], f"{quote(rest.splitlines()[0] if rest.splitlines() else rest)} stands")

    def expect(self, at: int, character: str, also: str = "") -> int:
        """Past the character, which must stand here."""
        if self.text[at : at + 1] != character:
            self.refuse(at, f"{self.seen(at)} where {character!r} {also}should stand")
        return at + 1

    def skip(self, at: int) -> int:
        """Past white space."""
        found = SPACE.match(self.text, at)
        return found.end() if found else at

    def mark(self, at: int) -> Marks:
        """The marks of a value at this offset."""
        return Marks(*self.place(at))

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of an offset, from 1."""
        line = bisect_right(self.line_starts, at)
        return line, at - self.line_starts[line - 1] + 1

    def report(self, at: int, message: str) -> None:
        """Note a problem at this offset and go on."""
        self.problems.append(Problem(self.name, *self.place(at), message))

    def refuse(self, at: int, message: str) -> NoReturn:
        """Note a problem after which the rest cannot be read."""
        self.report(at, message)
        raise Refused
