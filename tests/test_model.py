"""One ranking of statuses, one exit code for each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.model import Status
from tests.nouns import judged

PASS, FAIL, INCOMPLETE = Status.PASS, Status.FAIL, Status.INCOMPLETE


@pytest.mark.parametrize(
    ("statuses", "worst"),
    [
        ([PASS, PASS], PASS),
        ([PASS, INCOMPLETE], INCOMPLETE),
        ([INCOMPLETE, FAIL, PASS], FAIL),
        ([], INCOMPLETE),
    ],
)
def test_fail_is_worse_than_incomplete_and_that_than_pass(statuses: list[Status], worst: Status) -> None:
    assert worst is Status.worst(statuses)


@given(st.lists(st.sampled_from(Status), min_size=1), st.lists(st.sampled_from(Status), min_size=1))
def test_the_worst_of_parts_is_the_worst_of_all(some: list[Status], others: list[Status]) -> None:
    assert Status.worst([*some, *others]) is Status.worst([Status.worst(some), Status.worst(others)])


def test_each_status_has_its_exit_code() -> None:
    assert {PASS: 0, FAIL: 1, INCOMPLETE: 2} == {status: status.exit_code for status in Status}


def test_a_scenario_is_as_bad_as_its_worst_outcome() -> None:
    assert FAIL is judged(PASS, FAIL, INCOMPLETE).status
