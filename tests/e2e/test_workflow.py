"""Whole workflows under act: the README's own, and one whose later steps read the action's outputs."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import desk
from tests.e2e.runner import JOB_USER, ROOT
from tests.e2e.workflow import Outcome, action_inputs, readme_workflow, run_workflow

LATER_STEPS = """\
on: pull_request
permissions: {contents: read}
jobs:
  contracts:
    runs-on: ubuntu-latest
    steps:
      - id: agent
        uses: org/agent-test-action@v1
        with: {suite: desk.yml, fail-on: never}
      - run: |
          echo "$STATUS $FAILED/$TOTAL $EXIT_CODE" > verdict.txt
          python3 -m json.tool "$REPORT" | grep -m1 '^    "status"' >> verdict.txt
        env:
          STATUS: ${{ steps.agent.outputs.status }}
          FAILED: ${{ steps.agent.outputs.failed }}
          TOTAL: ${{ steps.agent.outputs.total }}
          EXIT_CODE: ${{ steps.agent.outputs.exit-code }}
          REPORT: ${{ steps.agent.outputs.report-json }}
"""


@pytest.fixture
def repository(image: str, tmp_path: Path) -> Path:
    """An empty folder for a repository. The image is built already, so that act finds every layer of it."""
    folder = tmp_path / "desk"
    folder.mkdir()
    return folder


def test_the_readmes_workflow_passes_while_the_contract_is_kept(repository: Path, checkout: Path) -> None:
    outcome = run_readme_workflow(repository, checkout, desk.KEPT)

    assert outcome.succeeded, outcome.log
    assert [] == outcome.annotations


def test_the_readmes_workflow_fails_at_the_lines_of_a_broken_contract(repository: Path, checkout: Path) -> None:
    outcome = run_readme_workflow(repository, checkout, desk.BROKEN)

    assert not outcome.succeeded
    assert {desk.CONTAINS_LINE, desk.FORBIDDEN_LINE} == {found.line for found in outcome.annotations}, outcome.log
    assert all((repository / found.file).read_text() == desk.CONTRACT for found in outcome.annotations)


def test_the_readmes_workflow_fails_where_evidence_is_missing(repository: Path, checkout: Path) -> None:
    outcome = run_readme_workflow(repository, checkout, desk.CUT_SHORT)

    assert not outcome.succeeded
    assert "incomplete" in outcome.log.lower()


def test_what_a_workflow_leaves_belongs_to_the_workspaces_owner(repository: Path, checkout: Path) -> None:
    run_readme_workflow(repository, checkout, desk.KEPT)

    evidence = list((repository / "agent-test-runs").rglob("*"))
    assert evidence
    assert {JOB_USER} == {(path.stat().st_uid, path.stat().st_gid) for path in evidence}


def test_later_steps_read_the_outputs_and_the_report(repository: Path, checkout: Path) -> None:
    desk.lay(repository, desk.BROKEN)

    outcome = run_workflow(LATER_STEPS, repository, checkout)

    assert outcome.succeeded, outcome.log
    assert 'fail 1/1 1\n    "status": "fail",\n' == (repository / "verdict.txt").read_text()


SCENARIOS = """\
on: pull_request
permissions: {contents: read}
jobs:
  scenarios:
    runs-on: ubuntu-latest
    steps:
      - uses: org/agent-test-action@v1
        with: {suite: tests/agent-scenarios}
"""


def test_a_workflow_judges_a_folder_of_scenarios(repository: Path, checkout: Path) -> None:
    starters(repository)

    outcome = run_workflow(SCENARIOS, repository, checkout)

    assert outcome.succeeded, outcome.log
    assert [] == outcome.annotations


def test_what_is_at_stake_in_a_scenario_says_how_loud_its_annotation_is(repository: Path, checkout: Path) -> None:
    starters(repository)
    for name in ("tool-call", "unsafe-tool-blocked"):  # of low risk, and of critical risk
        file = repository / f"tests/agent-scenarios/{name}.json"
        found = json.loads(file.read_text())
        found["expected"]["oracles"] = [{"type": "ToolCalled", "toolName": "nothing_of_the_kind"}]
        file.write_text(json.dumps(found, indent=2))

    outcome = run_workflow(SCENARIOS, repository, checkout)

    assert not outcome.succeeded
    assert {
        ("warning", "tests/agent-scenarios/tool-call.json"),
        ("error", "tests/agent-scenarios/unsafe-tool-blocked.json"),
    } == {(found.kind, found.file) for found in outcome.annotations if "nothing_of_the_kind" in found.message}


def starters(repository: Path) -> None:
    """Write the four scenarios that a project starts from."""
    command = [sys.executable, "-m", "agenttest", "init", "scenarios"]
    subprocess.run(command, cwd=repository, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)


def test_the_projects_own_workflow_runs_the_action_on_its_example(image: str, checkout: Path, tmp_path: Path) -> None:
    repository = tmp_path / "project"
    shutil.copytree(checkout, repository)

    outcome = run_workflow((ROOT / ".github/workflows/self.yml").read_text(), repository, checkout)

    assert outcome.succeeded, outcome.log


def run_readme_workflow(repository: Path, checkout: Path, observed: dict[str, Any]) -> Outcome:
    """Run the README's workflow word for word, with a contract where it looks for one."""
    workflow = readme_workflow()
    suite = Path(action_inputs(workflow).get("suite", ".agenttest/agent-test.yml").replace("*", "desk"))
    desk.lay(repository / suite.parent, observed, suite.stem)
    return run_workflow(workflow, repository, checkout)
