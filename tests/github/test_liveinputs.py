"""Live inputs say whom a step may ask and within which limits; all that is wrong with them is told at once."""

from pathlib import Path

import pytest

from agenttest.errors import Problem
from agenttest.github import context
from agenttest.github.inputs import Inputs, read
from agenttest.github.liveinputs import worded
from agenttest.settings import Limits, Live

URL = "http://agent:8080/v1/chat/completions"


def inputs(variables: dict[str, str] | None = None, **given: str) -> Inputs:
    named = {context.variable(name.replace("_", "-")): value for name, value in given.items()}
    return read(context.read({**named, **(variables or {})}, Path("/here")))


def told(found: Inputs) -> list[str]:
    return [problem.path for problem in found.problems]


def test_without_a_live_input_nobody_is_asked() -> None:
    assert (None, Limits()) == (inputs().live, inputs().limits)


def test_every_live_input_arrives() -> None:
    given = inputs(
        {"AGENT_TOKEN": "opensesame"},
        endpoint=f" {URL}\n",
        auth_env="AGENT_TOKEN",
        ca_file="ca.pem",
        model="desk",
        timeout_seconds="2.5",
        concurrency="8",
        wait_for_endpoint="60",
        allow_contract_endpoint="true",
        allow_isolated="TRUE",
        allow_remote="true",
    )

    wanted = Live(URL, True, True, True, "opensesame", "ca.pem", "desk", 2.5, 8, 60.0)
    assert ((), wanted) == (given.problems, given.live)


def test_the_limits_are_those_of_any_run() -> None:
    given = inputs(max_tokens="99", max_seconds="0.5")

    assert ((), None, Limits(None, 0.5, 99)) == (given.problems, given.live, given.limits)


def test_a_consent_that_is_not_given_is_no_live_input() -> None:
    given = inputs(allow_contract_endpoint="false", allow_isolated="false", allow_remote="false")

    assert ((), None) == (given.problems, given.live)


def test_the_contracts_own_endpoint_may_be_asked_alone() -> None:
    assert Live(contract_endpoint=True) == inputs(allow_contract_endpoint="true").live


@pytest.mark.parametrize("word", ["x", "-1", "1e3", "nan", "inf", "1_0", "٣", "1.5.2", "0x10", "9" * 30])
@pytest.mark.parametrize("name", ["timeout-seconds", "concurrency", "wait-for-endpoint", "max-tokens", "max-seconds"])
def test_what_is_no_number_is_told(name: str, word: str) -> None:
    (problem,) = inputs(endpoint=URL, **{name.replace("-", "_"): word}).problems

    assert (f"with: {name}", True) == (problem.path, "; give a" in problem.message)


@pytest.mark.parametrize("name", ["concurrency", "max-tokens"])
def test_a_number_of_things_is_a_whole_one(name: str) -> None:
    assert [Problem(f"with: {name}", 0, 0, "is '1.5'; give a whole number, such as 10")] == list(
        inputs(endpoint=URL, **{name.replace("-", "_"): "1.5"}).problems
    )


@pytest.mark.parametrize(
    ("name", "word", "said"),
    [
        ("timeout-seconds", "0", "is 0.0; give a number above 0, at most 300"),
        ("timeout-seconds", "301", "is 301.0; give a number above 0, at most 300"),
        ("concurrency", "0", "is 0; give a number from 1 to 64"),
        ("concurrency", "65", "is 65; give a number from 1 to 64"),
        ("wait-for-endpoint", "3601", "is 3601.0; give a number from 0 to 3600"),
        ("max-tokens", "0", "is 0; give a number from 1 to 32768"),
        ("max-seconds", "0", "is 0.0; give a number above 0, at most 3600"),
        ("max-seconds", "3601", "is 3601.0; give a number above 0, at most 3600"),
    ],
)
def test_a_number_out_of_its_bounds_is_told_as_the_workflow_names_it(name: str, word: str, said: str) -> None:
    found = inputs(endpoint=URL, **{name.replace("-", "_"): word})

    assert ((Problem(f"with: {name}", 0, 0, said),), None) == (found.problems, found.live)


def test_all_that_is_wrong_is_told_at_once() -> None:
    found = inputs(
        concurrency="many", max_tokens="0", max_seconds="x", auth_env="NOT_SET", allow_remote="maybe", endpoint=URL
    )

    names = {"allow-remote", "auth-env", "concurrency", "max-seconds", "max-tokens"}
    assert {f"with: {name}" for name in names} == set(told(found))
    assert 5 == len(found.problems)


def test_an_input_without_an_endpoint_is_told_with_what_lacks() -> None:
    (problem,) = inputs(model="desk").problems

    assert "with: model: is given, but no endpoint; give with: endpoint, or with: allow-contract-endpoint" == str(
        problem
    )


def test_a_recording_and_an_agent_do_not_go_together() -> None:
    found = inputs(observations="a.json", endpoint=URL, concurrency="2")

    said = "cannot be combined with observations; a recording needs no endpoint, so leave endpoint, concurrency out"
    assert (Problem("with: endpoint", 0, 0, said),) == found.problems


@pytest.mark.parametrize(
    "name", ["ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "GITHUB_TOKEN", "github_token", "INPUT_X"]
)
def test_the_runners_own_variables_are_sent_to_nobody(name: str) -> None:
    found = inputs({name: "ghs_of-this-job"}, endpoint=URL, auth_env=name)

    said = f"names {name!r}, which is the runner's own; give the token a variable of its own, such as AGENT_TOKEN"
    assert ((Problem("with: auth-env", 0, 0, said),), None) == (found.problems, found.live)


def test_another_input_is_no_variable_to_send() -> None:
    (problem,) = inputs(endpoint=URL, auth_env="INPUT_GITHUB-TOKEN", github_token="ghs_of-this-job").problems

    assert "the runner's own" in problem.message


@pytest.mark.parametrize("mode", ["replay", "merge"])
@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("endpoint", URL),
        ("concurrency", "2"),
        ("max-seconds", "9"),
        ("allow-isolated", "true"),
        ("allow-untrusted-head", "true"),
    ],
)
def test_a_mode_that_asks_nobody_has_no_use_for_a_live_input(mode: str, name: str, word: str) -> None:
    found = inputs(mode=mode, **{name.replace("-", "_"): word})

    assert f"is given, and mode {mode} has no use for it; leave it out, or set mode: test" in [
        problem.message for problem in found.problems if problem.path == f"with: {name}"
    ]


def test_the_token_is_in_no_repr() -> None:
    assert "opensesame" not in repr(inputs({"AGENT_TOKEN": "opensesame"}, endpoint=URL, auth_env="AGENT_TOKEN"))


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (
            Problem("--endpoint", 0, 0, "give --allow-remote"),
            Problem("with: endpoint", 0, 0, "give allow-remote: true"),
        ),
        (Problem("a.yml", 3, 1, "or give --model"), Problem("a.yml", 3, 1, "or give model")),
        (Problem("--shard", 0, 0, "is '--models'"), Problem("--shard", 0, 0, "is '--models'")),
    ],
)
def test_what_is_said_of_a_flag_is_said_of_the_input(told: Problem, wanted: Problem) -> None:
    assert wanted == worded(told)
