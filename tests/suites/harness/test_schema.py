"""The schema of scenario files and the table of oracles say the same, and every closed object lets own notes in."""

from collections.abc import Iterator
from typing import Any

import pytest

from agenttest.assertions.oracles import ORACLES
from agenttest.documents import schema
from agenttest.model import StepKind
from agenttest.steps import PAYLOADS
from agenttest.suites.harness import lint

SCHEMA = schema.load("scenario")
ORACLE = SCHEMA["$defs"]["oracle"]["properties"]
STEP = SCHEMA["$defs"]["step"]["properties"]


def closed(part: Any) -> Iterator[dict[str, Any]]:
    """Every object of the schema whose keys are named."""
    if isinstance(part, dict) and part.get("additionalProperties") is False:
        yield part
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for each in inner:
        yield from closed(each)


def optional() -> Iterator[tuple[str, Any]]:
    """Every key that may be left out, with what it takes."""
    for part in closed(SCHEMA):
        for key, row in part["properties"].items():
            if key not in part.get("required", ()):
                yield key, row | SCHEMA["$defs"].get(str(row.get("$ref")).rpartition("/")[2], {})


def test_every_type_of_oracle_is_a_word_of_the_schema() -> None:
    assert list(ORACLES) == ORACLE["type"]["enum"]


@pytest.mark.parametrize("kind", ORACLES)
def test_every_parameter_of_an_oracle_is_described(kind: str) -> None:
    read = (*ORACLES[kind].needs, *ORACLES[kind].reads)

    assert [] == [name for name in read if not ORACLE.get(name, {}).get("description")]


def test_every_parameter_of_the_schema_is_read_by_some_oracle() -> None:
    read = {name for oracle in ORACLES.values() for name in (*oracle.needs, *oracle.reads)}

    assert set() == ORACLE.keys() - {*lint.FREE, *read}


def test_every_oracle_that_the_lint_names_is_one() -> None:
    named = {kind for kinds in lint.TAGS.values() for kind in kinds} | {*lint.ANSWER, lint.UNSAFE}

    assert set() == named - ORACLES.keys()


def test_a_step_may_have_the_payload_of_every_kind() -> None:
    assert (list(StepKind), []) == (STEP["kind"]["examples"], [key for key in PAYLOADS.values() if key not in STEP])


def test_every_named_object_lets_own_notes_in() -> None:
    assert [{"^x-": True}] == [
        dict(each) for each in {tuple(part["patternProperties"].items()) for part in closed(SCHEMA)}
    ]


def test_every_optional_key_may_be_null() -> None:
    assert [] == [key for key, row in optional() if "null" not in row.get("type", ())]


def test_no_choice_of_words_shuts_null_out() -> None:
    assert [] == [key for key, row in optional() if "enum" in row]
