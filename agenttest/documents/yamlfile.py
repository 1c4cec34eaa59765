"""YAML text → `Document`, strictly: one document, no aliases, no tags, no double keys, JSON values only, every value's place kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import yaml

from agenttest.documents.document import Document, Marks, Path
from agenttest.errors import InvalidInput, Problem
from agenttest.quote import quote

CORE = "tag:yaml.org,2002:"
STR, MERGE = CORE + "str", CORE + "merge"
SCALARS = {CORE + name: name for name in ("null", "bool", "int", "float", "str", "timestamp", "value")}
COLLECTIONS = {None, "!", CORE + "map", CORE + "seq"}
INTEGER_BITS = 14_000  # about 4,200 digits: what Python writes as a decimal without being asked twice
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
CONSTRUCTOR = yaml.constructor.SafeConstructor()


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
    try:
        reader = Reader(name, bounds, LOADER(text))
    except yaml.YAMLError as error:
        raise InvalidInput(syntax_problem(name, text, error)) from error
    try:
        value, marks = reader.document()
    except Refused as refused:
        raise InvalidInput(reader.problems) from refused
    except yaml.YAMLError as error:
        raise InvalidInput([*reader.problems, syntax_problem(name, text, error)]) from error
    finally:
        reader.loader.dispose()
    return Document(name, value, marks), reader.problems


def syntax_problem(name: str, text: str, error: yaml.YAMLError) -> Problem:
    """The place and the parser's words, with what would be right where the mistake is a usual one."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if isinstance(error, yaml.reader.ReaderError):
        before = text.encode()[: error.position].decode(errors="replace")
        message = f"holds the character {code_of(error)}, which YAML does not allow; remove it"
        return Problem(name, before.count("\n") + 1, len(before) - before.rfind("\n"), message)
    said = str(getattr(error, "problem", None) or "cannot be read").removeprefix("(").strip()
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return Problem(name, line, column, f"is not YAML: {said}; {advice(text, line, said)}")


def code_of(error: yaml.reader.ReaderError) -> str:
    """The character that the reader refused, as U+0001."""
    character = error.character
    return f"U+{character if isinstance(character, int) else ord(character):04X}"


def advice(text: str, line: int, said: str) -> str:
    """What would be right, judged by the line and the parser's words."""
    lines = text.splitlines()
    written = lines[line - 1] if line <= len(lines) else ""
    if "\t" in written[: len(written) - len(written.lstrip())] or "'\\t'" in said or "tab" in said:
        return "indent with spaces, never with tabs"
    if "nesting" in said:
        return "flatten it"
    if "escape" in said:
        return "write the character itself, or a valid escape"
    if "document start" in said:
        return "keep one document to a file"
    if "mapping values" in said:
        return "quote a text that holds ': ', and indent keys of one level alike"
    return (
        "indent keys of one level alike, close what is opened, and quote texts that hold : # { } [ ] , & * ! | > % @ `"
    )


@dataclass(slots=True)
class Reader:
    """Pulls the parser's events and builds the value and its marks; collects problems and goes on where it can."""

    name: str
    bounds: Bounds
    loader: Any
    problems: list[Problem] = field(default_factory=list)
    count: int = 0

    def document(self) -> tuple[Any, Marks]:
        """The one document of the stream; an empty stream is an empty document."""
        self.loader.get_event()
        if isinstance(self.loader.peek_event(), yaml.StreamEndEvent):
            return None, Marks(1, 1)
        self.loader.get_event()
        found = self.value(self.loader.get_event(), 0)
        self.loader.get_event()
        after = self.loader.get_event()
        if not isinstance(after, yaml.StreamEndEvent):
            self.report(after, "starts a second document; keep one document to a file")
        return found

    def value(self, event: Any, depth: int) -> tuple[Any, Marks]:
        """The value that begins with this event."""
        self.count += 1
        if self.count > self.bounds.values:
            self.refuse(event, f"is value number {self.count:,}; at most {self.bounds.values:,} are allowed")
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.AliasEvent):
            self.refuse(event, f"is an alias (*{event.anchor}); write the value out")
        if event.tag not in COLLECTIONS:
            self.report(event, f"has the tag {event.tag!r}; remove it")
        if depth >= self.bounds.depth:
            self.refuse(event, f"nests deeper than {self.bounds.depth} levels; flatten it")
        read = self.mapping if isinstance(event, yaml.MappingStartEvent) else self.sequence
        return read(event, depth + 1)

    def sequence(self, event: Any, depth: int) -> tuple[list[Any], Marks]:
        """A list, up to its end event."""
        values: list[Any] = []
        marks = mark_of(event, {})
        while not isinstance(inner := self.loader.get_event(), yaml.SequenceEndEvent):
            value, mark = self.value(inner, depth)
            marks.parts[len(values)] = mark  # type: ignore[index]
            values.append(value)
        return values, marks

    def mapping(self, event: Any, depth: int) -> tuple[dict[str, Any], Marks]:
        """A mapping, up to its end event; of a key that stands twice the first value stays."""
        values: dict[str, Any] = {}
        marks = mark_of(event, {})
        while not isinstance(inner := self.loader.get_event(), yaml.MappingEndEvent):
            key = self.key(inner, depth)
            value, mark = self.value(self.loader.get_event(), depth)
            mark.key_line, mark.key_column = inner.start_mark.line + 1, inner.start_mark.column + 1
            if key in values:
                first = marks.parts[key].key_line  # type: ignore[index]
                self.report(inner, f"the key {quote(key)} stands twice (first on line {first}); keep one")
                continue
            values[key] = value
            marks.parts[key] = mark  # type: ignore[index]
        return values, marks

    def key(self, event: Any, depth: int) -> str:
        """A mapping's key as text. A key of another type becomes `!!int 1`: JSON has none, so it matches nothing."""
        if not isinstance(event, yaml.ScalarEvent):
            self.refuse(event, "is a list, a mapping or an alias as a key; use text")
        if tag_of(event) == MERGE:
            self.report(event, "is a merge key (<<); write the keys out")
            return "<<"
        key, _ = self.value(event, depth)
        return key if isinstance(key, str) else f"!!{SCALARS.get(tag_of(event), 'str')} {event.value}"

    def scalar(self, event: Any) -> tuple[Any, Marks]:
        """A scalar of a JSON type, with the word as written where it is no text."""
        tag, marks = tag_of(event), mark_of(event)
        if tag == STR:
            if len(event.value) > self.bounds.string:
                said = f"is a text of {len(event.value):,} characters; at most {self.bounds.string:,} are allowed"
                self.report(event, said)
            return event.value, marks
        marks.word = event.value
        if tag not in SCALARS:
            self.report(event, f"has the tag {tag!r}; remove it, and quote the text")
            return event.value, marks
        return self.typed(event, tag), marks

    def typed(self, event: Any, tag: str) -> Any:
        """The value of a scalar that YAML reads as null, boolean, number or date."""
        word = event.value
        if tag == CORE + "timestamp":
            self.report(event, f"{word} is a date in YAML, and no JSON value; quote it: {as_text(word)}")
            return word
        if tag == CORE + "value":
            return word
        try:
            value = getattr(CONSTRUCTOR, f"construct_yaml_{SCALARS[tag]}")(yaml.ScalarNode(tag, word))
        except (ValueError, KeyError, IndexError):
            kind = {"int": "an integer", "float": "a number", "bool": "true or false"}.get(SCALARS[tag], "null")
            self.report(event, f"{quote(word, 60)} cannot be read as {kind}; write one, or quote it as text")
            return word
        if isinstance(value, int) and value.bit_length() > INTEGER_BITS:
            self.report(event, f"{quote(word, 60)} is an integer of too many digits; write a smaller one, or quote it")
            return word
        if isinstance(value, float) and not math.isfinite(value):
            self.report(event, f"{word} is no JSON number; write a finite number, or quote it: {as_text(word)}")
            return word
        return value

    def report(self, event: Any, message: str) -> None:
        """Note a problem at the event's place and go on."""
        self.problems.append(Problem(self.name, event.start_mark.line + 1, event.start_mark.column + 1, message))

    def refuse(self, event: Any, message: str) -> None:
        """Note a problem after which the rest cannot be read."""
        self.report(event, message)
        raise Refused


def tag_of(event: Any) -> str:
    """The event's own tag, or the one that YAML 1.1 gives a plain word."""
    if event.tag not in (None, "!"):
        return str(event.tag)
    if event.implicit[0]:
        for tag, pattern in RESOLVERS.get(event.value[:1], ()):
            if pattern.match(event.value):
                return str(tag)
    return STR


def mark_of(event: Any, parts: dict[str | int, Marks] | None = None) -> Marks:
    """The event's place, counted from 1."""
    return Marks(event.start_mark.line + 1, event.start_mark.column + 1, parts=parts)


def as_text(word: str) -> str:
    """The word in double quotes, as YAML and JSON write a text."""
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def odd_keys(value: Any, path: Path = ()) -> list[Path]:
    """The paths of all keys that are no text, in the file's order."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found: list[Path] = []
    for key, inner in pairs:
        if isinstance(key, str) and key.startswith("!!"):
            found.append((*path, key))
        found += odd_keys(inner, (*path, key))
    return found
