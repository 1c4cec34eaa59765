"""What a call leaves in the project: never a stale pass, never over an input, whatever cannot be written."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from agenttest import cli, settings
from agenttest.errors import NotSaved, Problem
from agenttest.files import Project
from tests import folders, projects

REPORT, RESULTS, TRACES = settings.REPORT_FILE, settings.RESULTS_FILE, settings.TRACES_FOLDER
ALL = ("--report", "--results", "--trace-dir")
SCENARIO = f"{folders.FOLDER}/000.json"
STALE = '{"passed": true, "status": "pass", "exitCode": 0}'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folders.lay(tmp_path, folders.scenario("greets", risk="High"))
    return tmp_path


def run(*flags: str, suite: str | None = folders.FOLDER) -> int:
    return cli.main(["test", *([suite] if suite else []), "--no-artifacts", *flags])


def read(root: Path, name: str = RESULTS) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / name).read_text())
    return found


def ended(root: Path) -> tuple[bool, str, str, bool]:
    """How results and report say that the call ended."""
    found = read(root)
    return found["passed"], found["status"], found["reason"], "**PASS**" in (root / REPORT).read_text()


def stale(root: Path) -> None:
    """Files that say that an earlier run passed."""
    for name in (REPORT, RESULTS):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("Gate status: **PASS**" if name == REPORT else STALE)


def breaking(monkeypatch: pytest.MonkeyPatch, *names: str, after: int = 0) -> None:
    """Let these files, by a part of their names, be written only so many times."""
    write, written = Project.write, dict.fromkeys(names, 0)

    def once(self: Project, name: str, data: Any) -> None:
        for each in names:
            written[each] += each in name
            if each in name and written[each] > after:
                raise NotSaved(Problem(name, 0, 0, "cannot be written: No space left on device"))
        write(self, name, data)

    monkeypatch.setattr(Project, "write", once)


def test_each_flag_without_a_value_means_its_own_place(here: Path) -> None:
    assert 0 == run(*ALL)

    assert (True, "pass", "kept", True) == ended(here)
    assert ["greets"] == [path.name.split("-")[0] for path in (here / TRACES).iterdir()]


def test_each_flag_with_a_value_means_that_place(here: Path) -> None:
    assert 0 == run("--report", "a/run.md", "--results=b/run.json", "--trace-dir", "c/d")

    assert {"a/run.md", "b/run.json"} < {path.relative_to(here).as_posix() for path in here.rglob("*.*")}
    assert 1 == len(list((here / "c/d").iterdir()))


def test_nothing_is_left_where_nothing_is_asked_for(here: Path) -> None:
    run()

    assert ["tests"] == [path.name for path in here.iterdir()]


def test_everything_is_the_same_when_it_is_run_again(here: Path) -> None:
    run(*ALL)
    before = {path: path.read_bytes() for path in here.rglob("*.*") if path.is_file()}

    cli.main(["test", *ALL])

    assert before == {path: path.read_bytes() for path in before}
    assert 1 == len(list((here / TRACES).iterdir()))


def test_only_the_owner_can_read_what_an_agent_said(here: Path) -> None:
    run(*ALL)

    modes = {path.stat().st_mode & 0o777 for path in (here / RESULTS, here / REPORT, *(here / TRACES).iterdir())}
    assert {0o600} == modes


def test_traces_of_other_scenarios_are_left_alone(here: Path) -> None:
    (here / TRACES).mkdir(parents=True)
    (here / TRACES / "other.trace.json").write_text("mine")

    run("--trace-dir")

    assert "mine" == (here / TRACES / "other.trace.json").read_text()


def test_a_trace_is_that_in_the_results_and_named_with_its_place(here: Path) -> None:
    run(*ALL)

    (result,) = read(here)["results"]
    assert result["trace"] == read(here, result["tracePath"])
    assert f"`../../{result['tracePath']}`" in (here / REPORT).read_text()


def test_contracts_and_scenarios_share_one_file(here: Path) -> None:
    projects.lay(here, greets=projects.KEPT)

    assert 0 == cli.main(["test", folders.FOLDER, "desk.yml", *ALL])

    assert [folders.FOLDER, "desk.yml"] == [result["suite"] for result in read(here)["results"]]
    assert 2 == len(list((here / TRACES).iterdir()))


def test_scenarios_of_one_name_in_two_contracts_have_a_trace_each(here: Path) -> None:
    for name in ("one.yml", "two.yml"):
        projects.lay(here, name, greets=projects.KEPT)

    assert 0 == cli.main(["test", "one.yml", "two.yml", *ALL])

    assert 2 == len(list((here / TRACES).iterdir()))


def test_a_run_that_is_broken_off_leaves_no_pass(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale(here)
    monkeypatch.setattr("agenttest.commands.testing.run", lambda *_: 1 / 0)

    assert 2 == run(*ALL)

    assert (False, "incomplete", "interrupted", False) == ended(here)


@pytest.mark.parametrize(
    ("suite", "flags"),
    [
        ("nowhere.yml", []),
        (folders.FOLDER, ["--max-seconds", "0"]),
        (folders.FOLDER, ["--risk", "huge"]),
        (folders.FOLDER, ["--output", "/elsewhere.json"]),
        (folders.FOLDER, ["--trace-dir", "/elsewhere"]),
        ("none/*.json", []),
    ],
)
def test_input_that_is_not_valid_leaves_no_pass(here: Path, suite: str, flags: list[str]) -> None:
    stale(here)

    assert 2 == run("--report", "--results", *flags, suite=suite)

    assert (False, "incomplete", "invalid-input", False) == ended(here)
    assert [] != read(here)["problems"]


def test_a_suite_that_is_not_found_leaves_no_pass(here: Path) -> None:
    (here / "tests").rename(here / "elsewhere")
    stale(here)

    assert 2 == run(*ALL, suite=None)

    assert (False, "incomplete", "invalid-input", False) == ended(here)


def test_a_file_that_is_no_scenario_is_told_beside_the_others(here: Path) -> None:
    folders.lay(here, bad='{"id": "bad"}')

    assert 2 == run(*ALL)

    assert (False, "incomplete", "missing-evidence", False) == ended(here)
    assert f"{folders.FOLDER}/bad.json" in {problem["path"] for problem in read(here)["problems"]}
    assert "## Invalid Files" in (here / REPORT).read_text()


@pytest.mark.parametrize("name", ["test-run-report", "test-run-results", "trace.json"])
def test_what_cannot_be_written_makes_a_pass_incomplete(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    breaking(monkeypatch, name)

    assert 2 == run(*ALL)

    assert "not written: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["test-run-report", "test-run-results", "trace.json"])
def test_what_cannot_be_written_does_not_hide_a_violation(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folders.lay(here, folders.scenario("greets", folders.scripted(folders.BROKEN), risk="High"))
    breaking(monkeypatch, name)

    assert 1 == run(*ALL)


def test_no_file_says_pass_where_another_could_not_be_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, "trace.json")

    run(*ALL)

    assert (False, "incomplete", "not-saved", False) == ended(here)
    assert [None] == [result["tracePath"] for result in read(here)["results"]]


@pytest.mark.parametrize(("name", "path"), [("test-run-report", REPORT), ("test-run-results", RESULTS)])
def test_where_a_file_can_never_be_written_that_of_an_earlier_run_is_removed(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str
) -> None:
    stale(here)
    breaking(monkeypatch, name)

    assert 2 == run("--report", "--results")

    assert not (here / path).exists()


@pytest.mark.parametrize("name", ["test-run-report", "test-run-results"])
def test_a_file_that_could_not_be_written_at_the_end_still_says_that_the_run_had_not_ended(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    stale(here)
    breaking(monkeypatch, name, after=1)

    assert 2 == run("--report", "--results")

    found = read(here)
    assert (False, False) == (found["passed"], "**PASS**" in (here / REPORT).read_text())


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--results", SCENARIO], f"it is inside {folders.FOLDER}"),
        (["--results", f"{folders.FOLDER}/new.json"], f"it is inside {folders.FOLDER}"),
        (["--trace-dir", f"{folders.FOLDER}/traces"], f"it is inside {folders.FOLDER}"),
        (["--report", "tests/agent-scenarios"], "its name should end in .md"),
        (["--report", "desk.yml"], "its name should end in .md"),
        (["--results", "run.yml"], "its name should end in .json"),
        (["--results", "desk.observations.json"], "it is what a run reads"),
        (["--results", "elsewhere/scenario.json"], "it is a scenario"),
        (["--results", "elsewhere/kept.json"], "it is a trace"),
        (["--results", "elsewhere/seen.json"], "it is a recording"),
        (["--results", "folder.json"], "is a folder"),
        (["--trace-dir", "file"], "file is a file"),
        (["--report", "link/run.md"], "link is a link"),
        (["--report", "../run.md"], "holds '..'"),
        (["--report", " "], "is no path"),
        (["--results", "one.json", "--output", "one.json"], "something else of this call goes there too"),
        (["--report", "one.md", "--output", "one.md"], "something else of this call goes there too"),
    ],
)
def test_nothing_is_written_over_an_input_or_where_it_cannot_be(
    here: Path, capsys: pytest.CaptureFixture[str], flags: list[str], said: str
) -> None:
    projects.lay(here, greets=projects.KEPT)
    folders.put(here, "elsewhere/scenario.json", folders.scenario("mine"))
    folders.put(here, "elsewhere/kept.json", folders.trace("mine"))
    folders.put(here, "elsewhere/seen.json", {"version": 1, "scenarios": []})
    (here / "folder.json").mkdir()
    (here / "file").write_text("mine")
    (here / "link").symlink_to("elsewhere")
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}

    assert 2 == run(*flags, suite=folders.FOLDER)

    assert said in capsys.readouterr().err
    outputs = {here / "one.json", here / "one.md"}
    after = {path: path.read_bytes() for path in here.rglob("*") if path.is_file() and path not in outputs}
    assert before == after


def test_results_of_any_form_are_replaced(here: Path) -> None:
    for text in ("", STALE, "[]", "no json", '{"results": [], "gates": [], "passed": true}'):
        folders.put(here, "run.json", text.encode())

        assert 0 == run("--results", "run.json")


def test_the_trace_that_a_scenario_is_judged_by_is_not_written_over(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--trace-dir", "kept")
    (trace,) = (here / "kept").iterdir()
    edited = trace.read_text().replace('"startedAtUtc": null', '"startedAtUtc": "2026-01-01T00:00:00Z"')
    trace.write_text(edited)
    (here / SCENARIO).unlink()
    given = folders.replay(os.path.relpath(trace, here / folders.FOLDER))
    folders.lay(here, folders.scenario("greets", risk="High"), folders.scenario("judged-by-it", given))

    code = run("--trace-dir", "kept")

    assert (2, edited) == (code, trace.read_text())
    assert "is the trace that the scenario is judged by, so it is not written over" in capsys.readouterr().err


def test_what_was_written_is_said_after_the_verdict(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(*ALL)

    assert [
        f"report written to {REPORT}",
        f"results written to {RESULTS}",
        f"1 trace written to {TRACES}",
    ] == capsys.readouterr().out.splitlines()[-3:]


def test_json_on_stdout_stays_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(*ALL, "--format", "json")

    assert "pass" == json.loads(capsys.readouterr().out)["status"]


def test_a_secret_is_in_none_of_the_files(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "sk-secret-0123456789")
    told = folders.scripted("It is sk-secret-0123456789, hello")
    folders.lay(here, folders.scenario("greets", told), folders.scenario("asks", folders.asking()))

    run(*ALL, "--auth-env", "KEY", "--endpoint", "http://127.0.0.1:9/v1", "--model", "m")

    texts = [path.read_text() for path in here.rglob("*") if path.is_file() and folders.FOLDER not in str(path)]
    assert 4 == len(texts)
    assert [] == [text for text in texts if "sk-secret" in text]
