"""A step that asks a live agent: who it asks, what it says meanwhile, and what a cancelled one leaves."""

import json
import os
import signal
import ssl
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trustme

from agenttest.signals import CANCELS
from tests.action.job import Done, Job
from tests.agent import Agent, Reply, Request, answer, document, late
from tests.github.results_service import ResultsService

TOKEN = "opensesame/of-the-desk"
GRACE = 5  # seconds, after which a cancelled step is whole, of the ten that the runner gives
SCENARIO = """\
  - id: {id}
    prompt: For how long can I return a shirt? ({id})
    expect: {{response: {{contains: [30 days]}}}}
"""


def lay(folder: Path, *names: str, stem: str = "desk") -> dict[str, str]:
    """A contract with scenarios of these names, and the input that names it."""
    folder.mkdir(parents=True, exist_ok=True)
    scenarios = "".join(SCENARIO.format(id=name) for name in names)
    (folder / f"{stem}.yml").write_text(f"version: 1\nagent: {{model: desk}}\nscenarios:\n{scenarios}")
    return {"suite": f"{stem}.yml"}


def slow(stuck: str) -> Callable[[Request], Reply]:
    """Answers at once, but for one scenario's."""
    return lambda request: late(answer(), 60) if stuck in prompt(request) else answer()


def prompt(request: Request) -> str:
    return str(request.json["messages"][-1]["content"])


def test_each_scenario_is_asked_and_judged(job: Job) -> None:
    suite = lay(job.workspace, "kept", "broken")
    with Agent([answer(), answer("Within 90 days.")]) as agent:
        done = job.run({**suite, "endpoint": agent.url})

    assert (1, "1", "1") == (done.exit_code, done.outputs["passed"], done.outputs["failed"])
    assert ["kept", "broken"] == [prompt(request).split("(")[1].rstrip(")") for request in agent.requests]


def test_what_the_inputs_say_is_asked(job: Job) -> None:
    suite = lay(job.workspace, "kept")
    with Agent() as agent:
        inputs = {"endpoint": agent.url, "model": "other", "max-tokens": "77", "auth-env": "AGENT_TOKEN"}
        job.run({**suite, **inputs}, AGENT_TOKEN=TOKEN)

    (request,) = agent.requests
    assert ("other", 77) == (request.json["model"], request.json["max_tokens"])
    assert f"Bearer {TOKEN}" == request.headers["authorization"]


def test_a_line_in_the_log_follows_each_scenario(job: Job) -> None:
    suite = lay(job.workspace, *(f"s{number}" for number in range(10)))
    replies = [answer(), answer("Within 90 days."), document({}, 500), answer()]
    with Agent(replies) as agent:
        log = job.run({**suite, "endpoint": agent.url}).log

    told = [line.split() for line in log.splitlines() if "/10  " in line]
    assert [[f"{number}/10", f"s{number - 1}"] for number in range(1, 11)] == [[line[0], line[2]] for line in told]
    assert ["pass", "FAIL", "incomplete", "pass"] == [line[1] for line in told[:4]]
    assert {"ms"} == {line[4] for line in told}
    assert "500" in " ".join(told[2][5:])


def test_the_token_is_masked_before_anything_is_said(job: Job) -> None:
    suite = lay(job.workspace, "leaks")
    with Agent([answer(f"Within 30 days, says {TOKEN}.")]) as agent:
        done = job.run({**suite, "endpoint": agent.url, "auth-env": "AGENT_TOKEN"}, AGENT_TOKEN=TOKEN)

    first, *rest = done.log.splitlines()
    assert f"::add-mask::{TOKEN}" == first
    assert not [line for line in rest if TOKEN in line and not line.startswith("::add-mask::")]


def test_the_token_is_nowhere_in_what_is_left(job: Job) -> None:
    suite = lay(job.workspace, "leaks", "breaks")
    replies = [answer(f"Within 30 days, says {TOKEN}."), answer(f"No: {TOKEN}.")]
    with Agent(replies) as agent:
        done = job.run({**suite, "endpoint": agent.url, "auth-env": "AGENT_TOKEN"}, AGENT_TOKEN=TOKEN)

    assert 1 == done.exit_code
    files = [path for path in (job.workspace / "agent-test-runs").rglob("*") if path.is_file()]
    assert [] == [path.name for path in files if TOKEN in path.read_text("utf-8")]
    assert TOKEN not in done.summary + json.dumps(done.outputs)


def test_a_token_goes_from_the_environment_before_anything_is_read(job: Job) -> None:
    suite = lay(job.workspace, "kept")
    with Agent() as agent:
        job.run({**suite, "endpoint": agent.url, "auth-env": " AGENT_KEY"}, AGENT_KEY=TOKEN)

        assert "AGENT_KEY" not in os.environ


def test_a_secret_that_is_not_there_is_told_and_nobody_is_asked(job: Job) -> None:
    suite = lay(job.workspace, "kept")
    with Agent() as agent:
        done = job.run({**suite, "endpoint": agent.url, "auth-env": "AGENT_TOKEN"}, AGENT_TOKEN="")

    assert (2, "invalid-input", []) == (done.exit_code, done.outputs["reason"], agent.requests)
    assert "with: auth-env: names AGENT_TOKEN, which is not set" in done.log


def on_target(job: Job, commit: str) -> dict[str, str]:
    """A job of pull_request_target whose workspace holds a commit."""
    (job.workspace / ".git").mkdir()
    (job.workspace / ".git/HEAD").write_text(commit)
    (job.side / "event.json").write_text(json.dumps({"pull_request": {"number": 5, "head": {"sha": "b" * 40}}}))
    told = {"GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_EVENT_PATH": str(job.side / "event.json")}
    return {**told, "GITHUB_SHA": "a" * 40}


@pytest.mark.parametrize(
    ("commit", "force", "asked"), [("b", "", 0), ("b", "false", 0), ("b", "true", 1), ("a", "", 1)]
)
def test_a_strangers_contract_is_asked_about_only_where_that_is_forced(
    job: Job, commit: str, force: str, asked: int
) -> None:
    suite, told = lay(job.workspace, "kept"), on_target(job, commit * 40)
    with Agent() as agent:
        done = job.run({**suite, "endpoint": agent.url, "allow-untrusted-head": force}, **told)

    assert asked == len(agent.requests)
    assert (asked == 0) == ("with: allow-untrusted-head: is not set" in done.log)


def test_a_recording_of_a_stranger_is_judged_everywhere(job: Job) -> None:
    suite, told = lay(job.workspace, "kept"), on_target(job, "b" * 40)
    seen = {"id": "kept", "response": "30 days", "response_complete": True}
    (job.workspace / "desk.observations.json").write_text(json.dumps({"version": 1, "scenarios": [seen]}))

    assert 0 == job.run(suite, **told).exit_code


def test_what_is_not_allowed_is_told_in_the_words_of_the_workflow(job: Job) -> None:
    suite = lay(job.workspace, "kept")

    done = job.run({**suite, "endpoint": "https://8.8.8.8/"})

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
    assert "with: endpoint: " in done.log
    assert "allow-remote: true" in done.summary


def test_a_ca_file_is_found_from_the_working_directory(job: Job) -> None:
    ca = trustme.CA()
    suite = lay(job.workspace / "agents", "kept")
    ca.cert_pem.write_to_path(str(job.workspace / "agents/ca.pem"))
    with Agent(context=server_context(ca)) as agent:
        inputs = {"endpoint": agent.url, "ca-file": "ca.pem", "working-directory": "agents"}
        done = job.run({**suite, **inputs})

    assert 0 == done.exit_code, done.log


def server_context(ca: trustme.CA) -> ssl.SSLContext:
    """TLS of an agent on this machine."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("127.0.0.1").configure_cert(context)
    return context


def cancel(process: subprocess.Popen[str], job: Job, number: signal.Signals, begun: Callable[[], Any]) -> Done:
    """What a step leaves that is cancelled once it has begun something."""
    while not begun():
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.02)
    process.send_signal(number)
    log, _ = process.communicate(timeout=GRACE)
    return job.done(process.returncode, log)


def cancelled(job: Job, agent: Agent, number: signal.Signals, asked: int, **inputs: str) -> Done:
    """What a step leaves that is cancelled once it has asked so much."""
    process = job.start({"endpoint": agent.url, **inputs})
    return cancel(process, job, number, lambda: len(agent.requests) >= asked)


@pytest.mark.parametrize("number", CANCELS)
def test_a_cancelled_run_is_whole_and_incomplete_at_once(job: Job, number: signal.Signals) -> None:
    suite = lay(job.workspace, "first", "stuck", "never")
    with Agent(slow("stuck")) as agent:
        done = cancelled(job, agent, number, 2, **suite)

    assert (2, "incomplete", "interrupted") == (done.exit_code, done.outputs["status"], done.outputs["reason"])
    assert ("1", "2", "3") == tuple(done.outputs[name] for name in ("passed", "incomplete", "total"))
    assert 2 == len(agent.requests)
    assert number.name in done.summary


def test_what_a_cancelled_run_leaves_is_valid(job: Job) -> None:
    suite = lay(job.workspace, "first", "stuck")
    with Agent(slow("stuck")) as agent:
        done = cancelled(job, agent, signal.SIGTERM, 2, **suite)

    replayed = job.run({"mode": "replay", "runs": done.outputs["run-directory"], "fail-on": "incomplete"})
    assert 0 == replayed.exit_code, replayed.log


def test_a_violation_seen_before_a_cancel_stays_one(job: Job) -> None:
    def script(request: Request) -> Reply:
        return late(answer(), 60) if "stuck" in prompt(request) else answer("Within 90 days.")

    suite = lay(job.workspace, "broken", "stuck")
    with Agent(script) as agent:
        done = cancelled(job, agent, signal.SIGINT, 2, **suite)

    assert (1, "fail", "1") == (done.exit_code, done.outputs["status"], done.outputs["failed"])


def test_suites_after_a_cancel_are_not_begun(job: Job) -> None:
    lay(job.workspace, "first", "stuck", stem="a")
    lay(job.workspace, "never", stem="b")
    with Agent(slow("stuck")) as agent:
        done = cancelled(job, agent, signal.SIGINT, 2, suite="a.yml\nb.yml")

    assert (2, "interrupted", "2") == (done.exit_code, done.outputs["reason"], done.outputs["total"])
    assert 2 == len(agent.requests)


def test_a_cancelled_run_publishes_nothing(job: Job) -> None:
    suite = lay(job.workspace, "stuck")
    with Agent(slow("stuck")) as agent, ResultsService() as artifacts:
        process = job.start({"endpoint": agent.url, **suite}, **artifacts.variables)
        cancel(process, job, signal.SIGINT, lambda: agent.requests)

    assert [] == artifacts.requests


def test_a_cancel_while_the_endpoint_is_waited_for(job: Job) -> None:
    suite = lay(job.workspace, "first", "second")
    with Agent() as agent:
        closed = agent.url
    process = job.start({"endpoint": closed, "wait-for-endpoint": "60", **suite})
    done = cancel(process, job, signal.SIGTERM, lambda: [*job.workspace.glob("agent-test-runs/*/events.jsonl")])

    assert (2, "interrupted", "2") == (done.exit_code, done.outputs["reason"], done.outputs["incomplete"])
