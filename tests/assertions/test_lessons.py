"""The table of lessons: each kind of assertion is explained, with an example that is a contract's."""

import re
from dataclasses import astuple

import pytest
import yaml

from agenttest.assertions import ASSERTIONS
from agenttest.assertions.lessons import LESSONS, UNPROVEN
from tests.suites.contract.contracts import scenario


def test_each_kind_of_assertion_has_a_lesson_in_the_tables_order() -> None:
    assert list(ASSERTIONS) == list(LESSONS)


@pytest.mark.parametrize("kind", LESSONS)
def test_a_lesson_is_told_in_whole_sentences(kind: str) -> None:
    lesson = LESSONS[kind]

    for told in (f"{lesson.title}.", lesson.demand, lesson.failure, lesson.remedy, UNPROVEN):
        assert re.fullmatch(r"[A-Z].*\.", told)
        assert len(told) < 1024


@pytest.mark.parametrize("kind", LESSONS)
def test_an_example_asks_for_the_kind_that_it_stands_with(kind: str) -> None:
    found = scenario(str(yaml.safe_load(LESSONS[kind].example)))

    assert {kind} == {assertion.kind for assertion in found.assertions}


def test_no_two_kinds_are_told_alike() -> None:
    assert len(LESSONS) == len(set(map(astuple, LESSONS.values())))
