"""The spine: every suite is judged, the worst decides, and nothing that goes wrong takes a verdict away."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from agenttest import judging
from agenttest import run as spine
from agenttest.call import Result
from agenttest.files import Project
from agenttest.model import Judged, Reason, Status, Verdict
from agenttest.report import Report
from agenttest.run import run
from agenttest.settings import Limits, Settings
from tests.projects import BROKEN, KEPT, agenttest, judge, lay, read, runs

COUNTS = {Status.PASS: 0, Status.FAIL: 0, Status.INCOMPLETE: 0}


def told(reports: Sequence[Report]) -> list[str]:
    return [str(problem) for report in reports for problem in report.problems]


@pytest.mark.parametrize(
    ("answers", "status", "reason"),
    [
        ([KEPT, KEPT], Status.PASS, Reason.KEPT),
        ([KEPT, BROKEN], Status.FAIL, Reason.VIOLATION),
        ([KEPT, None], Status.INCOMPLETE, Reason.MISSING_EVIDENCE),
        ([None, BROKEN], Status.FAIL, Reason.VIOLATION),
    ],
)
def test_the_worst_scenario_decides(tmp_path: Path, answers: list[str | None], status: Status, reason: Reason) -> None:
    lay(tmp_path, first=answers[0], second=answers[1])

    result, reports = judge(tmp_path)

    assert [(status, reason)] == [(result.status, result.reason)]
    assert [Verdict(status, reason)] == [replace(report.verdict, gates=()) for report in reports]


def test_scenarios_are_counted_by_status(tmp_path: Path) -> None:
    lay(tmp_path, a=KEPT, b=BROKEN, c=None, d=KEPT)

    result, _ = judge(tmp_path)

    assert {Status.PASS: 2, Status.FAIL: 1, Status.INCOMPLETE: 1} == result.scenarios


def test_the_result_says_where_the_run_and_its_report_are(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)

    result, (report,) = judge(tmp_path)

    (directory,) = runs(tmp_path)
    assert directory.relative_to(tmp_path).as_posix() == result.directory == report.directory
    assert f"{result.directory}/behavior-results.json" == result.report
    assert read(tmp_path / result.report)["evidence_digest"] == result.evidence_digest


def test_nothing_is_written_where_nothing_is_to_be_saved(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)
    before = sorted(tmp_path.rglob("*"))

    result, _ = judge(tmp_path, artifacts=False)

    assert before == sorted(tmp_path.rglob("*"))
    assert (None, None, Status.PASS) == (result.directory, result.report, result.status)


def test_equal_evidence_has_an_equal_digest_saved_or_not_but_for_where_its_files_are(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)

    once, again = judge(tmp_path)[0], judge(tmp_path)[0]

    assert once.evidence_digest == again.evidence_digest
    assert once.directory != again.directory


def test_of_several_suites_the_worst_decides_and_each_has_its_report(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=BROKEN), lay(tmp_path, "c.yml", x=None)

    result, reports = judge(tmp_path, *suites)

    assert ["a.yml", "b.yml", "c.yml"] == [report.path for report in reports]
    assert (Status.FAIL, Reason.VIOLATION, True) == (result.status, result.reason, result.several)
    assert {Status.PASS: 1, Status.FAIL: 1, Status.INCOMPLETE: 1} == result.scenarios


def test_a_suite_that_cannot_be_run_leaves_the_others_their_verdicts(tmp_path: Path) -> None:
    lay(tmp_path, "good.yml", x=KEPT)

    result, reports = judge(tmp_path, "nowhere.yml", "good.yml", "../outside.yml")

    assert [Status.INCOMPLETE, Status.PASS, Status.INCOMPLETE] == [report.status for report in reports]
    assert (Status.INCOMPLETE, Reason.INVALID_INPUT) == (result.status, result.reason)


def test_several_suites_stay_several_where_nothing_is_saved(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=KEPT)

    saved, _ = judge(tmp_path, *suites)
    unsaved, _ = judge(tmp_path, *suites, artifacts=False)

    assert (True, True) == (saved.several, unsaved.several)
    assert (None, None) == (unsaved.directory, unsaved.report)
    assert saved.evidence_digest != unsaved.evidence_digest != ""


def test_a_suite_of_several_in_which_nothing_is_selected_is_left_out(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", y=KEPT)

    result, reports = judge(tmp_path, *suites, scenarios=("y",))

    assert ["b.yml"] == [report.path for report in reports]
    assert (Status.PASS, True) == (result.status, result.several)


def test_a_pattern_that_matches_nothing_is_invalid_in_one_suite(tmp_path: Path) -> None:
    lay(tmp_path, x=KEPT)

    result, reports = judge(tmp_path, scenarios=("x", "y*"))

    assert (Status.INCOMPLETE, Reason.INVALID_INPUT) == (result.status, result.reason)
    assert ["--scenario: 'y*' matches no scenario; it has x"] == told(reports)
    assert [] == runs(tmp_path)


def test_a_pattern_that_matches_nothing_in_all_of_several_suites_is_invalid_beside_their_verdicts(
    tmp_path: Path,
) -> None:
    suites = lay(tmp_path, "a.yml", x=BROKEN), lay(tmp_path, "b.yml", y=KEPT)

    result, reports = judge(tmp_path, *suites, scenarios=("x", "y", "z"))

    assert [Status.FAIL, Status.PASS, Status.INCOMPLETE] == [report.status for report in reports]
    assert ["--scenario: 'z' matches no scenario; check the name"] == told(reports)
    assert Status.FAIL is result.status


def test_settings_out_of_bounds_are_told_all_at_once(tmp_path: Path) -> None:
    lay(tmp_path, x=KEPT)

    result, reports = judge(tmp_path, limits=Limits(0, float("inf"), 40000))

    assert ["--max-scenarios", "--max-seconds", "--max-tokens"] == [line.split(":")[0] for line in told(reports)]
    assert (Status.INCOMPLETE, Reason.INVALID_INPUT, COUNTS) == (result.status, result.reason, result.scenarios)


@pytest.mark.parametrize("outside", ["../runs", "/tmp", ".", ""])
def test_a_run_directory_outside_the_project_is_invalid_before_anything_is_judged(tmp_path: Path, outside: str) -> None:
    lay(tmp_path / "project", x=KEPT)

    result, (report,) = judge(tmp_path / "project", run_directory=outside)

    assert (Status.INCOMPLETE, Reason.INVALID_INPUT) == (result.status, result.reason)
    assert () == report.scenarios
    assert ["project"] == [path.name for path in tmp_path.iterdir()]


def test_a_run_directory_outside_the_project_is_told_before_any_suite_is_read(tmp_path: Path) -> None:
    _, reports = judge(tmp_path, "nowhere.yml", run_directory="../runs")

    assert [f"../runs: holds '..'; name it without, from a folder that holds it (now {tmp_path})"] == told(reports)


def test_more_scenarios_than_allowed_are_not_cut_short(tmp_path: Path) -> None:
    lay(tmp_path, a=BROKEN, b=KEPT, c=KEPT)

    _, (refused,) = judge(tmp_path, limits=Limits(2))
    enough, _ = judge(tmp_path, limits=Limits(2), scenarios=("a", "b"))

    said = "--max-scenarios: is 2, but 3 scenarios of desk.yml are selected; raise it or select fewer"
    assert [said] == told([refused])
    assert Status.FAIL is enough.status


def test_by_default_no_number_of_scenarios_is_too_many(tmp_path: Path) -> None:
    lay(tmp_path, **{f"s{number}": KEPT for number in range(125)})  # the contract's own bound is 250 assertions

    result, _ = judge(tmp_path)

    assert {**COUNTS, Status.PASS: 125} == result.scenarios


def test_what_the_time_did_not_suffice_for_is_incomplete_and_what_was_judged_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, a=KEPT, b=KEPT, c=KEPT)
    seconds = iter([0.0, 1.0, 2.0, 9.0])
    monkeypatch.setattr(spine.time, "monotonic", lambda: next(seconds))

    result, (report,) = judge(tmp_path, limits=Limits(max_seconds=5), artifacts=False)

    assert [Status.PASS, Status.PASS, Status.INCOMPLETE] == [judged.status for judged in report.scenarios]
    assert (Status.INCOMPLETE, Reason.BUDGET) == (result.status, result.reason)


def test_a_violation_seen_before_the_time_ran_out_stays_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, a=BROKEN, b=KEPT)
    seconds = iter([0.0, 1.0, 9.0])
    monkeypatch.setattr(spine.time, "monotonic", lambda: next(seconds))

    result, _ = judge(tmp_path, limits=Limits(max_seconds=5), artifacts=False)

    assert (Status.FAIL, Reason.VIOLATION) == (result.status, result.reason)


def interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, *suites: str) -> Result:
    """The result of a run that is interrupted after so many scenarios."""
    judged: list[str] = []

    def judge_one(*arguments: object) -> Judged:
        if len(judged) == after:
            raise KeyboardInterrupt
        judged.append("one")
        return real(*arguments)  # type: ignore[arg-type]

    real = judging.judge
    monkeypatch.setattr(judging, "judge", judge_one)
    return judge(tmp_path, *suites)[0]


def test_an_interrupted_run_says_so_and_leaves_its_directory_unfinished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, a=KEPT, b=KEPT)

    result = interrupted(tmp_path, monkeypatch, 1)

    assert (Status.INCOMPLETE, Reason.INTERRUPTED, None) == (result.status, result.reason, result.report)
    assert str(tmp_path / str(result.directory)) == str(*runs(tmp_path))
    assert 1 == agenttest(tmp_path, "replay").returncode


def test_what_was_judged_before_an_interruption_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suites = lay(tmp_path, "a.yml", x=BROKEN), lay(tmp_path, "b.yml", x=KEPT)

    result = interrupted(tmp_path, monkeypatch, 1, *suites)

    assert (Status.FAIL, Reason.VIOLATION) == (result.status, result.reason)
    summary = read(tmp_path / str(result.report))
    assert ["violation", "interrupted"] == [child["reason"] for child in summary["children"]]


def test_paths_start_from_the_base_and_runs_are_saved_there(tmp_path: Path) -> None:
    lay(tmp_path / "sub", "a.yml", x=KEPT)
    lay(tmp_path / "sub", "b.yml", x=KEPT)

    one, _ = judge(tmp_path, "a.yml", base=tmp_path / "sub")
    several, reports = judge(tmp_path, "a.yml", "b.yml", base=tmp_path / "sub")

    assert ["sub/a.yml", "sub/b.yml"] == [report.path for report in reports]
    for saved in (one.directory, several.directory, *(report.directory for report in reports)):
        assert str(saved).startswith("sub/.agenttest/runs/")
        assert 0 == agenttest(tmp_path, "replay", str(saved)).returncode


def test_a_run_directory_may_be_named_absolutely(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=KEPT)

    result, _ = judge(tmp_path, *suites, run_directory=str(tmp_path / "kept/here"))

    assert str(result.directory).startswith("kept/here/")
    assert f"{result.directory}/summary.json" == result.report


def test_a_report_is_shown_as_soon_as_its_suite_is_done(tmp_path: Path) -> None:
    lay(tmp_path, "a.yml", x=KEPT)

    def show(report: Report) -> None:
        shown.append(report.path)
        if report.path == "a.yml":
            lay(tmp_path, "b.yml", x=KEPT)  # so the second suite is not read before the first is shown

    shown: list[str] = []
    result = run(Project.at(tmp_path), Settings(("a.yml", "b.yml")), show)

    assert (Status.PASS, ["a.yml", "b.yml"]) == (result.status, shown)


def test_no_suite_at_all_proves_nothing(tmp_path: Path) -> None:
    result = run(Project.at(tmp_path), Settings(()), lambda report: None)

    assert (Status.INCOMPLETE, Reason.INVALID_INPUT) == (result.status, result.reason)
