"""A Markdown text → its fenced blocks and its tables, each with the line that it begins on."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
TABLE = re.compile(r"^\|(?P<head>.*)\|\n\|[-|: ]+\|\n(?P<rows>(?:\|.*\|\n?)+)", re.M)
CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, and the place for a test's name."""

    language: str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table's head and rows, cell by cell."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def first_column(self) -> list[str]:
        """The first code span of each row's first cell."""
        return [CODE.findall(row[0])[0] for row in self.rows]


def text_of(name: str) -> str:
    return (ROOT / name).read_text()


def blocks(name: str) -> list[Block]:
    text = text_of(name)
    return [Block(m[1], m[2], f"{name}:{text.count(chr(10), 0, m.start()) + 1}") for m in FENCE.finditer(text)]


def table(name: str, *head: str) -> Table:
    """The rows of all tables whose first head cells are these."""
    found = [each for each in tables(name) if each.head[: len(head)] == head]
    return Table(head, tuple(row for each in found for row in each.rows))


def tables(name: str) -> Iterator[Table]:
    for match in TABLE.finditer(FENCE.sub("", text_of(name))):
        yield Table(cells(match["head"]), tuple(cells(row.strip("|")) for row in match["rows"].splitlines()))


def cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.split("|"))


def settle(name: str, shown: str, came: str) -> None:
    """What the page shows is what came out; where AGENTTEST_RENEW is set, the page is written anew."""
    if shown != came and os.environ.get("AGENTTEST_RENEW") and "…\n" not in shown:
        (ROOT / name).write_text(text_of(name).replace(shown, came, 1))
    else:
        assert shown == came
