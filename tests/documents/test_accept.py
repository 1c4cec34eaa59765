"""The compiled form of a schema accepts exactly what the jsonschema library finds no error in."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.documents import Path, schema
from agenttest.documents.accept import compile_schema

CALL = {"name": "find", "arguments": {"id": 1, "deep": [{"a": None}]}}
VALID = {
    "contract": {
        "version": 1,
        "agent": {
            "endpoint": "http://127.0.0.1:8000/v1/chat/completions",
            "model": "small",
            "timeout_seconds": 2.5,
            "capabilities": ["chat", "tools"],
            "tools": [{"name": "find", "description": "Finds", "parameters": {"type": "object"}}],
        },
        "scenarios": [
            {
                "id": "a.b-c_1",
                "prompt": "Find it",
                "system_prompt": None,
                "available_tools": ["find", " pay "],
                "expect": {
                    "response": {"contains": ["x", "y"], "excludes": None},
                    "tools": {
                        "required": ["find", CALL],
                        "allowed": ["find"],
                        "forbidden": [],
                        "exact_sequence": ["find", "find"],
                        "max_calls": 2,
                    },
                    "refusal": False,
                    "sources": {"required": ["faq"]},
                },
            }
        ],
    },
    "observations": {
        "$schema": "urn:agenttest:observations:1",
        "version": 1,
        "scenarios": [
            {
                "id": "a",
                "response": "",
                "response_complete": True,
                "finish_reason": "stop",
                "tool_calls": [CALL, {"name": "any name at all"}],
                "tool_calls_complete": True,
                "refusal": False,
                "sources": ["faq", {"id": None, "source": "s"}, {}],
            },
            {"id": "b", "error": "timed out", "tool_calls": None},
        ],
    },
}
STRANGE: list[Any] = [
    *(None, True, False, 0, 1, -1, 1.0, 0.5, 300, 301, 10**400, 1e308),
    *("", " ", "\n", "x", "1", "a b", "find", "chat", "x" * 65, "x" * 97, "x" * 100_001, "\ud800", "é", "find\n"),
    *([], {}, [[]], [{}], ["x", "x"], [1, True, 1.0], ["find", 1], {"name": "x"}, {"id": "x"}, ["x"] * 251),
]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every part of a value."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from places(inner, (*path, key))


def at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part]
    return value


@st.composite
def near_valid(draw: st.DrawFn, name: str) -> Any:
    """A valid document with one to three changes somewhere in it."""
    document = {"": copy.deepcopy(VALID[name])}
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([path for path in places(document) if path]))
        holder, key = at(document, path[:-1]), path[-1]
        change = draw(st.sampled_from(["replace", "delete", "add", "double"]))
        if change == "replace" or path == ("",):
            holder[key] = copy.deepcopy(draw(st.sampled_from(STRANGE)))
        elif change == "delete":
            del holder[key]
        elif isinstance(holder, dict):
            holder[draw(st.sampled_from(["x", "id", "name", "source", "", "refusal"]))] = copy.deepcopy(holder[key])
        else:
            holder.insert(0, copy.deepcopy(holder[key]))
    return document[""]


@pytest.mark.parametrize("name", VALID)
def test_a_valid_document_is_accepted(name: str) -> None:
    assert schema.accepts(name)(VALID[name])


@pytest.mark.parametrize("name", VALID)
def test_every_optional_key_may_be_left_out(name: str) -> None:
    document = VALID[name]
    optional = [path for path in places(document) if path and path[-1] in ("response", "tools", "refusal", "sources")]

    for path in optional:
        less = copy.deepcopy(document)
        del at(less, path[:-1])[path[-1]]
        assert schema.accepts(name)(less)


@given(near_valid("contract"))
def test_a_near_valid_contract_is_judged_as_the_library_does(document: Any) -> None:
    assert (not schema.errors(document, schema.load("contract"))) is schema.accepts("contract")(document)


@given(near_valid("observations"))
def test_near_valid_observations_are_judged_as_the_library_does(document: Any) -> None:
    assert (not schema.errors(document, schema.load("observations"))) is schema.accepts("observations")(document)


SMALL: list[dict[str, Any]] = [
    {"type": "integer"},
    {"type": ["string", "null"]},
    {"required": ["a"]},
    {"additionalProperties": False},
    {"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}},
    {"properties": {"a": False}},
    {"patternProperties": {"^x-": True}, "additionalProperties": False},
    {"properties": {"a": {"minLength": 2}}, "patternProperties": {"a|b": {"type": "string"}, "^b": {"maxLength": 1}}},
    {"items": {"minimum": 1}},
    {"anyOf": [{"type": "string", "minLength": 2}, {"type": "integer", "maximum": 0}]},
    {"enum": ["x", "find"]},
    {"const": 1, "type": "integer"},
    {"minItems": 1, "maxItems": 2},
    {"exclusiveMinimum": 0},
    {"minLength": 3, "maxLength": 4},
    {"items": {"type": "string"}, "uniqueItems": True},
    {"$ref": "#/$defs/late", "$defs": {"early": {"$ref": "#/$defs/late"}, "late": {"type": "array"}}},
    {"$ref": "#/$defs/early", "$defs": {"early": {"$ref": "#/$defs/late"}, "late": {"type": "array"}}},
    {},
]


@pytest.mark.parametrize("small", SMALL, ids=json.dumps)
def test_each_keyword_means_what_the_library_says(small: dict[str, Any]) -> None:
    accepts = compile_schema(small)
    values = [
        *STRANGE,
        {"a": 1},
        {"a": "x"},
        {"a": "x", "b": 1},
        {"a": "x", "b": "y"},
        {"x-a": 1},
        {"ax-": 1},
        ["a", 0],
        [1, 2, 3],
    ]

    for value in values:
        assert (not schema.errors(value, small)) is accepts(value), value


def test_an_unknown_keyword_is_never_passed_over() -> None:
    with pytest.raises(KeyError, match="multipleOf"):
        compile_schema({"multipleOf": 3})
