"""One error of the jsonschema library → problems that name the place, what is there, and what would be right."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.documents.document import Document, OddKey, Path, as_text, spelled
from agenttest.errors import Problem
from agenttest.quote import one_line, quote

LibraryError: TypeAlias = Any  # jsonschema.ValidationError, whose attributes are typed as possibly unset
Homes: TypeAlias = Mapping[str, Sequence[str]]

NAMES = {
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "null": "null",
}
YAML_MAPPING = "a mapping"
ALIKE, VERY_ALIKE = 0.6, 0.85  # from here on two words are, of at most 1


@dataclass(frozen=True, slots=True)
class Case:
    """An error of the library about a document, and where each key of the document's format belongs."""

    document: Document
    error: LibraryError
    homes: Homes

    @property
    def path(self) -> Path:
        """The path of the value that is wrong."""
        return tuple(self.error.absolute_path)

    @property
    def value(self) -> Any:
        """The value that is wrong."""
        return self.error.instance

    @property
    def bound(self) -> Any:
        """What the schema's keyword demands."""
        return self.error.validator_value

    @property
    def right(self) -> str:
        """What the schema says would be right here."""
        return str(self.error.schema.get("$comment", ""))

    def problem(self, message: str) -> Problem:
        """The problem with the value: its name, and the message that goes on from there."""
        return self.document.problem(self.path, f"{spelled(self.path)} {message}")


def explain(document: Document, error: LibraryError, homes: Homes) -> Iterator[Problem]:
    """The problems behind one error of the library; none where another error's problem tells it already."""
    yield from SAYINGS.get(str(error.validator), generic)(Case(document, error, homes))


def unknown_keys(case: Case) -> Iterator[Problem]:
    """`additionalProperties`: each unknown key with the nearest known one."""
    known = [key for key in case.error.schema["properties"] if not key.startswith("$")]
    for key in strange_keys(case):
        said = odd_key(key) if isinstance(key, OddKey) else unknown_key(key, case, known)
        yield case.document.problem((*case.path, key), said, at_key=True)


def strange_keys(case: Case) -> Iterator[str]:
    """The keys that the schema neither names nor lets pass by their pattern."""
    free = [re.compile(pattern) for pattern in case.error.schema.get("patternProperties", ())]
    for key in case.value:
        if key not in case.error.schema["properties"] and not any(one.search(key) for one in free):
            yield key


def odd_key(key: OddKey) -> str:
    """What is said of a key that is no text."""
    return f"the key {key.word or 'is empty and'} is read as {said(key.read)}; quote it: {as_text(key.word)}"


def unknown_key(key: str, case: Case, known: Sequence[str]) -> str:
    """What is said of an unknown key: the known one that was meant, where it belongs, or all that are known here."""
    near, elsewhere = meant(key, known, case.homes), case.homes.get(key, ())
    right = f"known here: {', '.join(known)}"
    if near or elsewhere:
        right = f"did you mean {near!r}?" if near else f"it belongs in {' or '.join(elsewhere)}"
    far = nearest(key, case.homes, VERY_ALIKE) if case.document.mapping != YAML_MAPPING and not elsewhere else None
    if far is not None and far not in known:
        right = f"did you mean {far!r}, which belongs in {' or '.join(case.homes[far])}?"
    return f"unknown key {quote(key)} in {spelled(case.path)}; {right}"


def meant(key: str, known: Iterable[str], homes: Homes) -> str | None:
    """The known key that was misspelt, if one was; a key that is right elsewhere is seldom misspelt here."""
    return nearest(key, known, VERY_ALIKE if key in homes else ALIKE)


def nearest(word: str, known: Iterable[str], alike_from: float = ALIKE) -> str | None:
    """The known word that is most like this one, if any is; case, hyphens and underscores count for nothing."""
    from difflib import get_close_matches

    alike = {plain(one): one for one in known}
    found = get_close_matches(plain(word[:200]), alike, n=1, cutoff=alike_from)
    return alike[found[0]] if found else None


def plain(word: str) -> str:
    """A word in one case, without hyphens and underscores."""
    return word.casefold().replace("-", "").replace("_", "")


def missing_keys(case: Case) -> Iterator[Problem]:
    """`required`: each key that must stand here and does not, unless a misspelt one is told of."""
    properties = case.error.schema["properties"]
    misspelt = {meant(key, properties, case.homes) for key in strange_keys(case)}
    closed = case.error.schema.get("additionalProperties") is False
    for key in case.bound:
        if key not in case.value and not (closed and key in misspelt):
            about = properties.get(key, {}).get("description", "")
            yield case.problem(f"lacks the key {key!r}; add it" + (f": {about}" if about else ""))


def wrong_type(case: Case) -> Iterator[Problem]:
    """`type`: what it is and what it should be; a plain word that was meant as text should be quoted."""
    wanted = [case.bound] if isinstance(case.bound, str) else list(case.bound)
    names = {**NAMES, "object": case.document.mapping}
    right = case.right or " or ".join(names[name] for name in wanted if name != "null" or wanted == ["null"])
    yield unquoted(case) if "string" in wanted and meant_as_text(case) else misfit(case, right, wanted)


def misfit(case: Case, right: str, wanted: Sequence[str]) -> Problem:
    """A value of the wrong type, with a hint where the way it was written is a usual mistake."""
    hint, in_yaml = "", case.document.mapping == YAML_MAPPING
    if isinstance(case.value, str) and any(bare(case.value, name) for name in wanted):
        hint = ", without quotes"
    elif "object" in wanted and isinstance(case.value, str) and case.value.lstrip().startswith("{"):
        hint = ", and not JSON in a text"
    elif "string" in wanted and in_yaml and isinstance(case.value, dict):
        hint = " (quote a text that holds ': ' or begins with '{')"
    elif "string" in wanted and in_yaml and case.value is None:
        hint = " (quote a text that begins with '#')"
    found = "empty" if case.document.word(case.path) == "" else said(case.value, case.document.mapping)
    return case.problem(f"is {found}; should be {right}{hint}")


def bare(text: str, wanted: str) -> bool:
    """Whether a text would be of the wanted type, were it not quoted."""
    if wanted in ("integer", "number"):
        return text.isascii() and text.replace(".", "", wanted == "number").isdecimal()
    return wanted == "boolean" and text in ("true", "false")


def meant_as_text(case: Case) -> bool:
    """Whether a plain word of YAML stands here that reads as another type."""
    return bool(case.document.word(case.path)) and not isinstance(case.value, str)


def unquoted(case: Case) -> Problem:
    """A plain word that YAML reads as another type, where a text should be."""
    word = case.document.word(case.path) or ""
    value = "no value" if case.value is None else said(case.value)
    return case.problem(f"is {one_line(word)}, which YAML reads as {value}; quote it: {as_text(word)}")


def said(value: Any, mapping: str = YAML_MAPPING) -> str:
    """A value in a few words: what kind it is, and a short one itself."""
    if value is None:
        return "null"
    if isinstance(value, dict | list):
        kind = mapping if isinstance(value, dict) else "a list"
        return kind if value else f"an empty {kind.split()[-1]}"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    return said_text(value) if isinstance(value, str) else f"the number {quote(value, 40)}"


def said_text(text: str) -> str:
    """A text in a few words."""
    if text.strip():
        return f"the text {quote(text, 60)}"
    return f"blank ({quote(text, 40)})" if text else "empty"


def wrong_pattern(case: Case) -> Iterator[Problem]:
    """`pattern`: the word that was meant, of those that the schema has; else what its comment says would be right."""
    near = nearest(case.value, case.error.schema.get("examples", ()))
    yield case.problem(f"is {said(case.value)}; " + (f"did you mean {near!r}?" if near else f"should be {case.right}"))


def no_alternative(case: Case) -> Iterator[Problem]:
    """`anyOf`: the errors of the alternative whose type fits, else what the alternatives are."""
    inner = list(case.error.context)
    off = {error.relative_schema_path[0] for error in inner if typed_at_top(error)}
    fitting = [error for error in inner if error.relative_schema_path[0] not in off]
    if not fitting:
        yield unquoted(case) if meant_as_text(case) else misfit(case, case.right, ("string",))
    for error in fitting:
        yield from explain(case.document, error, case.homes)


def typed_at_top(error: LibraryError) -> bool:
    """Whether the error is about the type of the alternative itself."""
    return error.validator == "type" and len(error.relative_path) == 0


def wrong_word(case: Case) -> Iterator[Problem]:
    """`enum`: the nearest allowed word."""
    known = [str(word) for word in case.bound]
    near = nearest(case.value, known) if isinstance(case.value, str) else None
    right = f"did you mean {near!r}?" if near else f"should be one of {', '.join(known)}"
    yield case.problem(f"is {said(case.value, case.document.mapping)}; {right}")


def repeated(case: Case) -> Iterator[Problem]:
    """`uniqueItems`: every entry that stands for a second time."""
    first: dict[str, int] = {}
    for index, item in enumerate(case.value):
        was = first.setdefault(json.dumps(item, sort_keys=True), index)
        if was != index:
            path, line = (*case.path, index), case.document.mark((*case.path, was)).line
            said = f"{spelled(path)} is {quote(item, 60)} again (first on line {line}); keep one"
            yield case.document.problem(path, said)


def bounded(case: Case) -> Iterator[Problem]:
    """A length or a number beyond its bound."""
    size = len(case.value) if isinstance(case.value, str | list) else 0
    shown = "" if size else quote(case.value, 40)
    sayings = {
        "minLength": "is too short; should have at least {bound} characters",
        "maxLength": "has {size:,} characters; should have at most {bound:,}",
        "minItems": "is an empty list; should have at least {bound} entry",
        "maxItems": "has {size:,} entries; should have at most {bound:,}",
        "minimum": "is {shown}; should be at least {bound}",
        "maximum": "is {shown}; should be at most {bound}",
        "exclusiveMinimum": "is {shown}; should be above {bound}",
    }
    yield case.problem(sayings[str(case.error.validator)].format(bound=case.bound, size=size, shown=shown))


def wrong_constant(case: Case) -> Iterator[Problem]:
    """`const`: the one value that is right."""
    yield case.problem(f"is {said(case.value, case.document.mapping)}; should be {quote(case.bound)}")


def generic(case: Case) -> Iterator[Problem]:
    """Any other keyword, in the library's words."""
    yield case.problem(f"is not right: {quote(case.error.message, 300)}")


SAYINGS: dict[str, Callable[[Case], Iterator[Problem]]] = {
    "additionalProperties": unknown_keys,
    "required": missing_keys,
    "type": wrong_type,
    "pattern": wrong_pattern,
    "anyOf": no_alternative,
    "enum": wrong_word,
    "uniqueItems": repeated,
    "const": wrong_constant,
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum"), bounded
    ),
}
