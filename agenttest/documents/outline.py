"""JSON text → `Outline`: its value, with the places of those outer parts that are asked for and of no others.

A valid text is read by the plain parser, but for the few objects and lists around these parts. Whatever is not right,
or is written in an unusual way, is left to the reader of `jsonfile`, which knows every place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.documents.document import Lines, Marks, Path
from agenttest.documents.jsonfile import DECODER, SPACE, Suspicious

Parts: TypeAlias = "Mapping[str, Parts]"
"""By their keys the parts of an object that are asked for, each with those in it; of a list, `EACH` entry."""

EACH = "each entry"
SCAN = DECODER.scan_once  # type: ignore[attr-defined]
KEY = re.compile(r'[ \t\n\r]*("[^"\\\x00-\x1f]*")[ \t\n\r]*:[ \t\n\r]*')
NEXT = re.compile(r"[ \t\n\r]*([],}])[ \t\n\r]*")
EMPTY = {"{": re.compile(r"\{[ \t\n\r]*}"), "[": re.compile(r"\[[ \t\n\r]*]")}


@dataclass(frozen=True, slots=True)
class Outline:
    """The value read from the file `name`, and by their paths the offsets of the asked-for parts and of their keys."""

    name: str
    value: Any
    offsets: Mapping[Path, tuple[int, int | None]]
    lines: Lines

    def mark(self, path: Path) -> Marks:
        """The marks of the value at `path`, or of the nearest one that stands around it and was asked for."""
        while path not in self.offsets:
            path = path[:-1]
        at, key = self.offsets[path]
        return Marks(*self.lines.place(at), *((0, 0) if key is None else self.lines.place(key)))


def outline(name: str, text: str, parts: Parts) -> Outline:
    """The outline of a JSON text; ValueError or RecursionError where this format does not allow it, or where it takes
    the other reader to tell."""
    walk = Walk(text.removeprefix("\ufeff"))
    found = SPACE.match(walk.text)
    value, end = walk.value(found.end() if found else 0, None, (), parts)
    if walk.text[end:].strip(" \t\n\r"):
        raise Suspicious
    return Outline(name, value, walk.offsets, Lines(walk.text))


class Walk:
    """Goes once through a text, and notes where the asked-for parts begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.offsets: dict[Path, tuple[int, int | None]] = {}

    def value(self, at: int, key: int | None, path: Path, parts: Parts) -> tuple[Any, int]:
        """The asked-for value at this offset, and where it ends."""
        self.offsets[path] = (at, key)
        first = self.text[at : at + 1]
        if not parts or first not in EMPTY or EMPTY[first].match(self.text, at):
            return self.scanned(at)
        return self.members(at + 1, path, parts) if first == "{" else self.entries(at + 1, path, parts)

    def members(self, at: int, path: Path, parts: Parts) -> tuple[dict[str, Any], int]:
        """The members of an object that is not empty."""
        found: dict[str, Any] = {}
        close = ","
        while close == ",":
            named = KEY.match(self.text, at)
            if named is None or named[1][1:-1] in found:
                raise Suspicious
            key, at = named[1][1:-1], named.end()
            if key in parts:
                found[key], at = self.value(at, named.start(1), (*path, key), parts[key])
            else:
                found[key], at = self.scanned(at)
            close, at = self.next(at, "}")
        return found, at

    def entries(self, at: int, path: Path, parts: Parts) -> tuple[list[Any], int]:
        """The entries of a list that is not empty."""
        found: list[Any] = []
        close = ","
        while close == ",":
            space = SPACE.match(self.text, at)
            entry, at = self.value(space.end() if space else at, None, (*path, len(found)), parts.get(EACH, {}))
            found.append(entry)
            close, at = self.next(at, "]")
        return found, at

    def next(self, at: int, close: str) -> tuple[str, int]:
        """The comma or bracket that follows, and what is behind it."""
        found = NEXT.match(self.text, at)
        if found is None or found[1] not in (",", close):
            raise Suspicious
        return found[1], found.end()

    def scanned(self, at: int) -> tuple[Any, int]:
        """The value at this offset, with nothing in it marked, and where it ends."""
        try:
            value, end = SCAN(self.text, at)
        except StopIteration as error:
            raise Suspicious from error
        return value, end
