"""The table of assertions: each row reads one channel of the evidence, and judges each expectation by itself."""

from collections.abc import Iterator
from dataclasses import fields

import pytest

from agenttest.assertions import ASSERTIONS, Finding
from agenttest.assertions.finding import each
from agenttest.evidence import Evidence


def larger(expected: int, observed: int) -> Iterator[Finding]:
    """A check to judge with: whether a number is as large as expected."""
    if observed < expected:
        yield Finding(f"{observed} is less than {expected}")


@pytest.mark.parametrize("kind", ASSERTIONS)
def test_each_row_reads_a_channel_of_the_evidence(kind: str) -> None:
    assert ASSERTIONS[kind].channel in {field.name for field in fields(Evidence)}


@pytest.mark.parametrize("kind", ASSERTIONS)
def test_each_row_says_in_words_what_was_kept(kind: str) -> None:
    assert ASSERTIONS[kind].kept[0].islower()


def test_each_expectation_is_judged_by_itself() -> None:
    assert [(0, Finding("5 is less than 7")), (2, Finding("5 is less than 6"))] == list(each(larger)([7, 4, 6], 5))
