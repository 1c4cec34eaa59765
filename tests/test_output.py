"""Where a call's reports go: stdout, stderr or a file, at once or at the end; what cannot be written costs a pass."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agenttest import output
from agenttest.call import Result
from agenttest.errors import InvalidInput, NotSaved, Problem
from agenttest.files import Project
from agenttest.model import Reason, Status
from agenttest.output import Output, inert_json, look
from agenttest.report import Report
from agenttest.reporters.progress import width
from agenttest.reporters.text import colour
from tests.nouns import judged
from tests.projects import BROKEN, KEPT, judge, lay
from tests.reporters.reports import alike, invalid

NOWHERE = InvalidInput([Problem("desk.yml", 3, 4, "is wrong"), Problem("", 0, 0, "and\nmore")])


class Full(io.StringIO):
    """A stream that takes nothing."""

    def write(self, _: str) -> int:
        raise OSError(28, "No space left on device")


def told(
    root: Path, *suites: str, form: str = "text", target: str | None = None, **settings: Any
) -> tuple[int, Output]:
    """The exit code of a run whose reports go through an output."""
    output = Output(Project.at(root), form, target, suites)
    output.check()
    result, reports = judge(root, *suites, artifacts=False, **settings)
    return closed(output, result, reports), output


def closed(output: Output, result: Result, reports: Sequence[Report]) -> int:
    for report in reports:
        output.show(report)
    return output.close(result)


@pytest.mark.parametrize(("answer", "code"), [(KEPT, 0), (BROKEN, 1), (None, 2)])
def test_text_goes_to_stdout_and_the_code_is_the_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str | None, code: int
) -> None:
    lay(tmp_path, greets=answer)

    assert code == told(tmp_path, "desk.yml")[0]

    shown = capsys.readouterr()
    assert shown.out.startswith("desk.yml  1 scenario, 2 assertions\n")
    assert "" == shown.err


def test_what_was_shown_is_not_kept(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)

    _, output = told(tmp_path, "desk.yml")

    assert [] == output.texts


def test_problems_go_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == Output(Project.at(tmp_path), "text").refuse(NOWHERE)

    ending = "incomplete (invalid-input, exit 2): 2 problems to correct, then run the same command again"
    assert ("", f"desk.yml:3:4: is wrong\nand\\nmore\n\n{ending}\n") == tuple(capsys.readouterr())


def test_json_is_one_document_on_stdout_with_the_problems_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == Output(Project.at(tmp_path), "json").refuse(NOWHERE)

    shown = capsys.readouterr()
    assert ["is wrong", "and\nmore"] == [issue["message"] for issue in json.loads(shown.out)["issues"]]
    assert "desk.yml:3:4: is wrong\nand\\nmore\n" == shown.err


def test_json_of_several_suites_is_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(tmp_path, "a.yml", x=KEPT)
    lay(tmp_path, "b.yml", x=BROKEN)

    assert 1 == told(tmp_path, "a.yml", "b.yml", form="json")[0]

    document = json.loads(capsys.readouterr().out)
    assert ("agent_behavior", "fail", "violation") == tuple(document[key] for key in ("kind", "status", "reason"))
    assert ["pass", "fail"] == [run["status"] for run in document["runs"]]


@pytest.mark.parametrize("settings", [{}, {"scenarios": ("y",)}])
def test_the_form_of_json_depends_on_what_was_asked_for_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: dict[str, Any]
) -> None:
    lay(tmp_path, "a.yml", x=KEPT)
    lay(tmp_path, "b.yml", y=KEPT)

    told(tmp_path, "a.yml", "b.yml", form="json", **settings)

    assert ["kind", "reason", "runs", "status"] == list(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("form", ["text", "table", "json"])
def test_a_file_holds_the_report_and_the_terminal_a_word_at_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    lay(tmp_path, greets=BROKEN)

    code, output = told(tmp_path, "desk.yml", form=form, target="out/report")

    assert (1, "out/report") == (code, output.path)
    shown = "" if form == "json" else "report written to out/report\nfail (violation, exit 1)\n"
    assert (shown, "") == tuple(capsys.readouterr())
    text = (tmp_path / "out/report").read_text()
    assert (text[0], 0o600) == ("{" if form == "json" else "d", (tmp_path / "out/report").stat().st_mode & 0o777)


@pytest.mark.parametrize("form", ["text", "json"])
def test_problems_go_to_stderr_and_into_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert 2 == Output(Project.at(tmp_path), form, "report").refuse(NOWHERE)

    assert "desk.yml:3:4: is wrong\nand\\nmore\n" == capsys.readouterr().err
    assert "is wrong" in (tmp_path / "report").read_text()


def test_several_texts_stand_apart_in_a_file(tmp_path: Path) -> None:
    lay(tmp_path, "a.yml", x=KEPT)
    lay(tmp_path, "b.yml", x=KEPT)

    told(tmp_path, "a.yml", "b.yml", target="report")

    assert "\n\nb.yml  1 scenario" in (tmp_path / "report").read_text()


def test_a_report_is_written_over_an_older_one(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)
    (tmp_path / "report.txt").write_text("old")

    told(tmp_path, "desk.yml", target="report.txt")

    assert (tmp_path / "report.txt").read_text().startswith("desk.yml")


TARGETS = [
    ("../report", "holds '..'"),
    ("/report", "is outside the project"),
    ("", "'' is no path; name a file inside the project"),
    ("folder", "cannot hold the report: folder is a folder; name a plain file behind plain folders"),
    ("file/report", "cannot hold the report: file is a file; name a plain file behind plain folders"),
    ("link", "cannot hold the report: link is a link; name a plain file behind plain folders"),
    ("folder-link/report", "cannot hold the report: folder-link is a link; name a plain file behind plain folders"),
    ("folder-link/in/report", "cannot hold the report: folder-link is a link; name a plain file behind plain folders"),
    ("ä" * 130, "cannot hold the report: a name of 260 bytes is too long; use at most 255"),
    ("desk.yml", "cannot hold the report: it is what a run reads; name a file of its own, such as report.json"),
    ("./desk.yml", "cannot hold the report: it is what a run reads; name a file of its own, such as report.json"),
    ("new.yml", "cannot hold the report: it is what a run reads; name a file of its own, such as report.json"),
    (
        "x.observations.json",
        "cannot hold the report: it is what a run reads; name a file of its own, such as report.json",
    ),
]


@pytest.mark.parametrize(("target", "said"), TARGETS)
def test_a_target_that_cannot_hold_a_report_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str, said: str
) -> None:
    for name in ("file", "desk.yml", "x.observations.json", "folder/in/there"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("as it was")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "folder-link").symlink_to("folder")
    output = Output(Project.at(tmp_path), "json", target, ["desk.yml", "new.yml", "../elsewhere.yml"])

    with pytest.raises(InvalidInput) as caught:
        output.check()
    code = output.refuse(caught.value)

    assert said in str(caught.value)
    assert (2, said) == (code, said if said in json.loads(capsys.readouterr().out)["error"] else "")
    assert {"as it was"} == {path.read_text() for path in tmp_path.rglob("*") if path.is_file()}


@pytest.mark.parametrize("target", ["DESK.yml", "X.Observations.json"])
def test_another_spelling_that_the_system_takes_for_an_input_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "desk.yml").write_text("as it was")
    (tmp_path / target).hardlink_to(tmp_path / "desk.yml")  # as if the system took them for one

    with pytest.raises(InvalidInput, match="it is what a run reads"):
        Output(Project.at(tmp_path), "json", target, ["desk.yml"]).check()


class Terminal(io.StringIO):
    """A stream that people look at."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("system", "environment", "coloured"),
    [
        ("posix", {}, True),
        ("posix", {"TERM": "dumb"}, False),
        ("posix", {"NO_COLOR": "1"}, False),
        ("nt", {}, False),
        ("nt", {"WT_SESSION": "8"}, True),
        ("nt", {"WT_SESSION": "8", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_that_show_it(
    monkeypatch: pytest.MonkeyPatch, system: str, environment: dict[str, str], coloured: bool
) -> None:
    monkeypatch.setattr(output, "os", SimpleNamespace(name=system, environ=environment))

    assert coloured == (look(Terminal(), "").paint is colour)


@pytest.mark.parametrize(("target", "folder"), [("report", "."), ("in/report", "in"), ("in/new/deep/report", "in")])
def test_a_target_in_a_folder_that_may_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, folder: str
) -> None:
    (tmp_path / "in").mkdir()
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path / folder)

    with pytest.raises(InvalidInput) as caught:
        Output(Project.at(tmp_path), "text", target).check()

    said = f"cannot hold the report: permission denied in the folder {folder}; let this user write there"
    assert f"{target}: {said}" == str(caught.value)


def test_a_recordings_name_is_free_where_there_is_none(tmp_path: Path) -> None:
    output = Output(Project.at(tmp_path), "json", "x.observations.json")

    output.check()

    assert "x.observations.json" == output.path


@pytest.mark.parametrize(("answer", "code"), [(KEPT, 2), (BROKEN, 1), (None, 2)])
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_stdout_does_not_take_costs_a_pass_and_is_told_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    code: int,
    form: str,
) -> None:
    lay(tmp_path, greets=answer)
    monkeypatch.setattr("sys.stdout", Full())

    assert code == told(tmp_path, "desk.yml", form=form)[0]

    assert "agenttest: output not written: No space left on device\n" == capsys.readouterr().err


@pytest.mark.parametrize(("answer", "code"), [(KEPT, 2), (BROKEN, 1)])
def test_a_file_that_cannot_be_written_in_the_end_costs_a_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: str, code: int
) -> None:
    def write(_: Project, path: str, data: bytes) -> None:
        raise NotSaved(Problem(path, 0, 0, f"cannot be written: {len(data) > 0}"))

    lay(tmp_path, greets=answer)
    monkeypatch.setattr(Project, "write", write)

    assert code == told(tmp_path, "desk.yml", target="report")[0]

    assert ("", "agenttest: report not written: report: cannot be written: True\n") == tuple(capsys.readouterr())


def test_where_nothing_can_be_said_the_code_still_speaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, greets=BROKEN)
    monkeypatch.setattr("sys.stdout", Full())
    monkeypatch.setattr("sys.stderr", Full())

    assert 1 == told(tmp_path, "desk.yml")[0]


def test_of_several_suites_the_common_verdict_comes_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = Result(Status.FAIL, Reason.VIOLATION, {}, "a b/run", None, "", several=True)

    assert 1 == Output(Project.at(Path.cwd()), "text").close(result)

    assert [
        "all suites: fail (violation, exit 1)",
        "saved in a b/run",
        "replay: agenttest replay 'a b/run'",
    ] == capsys.readouterr().out.splitlines()


def test_places_are_told_as_seen_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(tmp_path, greets=BROKEN)
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    result, reports = judge(tmp_path)

    closed(Output(Project.at(tmp_path), "text"), result, reports)

    shown = capsys.readouterr().out
    assert f"\nsaved in ../{result.directory}\nreplay: agenttest replay ../{result.directory}\n" in shown
    assert "\n  at ../desk.yml:4  greets  response.contains[0]\n" in shown


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_word_is_a_command_in_a_workflows_log(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    output = Output(Project.at(tmp_path), form)

    output.refuse(InvalidInput(Problem("::error file=x::y", 0, 0, "##[group] \x1b[2J\u202e")))

    lines = "".join(capsys.readouterr()).splitlines()
    assert [] == [line for line in lines if line.startswith("::") or "##[" in line or "\x1b" in line]


@pytest.mark.parametrize("value", ["##[error]", "\\##[x", "###[", "## [", "##[##["])
def test_inert_json_says_the_same(value: str) -> None:
    text = json.dumps({"said": value})

    assert {"said": value} == json.loads(inert_json(text))
    assert "##[" not in inert_json(text)


def test_a_report_that_could_not_begin_is_told_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(Project.at(tmp_path), "text")

    output.show(invalid(Problem("a.yml", 1, 2, "is wrong")))
    output.show(invalid(Problem("b.yml", 1, 2, "is wrong")))

    assert 1 == capsys.readouterr().err.count("\n\nb.yml:1:2: is wrong\n")


DONE = Result(Status.PASS, Reason.KEPT, {}, None, None, "")


class Gone(Terminal):
    """A terminal that takes nothing more."""

    def write(self, _: str) -> int:
        raise OSError(5, "Input/output error")


class Screen(Terminal):
    """A terminal that knows no escape."""

    @property
    def lines(self) -> list[str]:
        """What is left to be seen after every carriage return."""
        return [self.left(line) for line in self.getvalue().split("\n")]

    @staticmethod
    def left(line: str) -> str:
        shown = ""
        for written in line.split("\r"):
            shown = written + shown[len(written) :]
        return shown.rstrip(" ")


def watched(patch: pytest.MonkeyPatch, term: str = "xterm") -> Screen:
    """The terminal that stderr is."""
    patch.setenv("TERM", term)
    patch.setattr("sys.stderr", found := Screen())
    return found


def test_progress_is_one_line_that_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, output = watched(monkeypatch), Output(Project.at(tmp_path), "text")

    output.progress(judged(Status.PASS, name="a-rather-long-name"), 1, 3)
    output.progress(judged(Status.FAIL, name="b"), 2, 3)

    assert ["  2/3  1 passed, 1 failed  b"] == screen.lines


def test_progress_leaves_the_last_column_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)

    Output(Project.at(tmp_path), "text").progress(judged(Status.PASS, name="x" * 500), 1, 3)

    (line,) = screen.lines
    assert (79, "x…") == (width(line), line[-2:])


def test_progress_has_neither_colours_nor_escapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = watched(monkeypatch)

    Output(Project.at(tmp_path), "text").progress(judged(Status.FAIL, name="\x1b[2Jx"), 1, 3)

    assert "\r  1/3  1 failed  \\u001b[2Jx" == screen.getvalue()


def test_nothing_is_left_of_progress_once_a_report_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen, output = watched(monkeypatch), Output(Project.at(tmp_path), "text")
    output.progress(judged(Status.PASS), 1, 3)

    output.show(alike(Status.PASS, 1))

    assert [""] == screen.lines
    assert capsys.readouterr().out.startswith("desk.yml  ")


def test_nor_at_the_end_of_a_call_that_prints_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, output = watched(monkeypatch), Output(Project.at(tmp_path), "json", "report.json")
    output.check()
    output.progress(judged(Status.PASS), 1, 1)

    output.close(DONE)

    assert [""] == screen.lines


def test_problems_stand_where_progress_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, output = watched(monkeypatch), Output(Project.at(tmp_path), "json")
    output.progress(judged(Status.PASS), 1, 3)

    output.show(invalid(Problem("", 0, 0, "stopped")))

    assert ["stopped", ""] == screen.lines


def test_a_terminal_that_cannot_write_over_a_line_shows_no_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = watched(monkeypatch, "dumb")

    Output(Project.at(tmp_path), "text").progress(judged(Status.PASS), 1, 3)

    assert "" == screen.getvalue()


def test_a_log_shows_no_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", log := io.StringIO())

    Output(Project.at(tmp_path), "text").progress(judged(Status.PASS), 1, 3)

    assert "" == log.getvalue()


def test_progress_that_cannot_be_shown_costs_no_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = Output(Project.at(tmp_path), "text")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", Gone())

    output.progress(judged(Status.PASS), 1, 1)

    assert 0 == output.close(DONE)
