"""How far a run is: one line that counts, names the latest scenario, and stays within its columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.model import Judged, Status
from agenttest.quote import UNSEEN
from agenttest.reporters.progress import Progress, fitted, width
from tests.nouns import judged


def last(*found: Judged, count: int = 25, columns: int = 79) -> str:
    """The line after the last of these scenarios."""
    progress = Progress()
    return [progress.line(each, number, count, columns) for number, each in enumerate(found, 1)][-1]


def test_the_first_scenario_reads_so() -> None:
    assert "   1/25  1 passed  greets" == last(judged(Status.PASS, name="greets"))


def test_what_came_before_is_counted() -> None:
    found = [judged(status) for status in (Status.PASS, Status.FAIL, Status.FAIL, Status.INCOMPLETE)]

    assert "   4/25  1 passed, 2 failed, 1 incomplete  desk" == last(*found)


def test_the_next_suite_is_counted_anew() -> None:
    progress = Progress()
    progress.line(judged(Status.FAIL), 1, 1, 79)

    assert "  1/9  1 passed  desk" == progress.line(judged(Status.PASS), 1, 9, 79)


def test_a_long_name_is_cut() -> None:
    assert "  1/1  1 passed  abcde…" == last(judged(Status.PASS, name="abcdefghijk"), count=1, columns=24)


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("日本", 4)])
def test_what_fits_is_whole(text: str, columns: int) -> None:
    assert text == fitted(text, columns)


@given(st.text(), st.integers(2, 100))
def test_no_name_takes_more_columns_or_acts(name: str, columns: int) -> None:
    line = last(judged(Status.PASS, name=name), columns=columns)

    assert columns >= width(line)
    assert not UNSEEN.search(line)
    assert {"\n", "\t"}.isdisjoint(line)
