"""What the inputs of a step mean, and what is said of those that mean nothing."""

import os
from pathlib import Path

import pytest

from agenttest import action
from tests.action.job import Job
from tests.e2e import desk

SUITE = {"suite": "desk.yml"}


@pytest.mark.parametrize("name", ["fail-on", "strict", "summary", "annotations"])
def test_an_unknown_word_is_invalid_input_and_everything_is_still_written(job: Job, name: str) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run({**SUITE, name: "sometimes"})

    assert (2, "incomplete", "invalid-input") == (done.exit_code, done.outputs["status"], done.outputs["reason"])
    assert [("error", None, None)] == done.places
    assert all(f"with: {name}" in text and "'sometimes'; should be one of" in text for text in (done.log, done.summary))


def test_all_that_is_wrong_with_the_inputs_is_said_at_once(job: Job) -> None:
    done = job.run({"suite": "none/*.yml\nnothing/*", "strict": "maybe"})

    assert 3 == len(done.commands)
    assert "'nothing/*' matches no file" in done.commands[2].data


@pytest.mark.parametrize("name", ["..", "../other", "/etc", "nowhere", "desk.yml"])
def test_a_working_directory_that_is_no_folder_of_the_workspace_is_invalid(job: Job, name: str) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run({**SUITE, "working-directory": name})

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
    assert f"with: working-directory: is {name!r}, which is no folder of the workspace" in done.log


def test_a_working_directory_whose_name_no_system_takes_is_invalid(job: Job) -> None:
    done = job.run({**SUITE, "working-directory": "x" * 300})

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])


def test_a_link_out_of_the_workspace_is_no_working_directory(job: Job) -> None:
    (job.workspace / "away").symlink_to("/etc")

    assert "invalid-input" == job.run({**SUITE, "working-directory": "away"}).outputs["reason"]


def test_paths_start_from_the_working_directory_and_annotations_from_the_workspace(job: Job) -> None:
    desk.lay(job.workspace / "agents" / "desk", desk.BROKEN)

    done = job.run({**SUITE, "working-directory": "agents/desk"})

    assert {"agents/desk/desk.yml"} == {file for _, file, _ in done.places}
    assert done.outputs["run-directory"].startswith("agents/desk/agent-test-runs/")


def test_absolute_paths_in_the_workspace_are_taken_also_over_a_link(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    linked = job.side / "linked"
    linked.symlink_to(job.workspace)
    paths = {
        "suite": f"{linked}/desk.yml\n{linked}/*.yml",
        "observations": f"{linked}/desk.observations.json",
        "working-directory": str(linked),
        "run-directory": f"{linked}/runs",
    }

    done = job.run(paths, GITHUB_WORKSPACE=str(linked))

    assert (1, "1") == (done.exit_code, done.outputs["total"])
    assert {"desk.yml"} == {file for _, file, _ in done.places}
    assert done.outputs["run-directory"].startswith("runs/")


def test_where_the_process_stands_does_not_matter(job: Job, tmp_path: Path) -> None:
    desk.lay(job.workspace / "elsewhere", desk.KEPT)
    desk.lay(job.workspace, desk.BROKEN)
    job.monkeypatch.setattr(os, "environ", job.environment(SUITE))
    job.monkeypatch.chdir(job.workspace / "elsewhere")

    assert 1 == action.main()


def test_outside_a_job_it_runs_in_the_working_directory_and_says_what_it_lacks(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run(SUITE, GITHUB_WORKSPACE="", GITHUB_OUTPUT="", GITHUB_STEP_SUMMARY="")

    assert (0, {}, "") == (done.exit_code, done.outputs, done.summary)
    assert "GITHUB_OUTPUT is not set" in done.log


def test_several_suites_are_found_by_a_pattern_without_recordings_and_runs(job: Job) -> None:
    desk.lay(job.workspace / "contracts", desk.KEPT, "first")
    desk.lay(job.workspace / "contracts" / "deep", desk.BROKEN, "second")
    inputs = {"suite": "contracts/**\ncontracts/first.yml", "run-directory": "contracts/runs"}

    done = [job.run(inputs), job.run(inputs)]

    assert [(1, "2"), (1, "2")] == [(each.exit_code, each.outputs["total"]) for each in done]
    assert {"contracts/deep/second.yml"} == {file for _, file, _ in done[1].places}
    assert done[1].outputs["report-json"] == done[1].outputs["run-directory"] + "/summary.json"


def test_a_name_that_looks_like_a_pattern_is_taken_where_it_is_a_file(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT, "[desk]")

    assert 0 == job.run({"suite": "[desk].yml"}).exit_code


def test_without_a_suite_it_is_the_one_that_the_command_line_would_find(job: Job) -> None:
    desk.lay(job.workspace / ".agenttest", desk.KEPT, "agent-test")
    (job.workspace / "sub").mkdir()

    done = job.run({"working-directory": "sub"})

    assert 0 == done.exit_code, done.log


def test_without_any_suite_it_says_where_it_looked(job: Job) -> None:
    done = job.run()

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
    assert ".agenttest/agent-test.yml" in done.summary


def test_only_the_chosen_scenarios_are_judged(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    assert [0, 2] == [job.run({**SUITE, "scenario": name}).exit_code for name in ("refund-*", "other")]


def test_a_contract_that_a_pattern_finds_behind_a_link_is_not_left_out_in_silence(job: Job) -> None:
    desk.lay(job.workspace / "contracts", desk.KEPT)
    (job.workspace / "contracts/linked.yml").symlink_to("desk.yml")

    done = job.run({"suite": "contracts/*.yml"})

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
    assert "contracts/linked.yml: is a symbolic link" in done.log
