"""Blocks of Markdown → one titled part of a summary within a budget of bytes; what does not fit is named or counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agenttest.reporters.gfm import details

MOST = 900 << 10  # bytes of blocks that are kept; no summary shows more
NAMES = 100 << 10  # bytes of names that are kept beyond that
SLACK = 256  # bytes of the lines that a part puts around its blocks


@dataclass(frozen=True, slots=True)
class Block:
    """Some Markdown that is shown whole or not at all, the names that stand for it where it is not, and its message."""

    text: str
    names: tuple[str, ...] = ()
    message: str = ""


@dataclass(slots=True)
class Part:
    """Blocks of one sort: no more of them than could ever be shown, and a count of all."""

    title: str
    thing: str
    folded: bool = False
    most: int | None = None
    count: int = 0
    size: int = 0
    names_size: int = 0
    blocks: list[Block] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def add(self, block: Block) -> None:
        """Keep a block, or else its names while there is room for those; count it in any case."""
        self.count += 1
        size, names_size = bytes_of(block.text), listed_size(block.names)
        if self.size + size <= MOST and (self.most is None or len(self.blocks) < self.most):
            self.size += size
            self.blocks.append(block)
        elif self.names_size + names_size <= NAMES:
            self.names_size += names_size
            self.names.extend(block.names)

    def text(self, budget: int) -> str:
        """The part in at most `budget` bytes; nothing where it is empty or where there is no room for its title."""
        title = f"{self.title} ({self.count:,})"
        room = budget - bytes_of(title) - SLACK
        if not self.count or room < 0:
            return ""
        # So that as much as possible is at least named, names have half of the room before any block is shown whole.
        reserved = min(room // 2, self.names_size + sum(listed_size(block.names) for block in self.blocks))
        shown, hidden = fitting(self.blocks, room - reserved)
        names = [*(name for block in hidden for name in block.names), *self.names]
        left = room - sum(bytes_of(block.text) for block in shown)
        body = "".join(block.text for block in shown) + self.more(self.count - len(shown), names, left)
        return details(title, body) if self.folded else f"### {title}\n\n{body}"

    def more(self, count: int, names: Iterable[str], room: int) -> str:
        """What is not shown whole: how many, and as many of its names as there is room for."""
        if not count:
            return ""
        listed = []
        for name in names:
            room -= listed_size([name])
            if room < 0:
                break
            listed.append(f"- {name}\n")
        what = f"… {count:,} more {self.thing}{'s' * (count != 1)} in the run directory"
        return f"\n{what}:\n\n{''.join(listed)}\n" if listed else f"\n{what}.\n"


def fitting(blocks: Iterable[Block], room: int) -> tuple[list[Block], list[Block]]:
    """The blocks that fit, in order, and those that do not."""
    shown, hidden = [], []
    for block in blocks:
        size = bytes_of(block.text)
        if size <= room:
            room -= size
            shown.append(block)
        else:
            hidden.append(block)
    return shown, hidden


def listed_size(names: Sequence[str]) -> int:
    """How many bytes the names take as a list."""
    return sum(bytes_of(name) + len("- \n") for name in names)


def bytes_of(text: str) -> int:
    """How many bytes the text is in a file."""
    return len(text.encode())
