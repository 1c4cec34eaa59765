"""The benchmarks: the command measures what it is asked for, and nothing that does not pass. Times are not tested."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENGINE = f"{shlex.quote(sys.executable)} -m agenttest"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return measured("run.py", "--only", "3", *arguments)


def bench_live(*arguments: str) -> subprocess.CompletedProcess[str]:
    return measured("live.py", "--only", "4", *arguments)


def measured(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, f"benchmarks/{script}", "--rounds", "1", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_a_case_is_measured_with_and_without_a_run_directory() -> None:
    done = bench("--engine", ENGINE)

    assert (0, "") == (done.returncode, done.stderr)
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("3 scenarios x 2 ")]
    assert ["yes", "no"] == [row[4] for row in rows]


def test_a_peer_is_measured_on_the_same_files() -> None:
    done = bench("--engine", ENGINE, "--peer", f"{ENGINE} test", "--json")

    assert (0, "") == (done.returncode, done.stderr)
    assert [True, True] == [row["peer"]["fastest"] > 0 for row in json.loads(done.stdout)["rows"]]


def test_a_command_that_does_not_pass_is_not_measured() -> None:
    done = bench("--engine", f"{shlex.quote(sys.executable)} -c 'raise SystemExit(\"not today\")'")

    assert (1, "") == (done.returncode, done.stdout)
    assert "exit code 1 instead of 0" in done.stderr
    assert "not today" in done.stderr


def test_a_live_run_is_measured_side_by_side_and_one_after_another() -> None:
    done = bench_live("--engine", ENGINE)

    assert (0, "") == (done.returncode, done.stderr)
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("4 scenarios, 10 ms ")]
    assert [("16", "0.01"), ("1", "0.04")] == [(row[8], row[9]) for row in rows]


def test_a_peer_asks_the_same_agent() -> None:
    done = bench_live("--engine", ENGINE, "--peer", f"{ENGINE} test", "--json")

    assert (0, "") == (done.returncode, done.stderr)
    assert [True, True] == [row["peer"]["fastest"] > 0.04 for row in json.loads(done.stdout)["rows"]]


def test_a_live_run_that_does_not_pass_is_not_measured() -> None:
    done = bench_live("--engine", f"{shlex.quote(sys.executable)} -c 'raise SystemExit(\"not today\")'")

    assert (1, "") == (done.returncode, done.stdout)
    assert "not today" in done.stderr


def test_each_scenario_file_is_measured_beside_the_run_of_one() -> None:
    done = measured("scenarios.py", "--only", "1000", "--engine", ENGINE)

    assert (0, "") == (done.returncode, done.stderr)
    rows = [line.split() for line in done.stdout.splitlines() if " file" in line]
    assert [["a", "folder"], ["1", "file"], ["1,000", "files"]] == [row[:2] for row in rows]


def test_a_run_of_pytest_is_measured_without_the_plugin_and_with_it() -> None:
    done = measured("pytest_plugin.py", "--json")

    assert (0, "") == (done.returncode, done.stderr)
    ((without, plugged),) = json.loads(done.stdout)["rounds"]
    assert min(without, plugged) > 0


def test_without_a_daemon_there_is_no_container_to_measure() -> None:
    nowhere = {**os.environ, "DOCKER_HOST": "unix:///nowhere/docker.sock"}
    command = [sys.executable, "benchmarks/container.py"]

    done = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True, check=False)

    said = "benchmarks: no Docker daemon answers, so the container is not measured\n"
    assert (0, "", said) == (done.returncode, done.stdout, done.stderr)
