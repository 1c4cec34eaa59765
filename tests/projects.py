"""Small projects on disk, judged in this process or by a command of its own, and their saved runs."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from agenttest.call import Result
from agenttest.files import Project
from agenttest.merge import merge as merging
from agenttest.model import Shard
from agenttest.replay import as_text, replay
from agenttest.report import Report, evidence_digest
from agenttest.reporters.text import render
from agenttest.run import run
from agenttest.settings import RUN_DIRECTORY, Settings

ROOT = Path(__file__).resolve().parents[1]
EXPECTED = "hello"  # each scenario's response must contain it, and `erase` must not be called
KEPT, BROKEN = EXPECTED, "good day"


def contract(*ids: str) -> str:
    """A contract of these scenarios."""
    expect = f"{{response: {{contains: [{EXPECTED}]}}, tools: {{forbidden: [erase]}}}}"
    lines = (f"- {{id: {name}, prompt: Greet me, expect: {expect}}}\n" for name in ids)
    return f"version: 1\nagent: {{}}\nscenarios:\n{''.join(lines)}"


def observation(name: str, response: str, **more: Any) -> dict[str, Any]:
    """A whole observation, in which nothing is called."""
    whole = {"finish_reason": "stop", "response_complete": True, "tool_calls": [], "tool_calls_complete": True}
    return {"id": name, "response": response, **whole, **more}


def recording(*observations: dict[str, Any]) -> str:
    return json.dumps({"version": 1, "scenarios": observations})


def lay(folder: Path, suite: str = "desk.yml", **responses: str | None) -> str:
    """Write a suite and its observations: for each scenario what was answered, or None where nothing was observed."""
    path = folder / suite
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(contract(*responses))
    seen = [observation(name, response) for name, response in responses.items() if response is not None]
    path.with_name(f"{path.stem}.observations.json").write_text(recording(*seen))
    return suite


def judge(root: Path, *suites: str, base: Path | None = None, **settings: Any) -> tuple[Result, list[Report]]:
    """The result of a run in this process, and the reports that it showed."""
    shown: list[Report] = []
    result = run(Project.at(root, base), Settings(suites or ("desk.yml",), **settings), shown.append)
    return result, shown


def saved(root: Path, *suites: str, **settings: Any) -> Path:
    """The directory of a run in this process."""
    result, _ = judge(root, *suites, **settings)
    assert result.directory is not None
    return root / result.directory


def runs(root: Path) -> list[Path]:
    """All run directories of a project."""
    return sorted((root / RUN_DIRECTORY).iterdir()) if (root / RUN_DIRECTORY).is_dir() else []


def sharded(root: Path, *suites: str, count: int = 3, **settings: Any) -> list[Path]:
    """The directories of the runs of all shards."""
    return [saved(root, *suites, shard=Shard(index, count), **settings) for index in range(1, count + 1)]


def merge(root: Path, *places: Path, **settings: Any) -> tuple[Result, list[Report]]:
    """The result of a merge in this process, and the reports that it showed."""
    shown: list[Report] = []
    result = merging(Project.at(root), Settings((), **settings), places, shown.append)
    return result, shown


def agenttest(root: Path, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment(), **more}
    return subprocess.run([sys.executable, "-m", "agenttest", *words], cwd=root, encoding="utf-8", **options)


def environment(**more: str) -> dict[str, str]:
    """This process's environment, in which the command is found and buffers its output as it does for its users."""
    without = {key: value for key, value in os.environ.items() if key not in ("PYTHONUNBUFFERED", "NO_COLOR")}
    return {**without, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **more}


def read(path: Path) -> Any:
    """The value of a JSON file, or of each line of a journal."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    return json.loads(path.read_text())


def write(path: Path, value: Any) -> None:
    """What `read` gives, written back."""
    lines = value if path.suffix == ".jsonl" else [value]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def reseal(run_directory: Path) -> None:
    """All digests of one suite's run made anew, as one who changed a file would who knows them."""
    names = ("events.jsonl", "state.json", "behavior-results.json", "summary.json")
    events, _, results, summary = (read(run_directory / name) for name in names)
    results["evidence_digest"] = summary["evidence_digest"] = evidence_digest(results)
    if events and isinstance(events[-1], dict):
        events[-1]["evidence_digest"] = results["evidence_digest"]
    write(run_directory / names[0], events)
    write(run_directory / names[2], results)
    for name in summary["files"]:
        data = (run_directory / name).read_bytes()
        summary["files"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    write(run_directory / names[3], summary)


def told(run: Path) -> str:
    """All that a replay says for people: each report, then whether the run is valid."""
    reports: list[str] = []
    found = replay(run, lambda report: reports.append(f"{render(report)}\n"))
    return "".join(reports) + as_text(found)
