"""One error of the jsonschema library → problems that name the place, what is there, and what would be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from agenttest.documents.document import Document, Path
from agenttest.documents.yamlfile import as_text
from agenttest.errors import Problem
from agenttest.quote import quote

LibraryError: TypeAlias = Any  # jsonschema.ValidationError, whose attributes are typed as possibly unset

NAMES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "null": "null",
}
WORDS = {"bool": "a boolean", "int": "an integer", "float": "a number", "null": "null", "timestamp": "a date"}


def explain(document: Document, error: LibraryError) -> Iterator[Problem]:
    """The problems behind one error of the library."""
    path: Path = tuple(error.absolute_path)
    say = SAYINGS.get(str(error.validator), generic)
    yield from say(document, path, error)


def unknown_keys(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """`additionalProperties`: each unknown key with the nearest known one."""
    known = list(error.schema["properties"])
    for key in error.instance:
        if key not in known:
            yield document.problem((*path, key), unknown_key(key, known), at_key=True)


def unknown_key(key: str, known: list[str]) -> str:
    """What is said of one unknown key."""
    if key.startswith("!!"):
        kind, _, word = key[2:].partition(" ")
        return f"the key {word or 'is empty and'} reads as {WORDS.get(kind, kind)}; quote it: {as_text(word)}"
    near = nearest(key, known)
    right = f"did you mean {near!r}?" if near else f"known here: {', '.join(known)}"
    return f"unknown key {quote(key)}; {right}"


def nearest(word: str, known: list[str]) -> str | None:
    """The known word that is most like this one, if any is."""
    from difflib import get_close_matches

    found = get_close_matches(word.lower().replace("-", "_"), known, n=1, cutoff=0.6)
    return found[0] if found else None


def missing_keys(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """`required`: each key that must stand here and does not."""
    for key in error.validator_value:
        if key not in error.instance:
            about = error.schema["properties"].get(key, {}).get("description", "")
            yield document.problem(path, f"the key {key!r} is missing; add it" + (f": {about}" if about else ""))


def wrong_type(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """`type`: what it is and what it should be; a plain word that was meant as text should be quoted."""
    wanted = [error.validator_value] if isinstance(error.validator_value, str) else list(error.validator_value)
    word = document.word(path)
    if "string" in wanted and word and not isinstance(error.instance, str):
        yield document.problem(path, f"{word} is read as {said(error.instance)}; quote it: {as_text(word)}")
        return
    right = comment(error) or " or ".join(NAMES[name] for name in wanted if name != "null" or wanted == ["null"])
    yield document.problem(path, f"is {said(error.instance, word)}; should be {right}")


def said(value: Any, word: str | None = None) -> str:
    """A value in a few words: what kind it is, and a short one itself."""
    if value is None:
        return "empty" if word == "" else "null"
    if isinstance(value, dict | list):
        return "an empty " * (not value) + "a " + ("mapping" if isinstance(value, dict) else "list")
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    return f"the text {quote(value, 60)}" if isinstance(value, str) else f"the number {quote(value, 40)}"


def comment(error: LibraryError) -> str:
    """What the schema says would be right here."""
    return str(error.schema.get("$comment", "")) if isinstance(error.schema, dict) else ""


def wrong_pattern(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """`pattern`: the schema's comment says what the text should be."""
    yield document.problem(path, f"is {said(error.instance)}; should be {comment(error)}")


def no_alternative(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """`anyOf`: the errors of the alternative whose type fits, else what the alternatives are."""
    branches = {inner.relative_schema_path[0] for inner in error.context or ()}
    off = {inner.relative_schema_path[0] for inner in error.context or () if typed_at_top(inner)}
    fitting = branches - off
    if not fitting:
        yield from wrong_alternative(document, path, error)
    for inner in error.context or ():
        if inner.relative_schema_path[0] in fitting:
            yield from explain(document, inner)


def typed_at_top(error: LibraryError) -> bool:
    """Whether the error is about the type of the alternative itself."""
    return error.validator == "type" and len(error.relative_path) == 0


def wrong_alternative(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """A value whose type none of the alternatives has."""
    word = document.word(path)
    if word and not isinstance(error.instance, str):
        yield document.problem(path, f"{word} is read as {said(error.instance)}; quote it: {as_text(word)}")
    else:
        yield document.problem(path, f"is {said(error.instance, word)}; should be {comment(error)}")


def wrong_word(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """`enum`: the nearest allowed word."""
    known = [str(word) for word in error.validator_value]
    near = nearest(str(error.instance), known)
    right = f"did you mean {near!r}?" if near else f"should be one of {', '.join(known)}"
    yield document.problem(path, f"is {said(error.instance)}; {right}")


def repeated(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """`uniqueItems`: every entry that stands for a second time."""
    for index, item in enumerate(error.instance):
        if item in error.instance[:index]:
            first = document.mark((*path, error.instance.index(item))).line
            yield document.problem((*path, index), f"{quote(item)} stands twice (first on line {first}); keep one")


def bounded(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """A length or a number beyond its bound."""
    bound = error.validator_value
    size = len(error.instance) if isinstance(error.instance, str | list) else 0
    right = {
        "minLength": f"should have at least {bound} characters",
        "maxLength": f"has {size:,} characters; should have at most {bound:,}",
        "minItems": f"is empty; should have at least {bound}",
        "maxItems": f"has {size:,} entries; should have at most {bound:,}",
        "minimum": f"is {quote(error.instance, 40)}; should be at least {bound}",
        "maximum": f"is {quote(error.instance, 40)}; should be at most {bound}",
        "exclusiveMinimum": f"is {quote(error.instance, 40)}; should be above {bound}",
    }
    yield document.problem(path, right[str(error.validator)])


def wrong_constant(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """`const`: the one value that is right."""
    yield document.problem(path, f"is {said(error.instance)}; should be {quote(error.validator_value)}")


def generic(document: Document, path: Path, error: LibraryError) -> Iterator[Problem]:
    """Any other keyword, in the library's words."""
    yield document.problem(path, quote(error.message, 300))


SAYINGS: dict[str, Callable[[Document, Path, Any], Iterator[Problem]]] = {
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
