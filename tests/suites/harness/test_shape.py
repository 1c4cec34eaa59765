"""A valid file becomes a scenario with its defaults, and each of its oracles an assertion at its line."""

import json

import pytest

from agenttest.documents import schema
from agenttest.model import Risk
from tests.suites.harness.scenarios import CALLED, scenario, text

SPREAD = """\
{
  "risk": "Low", "id": " desk ",
  "input": {"prompt": "p"},
  "expected": {
    "oracles": [
      {"type": "ToolCalled", "toolName": "a"},   {"type": "ToolCalled"},
        {
        "text": "t", "type": "FinalAnswerContains"}
    ]
  }
}
"""


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_the_scenario_stands_at_its_id_and_each_oracle_at_its_own_place(end: str) -> None:
    found = scenario(SPREAD.replace("\n", end))

    assert (2, [(6, 7), (6, 50), (7, 9)]) == (found.line, [(check.line, check.column) for check in found.assertions])


def test_what_is_left_out_has_its_default() -> None:
    found = scenario(text())

    assert (Risk.MEDIUM, (), False, "scripted", "", "") == (
        found.risk,
        found.tags,
        found.required,
        found.executor,
        found.title,
        found.description,
    )


def test_what_is_said_is_kept() -> None:
    raw = json.loads(text(risk="critical", tags=["a"], description="d", more={"executor": " Replay "}))
    raw |= {"name": "n", "expected": {"requiredForGates": True}}
    found = scenario(json.dumps(raw))

    assert (Risk.CRITICAL, ("a",), True, "replay", "n", "d") == (
        found.risk,
        found.tags,
        found.required,
        found.executor,
        found.title,
        found.description,
    )


def test_the_input_is_kept_as_it_is_written() -> None:
    given = {"prompt": "Hello", "scriptedTrace": [{"message": " m "}], "metadata": {"k": "v"}, "x-note": [1]}

    assert given == scenario(text(more=given)).input


def test_the_id_and_tags_are_trimmed_and_a_tag_counts_once() -> None:
    found = scenario(text(name=" desk\n", tags=[" a ", "b", "a"]))

    assert ("desk", ("a", "b")) == (found.id, found.tags)


def test_an_oracle_is_named_by_its_place_and_has_its_parameters() -> None:
    (_, check) = scenario(text(CALLED, {**CALLED, "name": " reads ", "description": "why", "x-a": 1})).assertions

    assert ("expected.oracles[1]", "ToolCalled", "reads", {"toolName": "read"}, "read", None) == (
        check.name,
        check.kind,
        check.label,
        check.expected,
        check.summary,
        check.fault,
    )


@pytest.mark.parametrize("oracle", [{"type": "ToolCalled"}, {"type": "ToolCalled", "toolName": None}])
def test_an_oracle_without_its_parameter_is_at_fault_and_expects_it(oracle: object) -> None:
    (check,) = scenario(text(oracle)).assertions

    assert ("toolName", "the oracle ToolCalled needs 'toolName': the name of a tool") == (check.summary, check.fault)


@pytest.mark.parametrize("expected", ["{}", '{"oracles": []}', '{"oracles": null}'])
def test_a_scenario_without_oracles_has_one_assertion_that_says_so(expected: str) -> None:
    found = scenario(f'{{"id": "desk", "input": {{"prompt": "p"}},\n "expected": {expected}}}')

    (check,) = found.assertions
    assert ("expected.oracles", "ExplicitOracles", 2, 2, True) == (
        check.name,
        check.kind,
        check.line,
        check.column,
        check.fault is not None,
    )


def test_every_word_of_risk_in_the_schema_is_a_risk() -> None:
    words = schema.load("scenario")["properties"]["risk"]["examples"]

    assert list(Risk) == [Risk.of(word) for word in words]
