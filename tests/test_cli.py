"""The command line: exit codes whatever happens to the streams, colours on a terminal alone, usage errors, help."""

import io
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agenttest import __version__, cli, commands
from tests.projects import BROKEN, KEPT, ROOT, agenttest, environment, lay, runs

HELLO = {KEPT: 0, BROKEN: 1}


def shell(root: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A shell's line in which `agenttest` is the command."""
    words = re.sub(r"\bagenttest ", f"'{sys.executable}' -m agenttest ", line)
    done = subprocess.run(["sh", "-c", words], cwd=root, env=environment(), capture_output=True, check=False)
    return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize(
    ("answer", "redirection", "code", "said"),
    [
        (KEPT, "> /dev/full", 2, "agenttest: output not written: No space left on device\n"),
        (BROKEN, "> /dev/full", 1, "agenttest: output not written: No space left on device\n"),
        (None, "> /dev/full", 2, "agenttest: output not written: No space left on device\n"),
        (KEPT, ">&-", 2, "agenttest: output not written: Bad file descriptor\n"),
        (BROKEN, ">&-", 1, "agenttest: output not written: Bad file descriptor\n"),
        (KEPT, "2>&-", 0, ""),
        (KEPT, "2> /dev/full", 0, ""),
        (BROKEN, "2>&-", 1, ""),
        (KEPT, ">&- 2>&-", 2, ""),
        (BROKEN, ">&- 2>&-", 1, ""),
        (KEPT, "> /dev/full 2> /dev/full", 2, ""),
        (BROKEN, "> /dev/full 2> /dev/full", 1, ""),
        (KEPT, "--format json > /dev/full", 2, "agenttest: output not written: No space left on device\n"),
        (BROKEN, "--format json >&-", 1, "agenttest: output not written: Bad file descriptor\n"),
        (BROKEN, "< /dev/null <&-", 1, ""),
    ],
)
def test_a_pass_that_cannot_be_told_is_2_and_a_violation_is_1_all_the_same(
    tmp_path: Path, answer: str | None, redirection: str, code: int, said: str
) -> None:
    lay(tmp_path, greets=answer)

    done = shell(tmp_path, f"agenttest test desk.yml {redirection}")

    assert (code, said) == (done.returncode, done.stderr)


@pytest.mark.parametrize(("answer", "code"), [(KEPT, 2), (BROKEN, 1)])
def test_nobody_has_to_read_to_the_end(tmp_path: Path, answer: str, code: int) -> None:
    lay(tmp_path, greets=answer)
    reading, writing = os.pipe()
    os.close(reading)

    done = agenttest(tmp_path, "test", "desk.yml", stdout=writing)

    os.close(writing)
    assert (code, "agenttest: output not written: Broken pipe\n") == (done.returncode, done.stderr)


@pytest.mark.parametrize("redirection", ["> /dev/full", ">&-", "> /dev/full 2>&-"])
@pytest.mark.parametrize("command", ["demo", "schema contract", "init", "--help", "test --help", "--version"])
def test_a_command_that_cannot_say_what_it_was_asked_for_is_2(tmp_path: Path, command: str, redirection: str) -> None:
    assert 2 == shell(tmp_path, f"agenttest {command} {redirection}").returncode


@pytest.mark.parametrize("redirection", ["2> /dev/full", "2>&-"])
@pytest.mark.parametrize("command", ["test nowhere.yml", "test --no-such-flag", "replay nowhere"])
def test_an_error_that_cannot_be_told_is_still_2(tmp_path: Path, command: str, redirection: str) -> None:
    assert 2 == shell(tmp_path, f"agenttest {command} {redirection}").returncode


@pytest.mark.parametrize(("change", "code"), [("", 2), ("rm .agenttest/runs/*/state.json", 1)])
def test_a_replay_that_cannot_be_told_is_2_where_it_is_valid_and_else_1(tmp_path: Path, change: str, code: int) -> None:
    lay(tmp_path, greets=KEPT)
    assert 0 == agenttest(tmp_path, "test", "desk.yml").returncode

    assert 0 == shell(tmp_path, change or "true").returncode
    assert code == shell(tmp_path, "agenttest replay > /dev/full").returncode


def on_a_terminal(root: Path, *words: str, **variables: str) -> str:
    """What the command shows on a terminal."""
    controller, terminal = pty.openpty()
    agenttest(root, *words, stdout=terminal, stderr=terminal, env=environment(**{"TERM": "xterm", **variables}))
    os.close(terminal)
    shown = b""
    try:
        while block := os.read(controller, 65536):
            shown += block
    except OSError:  # the other side is closed, and all is read
        pass
    os.close(controller)
    return shown.decode()


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colours_are_for_a_terminal_that_wants_them(tmp_path: Path, variables: dict[str, str], coloured: bool) -> None:
    lay(tmp_path, greets=KEPT, parts=BROKEN)

    shown = on_a_terminal(tmp_path, "test", "desk.yml", "--no-artifacts", **variables)

    assert coloured is ("\033[1;31mFAIL      \033[0m" in shown)
    assert coloured is ("\033[" in shown)


def test_problems_are_coloured_on_a_terminal_too(tmp_path: Path) -> None:
    assert "\033[33mincomplete\033[0m (invalid-input, exit 2)" in on_a_terminal(tmp_path, "test", "nowhere.yml")


def test_a_log_has_no_colours(tmp_path: Path) -> None:
    lay(tmp_path, greets=BROKEN)

    assert "\033" not in agenttest(tmp_path, "test", "desk.yml").stdout


def test_on_a_terminal_agents_words_stay_as_they_are(tmp_path: Path) -> None:
    lay(tmp_path, greets="##[group]good day")

    assert "'##[group]good day'" in on_a_terminal(tmp_path, "test", "desk.yml")
    assert r"'##\[group]good day'" in agenttest(tmp_path, "test", "desk.yml").stdout


@pytest.mark.parametrize("name", ["::error::x.yml", " ::error::x.yml", "##[error]x.yml"])
@pytest.mark.parametrize("answer", [KEPT, BROKEN])
def test_a_suites_name_is_no_command_in_a_workflows_log(tmp_path: Path, name: str, answer: str) -> None:
    lay(tmp_path, name, greets=answer)

    judged = agenttest(tmp_path, "test", name)
    refused = agenttest(tmp_path, "test", name, "--observations", name)
    replayed = agenttest(tmp_path, "replay")

    lines = "".join(done.stdout + done.stderr for done in (judged, refused, replayed)).splitlines()
    assert [] == [line for line in lines if line.lstrip().startswith("::") or "##[" in line]
    assert (HELLO[answer], 2, 0) == (judged.returncode, refused.returncode, replayed.returncode)


def test_a_file_name_of_any_bytes_is_judged_and_told(tmp_path: Path) -> None:
    name = os.fsdecode(b"d\xffsk\x1b[2J.yml")
    lay(tmp_path, name, greets=BROKEN)

    judged = agenttest(tmp_path, "test", name)
    replayed = agenttest(tmp_path, "replay")

    assert (1, r"d\udcffsk\u001b[2J.yml  1 scenario, 2 assertions") == (
        judged.returncode,
        judged.stdout.splitlines()[0],
    )
    assert (0, "") == (replayed.returncode, replayed.stderr)


@pytest.mark.parametrize(
    "variables", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONUTF8": "0", "LANG": "C"}]
)
def test_output_is_utf_8_whatever_the_locale_is(tmp_path: Path, variables: dict[str, str]) -> None:
    lay(tmp_path, greets="gr\u00fc\u00df dich \U0001f600")

    done = agenttest(tmp_path, "test", "desk.yml", env=environment(**variables))

    assert (1, "") == (done.returncode, done.stderr)
    assert "'gr\u00fc\u00df dich \U0001f600'" in done.stdout


@pytest.mark.parametrize("command", [[], ["demo"], ["init"], ["test"], ["replay"], ["schema"]])
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert 0 == cli.main([*command, "--help"])

    shown = capsys.readouterr()
    assert shown.out.startswith("usage: agenttest")
    assert {True} == {len(line) <= 80 for line in shown.out.splitlines()}
    assert "" == shown.err


def test_the_help_names_every_command_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["--help"])

    shown = capsys.readouterr().out
    assert [True] * 5 == [f"\n    {name} " in shown for name in ("demo", "init", "test", "replay", "schema")]
    assert "exit codes: 0 pass, 1 at least one violation, 2 incomplete or invalid" in shown


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["--version"])

    assert f"agenttest {__version__}\n" == capsys.readouterr().out


def test_a_stream_of_another_kind_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", io.StringIO())

    assert 0 == cli.main(["--version"])

    assert f"agenttest {__version__}\n" == sys.stdout.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["test", "--no-such-flag"], "unrecognized arguments: --no-such-flag"),
        (["test", "--form", "json"], "unrecognized arguments: --form"),
        (["test", "--format", "xml"], "invalid choice: 'xml'"),
        (["test", "--max-scenarios", "many"], "invalid int value: 'many'"),
        (["test", "--max-seconds", "soon"], "invalid float value: 'soon'"),
        (["test", "--max-tokens", "1.5"], "invalid int value: '1.5'"),
        (["test", "--observations"], "expected one argument"),
        (["replay", "one", "two"], "unrecognized arguments: two"),
        (["schema"], "the following arguments are required: name"),
        (["schema", "report"], "invalid choice: 'report'"),
    ],
)
def test_a_usage_error_is_2_and_shows_the_usage(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert 2 == cli.main(words)

    shown = capsys.readouterr()
    assert ("", "usage: agenttest") == (shown.out, shown.err[:16])
    assert said in shown.err


def test_the_words_are_the_process_arguments_where_none_are_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["agenttest", "--version"])

    assert 0 == cli.main()


def test_a_fault_of_our_own_is_2_with_its_place_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> int:
        return [][1]

    monkeypatch.setattr(commands, "demo", broken)

    assert 2 == cli.main(["demo"])

    place = f"test_cli.py:{broken.__code__.co_firstlineno + 1}"
    said = f"a fault of agenttest itself (IndexError at {place}); please report it with the files that led to it"
    assert ("", f"agenttest: {said}\n") == tuple(capsys.readouterr())


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device"), "the system refused: No space left on device"),
        (PermissionError(13, "Permission denied", "a"), "the system refused: Permission denied: 'a'"),
    ],
)
def test_a_refusal_of_the_machine_is_told_as_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: OSError, said: str
) -> None:
    def broken(_: object) -> int:
        raise error

    monkeypatch.setattr(commands, "demo", broken)

    assert (2, f"agenttest: {said}\n") == (cli.main(["demo"]), capsys.readouterr().err)


def test_an_interrupted_command_is_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "replay", broken)

    assert 2 == cli.main(["replay"])
    assert "agenttest: interrupted; a run begun is left unfinished, and replay says so\n" == capsys.readouterr().err


def test_an_interrupted_run_is_2_and_what_it_left_is_unfinished(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)
    program = (
        "import os, signal; from agenttest import cli, judging\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored\n"
        "def interrupt(*_): os.kill(os.getpid(), signal.SIGINT)\n"
        "judging.judge = interrupt; raise SystemExit(cli.main(['test', 'desk.yml']))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )

    (run,) = runs(tmp_path)
    assert (2, "") == (done.returncode, done.stdout)
    left = f"{run.relative_to(tmp_path)} is left unfinished; what was judged before counts, run it again"
    assert f"interrupted by SIGINT; {left}" == done.stderr.splitlines()[0]
    assert 1 == agenttest(tmp_path, "replay").returncode


def test_a_terminated_run_leaves_an_unfinished_directory(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)
    program = (
        "import os, signal; from agenttest import cli, judging\n"
        "signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a shell may have it ignored\n"
        "def stop(*_): os.kill(os.getpid(), signal.SIGTERM)\n"
        "judging.judge = stop; raise SystemExit(cli.main(['test', 'desk.yml']))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(), capture_output=True, check=False
    )

    assert -signal.SIGTERM == done.returncode
    assert 1 == agenttest(tmp_path, "replay").returncode


def test_the_package_runs_as_a_module(tmp_path: Path) -> None:
    done = agenttest(tmp_path, "--version")

    assert (0, f"agenttest {__version__}\n", "") == (done.returncode, done.stdout, done.stderr)


def test_a_working_directory_that_is_gone_is_told(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()

    done = shell(tmp_path / "gone", 'rmdir "$PWD"; agenttest test desk.yml')

    assert (2, "agenttest: the system refused: No such file or directory\n") == (done.returncode, done.stderr)


def test_only_what_a_command_needs_is_imported(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)
    program = (
        "import sys; from agenttest.cli import main; code = main(['test', 'desk.yml', '--no-artifacts']); "
        "sys.exit(str({'jsonschema', 'urllib3', 'jinja2', 'http', 'asyncio', 'shutil'} & {*sys.modules}))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )

    assert "set()\n" == done.stderr


def test_the_tests_run_the_package_that_lies_here() -> None:
    assert ROOT / "agenttest/cli.py" == Path(cli.__file__)
