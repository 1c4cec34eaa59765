"""`agenttest report` and `agenttest gates`: which run is meant, what is refused, and the exit codes."""

import json
from pathlib import Path

import pytest

from agenttest import cli, flags
from agenttest.settings import REPORT_FILE, RESULTS_FILE
from tests import folders, projects, zips

Said = pytest.CaptureFixture[str]
HIGH, LOW = {"risk": "High"}, {"risk": "Low"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lay(root: Path, answer: str = folders.KEPT, **more: str) -> None:
    folders.lay(root, folders.scenario("greets", folders.scripted(answer), **{**HIGH, **more}))


def ran(root: Path, answer: str = folders.KEPT, **more: str) -> Path:
    """The directory of a run of one scenario."""
    lay(root, answer, **more)
    return projects.saved(root, folders.FOLDER)


def gates(said: str) -> dict[str, str]:
    """The status of each gate that is told."""
    lines = [line.split() for line in said.splitlines() if line.startswith("  ") and not line.startswith(" " * 12)]
    return {line[1]: line[0] for line in lines}


def stale_pass(root: Path) -> None:
    for name in (REPORT_FILE, RESULTS_FILE):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("PASS")


@pytest.mark.parametrize(("answer", "code"), [(folders.KEPT, 0), (folders.BROKEN, 1)])
@pytest.mark.parametrize("command", ["report", "gates"])
def test_the_exit_code_is_that_of_the_newest_run(here: Path, command: str, answer: str, code: int) -> None:
    ran(here, answer)

    assert code == cli.main([command])


def test_an_incomplete_run_is_2(here: Path) -> None:
    projects.lay(here, greets=None)
    projects.saved(here)

    assert (2, 2) == (cli.main(["report"]), cli.main(["gates"]))


@pytest.mark.parametrize("form", flags.RENDERED)
def test_a_report_is_shown_in_every_format(here: Path, capsys: Said, form: str) -> None:
    ran(here, folders.BROKEN)

    assert 1 == cli.main(["report", "--format", form])

    assert "greets" in capsys.readouterr().out


@pytest.mark.parametrize("form", flags.RENDERED)
def test_a_report_of_several_suites_is_shown_in_every_format(here: Path, capsys: Said, form: str) -> None:
    lay(here, folders.BROKEN)
    projects.lay(here, leaves=projects.BROKEN)
    projects.saved(here, folders.FOLDER, "desk.yml")

    assert 1 == cli.main(["report", "--format", form])

    shown = capsys.readouterr().out
    assert [True, True] == [name in shown for name in (folders.FOLDER, "desk.yml")]


def test_the_json_report_is_the_saved_one(here: Path, capsys: Said) -> None:
    run = ran(here)

    cli.main(["report", "--format", "json"])

    assert (run / "behavior-results.json").read_text() == capsys.readouterr().out


def test_a_report_judges_nothing_again(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran(here)
    lay(here, folders.BROKEN)

    assert 0 == cli.main(["report"])


def test_a_report_is_written_where_it_is_asked_for(here: Path) -> None:
    ran(here)

    assert 0 == cli.main(["report", "--format", "testrun", "-o", REPORT_FILE])

    assert (here / REPORT_FILE).read_text().startswith("# Test run report\n\nGate status: **PASS**")


@pytest.mark.parametrize("command", ["report", "gates"])
def test_a_zip_is_as_good_as_a_folder(here: Path, command: str) -> None:
    zips.packed(ran(here), here / "run.zip")

    assert 0 == cli.main([command, "run.zip"])


@pytest.mark.parametrize("command", ["report", "gates"])
def test_a_run_that_is_not_valid_is_refused(here: Path, capsys: Said, command: str) -> None:
    run = ran(here)
    (run / "behavior-results.json").write_text("{}")

    assert 2 == cli.main([command, str(run)])

    told = capsys.readouterr()
    assert "" == told.out
    assert "not valid: the saved verdict, pass (kept), cannot be relied on; run it again: agenttest test" in told.err


@pytest.mark.parametrize("command", ["report", "gates"])
def test_a_run_that_was_killed_is_refused(here: Path, capsys: Said, command: str) -> None:
    (ran(here) / "summary.json").unlink()

    assert 2 == cli.main([command])

    assert "the run was not finished" in capsys.readouterr().err


def test_where_nothing_was_saved_there_is_nothing_to_report(here: Path, capsys: Said) -> None:
    assert 2 == cli.main(["report"])

    assert "no saved run in .agenttest/runs" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["report", "gates"])
def test_nothing_is_written_into_the_run(here: Path, command: str) -> None:
    run = ran(here)
    before = {path: path.read_bytes() for path in run.iterdir()}

    codes = [cli.main([command, str(run), "-o", f"{run}/{name}"]) for name in ("summary.json", "more.md")]

    assert [2, 2] == codes
    assert before == {path: path.read_bytes() for path in run.iterdir()}


def test_each_gate_is_told_with_what_became_of_it(here: Path, capsys: Said) -> None:
    ran(here, folders.BROKEN)

    cli.main(["gates"])

    assert {
        "scenario-discovery": "pass",
        "explicit-oracles": "pass",
        "high-risk-pass": "FAIL",
        "required-scenarios-pass": "pass",
        "trace-presence": "pass",
        "evidence-complete": "pass",
    } == gates(capsys.readouterr().out)


def test_a_run_of_files_that_changed_is_2_and_says_what_to_do(here: Path, capsys: Said) -> None:
    ran(here)
    lay(here, folders.BROKEN)

    assert 2 == cli.main(["gates"])

    assert f"run it again: agenttest test {folders.FOLDER}\n" in capsys.readouterr().out


def test_strict_gates_count_what_the_run_did_not(here: Path, capsys: Said) -> None:
    ran(here, folders.BROKEN, **LOW)

    assert (0, 1) == (cli.main(["gates"]), cli.main(["gates", "--strict"]))


@pytest.mark.parametrize("words", [[folders.FOLDER], []])
def test_suites_are_judged_first_where_one_is_named_or_there_is_no_run(
    here: Path, capsys: Said, words: list[str]
) -> None:
    lay(here, folders.BROKEN)

    assert 1 == cli.main(["gates", *words])

    assert "FAIL" == gates(capsys.readouterr().out)["high-risk-pass"]
    assert 1 == len(projects.runs(here))


def test_a_suite_that_is_named_is_judged_though_there_is_a_run(here: Path) -> None:
    ran(here)
    lay(here, folders.BROKEN)

    assert 1 == cli.main(["gates", folders.FOLDER])


def test_a_selection_is_judged_though_there_is_a_run(here: Path) -> None:
    ran(here)
    lay(here, folders.BROKEN)

    assert 1 == cli.main(["gates", "--scenario", "greets"])


def test_a_folder_of_scenarios_is_no_run_whatever_its_files_are_called(here: Path) -> None:
    for name in ("state", "summary"):
        folders.put(here, f"{folders.FOLDER}/{name}.json", folders.scenario(name, **HIGH))

    assert 0 == cli.main(["gates", folders.FOLDER])

    assert 1 == len(projects.runs(here))


@pytest.mark.parametrize("flag", [["--tag", "x"], ["--observations", "x.json"], ["--shard", "1/2"], ["--model", "m"]])
def test_what_only_a_run_can_do_is_refused_for_a_saved_one(here: Path, capsys: Said, flag: list[str]) -> None:
    assert 2 == cli.main(["gates", str(ran(here)), *flag])

    assert f"{flag[0]}: cannot be combined with the saved run" in capsys.readouterr().err


def test_a_run_and_a_suite_are_not_decided_together(here: Path, capsys: Said) -> None:
    assert 2 == cli.main(["gates", str(ran(here)), folders.FOLDER])

    assert "is a saved run; name it alone" in capsys.readouterr().err


def test_gates_from_a_folder_below_are_of_the_project_above(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran(here)
    (here / "src").mkdir()
    monkeypatch.chdir(here / "src")

    assert 0 == cli.main(["gates", "--report"])

    assert (here / REPORT_FILE).is_file()


def test_gates_leave_the_files_that_a_test_leaves(here: Path) -> None:
    ran(here, folders.BROKEN, **LOW)
    cli.main(["gates", "--strict", "--report", "--results"])

    found = json.loads((here / RESULTS_FILE).read_text())

    assert ("fail", "all-scenarios-pass") == (found["status"], found["gates"][-1]["name"])
    assert "**FAIL**" in (here / REPORT_FILE).read_text()


def test_gates_of_a_run_that_is_not_valid_leave_no_pass(here: Path) -> None:
    (ran(here) / "summary.json").write_text("{}")
    stale_pass(here)

    cli.main(["gates", "--report", "--results"])

    assert "incomplete" == json.loads((here / RESULTS_FILE).read_text())["status"]
    assert "PASS" not in (here / REPORT_FILE).read_text()


def test_of_several_suites_the_worst_decides(here: Path, capsys: Said) -> None:
    lay(here)
    projects.lay(here, leaves=projects.KEPT)
    projects.saved(here, folders.FOLDER, "desk.yml")
    (here / "desk.yml").write_text(projects.contract("leaves", "more"))

    assert 2 == cli.main(["gates"])

    assert "all suites: incomplete (missing-evidence, exit 2)\n" in capsys.readouterr().out


def test_gates_are_told_as_json_too(here: Path, capsys: Said) -> None:
    ran(here, folders.BROKEN)

    cli.main(["gates", "--format", "json"])

    assert "fail" == json.loads(capsys.readouterr().out)["gates"][2]["status"]
