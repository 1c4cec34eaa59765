"""JSON text → `Document`, strictly: no double keys, no NaN, bounded nesting; places are found where one is needed."""

from __future__ import annotations

import json
import math
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NoReturn

from agenttest.documents.document import Document, Lines, Marks
from agenttest.errors import InvalidInput, Problem
from agenttest.quote import clip, quote

SPACE = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
WORD = re.compile(r"-?[A-Za-z_]\w*")
CONSTANTS = {"true": True, "false": False, "null": None}
NO_NUMBERS = ("NaN", "Infinity", "-Infinity")
USUAL = {  # what is often found where JSON allows it not, and what would be right
    "": ("the file ends", "close what is open"),
    "'": ("a single quote stands", "write texts in double quotes"),
    "/": ("a comment stands", "JSON has none, remove it"),
    "#": ("a comment stands", "JSON has none, remove it"),
    "True": ("'True' stands", "write true"),
    "False": ("'False' stands", "write false"),
    "None": ("'None' stands", "write null"),
}


class Suspicious(ValueError):
    """Something that the plain parser accepts and this format does not."""


class Refused(Exception):
    """The text cannot be read any further."""


def parse(text: str) -> Any:
    """The value of a JSON text without places; ValueError or RecursionError where this format does not allow it."""
    return DECODER.decode(text)


def read(name: str, text: str, depth: int, values: int | None = None) -> tuple[Document, list[Problem]]:
    """The document of a JSON text, and what is wrong with it; InvalidInput where it cannot be read to its end.

    Beyond so many `values`, where a bound is given, it is not read on: places take a multiple of the text's memory.
    """
    text = text.removeprefix("\ufeff")
    reader = Reader(name, text, depth, values)
    try:
        return reader.document(), reader.problems
    except Refused as refused:
        raise InvalidInput(reader.problems) from refused


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


class Reader:
    """Reads a JSON text value by value with its places; collects problems and goes on where it can."""

    def __init__(self, name: str, text: str, depth: int, values: int | None) -> None:
        self.name, self.text, self.depth = name, text, depth
        self.values, self.count = values, 0
        self.lines = Lines(text)
        self.problems: list[Problem] = []

    def document(self) -> Document:
        """The one value of the text."""
        at = self.skip(0)
        if at == len(self.text):
            raise self.refused(0, "the file is empty; write a JSON object")
        value, marks, end = self.value(at, 0)
        if (end := self.skip(end)) != len(self.text):
            self.report(end, f"{self.seen(end)} after the end of the JSON value; keep one value to a file")
        return Document(self.name, value, marks, "an object")

    def value(self, at: int, depth: int) -> tuple[Any, Marks, int]:
        """The value at this offset, its marks, and where it ends."""
        self.count += 1
        if self.values is not None and self.count > self.values:
            said = "something is wrong in the file, and it is looked for"
            raise self.refused(at, f"{said} in the {self.values:,} values before this only; make the file smaller")
        first = self.text[at : at + 1]
        if first in ("{", "["):
            if depth >= self.depth:
                raise self.refused(at, f"the value nests deeper than {self.depth} levels; flatten it")
            return self.object(at, depth + 1) if first == "{" else self.array(at, depth + 1)
        if first == '"':
            text, end = self.string(at, "a JSON value")
            return text, self.mark(at), end
        if found := NUMBER.match(self.text, at):
            return self.number(at, found), self.mark(at), found.end()
        return self.constant(at)

    def object(self, at: int, depth: int) -> tuple[dict[str, Any], Marks, int]:
        """An object; of a key that stands twice the first value stays."""
        values: dict[str, Any] = {}
        parts: dict[str | int, Marks] = {}
        end = self.skip(at + 1)
        while self.text[end : end + 1] != "}":
            key_at = end
            key, end = self.string(end, "a key in double quotes")
            value, mark, end = self.value(self.skip(self.expect(self.skip(end), ":")), depth)
            mark.key_line, mark.key_column = self.lines.place(key_at)
            if key in values:
                first = parts[key].key_line
                self.report(key_at, f"the key {quote(key)} stands twice (first on line {first}); keep one")
            else:
                values[key], parts[key] = value, mark
            end = self.next(end, "}")
        return values, self.mark(at, parts), end + 1

    def array(self, at: int, depth: int) -> tuple[list[Any], Marks, int]:
        """An array."""
        values: list[Any] = []
        parts: dict[str | int, Marks] = {}
        end = self.skip(at + 1)
        while self.text[end : end + 1] != "]":
            value, parts[len(values)], end = self.value(end, depth)
            values.append(value)
            end = self.next(end, "]")
        return values, self.mark(at, parts), end + 1

    def next(self, at: int, close: str) -> int:
        """Past the comma to the next entry, or to the closing bracket."""
        at = self.skip(at)
        if self.text[at : at + 1] == close:
            return at
        comma, at = at, self.skip(self.expect(at, ",", f" or {close!r}"))
        if self.text[at : at + 1] == close:
            raise self.refused(comma, "a comma stands after the last entry; remove it")
        return at

    def string(self, at: int, wanted: str) -> tuple[str, int]:
        """A text in double quotes."""
        if self.text[at : at + 1] != '"':
            raise self.refused(at, f"{self.seen(at)} where {wanted} should stand{self.remedy(at)}")
        try:
            found: tuple[str, int] = scanstring(self.text, at + 1, True)
        except json.JSONDecodeError as error:
            raise self.refused(error.pos, broken_text(error)) from error
        return found

    def number(self, at: int, found: re.Match[str]) -> int | float:
        """An integer, or a number that a double can hold."""
        try:
            return finite(found[0]) if found[1] or found[2] else int(found[0])
        except ValueError:
            self.report(
                at, f"the number {clip(found[0], 40)} is beyond what can be held; write a smaller one, or a text"
            )
            return 0

    def constant(self, at: int) -> tuple[Any, Marks, int]:
        """true, false or null."""
        word = self.word(at)
        if word in CONSTANTS:
            return CONSTANTS[word], self.mark(at), at + len(word)
        if word in NO_NUMBERS:
            self.report(at, f"{word} is no JSON number; write a finite number, or null")
            return 0, self.mark(at), at + len(word)
        raise self.refused(at, f"{self.seen(at)} where a JSON value should stand{self.remedy(at)}")

    def word(self, at: int) -> str:
        """The bare word at this offset, else the one character, else nothing."""
        found = WORD.match(self.text, at)
        return found[0] if found else self.text[at : at + 1]

    def seen(self, at: int) -> str:
        """What stands at this offset, in words."""
        word = self.word(at)
        return USUAL[word][0] if word in USUAL else f"{quote(word, 40)} stands"

    def remedy(self, at: int) -> str:
        """What would be right in place of what stands at this offset, where that is known."""
        word = self.word(at)
        return f"; {USUAL[word][1]}" if word in USUAL else ""

    def expect(self, at: int, character: str, also: str = "") -> int:
        """Past the character, which must stand here."""
        if self.text[at : at + 1] != character:
            raise self.refused(at, f"{self.seen(at)} where {character!r}{also} should stand{self.remedy(at)}")
        return at + 1

    def skip(self, at: int) -> int:
        """Past white space."""
        found = SPACE.match(self.text, at)
        return found.end() if found else at

    def mark(self, at: int, parts: dict[str | int, Marks] | None = None) -> Marks:
        """The marks of a value at this offset."""
        return Marks(*self.lines.place(at), parts=parts)

    def report(self, at: int, message: str) -> None:
        """Note a problem at this offset and go on."""
        self.problems.append(Problem(self.name, *self.lines.place(at), message))

    def refused(self, at: int, message: str) -> Refused:
        """The exception for a problem after which the rest cannot be read; the problem is noted."""
        self.report(at, message)
        return Refused()


def broken_text(error: json.JSONDecodeError) -> str:
    """What is wrong inside a text, and what would be right."""
    if "Unterminated" in error.msg:
        return "the text that begins here is never closed; end it with a double quote"
    if "control character" in error.msg:
        return r"a line end or control character stands inside a text; write it as an escape such as \n"
    return r"the escape here is none of JSON's; write \\ for a backslash"
