"""A problem is told as an editor's link, and errors carry all of theirs."""

import pytest

from agenttest.errors import AgentTestError, InvalidInput, NotSaved, Problem
from agenttest.model import Reason


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Problem("c.yml", 3, 5, "is odd"), "c.yml:3:5: is odd"),
        (Problem("c.yml", 0, 0, "is odd"), "c.yml: is odd"),
        (Problem("", 0, 0, "all is odd"), "all is odd"),
    ],
)
def test_a_problem_is_told_with_its_place(problem: Problem, text: str) -> None:
    assert text == str(problem)


def test_problems_sort_as_they_stand_in_the_file() -> None:
    first, second, third = Problem("c", 2, 9, "b"), Problem("c", 10, 1, "a"), Problem("c", 10, 2, "a")

    assert [first, second, third] == sorted([third, second, first])


def test_an_error_holds_all_problems_a_line_each() -> None:
    problems = [Problem("c", 1, 1, "is odd"), Problem("c", 2, 1, "is even")]

    assert "c:1:1: is odd\nc:2:1: is even" == str(InvalidInput(problems))


def test_an_error_may_be_made_of_one_problem() -> None:
    problem = Problem("c", 1, 1, "is odd")

    assert (problem,) == AgentTestError(problem).problems


def test_each_error_knows_the_reason_of_the_run_that_it_ends() -> None:
    assert [Reason.INTERNAL, Reason.INVALID_INPUT, Reason.NOT_SAVED] == [
        error.reason for error in (AgentTestError, InvalidInput, NotSaved)
    ]
