"""A cancelled job: the step ends at once, and everything that the runner reads afterwards is written."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agenttest.github.log import Log
from agenttest.signals import CANCELS
from agenttest.step import Step
from tests.action.job import Done, Job
from tests.e2e import desk
from tests.github import api_service
from tests.github.api_service import TOKEN, Line, Service
from tests.github.results_service import ResultsService, hangs
from tests.github.runner_grammar import commands

GRACE = 9  # seconds, of the ten after which the runner kills; a step takes a fraction of one where nothing else runs


@pytest.fixture
def artifacts() -> Iterator[ResultsService]:
    with ResultsService() as started:
        yield started


@pytest.fixture
def api() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def cancelled(process: subprocess.Popen[str], job: Job, number: signal.Signals, begun: Any) -> Done:
    """What a step leaves that is cancelled once it has begun something."""
    while not begun():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    log, _ = process.communicate(timeout=GRACE)
    return job.done(process.returncode, log)


def missing(job: Job, done: Done) -> list[str]:
    """The outputs that should name something that is there, and do not."""
    names = ("run-directory", "report-json", "report-html", "sarif-file", "junit-file")
    return [name for name in names if not done.outputs[name] or not (job.workspace / done.outputs[name]).exists()]


def balanced(log: str) -> bool:
    """Whether each group is closed, and commands are obeyed at the end."""
    folds = [each.name for each in commands(log) if each.name in {"group", "endgroup"}]
    last = commands(f"{log}\n::notice::last")
    return folds == ["group", "endgroup"] * (len(folds) // 2) and last[-1].data == "last"


@pytest.mark.parametrize("number", CANCELS)
@pytest.mark.parametrize("what", ["CreateArtifact", "block", "FinalizeArtifact"])
@pytest.mark.parametrize("word", ["auto", "always"])
def test_a_cancel_during_an_upload(
    job: Job, artifacts: ResultsService, what: str, number: signal.Signals, word: str
) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    artifacts.faults[what] = [hangs]
    process = job.start({"suite": "desk.yml", "upload-artifact": word}, **artifacts.variables)

    done = cancelled(process, job, number, lambda: artifacts.asked(what))

    assert (1, "violation", "") == (done.exit_code, done.outputs["reason"], done.outputs["artifact-id"])
    assert [] == missing(job, done)
    assert balanced(done.log)
    assert "breaks its contract" in done.summary
    assert ["error", "error", "warning"] == [each.name for each in done.commands]
    assert f"interrupted by {number.name}, so not everything was published" in done.log


def test_a_cancel_during_an_upload_that_must_be_is_not_green(job: Job, artifacts: ResultsService) -> None:
    desk.lay(job.workspace, desk.KEPT)
    artifacts.faults["block"] = [hangs]
    process = job.start({"suite": "desk.yml", "upload-artifact": "always"}, **artifacts.variables)

    done = cancelled(process, job, signal.SIGINT, lambda: artifacts.asked("block"))

    assert (2, "pass") == (done.exit_code, done.outputs["status"])


@pytest.mark.parametrize(
    ("inputs", "place"), [({"comment": "always"}, "comments"), ({"check-run": "true"}, "check-runs")]
)
def test_a_cancel_while_github_does_not_answer(job: Job, api: Service, inputs: dict[str, str], place: str) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    api.script = [Line(method, place, seconds=60) for method in ("GET", "POST")]
    told = api_service.context(api.url, job.side).variables
    given = {"suite": "desk.yml", "github-token": TOKEN, "comment": "never", **inputs}
    process = job.start(given, **told)

    done = cancelled(process, job, signal.SIGTERM, lambda: [each for each in api.asked if place in each.path])

    assert (1, "violation") == (done.exit_code, done.outputs["reason"])
    assert [] == missing(job, done)
    assert ["error", "error", "warning"] == [each.name for each in done.commands]
    assert "breaks its contract" in done.summary


def test_after_a_cancel_nothing_more_is_asked(job: Job, artifacts: ResultsService, api: Service) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    artifacts.faults["block"] = [hangs]
    told = {**api_service.context(api.url, job.side).variables, **artifacts.variables}
    given = {"suite": "desk.yml", "github-token": TOKEN, "comment": "always", "check-run": "true"}
    process = job.start(given, **told)

    done = cancelled(process, job, signal.SIGINT, lambda: artifacts.asked("block"))

    assert (1, [], []) == (done.exit_code, artifacts.asked("blocklist"), api.asked)


@pytest.mark.parametrize("observed", [desk.KEPT, desk.BROKEN], ids=["kept", "broken"])
def test_a_cancel_during_the_run_publishes_nothing(
    job: Job, artifacts: ResultsService, api: Service, observed: dict[str, Any]
) -> None:
    for n in range(1000):
        desk.lay(job.workspace / "many", observed, f"desk-{n}")
    told = api_service.context(api.url, job.side).variables
    given = {"suite": "many/*.yml", "github-token": TOKEN, "comment": "always", "check-run": "true"}
    process = job.start(given, **{**told, **artifacts.variables})

    done = cancelled(
        process, job, signal.SIGINT, lambda: len([*job.workspace.glob("agent-test-runs/*/*/summary.json")]) > 3
    )

    assert ([], []) == (artifacts.requests, api.asked)
    assert (observed is desk.BROKEN) == (done.exit_code == 1)
    assert [] == missing(job, done)
    assert "SIGINT" in done.summary
    assert int(done.outputs["total"]) < 1000


def test_what_is_merged_from_an_interrupted_run_is_published_as_this_job_was_not_cancelled(
    job: Job, artifacts: ResultsService
) -> None:
    for name in ("first", "second"):
        desk.lay(job.workspace, desk.KEPT, name)
    with job.monkeypatch.context() as patch:
        patch.setattr(Step, "log_report", interrupted_once())
        cut = job.run({"suite": "*.yml"}, **artifacts.variables)
    before = [*artifacts.artifacts]

    job.run({"mode": "merge", "runs": cut.outputs["run-directory"]}, **artifacts.variables)

    assert ("interrupted", [], ["agent-test-evidence"]) == (cut.outputs["reason"], before, [*artifacts.artifacts])


def interrupted_once() -> Callable[..., None]:
    """Shows nothing, and the first time a signal comes."""
    left = [signal.SIGINT]
    return lambda *_: signal.raise_signal(left.pop()) if left else None


def test_a_signal_within_the_log_leaves_its_groups_and_commands_whole(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    write, written = Log.write, list[str]()

    def interrupted(self: Log, line: str) -> None:
        written.append(line)
        write(self, line)
        if len(written) == 4:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Log, "write", interrupted)
    done = job.run({"suite": "desk.yml"})

    assert ["group", "endgroup"] == [each.name for each in done.folds]
    assert balanced(done.log)
    assert (1, "fail") == (done.exit_code, done.outputs["status"])
