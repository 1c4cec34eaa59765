"""Our schemas are valid, say what would be right, and valid input is known without the jsonschema library."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agenttest.documents import Document, Marks, schema

ROOT = Path(__file__).parents[2]
VALID = """
import sys
from agenttest.documents import Document, Marks, schema
found = schema.problems(Document("f", {"version": 1, "scenarios": [{"id": "a"}]}, Marks(1, 1)), "observations")
print(list(found), "jsonschema" in sys.modules)
"""


def told(value: Any, name: str = "contract") -> list[str]:
    return [problem.message for problem in schema.problems(Document("f", value, Marks(1, 1)), name)]


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every part of a schema."""
    if isinstance(value, dict):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inner:
        yield from parts(part)


@pytest.mark.parametrize("name", schema.SCHEMAS)
def test_each_schema_is_a_valid_schema(name: str) -> None:
    Draft202012Validator.check_schema(schema.load(name))

    assert Draft202012Validator.META_SCHEMA["$id"] == schema.load(name)["$schema"]


@pytest.mark.parametrize("name", schema.SCHEMAS)
def test_each_schema_has_an_id_of_its_own(name: str) -> None:
    assert f"urn:agenttest:{name}:1" == schema.load(name)["$id"]


@pytest.mark.parametrize("name", schema.SCHEMAS)
def test_each_part_whose_words_would_not_say_it_says_what_is_right(name: str) -> None:
    unsaid = [
        part for part in parts(schema.load(name)) if {"pattern", "anyOf"} & part.keys() and "$comment" not in part
    ]

    assert [] == unsaid


@pytest.mark.parametrize("name", schema.SCHEMAS)
def test_each_closed_mapping_describes_its_keys(name: str) -> None:
    keys = [(key, row) for part in parts(schema.load(name)) for key, row in part.get("properties", {}).items()]

    assert [] == [key for key, row in keys if "description" not in row and "$comment" not in row]


def test_valid_input_needs_no_library() -> None:
    run = subprocess.run([sys.executable, "-c", VALID], capture_output=True, text=True, check=True, cwd=ROOT)

    assert "[] False\n" == run.stdout


def test_a_value_of_the_wrong_type_is_told_once() -> None:
    assert ["version is the boolean true; should be the integer 1"] == [
        message for message in told({"version": True, "agent": {}, "scenarios": [{}]}) if "version" in message
    ]


def test_a_number_with_a_point_is_no_integer() -> None:
    assert "version is the number 1.0; should be the integer 1" in told({"version": 1.0})


def test_of_very_many_problems_the_first_are_told() -> None:
    document = Document("f", {f"k{number}": 1 for number in range(100)}, Marks(1, 1))

    assert 10 == len(list(schema.problems(document, "scenario", 10)))


def test_each_key_has_its_homes() -> None:
    homes = schema.homes("contract")

    assert [["response"], ["tools", "sources"], ["an entry of scenarios"]] == [
        homes[key] for key in ("contains", "required", "prompt")
    ]
