"""Replaying a saved run: whether it is valid, told in text and as JSON; a run of runs is as valid as its children."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agenttest.errors import InvalidInput
from agenttest.replay import Replay, as_json, replay
from tests.projects import BROKEN, KEPT, lay, read, saved, told, write

FILES = ["behavior-results.json", "events.jsonl", "state.json", "summary.json"]
RIGHT = "name a run directory, such as .agenttest/runs/RUN, or the ZIP of one"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    lay(tmp_path, greets=KEPT)
    return saved(tmp_path)


def codes(found: Replay) -> list[str]:
    return [issue.code for each in (found, *found.children) for issue in each.issues]


@pytest.mark.parametrize("answer", [KEPT, BROKEN, None])
def test_a_run_is_valid_whatever_its_verdict_is(tmp_path: Path, answer: str | None) -> None:
    lay(tmp_path, greets=answer)

    assert replay(saved(tmp_path)).valid


def test_a_run_can_be_carried_elsewhere(tmp_path: Path, run: Path) -> None:
    shutil.move(run, tmp_path / "downloaded")
    shutil.rmtree(tmp_path / ".agenttest")
    (tmp_path / "desk.yml").unlink()

    assert replay(tmp_path / "downloaded").valid


def test_a_run_may_be_reached_over_a_link(tmp_path: Path, run: Path) -> None:
    (tmp_path / "latest").symlink_to(run)

    assert replay(tmp_path / "latest").valid


def test_files_that_are_not_the_runs_own_are_passed_over(run: Path) -> None:
    (run / "notes.txt").write_text("ours")

    assert replay(run).valid


@pytest.mark.parametrize("name", FILES)
def test_files_of_two_runs_cannot_be_swapped(tmp_path: Path, run: Path, name: str) -> None:
    lay(tmp_path, greets=f"{KEPT} again")
    shutil.copyfile(saved(tmp_path) / name, run / name)

    assert not replay(run).valid


@pytest.mark.parametrize("name", FILES)
def test_files_of_two_runs_of_equal_evidence_cannot_be_swapped_either(tmp_path: Path, run: Path, name: str) -> None:
    shutil.copyfile(saved(tmp_path) / name, run / name)

    assert not replay(run).valid


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, f"does not exist; {RIGHT}"),
        (lambda path: path.write_text(""), f"is a file, and no ZIP; {RIGHT}"),
        (lambda path: path.symlink_to("nowhere"), f"does not exist; {RIGHT}"),
        (
            Path.mkdir,
            "is no run directory: it holds none of events.jsonl, state.json, behavior-results.json, summary.json",
        ),
    ],
)
def test_what_is_no_run_directory_cannot_be_read(tmp_path: Path, make: Callable[[Path], Any], said: str) -> None:
    make(tmp_path / "place")

    with pytest.raises(InvalidInput) as caught:
        replay(tmp_path / "place")

    assert [f"{tmp_path}/place: {said}"] == [str(problem) for problem in caught.value.problems]


def test_a_run_that_may_not_be_read_is_not_taken_for_unfinished(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)

    with pytest.raises(InvalidInput) as caught:
        replay(run)

    assert f"{run}: cannot be read: permission denied; let this user read it" == str(caught.value)


def test_the_folder_of_all_runs_is_no_run(run: Path) -> None:
    with pytest.raises(InvalidInput):
        replay(run.parent)


@pytest.mark.parametrize("left", [[], ["events.jsonl"], ["events.jsonl", "state.json"], FILES[:3]])
def test_a_run_without_its_summary_was_never_finished(run: Path, left: list[str]) -> None:
    for name in FILES:
        if name not in left:
            (run / name).unlink()

    assert ["unfinished"] == codes(replay(run))


def test_the_saved_report_is_shown_anew(run: Path) -> None:
    shown = told(run)

    assert "  pass        greets  2 assertions kept\n" in shown
    assert shown.endswith("valid: the saved verdict, pass (kept), stands; every file, digest and decision agrees\n")
    assert "saved in" not in shown


def test_of_a_damaged_run_no_report_is_shown_but_what_is_wrong_and_what_to_do(run: Path) -> None:
    (run / "state.json").unlink()

    shown = told(run)

    assert [
        f"{run}: state.json does not exist",
        "not valid: the saved verdict, pass (kept), cannot be relied on; run it again: agenttest test desk.yml",
    ] == shown.splitlines()


def test_json_says_the_same(run: Path) -> None:
    (run / "state.json").unlink()

    document = json.loads(as_json(replay(run)))

    assert {
        "ok": False,
        "run": str(run),
        "status": "pass",
        "reason": "kept",
        "evidence_digest": read(run / "summary.json")["evidence_digest"],
        "issues": [{"code": "file-missing", "message": "state.json does not exist"}],
    } == document


def test_issues_hold_no_word_that_a_terminal_obeys(run: Path) -> None:
    summary = read(run / "summary.json")
    summary["files"]["\x1b[2J\n::error::x"] = {}
    write(run / "summary.json", {**summary, "status": "\x1b[31mpass\u202e"})

    shown, document = told(run), as_json(replay(run))

    assert not {"\x1b", "\u202e"} & {*shown, *document}
    assert r"\u001b[2J\n::error::x does not exist" in shown


def test_a_run_of_this_process_is_the_same_after_a_replay(run: Path) -> None:
    before = {path.name: path.read_bytes() for path in run.iterdir()}

    replay(run)

    assert before == {path.name: path.read_bytes() for path in run.iterdir()}
