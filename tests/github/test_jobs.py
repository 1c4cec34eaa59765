"""The job: no two steps alike, and links that only our own parts can lead anywhere."""

import json
from pathlib import Path

import pytest

from agenttest.github import jobs
from agenttest.github.jobs import Job
from tests.github.api_service import HEAD, context


def job(folder: Path, **more: str) -> Job:
    return jobs.read(context("http://127.0.0.1:9", folder, **more))


@pytest.mark.parametrize(
    "more",
    [
        {"GITHUB_JOB": "other"},
        {"GITHUB_ACTION": "__self_2"},
        {"GITHUB_WORKFLOW_REF": "o/r/.github/workflows/b.yml@refs/x"},
        {"INPUT_INTERNAL-MATRIX": '{"python": "3.12"}'},
    ],
)
def test_no_two_steps_are_in_one_place(tmp_path: Path, more: dict[str, str]) -> None:
    assert job(tmp_path).place != job(tmp_path, **more).place


@pytest.mark.parametrize(
    "more",
    [
        {"GITHUB_RUN_ID": "78"},
        {"GITHUB_SHA": "0" * 40},
        {"GITHUB_WORKFLOW_REF": "o/r/.github/workflows/agents.yml@refs/heads/x"},
        {"INPUT_INTERNAL-MATRIX": "null"},
        {"INPUT_INTERNAL-MATRIX": "{}"},
        {"INPUT_INTERNAL-MATRIX": "{"},
    ],
)
def test_a_step_of_another_run_is_in_the_same_place(tmp_path: Path, more: dict[str, str]) -> None:
    assert job(tmp_path).place == job(tmp_path, **more).place


def test_a_matrix_is_the_same_in_whatever_order_it_is_told(tmp_path: Path) -> None:
    one, other = ({"INPUT_INTERNAL-MATRIX": text} for text in ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}'))

    assert job(tmp_path, **one).place == job(tmp_path, **other).place


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, "agenttest (contracts)"),
        ({"GITHUB_ACTION": "__o_agent-test-action"}, "agenttest (contracts)"),
        ({"GITHUB_ACTION": "__o_agent-test-action_2"}, "agenttest (contracts, __o_agent-test-action_2)"),
        ({"GITHUB_ACTION": "agent"}, "agenttest (contracts, agent)"),
        ({"INPUT_INTERNAL-MATRIX": '{"python": "3.12", "n": 2}'}, "agenttest (contracts, 3.12, 2)"),
        ({"GITHUB_JOB": "", "GITHUB_ACTION": ""}, "agenttest"),
    ],
)
def test_a_step_is_named_so_that_people_know_it(tmp_path: Path, more: dict[str, str], name: str) -> None:
    assert name == job(tmp_path, **more).name


def test_long_names_stay_apart(tmp_path: Path) -> None:
    one, other = (job(tmp_path, **{"INPUT_INTERNAL-MATRIX": json.dumps({"a": "x" * 500 + end})}) for end in "12")

    assert one.name != other.name
    assert len(one.name) < 150


def test_a_line_has_an_address_at_the_commit(tmp_path: Path) -> None:
    assert f"https://github.com/o/r/blob/{HEAD}/a/desk.yml#L7" == job(tmp_path).line("a/desk.yml", 7)


def test_no_character_of_a_path_means_anything_in_an_address(tmp_path: Path) -> None:
    found = job(tmp_path).line("a b(c)[d]<e>?f#g@h`i\"j'k\\ä", 7)

    assert f"https://github.com/o/r/blob/{HEAD}/a%20b%28c%29%5Bd%5D%3Ce%3E%3Ff%23g%40h%60i%22j%27k%5C%C3%A4#L7" == found


@pytest.mark.parametrize(
    "more",
    [
        {"GITHUB_SERVER_URL": "javascript:alert(1)"},
        {"GITHUB_SERVER_URL": "https://x)[y"},
        {"GITHUB_SERVER_URL": "https://x/y"},
        {"GITHUB_REPOSITORY": "o/r)x"},
        {"GITHUB_REPOSITORY": "../r"},
        {"GITHUB_REPOSITORY": "o/.."},
        {"GITEA_ACTIONS": "true"},
    ],
)
def test_where_an_address_cannot_be_made_there_is_none(tmp_path: Path, more: dict[str, str]) -> None:
    found = job(tmp_path, **more)

    assert ("", "", "") == (found.line("desk.yml", 7), found.page, found.artifact("1"))


@pytest.mark.parametrize("number", ["", "x", "1)", "../1", "٣"])
def test_an_artifact_without_a_number_has_no_address(tmp_path: Path, number: str) -> None:
    assert "" == job(tmp_path).artifact(number)


def test_an_artifact_has_an_address(tmp_path: Path) -> None:
    assert "https://github.com/o/r/actions/runs/77/artifacts/4242" == job(tmp_path).artifact("4242")


@pytest.mark.parametrize(("server", "remote"), [("https://github.com", "o/r"), ("https://x.example", "x.example/o/r")])
def test_gh_is_told_which_server(tmp_path: Path, server: str, remote: str) -> None:
    assert remote == job(tmp_path, GITHUB_SERVER_URL=server).remote
