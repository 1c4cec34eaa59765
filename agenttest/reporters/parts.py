"""Entries of one sort → a titled part of a summary within a budget of bytes; what does not fit is named or counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agenttest.quote import many
from agenttest.reporters.gfm import details

MOST = 900 << 10  # bytes of entries that are kept; no summary shows more
NAMES = 100 << 10  # bytes of names that are kept beyond that
SLACK = 256  # bytes of the lines that a part puts around its entries
PLACES = 10  # names of one entry that are seen at once, the others being folded


@dataclass(slots=True)
class Entry:
    """Some Markdown that is shown whole or not at all. Entries of one `key` are one, with the `names` of all."""

    head: str
    message: str = ""
    names: list[str] = field(default_factory=list)
    key: str = ""

    @property
    def text(self) -> str:
        """The entry with its names as a list."""
        if not self.names:
            return self.head
        count = f"\n{many(len(self.names), 'place')}:\n" if len(self.names) > 1 else ""
        shown, rest = bullets(self.names[:PLACES]), self.names[PLACES:]
        folded = f"{details(many(len(rest), 'more place'), bullets(rest))}\n" if rest else ""
        return f"{self.head}{count}\n{shown}\n{folded}"


@dataclass(slots=True)
class Part:
    """Entries of one sort: no more of them than could ever be shown, and a count of all."""

    title: str
    thing: str
    open_to: int = 1 << 30  # with more entries than this the part is folded
    most: int = 1 << 30
    count: int = 0
    size: int = 0
    names_size: int = 0
    entries: dict[str, Entry] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        """Keep an entry, or else its names while there is room for those; count it where it is new."""
        key = entry.key or entry.head
        known = self.entries.get(key)
        self.count += known is None
        size, names_size = bytes_of(entry.head), listed_size(entry.names)
        if known is not None and self.size + names_size <= MOST:
            self.size += names_size
            known.names.extend(entry.names)
        elif known is None and self.size + size + names_size <= MOST and len(self.entries) < self.most:
            self.size += size + names_size
            self.entries[key] = entry
        elif self.names_size + names_size <= NAMES:
            self.names_size += names_size
            self.names.extend(entry.names)

    @property
    def first(self) -> str:
        """The message of the first entry."""
        return next((entry.message for entry in self.entries.values()), "")

    def text(self, budget: int) -> str:
        """The part in at most `budget` bytes; nothing where it is empty or where there is no room for its title."""
        title = f"{self.title} ({self.count:,})"
        room = budget - bytes_of(title) - SLACK
        if not self.count or room < 0:
            return ""
        # So that as much as possible is at least named, names have half of the room before any entry is shown whole.
        entries = self.entries.values()
        reserved = min(room // 2, self.names_size + sum(listed_size(entry.names) for entry in entries))
        shown, hidden = fitting(entries, room - reserved)
        names = [*(name for entry in hidden for name in entry.names), *self.names]
        left = room - sum(map(bytes_of, shown))
        body = "".join(shown) + "".join(self.more(self.count - len(shown), names, left))
        return details(title, body) if self.count > self.open_to else f"### {title}\n\n{body}"

    def more(self, count: int, names: list[str], room: int) -> Iterator[str]:
        """What is not shown whole: how many, and as many of its names as there is room for."""
        if count or names:
            things = f"{many(count, f'more {self.thing}')}" if count else "more places"
            yield f"\n… {things} in the run directory{':' if names else '.'}\n\n"
        for name in names:
            room -= listed_size([name])
            if room < 0:
                break
            yield f"- {name}\n"


def fitting(entries: Iterable[Entry], room: int) -> tuple[list[str], list[Entry]]:
    """The texts that fit, in order, and the entries that do not."""
    shown, hidden = [], []
    for entry in entries:
        text = entry.text
        if bytes_of(text) <= room:
            room -= bytes_of(text)
            shown.append(text)
        else:
            hidden.append(entry)
    return shown, hidden


def listed_size(names: Iterable[str]) -> int:
    """How many bytes the names take as a list."""
    return sum(bytes_of(name) + len("- \n") for name in names)


def bullets(names: Iterable[str]) -> str:
    """A list."""
    return "".join(f"- {name}\n" for name in names)


def bytes_of(text: str) -> int:
    """How many bytes the text is in a file."""
    return len(text.encode())
