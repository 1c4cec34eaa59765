"""The table of oracles' lessons: each type is explained, with an example that is one of it, and without fault."""

import json
import re
from dataclasses import astuple

import pytest

from agenttest.assertions.lessons import LESSONS
from agenttest.assertions.oracles import ORACLES
from agenttest.assertions.oracles.lessons import ORACLE_LESSONS
from agenttest.model import SuiteFile
from agenttest.suites import harness


def test_each_type_of_oracle_has_a_lesson_in_the_tables_order() -> None:
    assert list(ORACLES) == list(ORACLE_LESSONS)


@pytest.mark.parametrize("kind", ORACLE_LESSONS)
def test_a_lesson_is_told_in_whole_sentences(kind: str) -> None:
    lesson = ORACLE_LESSONS[kind]

    for told in (f"{lesson.title}.", lesson.demand, lesson.failure, lesson.remedy):
        assert re.fullmatch(r"[A-Z].*\.", told)
        assert len(told) < 1024


@pytest.mark.parametrize("kind", ORACLE_LESSONS)
def test_an_example_is_an_oracle_of_its_type_without_fault(kind: str) -> None:
    oracle = json.loads(ORACLE_LESSONS[kind].example)
    whole = {"id": "desk", "input": {"prompt": "Hello"}, "expected": {"oracles": [oracle]}}

    (scenario,) = harness.read("desk", (SuiteFile("desk.json", json.dumps(whole)),)).scenarios

    assert [(kind, None)] == [(each.kind, each.fault) for each in scenario.assertions]


def test_no_two_kinds_are_told_alike() -> None:
    told = [*LESSONS.values(), *ORACLE_LESSONS.values()]

    assert len(told) == len({lesson.title for lesson in told}) == len(set(map(astuple, told)))
