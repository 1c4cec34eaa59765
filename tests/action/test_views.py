"""The files that a step leaves for people and tools, and the outputs that name them."""

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from agenttest.replay import replay
from agenttest.runs import VIEWS
from tests.action.job import Done, Job
from tests.e2e import desk

PATHS = {"report-html": "report.html", "sarif-file": "results.sarif", "junit-file": "junit.xml"}


def several(job: Job) -> Done:
    desk.lay(job.workspace, desk.KEPT, "one")
    desk.lay(job.workspace, desk.BROKEN, "two")
    return job.run({"suite": "one.yml\ntwo.yml"})


def run_of(job: Job, done: Done) -> Path:
    return job.workspace / done.outputs["run-directory"]


def test_one_suite_has_every_view_and_the_outputs_name_them(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run({"suite": "desk.yml"})

    run = run_of(job, done)
    assert {*VIEWS.values()} <= {*os.listdir(run)}
    assert {name: f"{done.outputs['run-directory']}/{file}" for name, file in PATHS.items()} == {
        name: done.outputs[name] for name in PATHS
    }


def test_several_suites_have_every_view_each_and_together(job: Job) -> None:
    done = several(job)

    run = run_of(job, done)
    folders = [run, *(path for path in run.iterdir() if path.is_dir())]
    assert [set()] * 3 == [{*VIEWS.values()} - {*os.listdir(folder)} for folder in folders]
    assert [run / file for file in PATHS.values()] == [job.workspace / done.outputs[name] for name in PATHS]


def test_the_views_of_all_suites_tell_of_all(job: Job) -> None:
    done = several(job)

    html, sarif, junit = [(job.workspace / done.outputs[name]).read_text() for name in PATHS]
    suites = ET.fromstring(junit)
    assert 2 == len(json.loads(sarif)["runs"])
    assert ["one.yml", "two.yml"] == [suite.get("name") for suite in suites.iter("testsuite")]
    assert all(f"{name}.yml" in html for name in ("one", "two"))
    assert all(f"{path.name}/report.html" in html for path in run_of(job, done).iterdir() if path.is_dir())


def test_the_views_of_all_suites_are_listed_and_replay_notices_a_change(job: Job) -> None:
    run = run_of(job, several(job))
    before = replay(run).valid
    (run / "report.html").write_text("all is well")

    assert (True, False) == (before, replay(run).valid)


def test_the_views_of_a_child_are_listed_and_replay_notices_a_change(job: Job) -> None:
    run = run_of(job, several(job))
    (child,) = run.glob("0002-*")
    (child / "junit.xml").write_text("<testsuites/>")

    assert not replay(run).valid


@pytest.mark.parametrize(
    "inputs",
    [{"suite": "none.yml"}, {"suite": "desk.yml", "strict": "maybe"}, {"mode": "replay", "runs": "none"}],
    ids=["no-suite", "no-word", "no-run"],
)
def test_where_there_is_no_run_every_path_is_empty(job: Job, inputs: dict[str, str]) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run(inputs)

    assert [""] * 5 == [done.outputs[name] for name in ("run-directory", "report-json", *PATHS)]


def test_of_several_suites_one_that_is_invalid_does_not_take_the_others_views(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT, "one")

    done = job.run({"suite": "one.yml\nnone.yml"})

    assert (2, "incomplete") == (done.exit_code, done.outputs["status"])
    assert all((job.workspace / done.outputs[name]).is_file() for name in PATHS)
    assert replay(run_of(job, done)).valid


def test_where_a_run_cannot_be_saved_every_path_is_empty(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)
    (job.workspace / "agent-test-runs").write_text("in the way")

    done = job.run({"suite": "desk.yml"})

    assert [""] * 5 == [done.outputs[name] for name in ("run-directory", "report-json", *PATHS)]
