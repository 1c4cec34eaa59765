"""What runs the action without Docker: inputs arrive, the verdict's exit code is an output, no token reaches pip."""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

START = Path(__file__).parents[2] / "composite" / "start.py"
TOKENS = {"ACTIONS_RUNTIME_URL": "https://results", "GH_TOKEN": "ghs_of-this-job", "PIP_INDEX_URL": "https://mirror"}


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The runner's temp folder, in the environment of a step with two inputs."""
    inputs = {"fail-on": "never", "github-token": "ghs_of-this-job"}
    files = {"GITHUB_OUTPUT": str(tmp_path / "output"), "RUNNER_TEMP": str(tmp_path)}
    monkeypatch.setattr(os, "environ", {"AGENTTEST_INPUTS": json.dumps(inputs), **files, **TOKENS})
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The environment of each call of pip, which makes the folder that it is told to install into."""
    seen: list[dict[str, str]] = []

    def pip(command: list[str], env: dict[str, str], check: bool) -> subprocess.CompletedProcess[str]:
        Path(command[command.index("--target") + 1]).mkdir()
        seen.append(env)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", pip)
    return seen


def start(monkeypatch: pytest.MonkeyPatch, exit_code: int = 0) -> dict[str, str]:
    """Run the script, with an action that ends so; what the action was given."""
    given: dict[str, str] = {}

    def action() -> int:
        given.update(os.environ)
        return exit_code

    monkeypatch.setattr("agenttest.action.main", action)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(START), run_name="__main__")
    assert 0 == ended.value.code
    return given


def test_inputs_arrive_under_the_names_that_a_container_gets(
    temp: Path, calls: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = start(monkeypatch)

    assert ("never", "ghs_of-this-job") == (given["INPUT_FAIL-ON"], given["INPUT_GITHUB-TOKEN"])
    assert "AGENTTEST_INPUTS" not in given


def test_the_verdict_turns_no_step_red_before_the_upload(
    temp: Path, calls: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    start(monkeypatch, exit_code=1)

    assert "step-exit-code=1\n" == (temp / "output").read_text()


def test_pip_gets_its_own_settings_and_no_token(temp: Path, calls: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    start(monkeypatch)

    (environment,) = calls
    assert {"GITHUB_OUTPUT", "RUNNER_TEMP", "PIP_INDEX_URL"} == environment.keys() - {"PYTEST_CURRENT_TEST"}


def test_pip_gets_no_token_of_the_agents(temp: Path, calls: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    os.environ |= {"AGENTTEST_INPUTS": json.dumps({"auth-env": " AGENT_KEY"}), "AGENT_KEY": "of-the-agent"}

    start(monkeypatch)

    (environment,) = calls
    assert "AGENT_KEY" not in environment


def test_a_job_installs_once(temp: Path, calls: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = os.environ["AGENTTEST_INPUTS"]
    start(monkeypatch)
    os.environ["AGENTTEST_INPUTS"] = inputs
    start(monkeypatch)

    assert 1 == len(calls)


def test_a_failed_installation_is_no_violation(
    temp: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *command, **rest: subprocess.CompletedProcess(command, 3))

    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(START), run_name="__main__")

    said = "::error title=agenttest::pip could not install requirements.lock (exit 3); it says why above\n"
    assert (2, said) == (ended.value.code, capsys.readouterr().out)
    assert "status=incomplete\nreason=internal\nexit-code=2\n" == (temp / "output").read_text()
