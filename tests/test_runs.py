"""A run of runs: complete once its summary is there, which lists each child with status and digest."""

import re
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agenttest import runs
from agenttest.errors import NotSaved, Problem
from agenttest.files import Project
from agenttest.model import Reason, Status
from agenttest.replay import replay
from agenttest.report import digest_of
from tests.projects import BROKEN, KEPT, judge, lay, read, saved

BEGAN = datetime(2026, 2, 3, 4, 5, 6, 7000, UTC)


def three(root: Path) -> list[str]:
    return [lay(root, "a.yml", x=KEPT), lay(root, "b/a.yml", x=BROKEN), "nowhere.yml"]


def test_each_child_is_a_complete_run_of_its_own(tmp_path: Path) -> None:
    parent = saved(tmp_path, *three(tmp_path))

    children = sorted(path for path in parent.iterdir() if path.is_dir())
    assert ["0001-a", "0002-a"] == [child.name for child in children]
    assert [True, True] == [replay(child).valid for child in children]


def test_the_summary_lists_the_children_in_order(tmp_path: Path) -> None:
    parent = saved(tmp_path, *three(tmp_path))

    summary = read(parent / "summary.json")
    keys = ("suite", "status", "reason", "directory")
    assert [
        ("a.yml", "pass", "kept", "0001-a"),
        ("b/a.yml", "fail", "violation", "0002-a"),
        ("nowhere.yml", "incomplete", "invalid-input", None),
    ] == [tuple(child[key] for key in keys) for child in summary["children"]]
    assert ("fail", "violation", 1, parent.name) == tuple(
        summary[key] for key in ("status", "reason", "exit_code", "run_id")
    )


def test_its_digest_is_of_the_childrens_digests(tmp_path: Path) -> None:
    result, _ = judge(tmp_path, *three(tmp_path))

    summary = read(tmp_path / str(result.report))
    assert digest_of([child["evidence_digest"] for child in summary["children"]]) == summary["evidence_digest"]
    assert summary["evidence_digest"] == result.evidence_digest


def test_its_state_says_what_was_asked_for_before_any_child_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suites = three(tmp_path)

    parent = saved(tmp_path, *suites, scenarios=("x",))

    state = read(parent / "state.json")
    assert (suites, ["x"], parent.name) == (state["suites"], state["asked"], state["run_id"])


def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    parent = saved(tmp_path, *three(tmp_path))

    assert [0o700, 0o600, 0o600] == [
        stat.S_IMODE(path.stat().st_mode) for path in (parent, parent / "state.json", parent / "summary.json")
    ]


@pytest.mark.parametrize("name", ["state.json", "summary.json"])
@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [(KEPT, Status.INCOMPLETE, Reason.NOT_SAVED), (BROKEN, Status.FAIL, Reason.VIOLATION)],
)
def test_where_its_files_cannot_be_written_a_pass_is_incomplete_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, answer: str, status: Status, reason: Reason
) -> None:
    def write(project: Project, path: str, data: bytes) -> None:
        if re.fullmatch(rf"\.agenttest/runs/[^/]+/{name}", path):
            raise NotSaved(Problem(path, 0, 0, "cannot be written: No space left on device"))
        real(project, path, data)

    real = Project.write
    monkeypatch.setattr(Project, "write", write)
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=answer)

    result, reports = judge(tmp_path, *suites)

    assert (status, reason, None, None) == (result.status, result.reason, result.directory, result.report)
    assert ["a.yml", "b.yml", ""] == [report.path for report in reports]
    assert "cannot be written: No space left on device" == reports[-1].problems[0].message
    assert [] == list(tmp_path.glob(".agenttest/runs/*/summary.json"))


def test_where_its_folder_cannot_be_made_no_child_is_saved_and_all_are_judged(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=BROKEN)
    (tmp_path / ".agenttest").write_text("in the way")

    result, reports = judge(tmp_path, *suites)

    assert [Status.INCOMPLETE, Status.FAIL, Status.INCOMPLETE] == [report.status for report in reports]
    assert (Status.FAIL, None) == (result.status, result.directory)


def test_a_runs_name_says_when_it_began(tmp_path: Path) -> None:
    first, second = runs.run_id(BEGAN), runs.run_id(BEGAN)

    assert "20260203T040506Z-" == first[:17] == second[:17]
    assert first != second
    assert runs.NAME.fullmatch(first)


def test_a_moment_is_written_to_the_millisecond() -> None:
    assert "2026-02-03T04:05:06.007Z" == runs.stamp(BEGAN)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/bank.yml", "0001-bank"),
        ("bank.v2.yaml", "0001-bank.v2"),
        ("Straße né.yml", "0001-Stra-e-n"),
        ("..yml", "0001-suite"),
        ("日本.yml", "0001-suite"),
        ("-rf.yml", "0001-rf"),
        ("\udcff\n.yml", "0001-suite"),
        ("x" * 200 + ".yml", "0001-" + "x" * 60),
    ],
)
def test_a_childs_folder_is_named_after_its_suite_in_plain_letters(path: str, name: str) -> None:
    found = runs.child_name(0, path)

    assert name == found
    assert runs.CHILD.fullmatch(found)


def test_children_of_one_name_are_told_apart_by_their_number() -> None:
    assert ["0010-a", "10000-a"] == [runs.child_name(before, "a.yml") for before in (9, 9999)]
