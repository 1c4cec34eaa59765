"""The inputs that select scenarios of files: words become filters, and those that mean nothing problems."""

from pathlib import Path

import pytest

from agenttest.github import context
from agenttest.github.inputs import Inputs, read
from agenttest.model import NO_FILTERS, Filters, Risk


def inputs(**given: str) -> Inputs:
    named = {context.variable(name.replace("_", "-")): value for name, value in given.items()}
    return read(context.read(named, Path("/here")))


def test_nothing_given_filters_nothing() -> None:
    assert NO_FILTERS == inputs().filters


def test_a_line_asks_for_one_of_its_tags_and_each_line_for_one() -> None:
    assert (("a", "b"), ("c",)) == inputs(tag=" a, b\n\nc,").filters.tags


def test_words_may_be_written_in_any_case() -> None:
    found = inputs(risk="HIGH", min_risk=" low ", partial="True", lint="Error")

    assert Filters((), Risk.HIGH, Risk.LOW, partial=True) == found.filters
    assert ("error", ()) == (found.lint, found.problems)


@pytest.mark.parametrize("name", ["risk", "min-risk", "partial", "lint"])
def test_a_word_that_means_nothing_is_told(name: str) -> None:
    (problem,) = inputs(**{name.replace("-", "_"): "sometimes"}).problems

    assert (f"with: {name}", True) == (problem.path, "'sometimes'; " in problem.message)


def test_a_line_of_commas_is_told() -> None:
    (problem,) = inputs(tag="a\n,").problems

    assert "with: tag: has a line without a tag; give one tag a line, or several with commas between them" == str(
        problem
    )


@pytest.mark.parametrize(("name", "given"), [("tag", "a"), ("risk", "low"), ("min-risk", "low"), ("partial", "true")])
@pytest.mark.parametrize("mode", ["merge", "replay"])
def test_what_selects_is_of_no_use_but_to_judge(mode: str, name: str, given: str) -> None:
    (problem,) = inputs(**{"mode": mode, name.replace("-", "_"): given}).problems

    assert f"with: {name}" == problem.path
