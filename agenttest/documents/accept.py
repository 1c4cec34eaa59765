"""A JSON Schema, as far as ours use it → a predicate that says in one pass, without imports, if a value is valid."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Check: TypeAlias = Callable[[Any], bool]

TYPES: dict[str, Check] = {
    "object": lambda value: type(value) is dict,
    "array": lambda value: type(value) is list,
    "string": lambda value: type(value) is str,
    "boolean": lambda value: type(value) is bool,
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) is int or type(value) is float,
    "null": lambda value: value is None,
}
ANNOTATIONS = {"$schema", "$id", "$defs", "$comment", "title", "description", "default", "examples"}
MEMBERS = dict.fromkeys(
    ("additionalProperties", "patternProperties", "required"), "properties"
)  # these are read together


def compile_schema(schema: dict[str, Any]) -> Check:
    """The predicate of a whole schema; KeyError for a keyword that it does not know."""
    return Compiler(schema.get("$defs", {})).part(schema)


class Compiler:
    """Compiles the parts of one schema, each of its definitions once."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self.named: dict[str, Check] = {}
        self.nesting = {
            "$ref": self.reference,
            "properties": self.members,
            "items": self.elements,
            "anyOf": self.either,
        }
        self.named.update((name, self.part(part)) for name, part in definitions.items())

    def part(self, part: dict[str, Any] | bool) -> Check:
        """The predicate of all keywords of one part."""
        if isinstance(part, bool):
            return always if part else never
        words = dict.fromkeys(MEMBERS.get(word, word) for word in part if word not in ANNOTATIONS)
        return both([self.nesting[w](part) if w in self.nesting else PLAIN[w](part[w]) for w in words])

    def reference(self, part: dict[str, Any]) -> Check:
        """`$ref` to a definition, which may be compiled later than this."""
        named, name = self.named, part["$ref"].removeprefix("#/$defs/")
        return named[name] if name in named else lambda value: named[name](value)

    def members(self, part: dict[str, Any]) -> Check:
        """`properties` together with `required`, `patternProperties` and `additionalProperties`."""
        named = [(re.compile(key).search, self.part(inner)) for key, inner in part.get("patternProperties", {}).items()]
        checks = {
            key: both([self.part(inner), *matching(named, key)]) for key, inner in part.get("properties", {}).items()
        }
        required = set(part.get("required", ()))
        other = self.part(part.get("additionalProperties", True))

        def check(value: Any) -> bool:
            if type(value) is not dict:
                return True
            for key, inner in value.items():
                row = checks.get(key) or both(matching(named, key) or [other])
                if not row(inner):
                    return False
            return required <= value.keys()

        return check

    def elements(self, part: dict[str, Any]) -> Check:
        """`items`."""
        each = self.part(part["items"])
        return lambda value: type(value) is not list or all(map(each, value))

    def either(self, part: dict[str, Any]) -> Check:
        """`anyOf`."""
        rows = [self.part(inner) for inner in part["anyOf"]]
        return lambda value: any(row(value) for row in rows)


def matching(named: Sequence[tuple[Callable[[str], Any], Check]], key: str) -> list[Check]:
    """The predicates of the patterns that are found in a key."""
    return [row for search, row in named if search(key)]


def both(rows: Sequence[Check]) -> Check:
    """Whether all rows hold; most parts have one or two."""
    if not rows:
        return always
    first, *rest = rows
    if not rest:
        return first
    others = both(rest)
    return lambda value: first(value) and others(value)


def always(_: Any) -> bool:
    """What holds of every value."""
    return True


def never(_: Any) -> bool:
    """What holds of no value."""
    return False


def typed(names: str | list[str]) -> Check:
    """`type`: one name or several."""
    if isinstance(names, str):
        return TYPES[names]
    first, *rest = names
    if not rest:
        return TYPES[first]
    one, others = TYPES[first], typed(rest)
    return lambda value: one(value) or others(value)


def pattern(expression: str) -> Check:
    """`pattern`, searched for as the standard says."""
    search = re.compile(expression).search
    return lambda value: type(value) is not str or search(value) is not None


def unique(_: bool) -> Check:
    """`uniqueItems`, told at once for texts; other lists are left to the library."""

    def check(value: Any) -> bool:
        return type(value) is not list or (all(type(v) is str for v in value) and len(set(value)) == len(value))

    return check


def sized(kind: type[str] | type[list[Any]], fits: Callable[[int, int], bool]) -> Callable[[int], Check]:
    """A keyword that bounds the length of a text or list."""
    return lambda bound: lambda value: type(value) is not kind or fits(len(value), bound)


def ranged(fits: Callable[[float, float], bool]) -> Callable[[float], Check]:
    """A keyword that bounds a number."""
    return lambda bound: lambda value: type(value) not in (int, float) or fits(value, bound)


PLAIN: dict[str, Callable[[Any], Check]] = {
    "type": typed,
    "pattern": pattern,
    "uniqueItems": unique,
    "enum": lambda words: lambda value: type(value) is str and value in words,
    "const": lambda constant: lambda value: type(value) is type(constant) and value == constant,
    "minLength": sized(str, lambda size, bound: size >= bound),
    "maxLength": sized(str, lambda size, bound: size <= bound),
    "minItems": sized(list, lambda size, bound: size >= bound),
    "maxItems": sized(list, lambda size, bound: size <= bound),
    "minimum": ranged(lambda value, bound: value >= bound),
    "maximum": ranged(lambda value, bound: value <= bound),
    "exclusiveMinimum": ranged(lambda value, bound: value > bound),
}
