"""`Document`: a value read from a file, with the line and column of every part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.errors import InvalidInput, Problem

Path: TypeAlias = tuple[str | int, ...]


@dataclass(slots=True)
class Marks:
    """The place of one value (and of its key), the word it was written as where that reads as another type, and its parts' marks."""

    line: int
    column: int
    key_line: int = 0
    key_column: int = 0
    word: str | None = None
    parts: dict[str | int, Marks] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A value of JSON types, read from the file `name`, and the marks of all its parts."""

    name: str
    value: Any
    marks: Marks

    def problem(self, path: Path, message: str, *, at_key: bool = False) -> Problem:
        """The problem with the value at `path` (or with its key), at its place."""
        mark = self.mark(path)
        if at_key and mark.key_line:
            return Problem(self.name, mark.key_line, mark.key_column, message)
        return Problem(self.name, mark.line, mark.column, message)

    def mark(self, path: Path) -> Marks:
        """The marks of the value at `path`, or of the nearest one that stands around it."""
        mark = self.marks
        for part in path:
            inner = (mark.parts or {}).get(part)
            if inner is None:
                break
            mark = inner
        return mark

    def word(self, path: Path) -> str | None:
        """The plain word that the file holds at `path` where it was read as something else than text."""
        mark = self.mark(path)
        return mark.word


def decode(name: str, data: bytes) -> str:
    """A file's bytes as text; InvalidInput with the place of the first byte that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        found = "is UTF-16" if wide else f"holds the byte 0x{data[error.start]:02x}, which is not UTF-8"
        raise InvalidInput(Problem(name, line, column, f"{found}; save the file as UTF-8")) from error
