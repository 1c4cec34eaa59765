"""The examples: each records its own observations, keeps its contract with the good ones, breaks it with the others."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples/refund-agent"
LIVE = ROOT / "examples/live-agent"
SCENARIOS = ROOT / "examples/scenarios"
REPLAYED = "tests/agent-scenarios/waters-as-asked.json"
RECORDINGS = {"refund-agent.observations.json": [], "regressed.observations.json": ["--without-review"]}


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", RECORDINGS)
def test_the_recorder_writes_the_observations_that_lie_here(tmp_path: Path, name: str) -> None:
    done = run(str(EXAMPLE / "record.py"), str(tmp_path / name), *RECORDINGS[name])

    assert (0, "") == (done.returncode, done.stderr)
    assert (EXAMPLE / name).read_text() == (tmp_path / name).read_text()


def test_an_agent_that_breaks_down_is_recorded_as_an_error(tmp_path: Path) -> None:
    (tmp_path / "record.py").write_text((EXAMPLE / "record.py").read_text())
    (tmp_path / "refund-agent.yml").write_text((EXAMPLE / "refund-agent.yml").read_text())
    (tmp_path / "agent.py").write_text((EXAMPLE / "agent.py").read_text().replace('"B-1003"', '"B-9999"'))

    done = run("record.py", "out.json", cwd=tmp_path)

    assert (0, "") == (done.returncode, done.stderr)
    assert '"error": "KeyError: \'B-1003\'"' in (tmp_path / "out.json").read_text()


def test_the_example_is_kept() -> None:
    done = run("-m", "agenttest", "test", "examples/refund-agent/refund-agent.yml", "--no-artifacts")

    assert 0 == done.returncode, done.stdout + done.stderr


def test_the_changed_agent_breaks_its_contract() -> None:
    observations = "examples/refund-agent/regressed.observations.json"
    contract = "examples/refund-agent/refund-agent.yml"

    done = run("-m", "agenttest", "test", contract, "--observations", observations, "--no-artifacts")

    assert 1 == done.returncode, done.stdout + done.stderr
    assert "send_refund" in done.stdout


def greenhouse(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The example of scenario files with its agent recorded anew."""
    shutil.copytree(SCENARIOS, folder, dirs_exist_ok=True)
    return run("record.py", REPLAYED, *arguments, cwd=folder)


def test_the_recorder_writes_the_trace_that_lies_here(tmp_path: Path) -> None:
    done = greenhouse(tmp_path)

    trace = "tests/agent-scenarios/traces/waters-as-asked.trace.json"
    assert (0, "") == (done.returncode, done.stderr)
    assert (SCENARIOS / trace).read_text() == (tmp_path / trace).read_text()


def test_every_scenario_of_the_example_passes(tmp_path: Path) -> None:
    shutil.copytree(SCENARIOS, tmp_path, dirs_exist_ok=True)

    done = run("-m", "agenttest", "test", "--strict", "--lint=error", "--no-artifacts", cwd=tmp_path)

    assert 0 == done.returncode, done.stdout + done.stderr


def test_the_agent_that_does_not_measure_fails_the_gate_of_its_risk(tmp_path: Path) -> None:
    greenhouse(tmp_path, "--without-measuring")

    done = run("-m", "agenttest", "test", "--no-artifacts", cwd=tmp_path)

    assert 1 == done.returncode, done.stdout + done.stderr
    assert "high-risk-pass" in done.stdout


def test_a_trace_of_an_agent_that_breaks_down_proves_nothing(tmp_path: Path) -> None:
    shutil.copytree(SCENARIOS, tmp_path, dirs_exist_ok=True)
    asked = (tmp_path / REPLAYED).read_text()
    (tmp_path / REPLAYED).write_text(asked.replace("Bed 4 looks", "Bed 9 looks"))
    run("record.py", REPLAYED, cwd=tmp_path)

    done = run("-m", "agenttest", "test", "--no-artifacts", cwd=tmp_path)

    assert 2 == done.returncode, done.stdout + done.stderr
    assert "KeyError: 9" in done.stdout


@pytest.mark.parametrize("example", [EXAMPLE, LIVE, SCENARIOS])
def test_the_examples_workflow_gives_the_action_inputs_that_it_has(example: Path) -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    (job,) = yaml.safe_load((example / "workflow.yml").read_text())["jobs"].values()

    assert job["steps"][-1]["with"].keys() <= inputs.keys()
