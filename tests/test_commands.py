"""What each command does with its flags and its folder."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from agenttest import cli
from agenttest.files import Project
from agenttest.report import Report
from agenttest.reporters import reporter
from agenttest.run import run
from agenttest.settings import Settings
from tests import zips
from tests.projects import BROKEN, KEPT, contract, lay, observation, recording, runs, saved, sharded

EARLIER, LATER = "20260101T000000Z-ffffffff", "20260101T000001Z-00000000"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_report_is_written_where_it_was_asked_for_even_where_no_suite_is_found(here: Path) -> None:
    assert 2 == cli.main(["test", "--format", "json", "--output", "report.json"])

    assert "incomplete" == json.loads((here / "report.json").read_text())["status"]


@pytest.mark.parametrize("flag", [["--max-scenarios", "0"], ["--scenario", " "], ["--endpoint", "http://x"]])
def test_a_report_is_written_where_the_settings_are_wrong(here: Path, flag: list[str]) -> None:
    lay(here, greets=KEPT)

    assert 2 == cli.main(["test", "desk.yml", "--format", "json", "--output", "report.json", *flag])

    report = json.loads((here / "report.json").read_text())
    assert ("incomplete", "invalid-input", []) == (report["status"], report["reason"], report["scenarios"])


def test_an_input_is_not_written_over_by_the_report_of_what_is_wrong(here: Path) -> None:
    (here / "seen.json").write_text("as it was")

    for flags in (["--observations", "seen.json"], ["--observations", "seen.json", "--endpoint", "http://x"]):
        assert 2 == cli.main(["test", *flags, "--output", "seen.json", "--format", "json"])

    assert "as it was" == (here / "seen.json").read_text()


def test_the_suite_found_is_an_input_too(here: Path) -> None:
    lay(here, ".agenttest/agent-test.yml", greets=KEPT)
    before = (here / ".agenttest/agent-test.yml").read_text()

    assert 2 == cli.main(["test", "--output", ".agenttest/agent-test.yml"])

    assert before == (here / ".agenttest/agent-test.yml").read_text()


def test_paths_start_from_the_folder_of_the_suite_that_was_found(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "src").mkdir()
    (here / ".agenttest").mkdir()
    (here / ".agenttest/agent-test.yml").write_text(contract("greets"))
    (here / "seen.json").write_text(recording(observation("greets", KEPT)))
    monkeypatch.chdir(here / "src")

    assert 0 == cli.main(["test", "--observations", "seen.json", "--output", "report.txt"])

    assert (here / "report.txt").exists()
    assert [] == list((here / "src").iterdir())
    assert 1 == len(runs(here))


def test_home_may_be_written_short(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, greets=KEPT)
    monkeypatch.setenv("HOME", str(here))

    assert 0 == cli.main(["test", "~/desk.yml", "--observations", "~/desk.observations.json", "--no-artifacts"])


def made(here: Path, *names: str) -> None:
    """Folders of runs, each made after the one before."""
    for age, name in enumerate(names):
        folder = here / ".agenttest/runs" / name
        folder.mkdir(parents=True)
        os.utime(folder, (age, age))


@pytest.mark.parametrize(
    ("names", "newest"),
    [
        ([LATER, EARLIER], LATER),
        ([EARLIER, LATER], LATER),
        (["20260101T000000Z-ffffffff", "20260101T000000Z-00000000"], "20260101T000000Z-00000000"),
        ([EARLIER, "zzz", "20270101"], EARLIER),
    ],
)
def test_the_run_that_was_begun_last_is_replayed(
    here: Path, capsys: pytest.CaptureFixture[str], names: list[str], newest: str
) -> None:
    made(here, *names)

    assert 1 == cli.main(["replay", "--format", "json"])

    assert str(here / ".agenttest/runs" / newest) == json.loads(capsys.readouterr().out)["run"]


def test_a_run_is_found_from_a_folder_below(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, greets=BROKEN)
    cli.main(["test", "desk.yml"])
    (here / "src").mkdir()
    monkeypatch.chdir(here / "src")

    assert 0 == cli.main(["replay"])


@pytest.mark.parametrize("words", [["replay"], ["replay", ""], ["replay", "."]])
def test_where_there_is_no_run_there_is_none_to_replay(here: Path, words: list[str]) -> None:
    made(here, "notes")
    (here / ".agenttest/runs" / LATER).write_text("a file")

    assert 2 == cli.main(words)


def test_an_empty_name_is_not_the_newest_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(here, greets=KEPT)
    cli.main(["test", "desk.yml"])

    assert 2 == cli.main(["replay", ""])


def test_two_runs_of_one_second_are_told_apart(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(4):
        lay(here, greets=KEPT if number % 2 else BROKEN)
        cli.main(["test", "desk.yml"])
        capsys.readouterr()

        cli.main(["replay", "--format", "json"])

        assert ["fail", "pass"][number % 2] == json.loads(capsys.readouterr().out)["status"]


@pytest.mark.parametrize(
    ("words", "suite"),
    [
        ([], ""),
        (["contract"], ""),
        (["suites/desk.yml"], " suites/desk.yml"),
        (["contract", "suites/desk.yml"], " suites/desk.yml"),
        (["--path", "suites/desk.yml"], " suites/desk.yml"),
        (["a desk.yml"], " 'a desk.yml'"),
        (["scenarios"], " tests/agent-scenarios"),
        (["scenarios", "a desk"], " 'a desk'"),
        (["scenarios", "--path", "desk"], " desk"),
    ],
)
def test_a_starter_is_written_and_the_next_command_named(
    here: Path, capsys: pytest.CaptureFixture[str], words: list[str], suite: str
) -> None:
    assert 0 == cli.main(["init", *words])

    shown = capsys.readouterr().out
    assert f"next: agenttest test{suite}" == shown.splitlines()[-1]
    assert 0 == cli.main(["test", *([suite.strip(" '")] if suite else [])])


@pytest.mark.parametrize(
    "words", [["a.yml", "b.yml"], ["contract", "a.yml", "--path", "b.yml"], ["scenarios", "a", "--path", "b"]]
)
def test_a_starter_at_two_paths_is_refused(here: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert 2 == cli.main(["init", *words])

    assert "init: does not know '" in capsys.readouterr().err
    assert [] == list(here.iterdir())


def test_a_starter_is_not_written_over_another(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["init"])

    assert (2, 0) == (cli.main(["init"]), cli.main(["init", "--force"]))


@pytest.mark.parametrize("name", ["contract", "observations", "scenario"])
def test_a_schema_is_printed_as_json(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert 0 == cli.main(["schema", name])

    assert "https://json-schema.org/draft/2020-12/schema" == json.loads(capsys.readouterr().out)["$schema"]


def test_the_demonstration_needs_no_files_and_leaves_none(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["demo"])

    assert capsys.readouterr().out.endswith("a contract and observations of your own to start from\n")
    assert [] == list(here.iterdir())


@pytest.fixture
def shards(here: Path) -> list[Path]:
    lay(here, **dict.fromkeys("abcd", KEPT))
    return sharded(here, count=2)


def test_a_merge_is_saved_where_it_was_asked_for_and_can_be_replayed(here: Path, shards: list[Path]) -> None:
    assert 0 == cli.main(["merge", *map(str, shards), "--output", "deep/er/whole"])

    assert 0 == cli.main(["replay", "deep/er/whole"])
    assert {"events.jsonl", "state.json", "behavior-results.json", "summary.json"} == {
        path.name for path in (here / "deep/er/whole").iterdir()
    }


def test_a_merge_that_is_given_no_place_is_the_newest_run(here: Path, shards: list[Path]) -> None:
    assert 0 == cli.main(["merge", *map(str, shards)])

    assert 3 == len(runs(here))


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("desk.yml", "is there already; name a new directory"),
        (".agenttest", "is there already; name a new directory"),
        ("/elsewhere", "is outside the project"),
        ("../elsewhere", "holds '..'"),
        (".", "is the project itself"),
        ("", "is no path"),
        (" ", "is no path"),
        ("a\0b", "is no path"),
        ("link/new", "lies behind"),
        ("desk.yml/new", "lies behind"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_merge_is_not_saved_over_or_outside_of_anything(
    here: Path, shards: list[Path], target: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "link").symlink_to(here / ".agenttest")
    before = sorted(here.rglob("*"))

    assert 2 == cli.main(["merge", *map(str, shards), "--output", target])

    shown = "".join(capsys.readouterr())
    assert (True, False) == (said in shown, "Traceback" in shown)
    assert before == sorted(here.rglob("*"))


@pytest.mark.parametrize("words", [["merge"], ["merge", "ev", "--format", "xml"], ["test", "--shard"]])
def test_a_merge_of_nothing_or_of_no_form_is_refused(here: Path, words: list[str]) -> None:
    assert 2 == cli.main(words)


@pytest.mark.parametrize(
    "place", ["nowhere", "desk.yml", "a\0b", "x" * 5000, "/dev/null", "/proc/self/mem", ".", "::error::x"]
)
def test_a_place_that_holds_no_run_is_told_in_words(here: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    lay(here, a=KEPT)

    assert 2 == cli.main(["merge", place])

    said = capsys.readouterr().err
    assert ("(invalid-input, exit 2)" in said, "Traceback" in said, "fault" in said) == (True, False, False)
    assert not any(line.startswith("::error") for line in said.splitlines())


def test_the_json_of_a_merge_is_one_document(
    here: Path, shards: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == cli.main(["merge", str(shards[0]), "nowhere", "--format", "json"])

    document = json.loads(capsys.readouterr().out)
    assert ("incomplete", ["2/2"]) == (document["status"], document["missing_shards"])


def test_a_shard_that_cannot_be_is_refused_before_the_run(here: Path) -> None:
    lay(here, a=KEPT)

    assert 2 == cli.main(["test", "desk.yml", "--shard", "4/3", "--format", "json", "--output", "report.json"])

    assert ([], "invalid-input") == (runs(here), json.loads((here / "report.json").read_text())["reason"])


@pytest.mark.parametrize(
    ("damage", "code"), [(lambda data: data, 0), (lambda data: data[:-40], 2), (lambda data: b"", 2)]
)
def test_a_zip_is_replayed_as_it_was_downloaded(
    here: Path, damage: Callable[[bytes], bytes], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(here, a=KEPT)
    place = zips.packed(saved(here), here / "evidence.zip")
    place.write_bytes(damage(place.read_bytes()))

    assert code == cli.main(["replay", "evidence.zip"])

    assert "Traceback" not in "".join(capsys.readouterr())


FORMS = ["markdown", "html", "sarif", "junit"]


@pytest.mark.parametrize("form", FORMS)
def test_the_one_report_of_a_call_is_printed_as_its_reporter_has_it(
    here: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    lay(here, greets=KEPT, refuses=BROKEN)
    reports: list[Report] = []
    run(Project.at(here), Settings(("desk.yml",), artifacts=False), reports.append)

    assert 1 == cli.main(["test", "desk.yml", "--no-artifacts", "--format", form])

    assert reporter(form)(reports[0]) == capsys.readouterr().out


@pytest.mark.parametrize("form", FORMS)
def test_the_reports_of_several_suites_are_printed_together(
    here: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    suites = [lay(here, name, greets=KEPT) for name in ("a.yml", "b.yml")]

    assert 0 == cli.main(["test", *suites, "--no-artifacts", "--format", form])

    assert {"a.yml", "b.yml"} == set(re.findall(r"[ab]\.yml", capsys.readouterr().out))


@pytest.mark.parametrize("form", FORMS)
def test_a_target_that_cannot_be_written_shows_no_page_in_its_place(
    here: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    lay(here, greets=KEPT)

    assert 2 == cli.main(["test", "desk.yml", "--format", form, "-o", "../report"])

    assert "" == capsys.readouterr().out


def test_a_pattern_that_the_shell_left_names_suites_and_no_recordings(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.yml", "b.yml"):
        lay(here, f"contracts/{name}", greets=KEPT)

    assert 0 == cli.main(["test", "contracts/*", "--no-artifacts"])

    assert "all suites: pass" in capsys.readouterr().out


def test_a_pattern_that_matches_nothing_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == cli.main(["test", "contracts/*.yml"])

    assert "contracts/*.yml: matches no file; check the pattern" in capsys.readouterr().err


def test_a_folder_that_holds_a_run_is_told_which(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(here, greets=KEPT)
    name = saved(here).name

    assert 2 == cli.main(["replay", ".agenttest/runs"])

    assert f"{name!r} in it is one, name that" in capsys.readouterr().err


def test_a_starter_that_is_nearly_named_is_asked_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    code = cli.main(["init", "scenario"])

    assert (2, True) == (code, "did you mean 'scenarios'?" in capsys.readouterr().err)


def test_a_folder_that_is_not_there_is_told_beside_its_gates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    code = cli.main(["test", "tests/scenaros"])

    assert (1, "tests/scenaros: does not exist; check the path\n") == (code, capsys.readouterr().err)
