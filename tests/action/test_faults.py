"""Whatever goes wrong, a step says so in all the places that are read afterwards."""

import os
import signal
import time
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from agenttest import modes
from agenttest.github import envfiles
from agenttest.replay import replay
from agenttest.run import run
from agenttest.signals import CANCELS, Interrupted
from agenttest.step import Step
from tests.action.job import Job
from tests.e2e import desk

SUITE = {"suite": "desk.yml"}


def test_a_run_that_cannot_be_saved_is_incomplete_and_says_why(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)
    (job.workspace / "agent-test-runs").write_text("in the way")

    done = job.run(SUITE)

    assert (2, "incomplete", "not-saved") == (done.exit_code, done.outputs["status"], done.outputs["reason"])
    assert ["error"] == [each.name for each in done.commands]
    assert "agent-test-runs" in done.summary


def test_a_missing_workspace_is_invalid_input(job: Job) -> None:
    done = job.run(SUITE, GITHUB_WORKSPACE=str(job.workspace / "none"))

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])


def test_the_jobs_tokens_are_gone_before_anything_is_read(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    job.run(SUITE, ACTIONS_RUNTIME_TOKEN="secret", GITHUB_TOKEN="secret")

    assert "secret" not in os.environ.values()


def broken_off(error: BaseException) -> Callable[..., NoReturn]:
    """A spine that shows what it has and then breaks off."""

    def breaking(project: Any, settings: Any, show: Any, watch: Any) -> NoReturn:
        run(project, settings, show)
        raise error

    return breaking


@pytest.mark.parametrize("fail_on", ["incomplete", "never"])
def test_a_fault_of_our_own_is_2_whatever_the_verdict_and_asks_for_a_report(job: Job, fail_on: str) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    job.monkeypatch.setattr(modes, "run", broken_off(KeyError("::error::forged\n")))

    done = job.run({**SUITE, "fail-on": fail_on})

    assert (2, "incomplete", "internal") == (done.exit_code, done.outputs["status"], done.outputs["reason"])
    assert "agenttest itself failed (KeyError at agenttest/modes.py:" in done.log
    assert "report this as a bug" in done.summary
    assert "Traceback" not in done.log
    assert {"error"} == {each.name for each in done.commands}


def test_the_traceback_of_a_fault_is_shown_where_step_debugging_is_on(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    job.monkeypatch.setattr(modes, "run", broken_off(KeyError("forged")))

    done = job.run(SUITE, RUNNER_DEBUG="1")

    shown = [each.data for each in done.commands if each.name == "debug"]
    assert shown[0].startswith("Traceback")
    assert "KeyError: 'forged'" in shown


@pytest.mark.parametrize("broken", ["publish", "annotate", "summarize"])
def test_a_fault_at_the_end_leaves_the_outputs(job: Job, broken: str) -> None:
    desk.lay(job.workspace, desk.KEPT)
    job.monkeypatch.setattr(Step, broken, lambda *_: {}["missing"])

    done = job.run(SUITE)

    assert (2, "internal") == (done.exit_code, done.outputs["reason"])
    assert "KeyError" in done.log


def test_a_fault_at_the_end_leaves_the_run_that_was_saved(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    job.monkeypatch.setattr(Step, "publish", lambda *_: {}["missing"])

    done = job.run(SUITE)

    assert (2, "incomplete", "1") == (done.exit_code, done.outputs["status"], done.outputs["failed"])
    assert replay(job.workspace / done.outputs["run-directory"]).valid
    assert (job.workspace / done.outputs["report-html"]).is_file()


def test_an_interruption_keeps_what_was_judged(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)
    job.monkeypatch.setattr(modes, "run", broken_off(Interrupted("SIGTERM")))

    done = job.run(SUITE)

    assert (2, "incomplete", "interrupted", "1") == (
        done.exit_code,
        done.outputs["status"],
        done.outputs["reason"],
        done.outputs["passed"],
    )
    assert "interrupted by SIGTERM" in done.summary


def test_a_violation_seen_before_an_interruption_stays_one(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    job.monkeypatch.setattr(modes, "run", broken_off(Interrupted("SIGINT")))

    done = job.run(SUITE)

    assert (1, "fail", "interrupted") == (done.exit_code, done.outputs["status"], done.outputs["reason"])


@pytest.mark.parametrize("number", CANCELS)
def test_a_signal_ends_the_step_promptly(job: Job, number: signal.Signals) -> None:
    for n in range(1000):
        desk.lay(job.workspace / "many", desk.KEPT, f"desk-{n}")
    process = job.start({"suite": "many/*.yml"})
    while not list(job.workspace.glob("agent-test-runs/*/*")):
        assert process.poll() is None
        time.sleep(0.02)

    process.send_signal(number)
    log, _ = process.communicate(timeout=5)

    done = job.done(process.returncode, log)
    assert (2, "interrupted") == (done.exit_code, done.outputs["reason"]), log[-2000:]
    assert number.name in done.summary
    assert "Traceback" not in log


def full() -> int:
    return os.open("/dev/full", os.O_WRONLY)


def closed_pipe() -> int:
    out, into = os.pipe()
    os.close(out)
    return into


@pytest.mark.parametrize(("observed", "exit_code"), [(desk.KEPT, 2), (desk.BROKEN, 1)], ids=["kept", "broken"])
@pytest.mark.parametrize("stream", [full, closed_pipe])
def test_a_log_that_cannot_be_written_costs_a_pass_its_exit_code_alone(
    job: Job, stream: Callable[[], int], observed: dict[str, Any], exit_code: int
) -> None:
    desk.lay(job.workspace, observed)
    out = stream()

    process = job.start(SUITE, out=out)
    os.close(out)

    done = job.done(process.wait(30), "")
    assert (exit_code, str(exit_code % 2)) == (done.exit_code, done.outputs["exit-code"])
    assert (job.workspace / done.outputs["report-html"]).is_file()


@pytest.mark.parametrize(("observed", "exit_code"), [(desk.KEPT, 2), (desk.BROKEN, 1)], ids=["kept", "broken"])
def test_outputs_that_cannot_be_written_cost_a_pass_its_exit_code(
    job: Job, observed: dict[str, Any], exit_code: int
) -> None:
    desk.lay(job.workspace, observed)
    job.monkeypatch.setattr(envfiles, "write_outputs", lambda *_: False)

    assert exit_code == job.run(SUITE).exit_code
