"""A document and a JSON Schema → the problems, in words that say what would be right.

A valid document is recognised by a small compiled form of the schema; only one that is not goes to the
jsonschema library, whose import takes longer than most runs. The schema is the one source of both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agenttest.documents.accept import compile_schema
from agenttest.documents.document import Document
from agenttest.errors import Problem
from agenttest.quote import quote

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

PACKAGE = Path(__file__).parents[1]  # importlib.resources would cost more than the rest of reading a suite
SCHEMAS = {
    "contract": "suites/contract/schema.json",
    "observations": "sources/schema.json",
    "scenario": "suites/harness/schema.json",
    "trace": "sources/trace.json",
    "traced": "verify/traced.json",
}
STEPS = ("trace", "traced")  # schemas whose steps, and parts of these, are as the scenario's schema defines them


@cache
def text_of(name: str) -> str:
    """The text of one of our schemas, by its name in SCHEMAS."""
    return PACKAGE.joinpath(SCHEMAS[name]).read_text("utf-8")


@cache
def load(name: str) -> Any:
    """One of our schemas, by its name in SCHEMAS."""
    found = json.loads(text_of(name))
    return {**found, "$defs": load("scenario")["$defs"]} if name in STEPS else found


@cache
def accepts(name: str) -> Callable[[Any], bool]:
    """A predicate that is true of valid values only."""
    return compile_schema(load(name))


def problems(document: Document, name: str, most: int | None = None) -> Iterator[Problem]:
    """Everything in the document that the schema does not allow, at its place; about so many problems at `most`."""
    if accepts(name)(document.value):
        return
    from agenttest.documents.explain import explain

    found = errors(document.value, load(name), most)
    told = list(islice((problem for error in found for problem in explain(document, error, homes(name))), most))
    yield from told or [document.problem((), f"the file is not right: {quote(error.message)}") for error in found]


def errors(value: Any, schema: Any, most: int | None = None) -> list[ValidationError]:
    """The library's errors, the first of them; where the type is wrong, that is all that is said of a value."""
    found: list[ValidationError] = list(islice(validator()(schema).iter_errors(value), most))
    mistyped = {tuple(error.absolute_path) for error in found if error.validator == "type"}
    return [error for error in found if error.validator == "type" or tuple(error.absolute_path) not in mistyped]


@cache
def validator() -> Any:
    """The library's validator. YAML's and Python's types are told apart: 1.0 is no integer, true is no number."""
    from jsonschema import Draft202012Validator, validators

    strict = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, item: type(item) is int)
    extend: Any = validators.extend  # untyped in the library's stubs
    return extend(Draft202012Validator, {"uniqueItems": repeats}, type_checker=strict)


def repeats(_: Any, unique: bool, value: Any, __: Any) -> Iterator[ValidationError]:
    """`uniqueItems` in one pass; the library compares every entry with every other."""
    from jsonschema import ValidationError

    if unique and isinstance(value, list) and len({json.dumps(item, sort_keys=True) for item in value}) < len(value):
        yield ValidationError("the list holds an entry twice")


@cache
def homes(name: str) -> Mapping[str, Sequence[str]]:
    """Where each key of a format belongs, in the words of a message."""
    schema = load(name)
    found: dict[str, list[str]] = {}
    collect_homes(schema, schema.get("$defs", {}), "the file", found)
    return found


def collect_homes(part: Any, definitions: Any, home: str, found: dict[str, list[str]]) -> None:
    """Note the keys of one part of a schema and of all parts in it, each with its home."""
    part = definitions.get(str(part.get("$ref", "")).removeprefix("#/$defs/"), part)
    for key, inner in part.get("properties", {}).items():
        if home not in found.setdefault(key, []):
            found[key].append(home)
            collect_homes(inner, definitions, key, found)
    for inner in (part["items"], *part["items"].get("anyOf", ())) if "items" in part else ():
        collect_homes(inner, definitions, f"an entry of {home}", found)
    for inner in part.get("anyOf", ()):
        collect_homes(inner, definitions, home, found)
