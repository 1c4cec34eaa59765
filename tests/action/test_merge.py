"""A step that merges: the parts of one run become one, and it is published as one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenttest.replay import replay
from tests import zips
from tests.action.job import Done, Job
from tests.github import api_service
from tests.github.api_service import TOKEN, Service
from tests.github.results_service import ResultsService
from tests.projects import BROKEN, KEPT, lay

IDS = "abcdefgh"
COUNT = 3


@pytest.fixture
def service() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def shards(job: Job, place: str = "shards/{}", broken: str = "", **inputs: str) -> list[Done]:
    """The steps of all shards, and what they saved where the artifacts of them lie."""
    lay(job.workspace, "desk.yml", **{name: BROKEN if name in broken else KEPT for name in IDS})
    done = [job.run({"suite": "desk.yml", "shard": f"{at}/{COUNT}", **inputs}) for at in range(1, COUNT + 1)]
    for at, each in enumerate(done, 1):
        target, run = job.workspace / place.format(at), job.workspace / each.outputs["run-directory"]
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".zip":
            zips.packed(run, target)
        else:
            run.rename(target)
    return done


def merge(job: Job, runs: str = "shards", environment: dict[str, str] | None = None, **inputs: str) -> Done:
    given = {"mode": "merge", "runs": runs, **{name.replace("_", "-"): word for name, word in inputs.items()}}
    return job.run(given, **(environment or {}))


def told(done: Done, *names: str) -> list[str]:
    return [done.outputs[name] for name in names]


@pytest.mark.parametrize(
    "place", ["shards/{}", "shards/agent-test-evidence-{}of3/20250101T000000Z-0000000{}", "shards/{}.zip"]
)
def test_merged_shards_are_the_run_that_was_not_sharded(job: Job, place: str) -> None:
    shards(job, place.replace("{}", "{0}"))

    done, whole = merge(job), job.run({"suite": "desk.yml"})

    same = ("status", "reason", "passed", "total", "evidence-digest")
    assert (0, "pass", "8") == (done.exit_code, *told(done, "status", "total"))
    assert told(whole, *same) == told(done, *same)


def test_a_pattern_names_folders_and_zips_alike(job: Job) -> None:
    shards(job, "shards/{}")
    zips.packed(job.workspace / "shards" / "2", job.workspace / "shards" / "2.zip")
    for file in (job.workspace / "shards" / "2").iterdir():
        file.unlink()
    (job.workspace / "shards" / "2").rmdir()

    assert (0, "8") == ((done := merge(job, "shards/*")).exit_code, done.outputs["total"])


def test_the_merged_run_is_saved_with_its_views_and_replays(job: Job) -> None:
    shards(job, broken="c")

    done = merge(job)

    assert (1, "fail", "violation") == (done.exit_code, *told(done, "status", "reason"))
    paths = [job.workspace / path for path in told(done, "report-json", "report-html", "sarif-file", "junit-file")]
    assert [True] * 4 == [path.is_file() for path in paths]
    assert replay(job.workspace / done.outputs["run-directory"]).valid
    assert 1 == len(json.loads(paths[2].read_text())["runs"][0]["results"])


def test_a_merge_annotates_and_sums_up_what_the_shards_broke(job: Job) -> None:
    parts = shards(job, broken="ch")

    done = merge(job)

    lines = sorted(place for each in parts for place in each.places)
    assert lines == sorted(done.places)
    assert 2 == len(lines)
    assert "The agent breaks its contract" in done.summary
    assert "merged from 3 shards" in done.log


@pytest.mark.parametrize(("broken", "exit_code", "status"), [("", 2, "incomplete"), (IDS, 1, "fail")])
def test_a_missing_shard_is_never_a_pass_and_is_told(job: Job, broken: str, exit_code: int, status: str) -> None:
    shards(job, broken=broken)

    done = merge(job, "shards/1\nshards/3")

    assert (exit_code, status, str(len(IDS))) == (done.exit_code, *told(done, "status", "total"))
    assert "merged from 2 of 3 shards; missing: 2/3" in done.log
    warnings = [each.data for each in done.commands if each.name == "warning"]
    assert any("shard 2/3 is not there" in said for said in warnings)
    assert "shard 2/3 is not there" in done.summary


def test_a_damaged_shard_is_as_good_as_missing(job: Job) -> None:
    shards(job)
    with (job.workspace / "shards" / "2" / "junit.xml").open("a") as stream:
        stream.write(" ")

    done = merge(job)

    assert (2, "incomplete") == (done.exit_code, done.outputs["status"])
    assert "junit.xml: it is not as it was written" in done.log
    assert "junit.xml" in done.summary


@pytest.mark.parametrize("runs", ["", "nowhere", "shards-*"])
def test_without_any_run_it_is_invalid_input(job: Job, runs: str) -> None:
    done = merge(job, runs)

    assert (2, "invalid-input", "") == (done.exit_code, *told(done, "reason", "run-directory"))


def test_only_the_merged_run_is_uploaded_under_the_plain_name(job: Job) -> None:
    with ResultsService() as artifacts:
        shards(job, **{"upload-artifact": "never"})
        done = merge(job, environment=artifacts.variables)

        assert ["agent-test-evidence"] == [*artifacts.artifacts] == [done.outputs["artifact-name"]]


def environment(service: Service, folder: Path) -> dict[str, str]:
    return {**api_service.context(service.url, folder).variables, "INPUT_GITHUB-TOKEN": TOKEN}


def sharded(job: Job, service: Service, **inputs: str) -> None:
    """All shards' steps in the pull request's job, one of which is broken."""
    with job.monkeypatch.context() as patch:
        made = Job.environment
        patch.setattr(Job, "environment", lambda self, given: {**made(self, given), **environment(service, job.side)})
        shards(job, broken="c", **inputs)


def test_shards_leave_the_comment_to_the_merge(job: Job, service: Service) -> None:
    sharded(job, service)
    before: list[Any] = [*service.bodies]

    merge(job, environment=environment(service, job.side))

    (body,) = service.bodies
    assert [] == before
    assert "The agent breaks its contract" in body


def test_shards_comment_where_that_is_wanted_by_name(job: Job, service: Service) -> None:
    sharded(job, service, comment="always")

    assert COUNT == len(service.bodies)


def test_an_unknown_mode_is_invalid_input(job: Job) -> None:
    done = job.run({"mode": "sometimes"})

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
    assert "with: mode: is 'sometimes'; should be one of 'test', 'replay', 'merge'" in done.log
