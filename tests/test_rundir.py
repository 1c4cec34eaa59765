"""The run directory: private, whole or unfinished, and where it cannot be written no pass stays one."""

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from agenttest import rundir
from agenttest.files import Project
from agenttest.jsontext import spread
from agenttest.model import Reason, Status
from agenttest.replay import replay
from agenttest.reporters.markdown import render as markdown
from agenttest.runs import NAME
from tests.projects import BROKEN, KEPT, contract, judge, lay, observation, read, recording, runs, saved

pytestmark = pytest.mark.usefixtures("each_system")

FILES = ["behavior-results.json", "events.jsonl", "state.json", "summary.json"]


def modes(folder: Path) -> set[tuple[bool, int]]:
    return {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in (folder, *folder.rglob("*"))}


def test_a_finished_run_holds_four_files_and_nothing_else(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)

    found = saved(tmp_path)

    assert FILES == sorted(path.name for path in found.iterdir())
    assert NAME.fullmatch(found.name)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_folders_and_files_are_for_their_owner_only(tmp_path: Path, umask: int) -> None:
    lay(tmp_path, greets=KEPT)
    before = os.umask(umask)
    try:
        saved(tmp_path)
    finally:
        os.umask(before)

    assert {(True, 0o700), (False, 0o600)} == modes(tmp_path / ".agenttest")


def test_the_summary_lists_every_other_file_with_size_and_digest(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)

    found = saved(tmp_path, views=("markdown",))

    on_disk = {
        path.name: {"size": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for path in found.iterdir()
        if path.name != "summary.json"
    }
    assert on_disk == read(found / "summary.json")["files"]


def test_the_summary_says_how_the_run_ended(tmp_path: Path) -> None:
    lay(tmp_path, greets=BROKEN)

    found = saved(tmp_path)

    summary, results = read(found / "summary.json"), read(found / "behavior-results.json")
    assert {"status": "fail", "reason": "violation", "exit_code": 1, "suite": "desk.yml", "run_id": found.name} == {
        key: summary[key] for key in ("status", "reason", "exit_code", "suite", "run_id")
    }
    assert results["harness"] == {key: summary[key] for key in results["harness"]}


def test_the_state_holds_the_inputs(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT, parts=KEPT)

    found = saved(tmp_path, scenarios=("gre*",))

    state, text = read(found / "state.json"), contract("greets", "parts")
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert {"path": "desk.yml", "version": 1, "digest": digest, "text": text} == state["suite"]
    assert {"asked": ["gre*"], "scenarios": ["greets"]} == state["selection"]
    assert {"max_scenarios": None, "max_seconds": 300.0, "max_tokens": 1024} == state["limits"]
    seen = (tmp_path / "desk.observations.json").read_bytes()
    assert hashlib.sha256(seen).hexdigest() == state["provenance"]["source_digest"]


def test_the_journal_tells_the_run_in_order(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT, parts=None)

    found = saved(tmp_path)

    events = read(found / "events.jsonl")
    assert ["run_started", *["observation", "decision", "decision", "scenario_completed"] * 2, "run_completed"] == [
        event["event"] for event in events
    ]
    assert [observation("greets", KEPT), None] == [e["observation"] for e in events if e["event"] == "observation"]
    assert read(found / "summary.json")["evidence_digest"] == events[-1]["evidence_digest"]


def test_a_view_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)

    result, (report,) = judge(tmp_path, views=("markdown",))

    assert markdown(report) == (tmp_path / str(result.directory) / "summary.md").read_text()


def made(folder: Path, what: str) -> None:
    """Put something in the place of the folder of all runs, or on the way to it."""
    place, kind = what.split(" is a ")
    path = folder / place
    path.parent.mkdir(exist_ok=True)
    if kind == "file":
        path.write_text("in the way")
    elif kind == "link":
        (folder / "elsewhere").mkdir()
        path.symlink_to(folder / "elsewhere")
    else:
        os.mkfifo(path)


@pytest.mark.parametrize(
    "what", [f"{place} is a {kind}" for place in (".agenttest", ".agenttest/runs") for kind in ("file", "link", "pipe")]
)
@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [(KEPT, Status.INCOMPLETE, Reason.NOT_SAVED), (BROKEN, Status.FAIL, Reason.VIOLATION)],
)
def test_where_no_folder_can_be_made_a_pass_is_incomplete_and_a_violation_stays_one(
    tmp_path: Path, what: str, answer: str, status: Status, reason: Reason
) -> None:
    lay(tmp_path, greets=answer)
    made(tmp_path, what)

    result, (report,) = judge(tmp_path)

    assert (status, reason, None, None) == (result.status, result.reason, result.directory, result.report)
    (problem,) = report.problems
    assert problem.path.startswith(".agenttest/runs")
    assert "link" in problem.message or "no folder" in problem.message
    assert [] == list((tmp_path / "elsewhere").glob("*"))


def test_what_was_incomplete_stays_so_for_its_own_reason_where_it_is_not_saved(tmp_path: Path) -> None:
    lay(tmp_path, greets=None)
    made(tmp_path, ".agenttest is a file")

    result, _ = judge(tmp_path)

    assert (Status.INCOMPLETE, Reason.MISSING_EVIDENCE) == (result.status, result.reason)


def fails_at(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the disk be full when a file is written."""

    def write(project: Project, path: str, data: bytes) -> None:
        if path.endswith(name):
            raise rundir.NotSaved(rundir.Problem(path, 0, 0, "cannot be written: No space left on device"))
        real(project, path, data)

    real = Project.write
    monkeypatch.setattr(Project, "write", write)


@pytest.mark.parametrize("name", ["state.json", "behavior-results.json", "summary.md", "summary.json"])
def test_a_run_without_one_of_its_files_is_unfinished_and_no_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    lay(tmp_path, greets=KEPT)
    fails_at(monkeypatch, name)

    result, (report,) = judge(tmp_path, views=("markdown",))

    assert (Status.INCOMPLETE, Reason.NOT_SAVED, None) == (result.status, result.reason, result.directory)
    (directory,) = runs(tmp_path)
    assert [f"{directory.relative_to(tmp_path)}/{name}: cannot be written: No space left on device"] == [
        str(problem) for problem in report.problems
    ]
    assert ["unfinished"] == [issue.code for issue in replay(directory).issues]


def test_a_journal_that_cannot_be_written_leaves_the_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def add(journal: rundir.Journal, event: str, **fields: Any) -> None:
        if event == "decision":
            raise OSError(28, "No space left on device")
        real(journal, event, **fields)

    real = rundir.Journal.add
    monkeypatch.setattr(rundir.Journal, "add", add)
    lay(tmp_path, greets=KEPT, parts=BROKEN)

    result, (report,) = judge(tmp_path)

    assert [Status.PASS, Status.FAIL] == [judged.status for judged in report.scenarios]
    assert (Status.FAIL, None) == (result.status, result.directory)
    assert ["cannot be written: No space left on device"] == [problem.message for problem in report.problems]


def test_agents_words_of_every_kind_are_saved_and_hold_in_a_replay(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)
    words = "\ud800 \udfff \x00 \x1b[2J \u202e \u2028 \ufeff \U0001f600 hello"
    numbers = {"n": [1, 1.0, -0.0, 1e308, 10**400, True, None, {"": {}}]}
    seen = observation("greets", words, tool_calls=[{"name": "\udcff", "arguments": numbers}], sources=["\ud83d"])
    (tmp_path / "desk.observations.json").write_text(json.dumps({"version": 1, "scenarios": [seen]}))

    found = saved(tmp_path)

    assert seen == read(found / "behavior-results.json")["scenarios"][0]["observation"]
    assert replay(found).valid


def test_values_that_many_outcomes_observed_are_cut_before_they_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ", ".join("{name: look, arguments: {in: book}}" for _ in range(100))
    lines = f"- {{id: desk, prompt: p, expect: {{tools: {{required: [{asked}]}}}}}}\n"
    (tmp_path / "desk.yml").write_text(f"version: 1\nagent: {{}}\nscenarios:\n{lines}")
    call = {"name": "look", "arguments": {"in": "drawer", "said": "x" * 1_000_000}}
    (tmp_path / "desk.observations.json").write_text(recording(observation("desk", "", tool_calls=[call])))
    written: list[int] = []
    monkeypatch.setattr(rundir, "spread", lambda document: written.append(len(text := spread(document))) or text)

    result, (report,) = judge(tmp_path)

    assert max(written) < 2_000_000
    assert (Status.FAIL, True) == (result.status, report.observations_kept)
    assert replay(tmp_path / str(result.directory)).valid
