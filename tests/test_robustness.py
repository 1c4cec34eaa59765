"""What happens to the machine is no verdict: killed, out of space or out of rights, a run says what it knows."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from agenttest.replay import replay
from tests.projects import BROKEN, KEPT, ROOT, agenttest, environment, lay, runs, sharded
from tests.systems import PATHS_ONLY

TRIPWIRE = Path(__file__).with_name("tripwire.py")
ONE, SEVERAL = (("desk.yml", KEPT),), (("a.yml", KEPT), ("b.yml", KEPT))
BROKEN_ONE, BROKEN_SEVERAL = (("desk.yml", BROKEN),), (("a.yml", KEPT), ("b.yml", BROKEN))
NOBODY = 65534
# All that is imported or read once is so first, as it may lie where only root may read.
GIVE_UP_ROOT = f"""
import contextlib, io, locale, os, sys, unicodedata
from agenttest import cli, merge, replay, run
with contextlib.redirect_stdout(io.StringIO()):
    cli.main(["demo"])
os.setgroups([])
os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
sys.exit(cli.main())
"""


Suites = tuple[tuple[str, str], ...]
Trip = Callable[..., list[tuple[Path, int, str]]]


@pytest.fixture(scope="module")
def tripped(tmp_path_factory: pytest.TempPathFactory) -> Trip:
    """For each touch of the disk the project after a run that tripped there, its exit code and its output."""

    @cache
    def trip(how: str, suites: tuple[tuple[str, str], ...], *words: str, **more: str) -> list[tuple[Path, int, str]]:
        root = tmp_path_factory.mktemp("tripped")
        for suite, answer in suites:
            lay(root / "project", suite, first=answer, second=KEPT)
        command = [sys.executable, str(TRIPWIRE), how, "test", *dict(suites), *words]
        done = subprocess.run(command, cwd=root, env=environment(**more), stdout=subprocess.PIPE, text=True, check=True)
        numbers = [line.split() for line in done.stdout.splitlines()]
        return [(root / number, int(code), (root / f"{number}.out").read_text()) for number, code in numbers]

    return trip


def valid(run: Path) -> bool:
    return (run / "summary.json").exists() and replay(run).valid


@pytest.mark.parametrize("suites", [ONE, SEVERAL], ids=["one", "several"])
@pytest.mark.parametrize("words", [[], ["--format", "json", "--output", "out/report.json"]], ids=["", "output"])
def test_wherever_a_run_is_killed_it_is_not_there_or_unfinished_or_whole(
    tripped: Trip, suites: Suites, words: list[str]
) -> None:
    *killed, (whole, code, _) = tripped("kill", suites, *words)

    assert {-9} == {code for _, code, _ in killed}
    assert len(killed) > 20
    assert (0, [True]) == (code, [valid(run) for run in runs(whole)])
    left = [run for project, _, _ in killed for run in runs(project)]
    unfinished = [run for run in left if not (run / "summary.json").exists()]
    assert {("unfinished",)} == {tuple(issue.code for issue in replay(run).issues) for run in unfinished}
    assert {True} >= {valid(run) for run in left if run not in unfinished}


@pytest.mark.parametrize("how", ["kill", "full", "full-from"])
def test_on_a_system_that_knows_only_paths_every_touch_ends_the_same(tripped: Trip, how: str) -> None:
    def ends(**more: str) -> list[tuple[int, list[bool]]]:
        came = tripped(how, ONE, "--format", "json", "--output", "out/report.json", **more)
        return [(code, [valid(run) for run in runs(project)]) for project, code, _ in came]

    assert ends() == ends(PYTHONPATH=f"{PATHS_ONLY}{os.pathsep}{ROOT}")


def test_the_command_line_says_1_of_what_a_kill_left(tripped: Trip) -> None:
    *killed, _ = tripped("kill", SEVERAL)

    begun = [project for project, _, _ in killed if runs(project)]
    for project in (begun[0], begun[-1]):
        done = agenttest(project, "replay")
        assert (1, True) == (done.returncode, "was not finished" in done.stdout)


def test_a_child_that_was_done_before_the_kill_stands_alone(tripped: Trip) -> None:
    *killed, _ = tripped("kill", SEVERAL)

    (run,) = runs(killed[-1][0])
    assert [True, True] == [valid(run / child) for child in ("0001-a", "0002-b")]


@pytest.mark.parametrize("how", ["full", "full-from"])
@pytest.mark.parametrize("suites", [ONE, SEVERAL], ids=["one", "several"])
def test_wherever_the_disk_is_full_a_pass_is_incomplete_and_says_why(tripped: Trip, how: str, suites: Suites) -> None:
    *failed, (_, code, _) = tripped(how, suites)

    assert 0 == code
    assert {(2, True, True, False)} == {
        (code, "not-saved" in out, "No space left on device" in out, "Traceback" in out) for _, code, out in failed
    }
    assert {False} >= {valid(run) for project, _, _ in failed for run in runs(project) if how == "full-from"}


@pytest.mark.parametrize("how", ["full", "full-from"])
@pytest.mark.parametrize("suites", [BROKEN_ONE, BROKEN_SEVERAL], ids=["one", "several"])
def test_wherever_the_disk_is_full_a_violation_stays_one(tripped: Trip, how: str, suites: Suites) -> None:
    *failed, (_, code, _) = tripped(how, suites)

    assert 1 == code
    assert {(1, True, True, False)} == {
        (code, "(violation, exit 1)" in out, "No space left on device" in out, "Traceback" in out)
        for _, code, out in failed
    }


@pytest.mark.parametrize(("answer", "code"), [(KEPT, 2), (BROKEN, 1)])
@pytest.mark.parametrize("how", ["full", "full-from"])
def test_wherever_the_disk_is_full_for_the_report_it_is_said_and_no_half_report_is_left(
    tripped: Trip, answer: str, code: int, how: str
) -> None:
    words = ["--no-artifacts", "--format", "json", "--output", "out/report.json"]
    *failed, (whole, _, _) = tripped(how, (("desk.yml", answer),), *words)

    assert {(code, True, False)} == {
        (code, "report not written: out/report.json: cannot be written: No space left on device" in out, "Trace" in out)
        for _, code, out in failed
    }
    assert {()} == {tuple(path.name for path in (project / "out").glob("*")) for project, _, _ in failed}
    assert ["report.json"] == [path.name for path in (whole / "out").iterdir()]


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[tuple[Path, int, str]]]:
    """The same for a merge of two shards of these suites."""

    @cache
    def trip(how: str, suites: Suites) -> list[tuple[Path, int, str]]:
        root = tmp_path_factory.mktemp("merged")
        for suite, answer in suites:
            lay(root / "project", suite, first=answer, second=KEPT)
        for part in sharded(root / "project", *dict(suites), count=2):
            shutil.move(part, root / "project/ev" / part.name)
        command = [sys.executable, str(TRIPWIRE), how, "merge", "ev", "--output", "whole"]
        done = subprocess.run(command, cwd=root, env=environment(), stdout=subprocess.PIPE, text=True, check=True)
        numbers = [line.split() for line in done.stdout.splitlines()]
        return [(root / number, int(code), (root / f"{number}.out").read_text()) for number, code in numbers]

    return trip


@pytest.mark.parametrize("suites", [ONE, SEVERAL], ids=["one", "several"])
def test_wherever_a_merge_is_killed_its_run_is_not_there_or_unfinished_or_whole(merged: Trip, suites: Suites) -> None:
    *killed, (project, code, _) = merged("kill", suites)

    assert ({-9}, True) == ({code for _, code, _ in killed}, len(killed) > 20)
    assert (0, True) == (code, valid(project / "whole"))
    left = [place / "whole" for place, _, _ in killed if (place / "whole").exists()]
    unfinished = [run for run in left if not (run / "summary.json").exists()]
    assert {True} >= {valid(run) for run in left if run not in unfinished}
    begun = [run for run in unfinished if any((run / name).exists() for name in ("events.jsonl", "state.json"))]
    assert {("unfinished",)} == {tuple(issue.code for issue in replay(run).issues) for run in begun}


@pytest.mark.parametrize("how", ["full", "full-from"])
@pytest.mark.parametrize(
    ("suites", "code"), [(ONE, 2), (SEVERAL, 2), (BROKEN_ONE, 1), (BROKEN_SEVERAL, 1)], ids=lambda value: str(value)[:9]
)
def test_wherever_the_disk_is_full_a_merge_is_no_pass_and_a_violation_stays_one(
    merged: Trip, how: str, suites: Suites, code: int
) -> None:
    *failed, (_, whole, _) = merged(how, suites)

    assert 2 - code == whole or (code, whole) == (1, 1)
    assert {(code, True, False)} == {
        (code, "No space left on device" in out, "Traceback" in out) for _, code, out in failed
    }


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """A file system with little room; skips where none can be mounted."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize(("answer", "code"), [(KEPT, 2), (BROKEN, 1)])
def test_on_a_disk_that_is_really_full_the_same_holds(tmp_path: Path, answer: str, code: int) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        lay(disk, greets=answer)
        (disk / "filler").write_bytes(b"x" * 40 * 1024)

        saved = agenttest(disk, "test", "desk.yml")
        written = agenttest(disk, "test", "desk.yml", "--no-artifacts", "--format", "json", "--output", "r.json")
        (disk / "more").write_bytes(b"x" * os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize)
        nothing = agenttest(disk, "test", "desk.yml")
        unwritten = agenttest(disk, "test", "desk.yml", "--no-artifacts", "--output", "report.txt")

    assert [code, code] == [done.returncode for done in (nothing, unwritten)]
    assert "No space left on device" in nothing.stdout
    assert "agenttest: report not written: report.txt: cannot be written: No space left" in unwritten.stderr
    assert "Traceback" not in "".join(done.stderr for done in (saved, written, nothing, unwritten))


@pytest.fixture
def desk() -> Iterator[Path]:
    """A folder that a user without rights may reach."""
    folder = Path(tempfile.mkdtemp(prefix="agenttest-"))
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


def without_rights(desk: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command as a user whose rights are checked: root's are not."""
    if os.geteuid() != 0:
        return agenttest(desk, *words)
    command = [sys.executable, "-c", GIVE_UP_ROOT, *words]
    return subprocess.run(command, cwd=desk, env=unmeasured(), capture_output=True, text=True, check=False)


def unmeasured() -> dict[str, str]:
    """An environment in which no coverage is measured, as it could not be written."""
    return {key: value for key, value in environment().items() if not key.startswith("COV")}


def locked(desk: Path, *names: str, mode: int = 0o555) -> None:
    """Give the files to the user, but for the right to change, or even to read, some."""
    for path in (desk, *desk.rglob("*")):
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(0o755)
    for name in names:
        (desk / name).chmod(mode)


@pytest.mark.parametrize(("answer", "code", "reason"), [(KEPT, 2, "not-saved"), (BROKEN, 1, "violation")])
@pytest.mark.parametrize("folder", [".", ".agenttest", ".agenttest/runs"])
def test_in_a_read_only_folder_the_verdict_is_told_and_no_pass(
    desk: Path, answer: str, code: int, reason: str, folder: str
) -> None:
    lay(desk, greets=answer)
    (desk / folder).mkdir(parents=True, exist_ok=True)
    locked(desk, folder)

    done = without_rights(desk, "test", "desk.yml")

    assert (code, "") == (done.returncode, done.stderr)
    assert "cannot be written: permission denied; let this user write there" in done.stdout
    assert f"({reason}, exit {code})" in done.stdout


@pytest.mark.parametrize("name", ["report.txt", "sub/report.txt", "sub/deeper/report.txt"])
def test_a_report_for_a_read_only_folder_is_refused_before_the_run(desk: Path, name: str) -> None:
    lay(desk, greets=BROKEN)
    (desk / "sub").mkdir()
    locked(desk, "sub", ".")

    done = without_rights(desk, "test", "desk.yml", "--output", name)

    folder = "sub" if name.startswith("sub") else "."
    said = f"cannot hold the report: permission denied in the folder {folder}; let this user write there"
    assert (2, f"{name}: {said}") == (done.returncode, done.stderr.splitlines()[0])
    assert [] == runs(desk)


@pytest.mark.parametrize("name", ["desk.yml", "desk.observations.json"])
def test_a_file_that_may_not_be_read_is_named(desk: Path, name: str) -> None:
    lay(desk, greets=KEPT)
    locked(desk, name, mode=0)

    done = without_rights(desk, "test", "desk.yml")

    assert (2, f"{name}: cannot be read: permission denied; let this user read it") == (
        done.returncode,
        done.stderr.splitlines()[0],
    )


def test_a_saved_run_that_may_not_be_read_cannot_be_replayed(desk: Path) -> None:
    lay(desk, greets=KEPT)
    assert 0 == agenttest(desk, "test", "desk.yml").returncode
    (run,) = runs(desk)
    locked(desk, str(run), mode=0)

    done = without_rights(desk, "replay", str(run))

    said = f"{run}: cannot be read: permission denied; let this user read it"
    assert (2, said) == (done.returncode, done.stderr.splitlines()[0])


def test_a_child_that_may_not_be_read_makes_its_run_not_valid(desk: Path) -> None:
    suites = lay(desk, "a.yml", x=KEPT), lay(desk, "b.yml", x=KEPT)
    assert 0 == agenttest(desk, "test", *suites).returncode
    (run,) = runs(desk)
    locked(desk, f"{run}/0001-a", mode=0)

    done = without_rights(desk, "replay", str(run))

    assert (1, "") == (done.returncode, done.stderr)
    assert f"{run}/0001-a: cannot be read: permission denied; let this user read it" in done.stdout


def test_a_shard_that_may_not_be_read_is_as_good_as_missing(desk: Path) -> None:
    lay(desk, **dict.fromkeys("abcd", KEPT))
    one, _ = sharded(desk, count=2)
    locked(desk, str(one.relative_to(desk)), mode=0)

    done = without_rights(desk, "merge", ".agenttest/runs", "--output", "whole")

    assert (2, "") == (done.returncode, done.stderr)
    assert "merged from 1 of 2 shards; missing: 1/2" in done.stdout
    assert "cannot be read: permission denied; let this user read it" in done.stdout


def test_a_folder_of_shards_that_may_not_be_read_is_told(desk: Path) -> None:
    (desk / "ev").mkdir()
    locked(desk, "ev", mode=0)

    done = without_rights(desk, "merge", "ev")

    assert (2, "ev: cannot be read: permission denied; let this user read it") == (
        done.returncode,
        done.stderr.splitlines()[0],
    )


def peak(root: Path, suites: int) -> int:
    """The most memory that a run of so many suites takes, in KiB."""
    names = [f"s{number}.yml" for number in range(suites)]
    program = (
        "import resource, sys; from agenttest.cli import main; code = main(); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
    )
    command = [sys.executable, "-c", program, "test", *names]
    done = subprocess.run(command, cwd=root, env=environment(), capture_output=True, text=True, check=True)
    return int(done.stderr)


def test_memory_does_not_grow_with_the_number_of_suites(tmp_path: Path) -> None:
    answers = {f"s{number}": f"{KEPT} {'x' * 20_000}" for number in range(10)}
    for number in range(300):
        lay(tmp_path, f"s{number}.yml", **answers)  # 200 KB of observations each, 60 MB in all

    few, many = peak(tmp_path, 30), peak(tmp_path, 300)

    assert many < 1.5 * few


def test_resource_limits_are_no_fault_of_ours(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)

    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    done = agenttest(tmp_path, "test", "desk.yml", preexec_fn=no_large_files, env=unmeasured())

    assert 2 == done.returncode
    assert "not-saved" in done.stdout
    assert "Traceback" not in done.stderr
