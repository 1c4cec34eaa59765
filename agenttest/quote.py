"""A value → short quoted text for a message, with nothing in it that a terminal or a log could obey."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from agenttest.model import Json

SHOWN = 160

# Controls, bidirectional and zero-width marks, line separators and lone surrogates: what acts instead of being seen.
UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]"
)
ENCODER = json.JSONEncoder(ensure_ascii=False)


def quote(value: Json, limit: int = SHOWN) -> str:
    """The value as one line, texts as Python writes them, other values as JSON, at most about `limit` characters."""
    if isinstance(value, str):
        return repr(value) if len(value) <= limit else f"{value[: limit - 20]!r}… ({len(value):,} characters)"
    return written(value, limit)


def written(value: Json, limit: int = SHOWN) -> str:
    """The beginning of the value as JSON; of what is beyond it nothing is looked at, however much that is."""
    text, more = "", pieces(value, limit)
    while len(text) <= limit and (piece := next(more, "")):
        text += piece
    return clip(printable(text[: limit + 1]), limit)


def pieces(value: Json, limit: int) -> Iterator[str]:
    """The value's JSON bit by bit; of a text no more than could be shown."""
    if isinstance(value, str):
        yield ENCODER.encode(value[: limit + 1])
    elif isinstance(value, Mapping):
        yield "{"
        for index, (key, inner) in enumerate(value.items()):
            yield f"{', ' * bool(index)}{ENCODER.encode(key[: limit + 1])}: "
            yield from pieces(inner, limit)
        yield "}"
    elif isinstance(value, Sequence):
        yield "["
        for index, inner in enumerate(value):
            if index:
                yield ", "
            yield from pieces(inner, limit)
        yield "]"
    else:
        yield ENCODER.encode(value)


def clip(text: str, limit: int = SHOWN) -> str:
    """The text, cut to `limit` characters with a mark where it was longer."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def printable(text: str) -> str:
    r"""The text with every unseen character written as its escape (`\u202e`); tabs and line feeds stay."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    """The text on one line: line feeds and tabs written as escapes too."""
    return printable(text.replace("\n", "\\n").replace("\t", "\\t"))


def many(count: int, word: str) -> str:
    """A count with its word."""
    return f"{count:,} {word}{'s' * (count != 1)}"
