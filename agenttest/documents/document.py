"""`Document`: a value read from a file, with the line and column of every part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.errors import InvalidInput, Problem
from agenttest.quote import one_line

Path: TypeAlias = tuple[str | int, ...]

BLOCK = 1024


@dataclass(slots=True)
class Marks:
    """The place of a value and of its key, its word where that reads as no text, and the marks of its parts."""

    line: int
    column: int
    key_line: int = 0
    key_column: int = 0
    word: str | None = None
    parts: dict[str | int, Marks] | None = None


class OddKey(str):
    """A key of YAML that is no text, with its word and what it was read as. JSON has none, so it matches nothing."""

    __slots__ = ("read", "word")
    word: str
    read: Any

    @classmethod
    def of(cls, word: str, read: Any) -> OddKey:
        """The key for a word that was read as this value."""
        key = cls(f"!!{type(read).__name__} {word}")
        key.word, key.read = word, read
        return key


@dataclass(frozen=True, slots=True)
class Document:
    """A value of JSON types read from the file `name`, with its parts' marks and what its format calls a mapping."""

    name: str
    value: Any
    marks: Marks
    mapping: str = "a mapping"

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
            inner = mark.parts.get(part) if mark.parts else None
            if inner is None:
                break
            mark = inner
        return mark

    def word(self, path: Path) -> str | None:
        """The plain word that the file holds at `path` where it was read as something else than text."""
        return self.mark(path).word


class Lines:
    """The lines of a text, as editors and GitHub count them: an offset into it as line and column, both from 1.

    Kept are the line and its start for each block of the text, and not for each line, of which there may be millions.
    """

    __slots__ = ("blocks", "text")

    def __init__(self, text: str) -> None:
        self.text, self.blocks = text, [(1, 0)]
        for end in range(BLOCK, len(text) + 1, BLOCK):
            self.blocks.append(self.line(end))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at an offset."""
        line, start = self.line(offset)
        return line, offset - start + 1

    def line(self, offset: int) -> tuple[int, int]:
        """The line at an offset and its start, counted on from what they are at the last block before it."""
        text, block = self.text, min(offset // BLOCK, len(self.blocks) - 1)
        (line, start), begin = self.blocks[block], block * BLOCK
        feed, back = text.rfind("\n", begin, offset), text.rfind("\r", begin, offset)
        if 0 <= back == offset - 1 and text.startswith("\n", offset):  # the line ends with the line feed
            back = text.rfind("\r", begin, back)
        ends = text.count("\n", begin, offset) + text.count("\r", begin, offset)
        ends -= text.count("\r\n", begin, offset + 1)
        return line + ends, max(start, feed + 1, back + 1)


def dotted(path: Path) -> str:
    """A path in one word, as assertions are named: `tools.required[0]`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{one_line(part)}" for part in path)
    return "".join(parts).removeprefix(".")


def spelled(path: Path) -> str:
    """What a message calls the value at `path`: its path inside its scenario, as the line says in which."""
    inner = path[2:] if path[:1] == ("scenarios",) and len(path) > 2 else path
    inner = inner[1:] if inner[:1] == ("expect",) and len(inner) > 1 else inner
    return dotted(inner) or "the file"


def as_text(word: str) -> str:
    """The word in double quotes, as YAML and JSON write a text."""
    return '"' + one_line(word.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def decode(name: str, data: bytes) -> str:
    """A file's bytes as text; InvalidInput with the place of the first byte that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        line, column = Lines(before).place(len(before))
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        found = "is UTF-16" if wide else f"holds the byte 0x{data[error.start]:02x}, which is not UTF-8"
        raise InvalidInput(Problem(name, line, column, f"the file {found}; save it as UTF-8")) from error
