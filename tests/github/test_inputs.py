"""Inputs become values; a word that means nothing becomes a problem."""

from pathlib import Path

import pytest
import yaml

from agenttest.github import context
from agenttest.github.inputs import Annotations, FailOn, Inputs, Summary, read
from agenttest.model import Status

ACTION = Path(__file__).parents[2] / "action.yml"


def inputs(**given: str) -> Inputs:
    named = {context.variable(name.replace("_", "-")): value for name, value in given.items()}
    return read(context.read(named, Path("/here")))


def test_nothing_given_is_what_action_yml_says() -> None:
    described = yaml.safe_load(ACTION.read_text())["inputs"]

    given = inputs(
        **{name.replace("-", "_"): row["default"] for name, row in described.items() if "${{" not in row["default"]}
    )

    assert inputs() == given
    assert () == given.problems


def test_a_value_a_line_without_blank_ones() -> None:
    given = inputs(suite="a.yml\n\n  b c.yml \r\n", scenario="x\ny")

    assert (("a.yml", "b c.yml"), ("x", "y")) == (given.suites, given.scenarios)


def test_words_may_be_written_large() -> None:
    given = inputs(strict="True", fail_on="NEVER", summary="Failures", annotations=" never ")

    assert (True, FailOn.NEVER, Summary.FAILURES, Annotations.NEVER) == (
        given.strict,
        given.fail_on,
        given.summary,
        given.annotations,
    )
    assert () == given.problems


@pytest.mark.parametrize("name", ["strict", "fail-on", "summary", "annotations"])
def test_an_unknown_word_is_a_problem_that_says_what_would_be_right(name: str) -> None:
    (found,) = inputs(**{name.replace("-", "_"): "sometimes"}).problems

    assert f"with: {name}" == found.path
    assert "'sometimes'; should be one of '" in found.message


def test_an_unknown_word_leaves_the_default() -> None:
    assert FailOn.INCOMPLETE is inputs(fail_on="sometimes").fail_on


@pytest.mark.parametrize(("word", "exit_codes"), [("incomplete", [0, 1, 2]), ("fail", [0, 1, 0]), ("never", [0, 0, 0])])
def test_fail_on_decides_which_verdicts_turn_the_step_red(word: str, exit_codes: list[int]) -> None:
    found = [FailOn(word).exit_code(status) for status in (Status.PASS, Status.FAIL, Status.INCOMPLETE)]

    assert exit_codes == found


@pytest.mark.parametrize(
    ("mode", "name"),
    [("test", "runs"), *((mode, name) for mode in ("merge", "replay") for name in ("suite", "scenario", "shard"))],
)
def test_an_input_that_the_mode_has_no_use_for_is_told(mode: str, name: str) -> None:
    (problem,) = inputs(**{"mode": mode, name: "1/2"}).problems

    assert (f"with: {name}", True) == (problem.path, f"mode {mode} has no use for it" in problem.message)


@pytest.mark.parametrize("given", ["a\nb", "a\tb", "a\u202eb", "\ud800"])
def test_a_run_directory_that_cannot_be_an_output_is_told(given: str) -> None:
    assert ["with: run-directory"] == [problem.path for problem in inputs(run_directory=given).problems]


def test_a_blank_input_is_of_no_mode() -> None:
    assert () == inputs(mode="merge", suite=" \n ").problems
