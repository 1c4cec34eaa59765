"""A step that replays: what it takes as runs, what it says of each, and what it leaves to the step that judged."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import zips
from tests.action.job import Done, Job
from tests.e2e import desk
from tests.github import api_service
from tests.github.api_service import HEAD, TOKEN, Service
from tests.github.hostile import COMMANDS
from tests.github.results_service import ResultsService
from tests.projects import read, reseal, write

VIEWS = ("run-directory", "report-json", "report-html", "sarif-file", "junit-file", "artifact-id", "artifact-name")


@pytest.fixture
def service() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def saved(job: Job, place: str, observed: dict[str, Any] = desk.KEPT, stem: str = "desk") -> Done:
    """A run that another step judged, at a place in the workspace."""
    desk.lay(job.workspace, observed, stem)
    done = job.run({"suite": f"{stem}.yml"})
    target = job.workspace / place
    target.parent.mkdir(parents=True, exist_ok=True)
    run = job.workspace / done.outputs["run-directory"]
    if place.endswith(".zip"):
        zips.packed(run, target)
    else:
        run.rename(target)
    return done


def replay(job: Job, runs: str, **inputs: str) -> Done:
    return job.run({"mode": "replay", "runs": runs, **{name.replace("_", "-"): word for name, word in inputs.items()}})


def told(done: Done, *names: str) -> list[str]:
    return [done.outputs[name] for name in names]


@pytest.mark.parametrize("place", ["evidence", "evidence.zip", "deep/er/evidence"])
@pytest.mark.parametrize(
    ("observed", "status", "reason"),
    [
        (desk.KEPT, "pass", "kept"),
        (desk.BROKEN, "fail", "violation"),
        (desk.CUT_SHORT, "incomplete", "missing-evidence"),
    ],
    ids=["kept", "broken", "cut-short"],
)
def test_a_valid_run_is_green_and_its_verdict_is_the_saved_one(
    job: Job, place: str, observed: dict[str, Any], status: str, reason: str
) -> None:
    before = saved(job, place, observed)

    done = replay(job, place)

    same = ("status", "reason", "exit-code", "evidence-digest", "passed", "failed", "incomplete", "total")
    assert (0, status, reason) == (done.exit_code, *told(done, "status", "reason"))
    assert told(before, *same) == told(done, *same)
    assert f"valid: the saved verdict, {status} ({reason}), stands; every file, digest and decision agrees" in done.log


def test_the_log_shows_the_report_and_then_whether_it_is_valid(job: Job) -> None:
    saved(job, "evidence", desk.BROKEN)

    log = replay(job, "evidence").log

    parts = ["desk.yml  1 scenario", "FAIL        refund-window", "the forbidden 'pay_refund' was called", "valid: the"]
    assert sorted(log.index(part) for part in parts) == [log.index(part) for part in parts]
    assert "the step exits 0, a replay tells whether a run is valid, not whether it passed" in log


def test_what_a_saved_run_violates_is_annotated_no_more_and_nothing_is_saved(job: Job) -> None:
    saved(job, "evidence", desk.BROKEN)
    (job.workspace / "agent-test-runs").rmdir()

    done = replay(job, "evidence")

    assert [] == done.commands
    assert [""] * len(VIEWS) == told(done, *VIEWS)
    assert not (job.workspace / "agent-test-runs").exists()
    assert "breaks its contract" in done.summary


def test_an_artifact_is_only_uploaded_by_the_step_that_judged(job: Job) -> None:
    saved(job, "evidence")
    with ResultsService() as service:
        done = job.run({"mode": "replay", "runs": "evidence", "upload-artifact": "auto"}, **service.variables)

        assert (0, []) == (done.exit_code, service.requests)


@pytest.mark.parametrize(
    "runs",
    [
        "all/one\nall/two.zip",
        "all/*",
        "all/*\nall/one",
        "all/one/**\nall/t*.zip",
        "all/**/one/**\nall/two.zip",
        "./all/o?e\n  all/two.zip  \n\n",
    ],
)
def test_several_runs_are_named_by_lines_and_patterns(job: Job, runs: str) -> None:
    saved(job, "all/one")
    saved(job, "all/two.zip", desk.BROKEN, "other")

    done = replay(job, runs)

    assert (0, "fail", "2") == (done.exit_code, *told(done, "status", "total"))
    assert 2 == done.log.count("valid: the saved verdict")
    assert 64 == len(done.outputs["evidence-digest"])


@pytest.mark.parametrize("runs", ["evidence/**", "evidence/**/*", "evidence", "evi*"])
def test_a_folder_and_all_that_is_in_it_are_the_same(job: Job, runs: str) -> None:
    saved(job, "evidence")

    assert 0 == replay(job, runs).exit_code


def test_a_run_of_several_suites_is_one(job: Job) -> None:
    for stem in ("one", "two"):
        desk.lay(job.workspace, desk.KEPT, stem)
    before = job.run({"suite": "*.yml"})

    done = replay(job, before.outputs["run-directory"])

    assert (0, "pass", "2") == (done.exit_code, *told(done, "status", "total"))
    assert before.outputs["evidence-digest"] == done.outputs["evidence-digest"]


def test_paths_start_from_the_working_directory(job: Job) -> None:
    saved(job, "sub/evidence")

    assert 0 == replay(job, "evidence", working_directory="sub").exit_code
    assert 0 == replay(job, str(job.workspace / "sub" / "evidence"), working_directory="sub").exit_code


@pytest.mark.parametrize(("fail_on", "exit_code"), [("incomplete", 1), ("fail", 1), ("never", 0)])
def test_a_changed_run_is_not_valid(job: Job, fail_on: str, exit_code: int) -> None:
    saved(job, "evidence")
    report = job.workspace / "evidence" / "behavior-results.json"
    report.write_text(report.read_text().replace("30 days.", "31 days."))

    done = replay(job, "evidence", fail_on=fail_on)

    assert (exit_code, "incomplete", "invalid-input", "2") == (
        done.exit_code,
        *told(done, "status", "reason", "exit-code"),
    )
    assert "not valid: the saved verdict, pass (kept), cannot be relied on" in done.log
    (error,) = done.commands
    assert "evidence: behavior-results.json: it is not as it was written" in error.data
    assert "behavior-results.json" in done.summary


@pytest.mark.parametrize("view", ["report.html", "results.sarif", "junit.xml", "summary.md"])
def test_a_changed_view_is_noticed(job: Job, view: str) -> None:
    saved(job, "evidence")
    with (job.workspace / "evidence" / view).open("a") as stream:
        stream.write("<!-- all is well -->")

    done = replay(job, "evidence")

    assert 1 == done.exit_code
    assert f"{view}: it is not as it was written" in done.log


@pytest.mark.parametrize(("fail_on", "exit_code"), [("incomplete", 2), ("never", 0)])
@pytest.mark.parametrize("runs", ["nowhere", "desk.yml", "empty", "broken.zip", "evidence\nnowhere"])
def test_what_cannot_be_read_is_2(job: Job, runs: str, fail_on: str, exit_code: int) -> None:
    saved(job, "evidence")
    (job.workspace / "empty").mkdir()
    (job.workspace / "broken.zip").write_bytes(b"PK\x03\x04 and no more")

    done = replay(job, runs, fail_on=fail_on)

    assert (exit_code, "incomplete", "invalid-input") == (done.exit_code, *told(done, "status", "reason"))
    assert ["error"] == [each.name for each in done.commands]


def test_what_cannot_be_read_is_graver_than_what_is_not_valid_and_all_of_it_is_told(job: Job) -> None:
    saved(job, "evidence")
    (job.workspace / "evidence" / "junit.xml").unlink()

    done = replay(job, "evidence\nnowhere")

    assert (2, 2) == (done.exit_code, len(done.commands))


@pytest.mark.parametrize("runs", ["", "  \n"])
def test_no_run_at_all_is_invalid_input(job: Job, runs: str) -> None:
    done = replay(job, runs)

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
    assert "with: runs: is empty; mode replay needs the saved runs, or the ZIPs of them" in done.log


def test_a_pattern_that_matches_nothing_is_invalid_input(job: Job) -> None:
    done = replay(job, "evidence-*")

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
    assert "with: runs: 'evidence-*' matches no file; check the pattern" in done.log


@pytest.mark.parametrize(
    "name", ["../../escape", "/etc/agenttest", "a/../../escape", "summary.json/..", "\u202egnp.exe", "::error::forged"]
)
def test_a_hostile_zip_writes_nothing_and_is_not_obeyed(job: Job, name: str) -> None:
    saved(job, "evidence.zip")
    with zipfile.ZipFile(job.workspace / "evidence.zip", "a") as zipped:
        zipped.writestr(name, "forged")
    before = sorted(path for path in job.workspace.parent.rglob("*"))

    done = replay(job, "evidence.zip")

    assert before == sorted(path for path in job.workspace.parent.rglob("*"))
    assert {each.name for each in done.commands} <= {"error"}
    assert "internal" != done.outputs["reason"]


@pytest.mark.parametrize("text", COMMANDS)
def test_nothing_that_a_saved_run_says_is_obeyed(job: Job, text: str) -> None:
    saved(job, "evidence", {**desk.BROKEN, "response": text, "id": "refund-window"})
    run = job.workspace / "evidence"
    summary = json.loads((run / "summary.json").read_text())
    valid = replay(job, "evidence")
    (run / "summary.json").write_text(json.dumps({**summary, "status": text, "reason": text, "suite": text}))
    forged = replay(job, "evidence")
    reseal(run)
    resealed = replay(job, "evidence")

    assert [0, 1] == [valid.exit_code, forged.exit_code]
    for done in (valid, forged, resealed):
        assert {each.name for each in done.commands} <= {"error"}
        assert ["group", "endgroup"] * (len(done.folds) // 2) == [each.name for each in done.folds]
        assert "internal" != done.outputs["reason"]
        assert "forged" not in "".join(done.outputs.values())


def on_a_pull_request(job: Job, service: Service, folder: Path, event: Any = None, **inputs: str) -> Done:
    found = api_service.context(service.url, folder, event)
    given = {"mode": "replay", "runs": "evidence", "github-token": TOKEN}
    given |= {name.replace("_", "-"): word for name, word in inputs.items()}
    return job.run(given, **{name: found.value(name) for name in found.variables})


def of_a_fork() -> dict[str, Any]:
    """The event of a workflow that follows one of a fork's pull request."""
    run = {"head_sha": HEAD, "head_branch": "patch", "event": "pull_request", "pull_requests": []}
    return {
        "workflow_run": {**run, "head_repository": {"owner": {"login": "forker"}}},
        "repository": {"id": 1},
    }


def test_a_forks_pull_request_is_commented_by_the_replay_in_a_second_workflow(job: Job, service: Service) -> None:
    saved(job, "evidence", desk.BROKEN)
    service.pulls = [{"number": 5, "head": {"label": "forker:patch", "sha": HEAD}}]

    done = on_a_pull_request(job, service, job.side, of_a_fork(), comment="always")

    (body,) = service.bodies
    assert 0 == done.exit_code
    assert "The agent breaks its contract" in body
    assert "A saved run, replayed: every file, digest and decision of it agrees." in body


def test_a_replay_comments_only_where_that_is_wanted_by_name(job: Job, service: Service) -> None:
    saved(job, "evidence", desk.BROKEN)

    on_a_pull_request(job, service, job.side, comment="auto")

    assert ([], []) == (service.bodies, service.asked)


def test_no_comment_says_that_a_changed_run_agrees(job: Job, service: Service) -> None:
    saved(job, "evidence", desk.BROKEN)
    report = job.workspace / "evidence" / "behavior-results.json"
    results = read(report)
    results["scenarios"][0]["assertions"][0]["status"] = "pass"
    write(report, results)
    reseal(report.parent)

    done = on_a_pull_request(job, service, job.side, comment="always")

    assert (1, []) == (done.exit_code, service.bodies)
    assert "FAIL        refund-window" in done.log


def test_a_replay_may_have_a_check_run(job: Job, service: Service) -> None:
    saved(job, "evidence", desk.BROKEN)

    done = on_a_pull_request(job, service, job.side, check_run="true")

    assert (0, []) == (done.exit_code, done.commands)
    assert "neutral" == service.checks[0]["conclusion"]


def test_the_summary_of_a_valid_run_says_that_it_was_replayed(job: Job) -> None:
    saved(job, "evidence")

    assert (
        "A saved run, replayed: every file, digest and decision of it agrees."
        in job.run({"mode": "replay", "runs": "evidence"}).summary
    )
