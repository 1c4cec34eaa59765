"""An error of the YAML parser → a problem in the words of who wrote the file: place, what is, what would be right."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import yaml

from agenttest.documents.document import Lines
from agenttest.errors import Problem
from agenttest.quote import quote

GLUED_KEY = re.compile(r"\s*(?:- +)*[\w.-]+:[^\s:/]")
BEGUN_TEXT = re.compile(r""":\s|^\s*-\s+\S.*\s|["']""")


@dataclass(frozen=True, slots=True)
class Mistake:
    """Where in a text the parser gave up, where the construct that it was in begins, and its words."""

    text: str
    at: int
    start: int
    said: str

    @property
    def character(self) -> str:
        """What stands at the place, or nothing at the end."""
        return self.text[self.at : self.at + 1]

    @property
    def before(self) -> str:
        """The part of the line that stands before the place."""
        return self.text[max(self.text.rfind(end, 0, self.at) for end in "\r\n") + 1 : self.at]

    @property
    def line_above(self) -> str:
        """The last line above that is not blank."""
        above = self.text[: self.at - len(self.before)].splitlines()
        return next((line for line in reversed(above) if line.strip()), "")


@dataclass(frozen=True, slots=True)
class Usual:
    """A usual mistake: what the parsers say of it, what we say, and whether its place is where the construct begins."""

    words: tuple[str, ...]
    message: str | Callable[[Mistake], str]
    at_start: bool = False


def syntax_problem(name: str, text: str, error: yaml.YAMLError) -> Problem:
    """The problem that made the parser give up."""
    if isinstance(error, yaml.reader.ReaderError):
        said = f"the character {code_of(error)} stands here, which YAML does not allow; remove it"
        return Problem(name, *Lines(text).place(offset_of(error, text)), said)
    context, mark = getattr(error, "context_mark", None), getattr(error, "problem_mark", None)
    at = mark.index if mark else 0
    said = " ".join(filter(None, (getattr(error, "problem", None), getattr(error, "context", None))))
    mistake = Mistake(text, at, context.index if context else at, said)
    usual = next((row for row in USUAL if any(words in said for words in row.words)), UNUSUAL)
    message = usual.message if isinstance(usual.message, str) else usual.message(mistake)
    return Problem(name, *Lines(text).place(mistake.start if usual.at_start else at), message)


def code_of(error: yaml.reader.ReaderError) -> str:
    """The character that the reader refused, as U+0001."""
    character = error.character
    return f"U+{character if isinstance(character, int) else ord(character):04X}"


def offset_of(error: yaml.reader.ReaderError, text: str) -> int:
    """Where the refused character stands: the parser in Python counts characters, libyaml bytes."""
    if error.encoding == "unicode":
        return int(error.position)
    return len(text.encode()[: error.position].decode(errors="ignore"))


def strange_start(mistake: Mistake) -> str:
    """A character that no plain text begins with."""
    return TAB if mistake.character == "\t" else f"a text begins with {quote(mistake.character)}; quote the text"


def second_colon(mistake: Mistake) -> str:
    """A colon after which no value can stand."""
    if BEGUN_TEXT.search(mistake.before):
        return "the text before this colon has begun already; quote a text that holds ': '"
    if GLUED_KEY.match(mistake.line_above):
        return f"the line above, {quote(mistake.line_above.strip(), 40)}, has no space after its colon; write one"
    return "this key is indented deeper than the one above, which has a value already; indent keys of one level alike"


def wrong_place(mistake: Mistake) -> str:
    """Something that begins where the block above should go on or end."""
    if mistake.character == ":":
        return "the key before this colon is missing; write it, or quote a text that begins with ':'"
    if mistake.before.strip(" -"):
        return "the value has ended before this; quote the whole text"
    return "the indentation of this line fits none above; indent keys of one level alike, and entries of one list alike"


def unclosed(mistake: Mistake) -> str:
    """A list or mapping in brackets that is neither continued nor closed."""
    line, column = Lines(mistake.text).place(mistake.start)
    opening = mistake.text[mistake.start : mistake.start + 1]
    closing = "]" if opening == "[" else "}"
    return f"',' or {closing!r} should stand before this, for the {opening!r} at {line}:{column}"


def in_its_words(mistake: Mistake) -> str:
    """Any other mistake, as the parser tells it."""
    return f"the text is not YAML: {mistake.said}; indent keys of one level alike, and quote texts that begin oddly"


TAB = "a tab stands here; indent with spaces"
ESCAPE = r"this escape is none of YAML's; write the character itself, or \\ for a backslash"
UNUSUAL = Usual((), in_its_words)
USUAL = (
    Usual(("tab character",), TAB),
    Usual(("nesting",), "the value nests too deep; flatten it"),
    Usual(("scanning an alias", "scanning an anchor"), "a text begins with '*' or '&'; quote the text", at_start=True),
    Usual(("scanning a block scalar",), "a text begins with '|' or '>'; quote the text", at_start=True),
    Usual(("directive", "incompatible"), "a line begins with '%'; remove it"),
    Usual((" tag",), "a text begins with '!'; quote the text", at_start=True),
    Usual(("end of stream",), "the quote that opens here is never closed; close it", at_start=True),
    Usual(("escape", "hexdecimal"), ESCAPE),
    Usual(("cannot start any token",), strange_start),
    Usual(("mapping values",), second_colon),
    Usual(("sequence entries",), "a list begins beside its key; write each entry on a line of its own, after '- '"),
    Usual(("expected ':'",), "this line has no ':' and continues no text; write `key: value`", at_start=True),
    Usual(("',' or",), unclosed),
    Usual(("node content",), "a value is missing before this; write it, or remove the comma or colon"),
    Usual(("document start",), "the document has ended before this; keep one document to a file"),
    Usual(("expected key", "'-' indicator", "block end"), wrong_place),
)
