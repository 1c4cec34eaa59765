"""SARIF's description of the tool: a rule for each kind of assertion, in words that teach it."""

import re

import pytest

from agenttest.assertions import ASSERTIONS
from agenttest.model import Reason
from agenttest.reporters.rules import LEFT_OUT, driver, rule
from tests.markdown import table


def test_each_kind_of_assertion_is_a_rule() -> None:
    assert list(ASSERTIONS) == [each["id"] for each in driver()["rules"]]


@pytest.mark.parametrize("kind", ASSERTIONS)
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_rule_says_what_it_demands_why_it_fails_and_what_to_do(kind: str, form: str) -> None:
    parts = ["What it demands", "Why it fails", "What to do"]

    assert parts == re.findall("|".join(parts), rule(kind)["help"][form])


@pytest.mark.parametrize("kind", ASSERTIONS)
def test_a_rules_texts_are_as_short_as_github_takes_them(kind: str) -> None:
    found = rule(kind)

    assert max(len(found["shortDescription"]["text"]), len(found["fullDescription"]["text"])) <= 1024
    assert len(found["properties"]["tags"]) <= 10


def test_each_notification_is_described() -> None:
    described = {each["id"] for each in driver()["notifications"]}

    assert {*Reason, LEFT_OUT} - {Reason.KEPT} == described


def test_the_page_lists_the_rules_with_their_assertions() -> None:
    listed = table("docs/reports.md", "rule", "of the assertion").rows

    assert [(f"`{kind}`", f"`{row.path}`") for kind, row in ASSERTIONS.items()] == list(listed)
