"""A JSON Schema, as far as ours use it → a predicate that says in one pass, without imports, whether a value is valid."""

from __future__ import annotations

import re
from collections.abc import Callable
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
ANNOTATIONS |= {"additionalProperties", "required"}  # read together with properties


def compile_schema(schema: dict[str, Any]) -> Check:
    """The predicate of a whole schema; KeyError for a keyword that it does not know."""
    memo: dict[str, Check] = {}

    def resolve(reference: str) -> Check:
        name = reference.removeprefix("#/$defs/")
        return lambda value: memo[name](value)

    def every(part: dict[str, Any] | bool) -> Check:
        if isinstance(part, bool):
            return lambda _: part
        rows = [KEYWORDS[word](part, every, resolve) for word in part if word not in ANNOTATIONS]
        return rows[0] if len(rows) == 1 else lambda value: all(row(value) for row in rows)

    for name, part in schema.get("$defs", {}).items():
        memo[name] = every(part)
    return every(schema)


def typed(part: dict[str, Any], every: Any, resolve: Any) -> Check:
    """`type`: one name or several."""
    names = [part["type"]] if isinstance(part["type"], str) else part["type"]
    kinds = [TYPES[name] for name in names]
    return kinds[0] if len(kinds) == 1 else lambda value: any(kind(value) for kind in kinds)


def members(part: dict[str, Any], every: Any, resolve: Any) -> Check:
    """`properties` together with `required` and `additionalProperties`."""
    checks = {key: every(inner) for key, inner in part["properties"].items()}
    required = set(part.get("required", ()))
    closed = part.get("additionalProperties") is False

    def check(value: Any) -> bool:
        if type(value) is not dict:
            return True
        if not required <= value.keys():
            return False
        for key, inner in value.items():
            known = checks.get(key)
            if known is None:
                if closed:
                    return False
            elif not known(inner):
                return False
        return True

    return check


def elements(part: dict[str, Any], every: Any, resolve: Any) -> Check:
    """`items`."""
    each = every(part["items"])
    return lambda value: type(value) is not list or all(map(each, value))


def pattern(part: dict[str, Any], every: Any, resolve: Any) -> Check:
    """`pattern`, searched for as the standard says."""
    search = re.compile(part["pattern"]).search
    return lambda value: type(value) is not str or search(value) is not None


def unique(part: dict[str, Any], every: Any, resolve: Any) -> Check:
    """`uniqueItems`, told at once for texts; other lists are left to the library."""

    def check(value: Any) -> bool:
        return type(value) is not list or (all(type(v) is str for v in value) and len(set(value)) == len(value))

    return check


def either(part: dict[str, Any], every: Any, resolve: Any) -> Check:
    """`anyOf`."""
    rows = [every(inner) for inner in part["anyOf"]]
    return lambda value: any(row(value) for row in rows)


def one_of_values(part: dict[str, Any], every: Any, resolve: Any) -> Check:
    """`enum`; ours hold texts."""
    return lambda value: type(value) is str and value in part["enum"]


def constant(part: dict[str, Any], every: Any, resolve: Any) -> Check:
    """`const`, of the same type."""
    return lambda value: type(value) is type(part["const"]) and value == part["const"]


def sized(keyword: str, kind: type[str] | type[list[Any]], fits: Callable[[int, int], bool]) -> Callable[..., Check]:
    """A keyword that bounds the length of a text or list."""
    return lambda part, every, resolve: lambda value: type(value) is not kind or fits(len(value), part[keyword])


def ranged(keyword: str, fits: Callable[[float, float], bool]) -> Callable[..., Check]:
    """A keyword that bounds a number."""
    return lambda part, every, resolve: lambda value: type(value) not in (int, float) or fits(value, part[keyword])


KEYWORDS: dict[str, Callable[..., Check]] = {
    "$ref": lambda part, every, resolve: resolve(part["$ref"]),
    "type": typed,
    "properties": members,
    "items": elements,
    "pattern": pattern,
    "uniqueItems": unique,
    "anyOf": either,
    "enum": one_of_values,
    "const": constant,
    "minLength": sized("minLength", str, lambda size, bound: size >= bound),
    "maxLength": sized("maxLength", str, lambda size, bound: size <= bound),
    "minItems": sized("minItems", list, lambda size, bound: size >= bound),
    "maxItems": sized("maxItems", list, lambda size, bound: size <= bound),
    "minimum": ranged("minimum", lambda value, bound: value >= bound),
    "maximum": ranged("maximum", lambda value, bound: value <= bound),
    "exclusiveMinimum": ranged("exclusiveMinimum", lambda value, bound: value > bound),
}
