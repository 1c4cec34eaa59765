"""Live agents as a job has them: a service container, or a process that an earlier step left on the runner."""

import json
import re
import shutil
import sys
import time
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import yaml

from agenttest import cli
from agenttest.report import FILES
from tests.agent import Agent, Reply, Request, answer, call, late
from tests.e2e import services
from tests.e2e.runner import JOB_USER, ROOT, Runner, Step, owner
from tests.e2e.services import Service
from tests.e2e.workflow import free_port, run_workflow
from tests.markdown import blocks

PATH = "/v1/chat/completions"
SUITE = {"suite": "ferry-desk.yml"}
ISOLATED = {**SUITE, "allow-isolated": "true"}
FORBIDDEN_LINE = 1 + (services.EXAMPLE / "ferry-desk.yml").read_text().splitlines().index("          - cancel_booking")
EVERY_ADDRESS = "0.0.0.0"
SAILINGS = call("find_sailings", '{"island": "Juist", "day": "friday"}')
TOKEN = "ak-7Zr/Wq+93?TyUi=0"
BASE, HEAD = "5" * 40, "a" * 40

BY_PORT = """\
runs-on: ubuntu-latest
services:
  agent:
    image: {image}
    ports: ["127.0.0.1:{port}:8080"]
steps:
  - uses: org/agent-test-action@v1
    with:
      suite: ferry-desk.yml
      endpoint: http://localhost:{port}/v1/chat/completions
      wait-for-endpoint: 20
"""


@pytest.fixture(scope="module")
def agent_image(daemon: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The image of the example's agent."""
    return services.agent_image(tmp_path_factory.mktemp("agent"))


@pytest.fixture(scope="module")
def network(daemon: str) -> Iterator[str]:
    """The network of a job that has services."""
    with services.job_network() as name:
        yield name


@pytest.fixture(scope="module")
def agent(network: str, agent_image: str) -> Iterator[Service]:
    """The service `agent`, which keeps its contract."""
    with services.service(network, agent_image, "agent") as started:
        yield started


@pytest.fixture
def job(runner: Runner, network: str) -> Runner:
    """A job with services, and with the agent's contract in the workspace."""
    return replace(with_contract(runner), network=network)


@pytest.fixture
def plain_job(runner: Runner) -> Runner:
    """A job without services, which Docker's own network is enough for."""
    return replace(with_contract(runner), network="bridge")


def with_contract(runner: Runner) -> Runner:
    shutil.copy(services.EXAMPLE / "ferry-desk.yml", runner.workspace)
    return runner


def at(host: str, port: int = services.PORT) -> dict[str, str]:
    """The input that names an endpoint."""
    return {"endpoint": f"http://{host}:{port}{PATH}"}


def verdict(step: Step) -> tuple[int, str, str]:
    return step.exit_code, step.outputs["status"], step.outputs["reason"]


def report(runner: Runner, step: Step) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((runner.workspace / step.outputs["report-json"]).read_text())
    return document


def replayed(runner: Runner, step: Step) -> int:
    """The exit code of a replay, which is 0 where the run directory is whole."""
    return cli.main(["replay", str(runner.workspace / step.outputs["run-directory"])])


def test_a_service_is_asked_by_its_key_and_keeps_its_contract(job: Runner, agent: Service) -> None:
    step = job.run({**ISOLATED, **at("agent")})

    assert (0, "pass", "kept") == verdict(step), step.log
    assert "isolated" == report(job, step)["provenance"]["endpoint_class"]


def test_what_a_live_run_leaves_belongs_to_the_jobs_user_and_can_be_replayed(job: Runner, agent: Service) -> None:
    step = job.run({**ISOLATED, **at("agent")})

    assert 0 == replayed(job, step)
    left = [job.workspace, *job.workspace.rglob("*"), job.temp, *job.temp.rglob("*")]
    assert {JOB_USER} == {owner(path) for path in left}


def test_a_regressed_service_fails_at_the_contracts_line(job: Runner, network: str, agent_image: str) -> None:
    with services.service(network, agent_image, "regressed", "--regressed"):
        step = job.run({**ISOLATED, **at("regressed")})

    assert (1, "fail", "violation") == verdict(step), step.log
    assert [("error", "ferry-desk.yml", FORBIDDEN_LINE)] == [(a.kind, a.file, a.line) for a in step.annotations]


def test_no_connection_is_made_to_a_service_that_may_not_be_asked(job: Runner, agent: Service) -> None:
    before = agent.connections

    step = job.run({**SUITE, **at("agent")})

    assert (2, "incomplete", "invalid-input") == verdict(step), step.log
    assert "allow-isolated" in step.log
    assert before == agent.connections


def test_a_service_of_another_network_is_refused_unasked(job: Runner, agent_image: str) -> None:
    with services.job_network() as elsewhere, services.service(elsewhere, agent_image, "agent") as other:
        step = job.run({**ISOLATED, **at(other.address)})
        connections = other.connections

    assert 2 == step.exit_code, step.log
    assert "is on no network that is attached" in step.log
    assert 0 == connections


def test_a_service_that_ended_leaves_the_run_incomplete(job: Runner) -> None:
    step = job.run({**ISOLATED, **at("ended")})

    assert (2, "incomplete", "endpoint") == verdict(step), step.log
    assert "Traceback" not in step.log


def test_a_service_that_starts_late_is_waited_for(job: Runner, network: str, agent_image: str) -> None:
    with services.service(network, agent_image, "late", late=2.5) as service:
        assert not service.listens
        step = job.run({**ISOLATED, **at("late"), "wait-for-endpoint": "20"})

    assert (0, "pass", "kept") == verdict(step), step.log


def test_a_service_with_a_published_port_is_asked_through_runner_host(
    job: Runner, network: str, agent_image: str
) -> None:
    port = free_port()

    with services.service(network, agent_image, "published", published=port):
        step = job.run({**ISOLATED, **at("runner-host", port)})

    assert (0, "pass", "kept") == verdict(step), step.log


@pytest.mark.parametrize("job_of", ["plain_job", "job"])
def test_a_process_of_an_earlier_step_is_asked_through_runner_host(request: pytest.FixtureRequest, job_of: str) -> None:
    runner, port = request.getfixturevalue(job_of), free_port()
    agent = [sys.executable, str(services.EXAMPLE / "agent.py"), "--host", EVERY_ADDRESS, "--port", str(port)]

    with services.earlier_step(agent):
        step = runner.run({**ISOLATED, **at("runner-host", port), "wait-for-endpoint": "20"})

    assert (0, "pass", "kept") == verdict(step), step.log
    assert "isolated" == report(runner, step)["provenance"]["endpoint_class"]


def test_a_process_that_listens_on_loopback_alone_cannot_be_reached(plain_job: Runner) -> None:
    with Agent() as agent:
        step = plain_job.run({**ISOLATED, **at("runner-host", agent.port)})

    assert (2, "incomplete", "endpoint") == verdict(step), step.log
    assert "refused" in step.log


def test_localhost_is_the_container_itself_and_the_log_says_what_to_name_instead(plain_job: Runner) -> None:
    with Agent(host=EVERY_ADDRESS) as agent:
        step = plain_job.run({**SUITE, **at("localhost", agent.port)})

    assert (2, "incomplete", "endpoint") == verdict(step), step.log
    assert "runner-host" in step.log
    assert "service" in step.log
    assert 0 == agent.connections


def test_a_token_goes_to_the_agent_and_nowhere_else(plain_job: Runner) -> None:
    with Agent(reflection, host=EVERY_ADDRESS) as agent:
        asked = {**ISOLATED, **at("runner-host", agent.port), "auth-env": "AGENT_KEY"}
        step = plain_job.run(asked, {"AGENT_KEY": TOKEN})

    assert {f"Bearer {TOKEN}"} == {request.headers["authorization"] for request in agent.requests}
    assert "[REDACTED]" in (plain_job.workspace / step.outputs["report-json"]).read_text()
    lines = step.log.splitlines()
    assert f"::add-mask::{TOKEN}" == lines[0]
    written = ["\n".join(line for line in lines if not line.startswith("::add-mask::")), *step.files.values()]
    written += [path.read_text() for path in every_file(plain_job.workspace, plain_job.temp)]
    assert [] == [text for text in written if any(form in text for form in forms(TOKEN))]


def test_a_cancelled_job_keeps_what_was_judged(plain_job: Runner) -> None:
    first, endless = answer(None, finish="tool_calls", tool_calls=[SAILINGS]), late(answer(), 60)
    with Agent([first, endless], host=EVERY_ADDRESS) as agent:
        container = plain_job.start({**ISOLATED, **at("runner-host", agent.port)})
        while len(agent.requests) < 2:
            assert container.process.poll() is None, container.wait().log
            time.sleep(0.05)
        began = time.monotonic()

        container.signal("INT")
        step = container.wait()

    assert 5 > time.monotonic() - began
    assert (2, "incomplete", "interrupted") == verdict(step), step.log
    assert 0 == replayed(plain_job, step)
    kept = [scenario["status"] for scenario in report(plain_job, step)["scenarios"]]
    assert ["pass", "incomplete", "incomplete", "incomplete"] == kept


def test_an_agent_is_asked_in_pull_request_target_for_the_bases_contract(job: Runner, agent: Service) -> None:
    step = run_for_strangers(job, BASE)

    assert (0, "pass", "kept") == verdict(step), step.log


def test_no_connection_is_made_in_pull_request_target_for_the_heads_contract(job: Runner, agent: Service) -> None:
    before = agent.connections

    step = run_for_strangers(job, HEAD)

    assert (2, "incomplete", "invalid-input") == verdict(step), step.log
    assert "pull_request_target" in step.log
    assert before == agent.connections


def test_workflows_ask_a_service_and_an_earlier_steps_process_under_act(
    image: str, agent_image: str, checkout: Path, tmp_path: Path
) -> None:
    repository = tmp_path / "desk"
    shutil.copytree(services.EXAMPLE, repository)
    (repository / "contracts").mkdir()
    shutil.copy(repository / "ferry-desk.yml", repository / "contracts")
    jobs = {
        "by-name": service_job(agent_image),
        "by-port": yaml.safe_load(BY_PORT.format(image=agent_image, port=free_port())),
        "earlier-step": earlier_step_job("org/agent-test-action@v1"),
        "composite": earlier_step_job("org/agent-test-action/composite@v1"),
    }

    outcome = run_workflow(yaml.safe_dump({"on": "pull_request", "jobs": jobs}), repository, checkout)

    assert outcome.succeeded, outcome.log
    found = [json.loads(path.read_text()) for path in repository.glob(f"agent-test-runs/*/{FILES['behavior_results']}")]
    classes = sorted((run["status"], run["provenance"]["endpoint_class"]) for run in found)
    assert [("pass", "isolated"), *[("pass", "loopback")] * 3] == classes


def service_job(image: str) -> dict[str, Any]:
    """The documented job with a service, in a container, without which act knows no service by its name."""
    (workflow,) = (block.text for block in blocks("docs/live.md") if block.text.startswith("# .github/workflows/"))
    job: dict[str, Any] = yaml.safe_load(workflow)["jobs"]["behaviour"]
    job["services"]["agent"]["image"] = image
    return {**job, "container": "python:3.13-slim"}


def earlier_step_job(action: str) -> dict[str, Any]:
    """The example's job, which starts the agent, with the documented endpoint that is right under act too."""
    port = str(free_port())
    job: dict[str, Any] = yaml.safe_load((services.EXAMPLE / "workflow.yml").read_text())["jobs"]["behaviour"]
    *_, start, step = job["steps"]
    (endpoint,) = re.findall(r"`endpoint: (http://\$\{\{.*)`", (ROOT / "docs/live.md").read_text())
    start["run"] = start["run"].replace("8080", port)
    step["uses"] = action
    step["with"]["endpoint"] = endpoint.replace("8080", port)
    return job


def run_for_strangers(job: Runner, commit: str) -> Step:
    """A step in a job of `pull_request_target`, with this commit checked out."""
    (job.workspace / ".git").mkdir()
    (job.workspace / ".git" / "HEAD").write_text(f"{commit}\n")
    event = {"pull_request": {"head": {"sha": HEAD}, "base": {"sha": BASE}}}
    environment = {"GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_SHA": BASE}
    return replace(job, event=event).run({**ISOLATED, **at("agent")}, environment)


def reflection(request: Request) -> Reply:
    """An agent that gives back what it was trusted with, wherever it can say something."""
    token = request.headers["authorization"].removeprefix("Bearer ")
    said = " ".join([token, quote(token, safe=""), *encoded(token)])
    arguments = json.dumps({token: [said], "island": said})
    return answer(said, finish="tool_calls", tool_calls=[call("find_sailings", arguments)], sources=[said])


def encoded(token: str) -> list[str]:
    """The token in Base64, after so many bytes of something else."""
    return [b64encode(b"k" * before + token.encode()).decode() for before in range(3)]


def forms(token: str) -> list[str]:
    """The spellings of a token; of each in Base64 the middle, which is the same whatever stands around."""
    return [token, quote(token, safe=""), *(text[4:-4] for text in encoded(token))]


def every_file(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file())
