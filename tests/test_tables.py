"""Every row of a table has all that belongs to it: a place in the schema, a line in the docs, a test."""

from pathlib import Path
from typing import Any

import pytest

from agenttest.assertions import ASSERTIONS
from agenttest.documents import schema
from agenttest.model import Status
from agenttest.reporters import REPORTERS, reporter
from tests import nouns, test_evaluate
from tests.suites.contract import test_shape
from tests.suites.contract.contracts import scenario

ROOT = Path(__file__).parents[1]


def asked_for(path: str) -> dict[str, Any]:
    """What the contract's schema says of the key at a path below `expect`."""
    part: dict[str, Any] = schema.load("contract")["$defs"]["expect"]
    for key in path.split("."):
        part = part["properties"][key]
    return part


@pytest.mark.parametrize("kind", ASSERTIONS)
def test_each_assertion_has_a_described_place_in_the_schema(kind: str) -> None:
    assert asked_for(ASSERTIONS[kind].path)["description"]


def test_each_key_that_asks_for_something_is_an_assertion() -> None:
    expect = schema.load("contract")["$defs"]["expect"]["properties"]
    keys = {f"{name}.{key}" for name, part in expect.items() for key in part.get("properties", {})} | {"refusal"}

    assert keys == {row.path for row in ASSERTIONS.values()}


@pytest.mark.parametrize("kind", ASSERTIONS)
def test_each_assertion_has_a_line_in_the_docs(kind: str) -> None:
    row = ASSERTIONS[kind]

    assert f"| `{row.path}` | {row.channel} |" in (ROOT / "docs/contract.md").read_text("utf-8")


def test_each_assertion_can_be_asked_for_in_the_tables_order() -> None:
    found = dict.fromkeys(each.kind for each in scenario(test_shape.EVERYTHING).assertions)

    assert list(ASSERTIONS) == list(found)


def test_each_assertion_is_named_by_its_place() -> None:
    found = {each.kind: each.name.split("[")[0] for each in scenario(test_shape.EVERYTHING).assertions}

    assert {kind: row.path for kind, row in ASSERTIONS.items()} == found


def test_each_assertion_is_seen_to_pass_and_to_fail() -> None:
    assert list(ASSERTIONS) == list(test_evaluate.NAMES)


@pytest.mark.parametrize("kind", [kind for kind, row in ASSERTIONS.items() if row.refutable])
def test_what_partial_evidence_can_refute_more_evidence_never_mends(kind: str) -> None:
    name, expected = test_evaluate.NAMES[kind]
    channel = ASSERTIONS[kind].channel
    seen = getattr(test_evaluate.BROKEN, {"tools": "tool_calls"}.get(channel, channel))
    more = getattr(test_evaluate.KEPT, {"tools": "tool_calls"}.get(channel, channel))

    assert (
        Status.FAIL
        is nouns.outcome((name, kind, expected), nouns.observation(response=seen + more, tool_calls=seen + more)).status
    )


@pytest.mark.parametrize("name", REPORTERS)
def test_each_reporter_renders(name: str) -> None:
    assert callable(reporter(name))


@pytest.mark.parametrize("name", schema.SCHEMAS)
def test_each_schema_lies_in_the_package(name: str) -> None:
    assert schema.text_of(name).startswith("{")
