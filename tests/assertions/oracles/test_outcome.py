"""Oracles of what is left in the end: the state, a refusal, the cited sources."""

import pytest

from agenttest.assertions.finding import Finding
from agenttest.model import Status
from tests.assertions.oracles.traces import finding

STATE = {"valve": "open", "note": "", "Mode": "True"}


def state(key: str, value: str, seen: dict[str, str] | None = None) -> Finding:
    return finding("StateEquals", {"stateKey": key, "expectedValue": value}, STATE if seen is None else seen)


@pytest.mark.parametrize(("key", "value"), [("valve", "open"), ("note", ""), ("Mode", "True")])
def test_a_value_is_what_it_must_be(key: str, value: str) -> None:
    assert Finding(f"'{key}' is '{value}'", value, status=Status.PASS) == state(key, value)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("valve", "closed", "'valve' is 'open', expected 'closed'"),
        ("valve", "", "'valve' is 'open', expected ''"),
        ("Mode", "true", "'Mode' is 'True', expected 'true'; they differ in letter case alone"),
        ("valve", " open", "'valve' is 'open', expected ' open'; they differ in white space alone"),
    ],
)
def test_another_value_is_not_taken_for_it(key: str, value: str, message: str) -> None:
    assert Finding(message, STATE[key]) == state(key, value)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("lamp", "the state has no 'lamp'"),
        ("VALVE", "the state has no 'VALVE'; the nearest key is 'valve'"),
        ("valves", "the state has no 'valves'; the nearest key is 'valve'"),
        ("valve ", "the state has no 'valve '; the nearest key is 'valve'"),
    ],
)
def test_a_key_that_was_never_set_has_no_value(key: str, message: str) -> None:
    assert Finding(message, "missing") == state(key, "")


def test_a_key_that_was_never_set_is_not_the_word_missing() -> None:
    assert Status.FAIL is state("lamp", "missing").status


@pytest.mark.parametrize(
    ("expected", "seen", "found"),
    [
        (True, True, Finding("the agent refused", "a refusal", status=Status.PASS)),
        (False, False, Finding("the agent did not refuse", "no refusal", status=Status.PASS)),
        (True, False, Finding("the agent did not refuse, and must", "no refusal")),
        (False, True, Finding("the agent refused, and must not", "a refusal")),
    ],
)
def test_a_refusal_is_what_it_is_said_to_be(expected: bool, seen: bool, found: Finding) -> None:
    assert found == finding("Refusal", {"expected": expected}, seen)


def test_a_source_is_cited_by_its_id() -> None:
    expected = Finding("the source 'plan' is cited", "weather, plan", status=Status.PASS)
    assert expected == finding("SourceCited", {"sourceId": " plan "}, ("weather", "plan"))


@pytest.mark.parametrize("given", ["Plan", "pla", "plan#2"])
def test_a_source_of_another_id_is_another_one(given: str) -> None:
    expected = Finding(f"the source '{given}' is not cited", "weather, plan")
    assert expected == finding("SourceCited", {"sourceId": given}, ("weather", "plan"))
