"""The action without Docker, as a step under act: pip, Python and bash are real, GitHub's own actions stand-ins."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from agenttest import cli
from tests.e2e import desk
from tests.e2e.workflow import Outcome, run_workflow

WORKFLOW = """\
on: pull_request
permissions: {{contents: read}}
jobs:
  contracts:
    runs-on: ubuntu-latest
    steps:
      - run: {first}
      - id: agent
        uses: org/agent-test-action/composite@v1
        with: {inputs}
      - if: always()
        run: echo "$AGENT" > agent.json
        env:
          AGENT: ${{{{ toJson(steps.agent) }}}}
"""
NAME = "agent-test-evidence"
NO_PYTHON = "mkdir bin; for name in python python3; do ln -s /bin/false bin/$name; done; echo $PWD/bin >> $GITHUB_PATH"


@pytest.fixture
def repository(daemon: str, tmp_path: Path) -> Path:
    """An empty folder for a repository."""
    folder = tmp_path / "desk"
    folder.mkdir()
    return folder


def run(
    repository: Path, checkout: Path, inputs: dict[str, str], first: str = "true"
) -> tuple[Outcome, dict[str, Any]]:
    """The outcome of a job with one step of the action, and what its later steps see of it."""
    workflow = WORKFLOW.format(first=json.dumps(first), inputs=json.dumps({"suite": "desk.yml", **inputs}))
    outcome = run_workflow(workflow, repository, checkout)
    return outcome, json.loads((repository / "agent.json").read_text())


def test_a_kept_contract_passes_and_its_evidence_can_be_replayed(repository: Path, checkout: Path) -> None:
    desk.lay(repository, desk.KEPT)

    outcome, agent = run(repository, checkout, {})

    assert outcome.succeeded, outcome.log
    evidence = repository / "uploaded" / f"{agent['outputs']['artifact-name']}.zip"
    assert f"sha256:{hashlib.sha256(evidence.read_bytes()).hexdigest()}" == agent["outputs"]["artifact-digest"]
    assert 0 == cli.main(["replay", str(evidence)])


def test_a_broken_contract_fails_after_its_evidence_is_uploaded(repository: Path, checkout: Path) -> None:
    desk.lay(repository, desk.BROKEN)

    outcome, agent = run(repository, checkout, {"artifact-name": NAME, "run-directory": ".hidden/runs"})

    assert not outcome.succeeded
    assert ("failure", "fail", "1", "4242") == (
        agent["outcome"],
        *(agent["outputs"][name] for name in ("status", "exit-code", "artifact-id")),
    )
    assert {desk.CONTAINS_LINE, desk.FORBIDDEN_LINE} == {found.line for found in outcome.annotations}, outcome.log
    assert [f"{NAME}.zip"] == [path.name for path in (repository / "uploaded").iterdir()]


@pytest.mark.parametrize(("asked", "outcome"), [("auto", "success"), ("always", "failure")])
def test_a_failed_upload_counts_only_where_it_is_asked_for(
    repository: Path, checkout: Path, asked: str, outcome: str
) -> None:
    desk.lay(repository, desk.KEPT)

    _, agent = run(repository, checkout, {"upload-artifact": asked}, first="touch uploaded")

    assert (outcome, "pass", "") == (agent["outcome"], agent["outputs"]["status"], agent["outputs"]["artifact-name"])


def test_a_machine_without_a_python_that_will_do_is_given_one(repository: Path, checkout: Path) -> None:
    desk.lay(repository, desk.BROKEN)

    outcome, agent = run(repository, checkout, {"upload-artifact": "never", "fail-on": "never"}, first=NO_PYTHON)

    assert outcome.succeeded, outcome.log
    assert ("fail", "", "Python 3.13\n") == (
        agent["outputs"]["status"],
        agent["outputs"]["artifact-id"],
        (repository / "set-up.txt").read_text(),
    )
    assert not (repository / "uploaded").exists()


def test_always_is_red_where_there_is_nothing_to_upload(repository: Path, checkout: Path) -> None:
    inputs = {"suite": "missing.yml", "upload-artifact": "always", "fail-on": "never"}

    _, agent = run(repository, checkout, inputs)

    assert ("failure", "incomplete", "") == (
        agent["outcome"],
        agent["outputs"]["status"],
        agent["outputs"]["artifact-id"],
    )
