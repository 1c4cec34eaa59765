"""A step's environment is read as the runner means it."""

from pathlib import Path

import pytest

from agenttest.github.context import forget_secrets, read, variable

HERE = Path("/here")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("suite", "INPUT_SUITE"), ("fail-on", "INPUT_FAIL-ON"), ("my input", "INPUT_MY_INPUT"), ("a.b", "INPUT_A.B")],
)
def test_hyphens_and_dots_of_an_inputs_name_stay(name: str, expected: str) -> None:
    assert expected == variable(name)


def test_an_empty_input_is_not_given() -> None:
    context = read({"INPUT_SUITE": "", "INPUT_FAIL-ON": "fail"}, HERE)

    assert (None, "fail", None) == (context.input("suite"), context.input("fail-on"), context.input("strict"))


def test_outside_a_job_the_workspace_is_the_working_directory() -> None:
    context = read({"GITHUB_WORKSPACE": "", "GITHUB_OUTPUT": ""}, HERE)

    assert (HERE, None, None, False) == (context.workspace, context.output, context.step_summary, context.debug)


def test_the_workspace_is_where_the_environment_says() -> None:
    assert Path("/home/job/desk") == read({"GITHUB_WORKSPACE": "/home/job/desk"}, HERE).workspace


def test_the_jobs_tokens_are_forgotten() -> None:
    environment = dict.fromkeys(
        ["ACTIONS_RUNTIME_TOKEN", "ACTIONS_RESULTS_URL", "GITHUB_TOKEN", "INPUT_GITHUB-TOKEN", "my_token", "PATH"], "x"
    )

    forget_secrets(environment)

    assert {"PATH": "x"} == environment


def test_the_agents_token_is_forgotten_with_them() -> None:
    environment = {"AGENT_KEY": "x", "PATH": "x"}

    forget_secrets(environment, "AGENT_KEY")

    assert {"PATH": "x"} == environment
