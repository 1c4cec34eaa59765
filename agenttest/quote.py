"""A value → short quoted text for a message, with nothing in it that a terminal or a log could obey."""

from __future__ import annotations

import json
import re

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
    text, pieces = "", ENCODER.iterencode(value)
    while len(text) <= limit and (piece := next(pieces, "")):
        text += piece
    return clip(printable(text), limit)


def clip(text: str, limit: int = SHOWN) -> str:
    """The text, cut to `limit` characters with a mark where it was longer."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def printable(text: str) -> str:
    r"""The text with every unseen character written as its escape (`\u202e`); tabs and line feeds stay."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    """The text on one line: line feeds and tabs written as escapes too."""
    return printable(text.replace("\n", "\\n").replace("\t", "\\t"))
