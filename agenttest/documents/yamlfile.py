"""YAML text → `Document`, strictly: one document, no aliases, tags or double keys, JSON values only; with places."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from agenttest.documents.document import Document, Lines, Marks, OddKey, as_text
from agenttest.errors import InvalidInput, Problem
from agenttest.quote import clip, one_line, quote

CORE = "tag:yaml.org,2002:"
STR, MERGE, DATE, VALUE = (CORE + name for name in ("str", "merge", "timestamp", "value"))
COLLECTIONS = {yaml.MappingStartEvent: (None, "!", CORE + "map"), yaml.SequenceStartEvent: (None, "!", CORE + "seq")}
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
CONSTRUCTOR = yaml.constructor.SafeConstructor()
TYPES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    CORE + "null": ("null", CONSTRUCTOR.construct_yaml_null),
    CORE + "bool": ("true or false", CONSTRUCTOR.construct_yaml_bool),
    CORE + "int": ("an integer", CONSTRUCTOR.construct_yaml_int),
    CORE + "float": ("a number", CONSTRUCTOR.construct_yaml_float),
}
NUMBER_LENGTH = 3_500  # in base 16 the most that Python writes in base 10 without being asked twice
HALF = re.compile("[\ud800-\udfff]")
ODD_BREAKS = re.compile("[\x85\u2028\u2029]")  # end a line in YAML 1.1, and in no editor


@dataclass(frozen=True, slots=True)
class Bounds:
    """How deep a file may nest, how many values (keys count) and how long a text it may hold."""

    depth: int
    values: int
    string: int


class Refused(Exception):
    """The rest of the file is not worth reading."""


def read(name: str, text: str, bounds: Bounds) -> tuple[Document, list[Problem]]:
    """The document of a YAML text, and what is wrong with it; InvalidInput where it cannot be read to its end."""
    text = text.removeprefix("\ufeff")
    problems: list[Problem] = []
    try:
        value, marks = Reader(name, text, bounds, problems).document()
    except Refused as refused:
        raise InvalidInput(problems) from refused
    except yaml.YAMLError as error:
        from agenttest.documents.yamlsyntax import syntax_problem

        raise InvalidInput([*problems, syntax_problem(name, text, error)]) from error
    return Document(name, value, marks), problems


class Reader:
    """Pulls the parser's events and builds the value and its marks; collects problems and goes on where it can."""

    def __init__(self, name: str, text: str, bounds: Bounds, problems: list[Problem]) -> None:
        self.name, self.bounds, self.problems = name, bounds, problems
        self.next: Callable[[], Any] = LOADER(text).get_event
        self.lines = Lines(text) if ODD_BREAKS.search(text) else None  # where YAML counts them otherwise
        self.count = 0

    def document(self) -> tuple[Any, Marks]:
        """The one document of the stream; an empty stream is an empty document."""
        self.next()
        if type(self.next()) is yaml.StreamEndEvent:
            return None, Marks(1, 1)
        found = self.value(self.next(), 0)
        self.next()
        after = self.next()
        if type(after) is not yaml.StreamEndEvent:
            self.report(after, "a second document begins here; keep one document to a file")
        return found

    def value(self, event: Any, depth: int) -> tuple[Any, Marks]:
        """The value that begins with this event."""
        if type(event) is yaml.ScalarEvent:
            value, mark = self.scalar(event), self.mark(event)
            if type(value) is not str:
                mark.word = event.value
            return value, mark
        if type(event) is yaml.AliasEvent:
            self.report(event, f"the alias *{event.anchor} stands here; write the value out, or quote the text")
            return f"*{event.anchor}", self.mark(event)
        return self.collection(event, depth)

    def collection(self, event: Any, depth: int) -> tuple[Any, Marks]:
        """The list or mapping that begins with this event."""
        self.tally(event)
        if event.tag not in COLLECTIONS[type(event)]:
            self.report(event, f"the tag {written(event.tag)} stands here; remove it")
        if depth >= self.bounds.depth:
            raise self.refused(event, f"the value nests deeper than {self.bounds.depth} levels; flatten it")
        if type(event) is yaml.MappingStartEvent:
            return self.mapping(event, depth + 1)
        return self.sequence(event, depth + 1)

    def sequence(self, event: Any, depth: int) -> tuple[list[Any], Marks]:
        """A list, up to its end event."""
        values: list[Any] = []
        parts: dict[str | int, Marks] = {}
        while type(inner := self.next()) is not yaml.SequenceEndEvent:
            value, parts[len(values)] = self.value(inner, depth)
            values.append(value)
        return values, self.mark(event, parts)

    def mapping(self, event: Any, depth: int) -> tuple[dict[str, Any], Marks]:
        """A mapping, up to its end event; of a key that stands twice the first value stays."""
        values: dict[str, Any] = {}
        parts: dict[str | int, Marks] = {}
        while type(inner := self.next()) is not yaml.MappingEndEvent:
            key = self.key(inner, depth)
            value, mark = self.value(self.next(), depth)
            mark.key_line, mark.key_column = self.place(inner)
            if key in values:
                self.report(inner, f"the key {quote(key)} stands twice (first on line {parts[key].key_line}); keep one")
            else:
                values[key], parts[key] = value, mark
        return values, self.mark(event, parts)

    def key(self, event: Any, depth: int) -> str:
        """A mapping's key."""
        if type(event) is not yaml.ScalarEvent:
            return self.strange_key(event, depth)
        if event.value == "<<" and tag_of(event) == MERGE:
            self.report(event, "the merge key << stands here; write the keys out")
            return "<<"
        key = self.scalar(event)
        return key if isinstance(key, str) else OddKey.of(event.value, key)

    def strange_key(self, event: Any, depth: int) -> str:
        """A list, a mapping or an alias as a key, reported and read past."""
        what, begins = {
            yaml.AliasEvent: ("an alias", "*"),
            yaml.MappingStartEvent: ("a mapping", "{"),
            yaml.SequenceStartEvent: ("a list", "["),
        }[type(event)]
        self.report(event, f"{what} stands where a key should; write a text, and quote one that begins with {begins!r}")
        if type(event) is not yaml.AliasEvent:
            self.collection(event, depth)
        return OddKey.of(str(event.start_mark.index), ())

    def scalar(self, event: Any) -> Any:
        """A scalar of a JSON type."""
        self.tally(event)
        tag = tag_of(event)
        if tag != STR:
            return self.typed(event, tag)
        if len(event.value) > self.bounds.string:
            said = f"the text has {len(event.value):,} characters; at most {self.bounds.string:,} may be"
            self.report(event, f"{said}, shorten it")
        if not event.value.isascii() and HALF.search(event.value):  # which only the parser in Python lets through
            self.report(event, "the text holds half a character; write the character itself")
        return event.value

    def typed(self, event: Any, tag: str) -> Any:
        """The value of a scalar that is no text; the word itself where no value of JSON's can be made of it."""
        word = event.value
        if tag not in TYPES:
            return self.untyped(event, tag)
        kind, construct = TYPES[tag]
        try:
            value = construct(yaml.ScalarNode(tag, word)) if len(word) <= NUMBER_LENGTH else math.inf
        except OverflowError:
            value = math.inf
        except (ValueError, LookupError):
            self.report(event, f"{quote(word, 60)} cannot be read as {kind}; write one, or remove the tag")
            return word
        if type(value) is float and not math.isfinite(value):
            self.report(event, f"{clip(word, 60)} is no number that JSON can hold; write another, or quote it as text")
            return word
        return value

    def untyped(self, event: Any, tag: str) -> str:
        """The word of a scalar that is of no type of JSON's."""
        word = str(event.value)
        if tag in (DATE, MERGE):
            what = "a date" if tag == DATE else "a merge key"
            said = f"{one_line(word)} is {what} in YAML, and no JSON value; quote it: {as_text(word)}"
            self.report(event, said)
        elif tag != VALUE:
            said = f"the tag {written(tag)} stands here; remove it, and quote a text that begins with '!'"
            self.report(event, said)
        return word

    def tally(self, event: Any) -> None:
        """Count one more value."""
        self.count += 1
        if self.count > self.bounds.values:
            said = (
                f"this is value number {self.count:,} of the file (keys count); at most {self.bounds.values:,} may be"
            )
            raise self.refused(event, f"{said}, split it")

    def place(self, event: Any) -> tuple[int, int]:
        """Where the event begins, counted from 1."""
        mark = event.start_mark
        return (mark.line + 1, mark.column + 1) if self.lines is None else self.lines.place(mark.index)

    def mark(self, event: Any, parts: dict[str | int, Marks] | None = None) -> Marks:
        """The marks of the value that begins with this event."""
        line, column = self.place(event)
        return Marks(line, column, 0, 0, None, parts)

    def report(self, event: Any, message: str) -> None:
        """Note a problem at the event's place and go on."""
        self.problems.append(Problem(self.name, *self.place(event), message))

    def refused(self, event: Any, message: str) -> Refused:
        """The exception for a problem after which the rest is not read; the problem is noted."""
        self.report(event, message)
        return Refused()


def tag_of(event: Any) -> str:
    """The event's own tag, or the one that YAML 1.1 gives a plain word."""
    if event.tag is not None and event.tag != "!":
        return str(event.tag)
    return plain_tag(event.value) if event.implicit[0] else STR


@lru_cache(maxsize=1024)
def plain_tag(word: str) -> str:
    """The tag that YAML 1.1 gives a plain word; the same few keys make up most of a file."""
    return next((str(tag) for tag, pattern in RESOLVERS.get(word[:1], ()) if pattern.match(word)), STR)


def written(tag: str) -> str:
    """A tag as it is written in a file."""
    return one_line(tag.replace(CORE, "!!") if tag.startswith(CORE) else tag if tag.startswith("!") else f"!<{tag}>")
