"""Files are read and written inside the project only, plain ones only, whole or not at all."""

import errno
import ntpath
import os
import socket
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath
from typing import cast

import pytest

from agenttest import files
from agenttest.errors import InvalidInput, NotSaved
from agenttest.files import Project, from_here, size, writing

pytestmark = pytest.mark.usefixtures("each_system")
LIMIT = 1_000
NOBODY = 65_534
LINK, BEHIND = (
    "is a symbolic link; name the file itself",
    "lies behind something that is a link or no folder; name a plain path",
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain.yml").write_bytes(b"plain")
    (tmp_path / "folder/inner.yml").write_bytes(b"inner")
    return Project.at(tmp_path)


@contextmanager
def another_user() -> Iterator[None]:
    """A user for whom permissions count, which they do not for root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def refused(act: Callable[[], object], error: type[InvalidInput | NotSaved] = InvalidInput) -> str:
    with pytest.raises(error) as caught:
        act()
    (problem,) = caught.value.problems
    return str(problem)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("plain.yml", "plain.yml"),
        ("./folder//inner.yml", "folder/inner.yml"),
        ("{root}/folder/inner.yml", "folder/inner.yml"),
        ("not there.yml", "not there.yml"),
        ("~nobody-has-this-name/c.yml", "~nobody-has-this-name/c.yml"),
        ("...", "..."),
    ],
)
def test_a_path_inside_the_project_is_named_from_its_root(project: Project, given: str, name: str) -> None:
    assert name == project.relative(given.replace("{root}", str(project.root)))


def test_a_relative_path_starts_where_the_user_is(project: Project) -> None:
    assert "folder/inner.yml" == Project(project.root, project.root / "folder").relative("inner.yml")


def test_a_name_that_the_system_would_read_as_another_is_refused(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "misread", lambda path: f"{path.name} is odd")

    assert "a/nul: nul is odd" == refused(lambda: project.relative("a/nul"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("plain.yml", "plain.yml", True),
        ("plain.yml", "PLAIN.yml", True),
        ("plain.yml", "folder/inner.yml", False),
        ("plain.yml", "x", False),
        ("x", "x", True),
    ],
)
def test_two_names_of_one_file_are_the_same(project: Project, one: str, other: str, same: bool) -> None:
    os.link(project.root / "plain.yml", project.root / "PLAIN.yml")  # as if the system took them for one

    assert same == project.same(one, other)


def test_files_whose_number_a_drive_does_not_tell_are_told_apart_by_name(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "lstat", lambda path: os.stat_result((stat.S_IFREG, *[0] * 9)))

    assert [True, False] == [project.same("plain.yml", name) for name in ("plain.yml", "c.yml")]


def test_a_folder_is_told_as_seen_from_here(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.root / "folder")

    assert ".." == from_here(project.root)


def test_a_folder_on_another_drive_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "relpath", ntpath.relpath)

    assert "D:/a/repo" == from_here(cast(Path, PureWindowsPath(r"D:\a\repo")))


def test_a_home_is_written_out(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project.root))

    assert "plain.yml" == project.relative("~/plain.yml")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("../c.yml", "../c.yml: holds '..'; name it without, from a folder that holds it (now {root})"),
        (
            "folder/../plain.yml",
            "folder/../plain.yml: holds '..'; name it without, from a folder that holds it (now {root})",
        ),
        ("/etc/passwd", "/etc/passwd: is outside the project; name a path inside {root}"),
        ("{root}", "{root}: is the project itself; name a path inside {root}"),
        (".", ".: is the project itself; name a path inside {root}"),
        ("{root}x/c.yml", "{root}x/c.yml: is outside the project; name a path inside {root}"),
        ("", "'' is no path; name a file inside the project"),
        (" ", "' ' is no path; name a file inside the project"),
        ("c\0.yml", r"'c\x00.yml' is no path; name a file inside the project"),
    ],
)
def test_a_path_that_leaves_the_project_is_refused(project: Project, given: str, problem: str) -> None:
    root = str(project.root)

    assert problem.replace("{root}", root) == refused(lambda: project.relative(given.replace("{root}", root)))


def test_the_projects_own_path_may_lead_over_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/c.yml").write_bytes(b"x")
    (tmp_path / "link").symlink_to("real")

    assert b"x" == Project.at(tmp_path / "link").read("c.yml", LIMIT)


@pytest.mark.parametrize(("name", "data"), [("plain.yml", b"plain"), ("folder/inner.yml", b"inner")])
def test_a_plain_file_is_read(project: Project, name: str, data: bytes) -> None:
    assert data == project.read(name, LIMIT)


def test_a_file_is_read_up_to_the_limit(project: Project) -> None:
    assert b"plain" == project.read("plain.yml", 5)


def test_a_larger_file_is_refused_with_its_size(project: Project) -> None:
    problem = "plain.yml: has 5 bytes; at most 4 (4 bytes) are read, so make it smaller"

    assert problem == refused(lambda: project.read("plain.yml", 4))


def test_a_huge_file_is_refused_unread(project: Project) -> None:
    with open(project.root / "huge", "wb") as file:
        file.truncate(1 << 40)

    problem = "huge: has 1,099,511,627,776 bytes; at most 262,144 (256 KiB) are read, so make it smaller"
    assert problem == refused(lambda: project.read("huge", 262_144))


def test_a_file_that_grows_while_it_is_read_is_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    info = os.stat(project.root / "plain.yml")
    monkeypatch.setattr(os, "fstat", lambda handle: os.stat_result((*info[:6], 0, *info[7:])))

    problem = "plain.yml: grew while it was read; at most 4 bytes are read, so make it smaller"
    assert problem == refused(lambda: project.read("plain.yml", 4))


def fifo(path: Path) -> None:
    os.mkfifo(path)


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: None, "does not exist; check the path"),
        (Path.mkdir, "is a folder; name a file"),
        (fifo, "is no plain file (a pipe, socket or device); name a file"),
        (lambda path: path.symlink_to("plain.yml"), LINK),
        (lambda path: path.symlink_to("/etc/passwd"), LINK),
        (lambda path: path.symlink_to("nowhere"), LINK),
        (bound, "is no plain file (a pipe, socket or device); name a file"),
    ],
    ids=["nothing", "folder", "fifo", "link inside", "link outside", "dangling link", "socket"],
)
def test_what_is_no_plain_file_is_refused_at_once(project: Project, make: Callable[[Path], None], problem: str) -> None:
    make(project.root / "it")

    assert f"it: {problem}" == refused(lambda: project.read("it", LIMIT))


def test_reading_makes_no_folder(project: Project) -> None:
    refused(lambda: project.read("missing/c.yml", LIMIT))

    assert "nothing" == project.kind("missing")


@pytest.mark.parametrize("name", ["linked/inner.yml", "plain.yml/inner.yml"])
def test_nothing_is_read_behind_a_link_or_a_file(project: Project, name: str) -> None:
    (project.root / "linked").symlink_to("folder")

    assert f"{name}: {BEHIND}" == refused(lambda: project.read(name, LIMIT))


def test_a_folder_is_listed_by_paths_below_the_root(project: Project) -> None:
    assert [("folder/inner.yml", "file")] == project.entries("folder")


def test_where_there_is_no_folder_there_is_nothing_in_it(project: Project) -> None:
    assert [] == project.entries("nowhere/at/all")


@pytest.mark.parametrize("name", ["linked", "linked/deeper", "plain.yml"])
def test_nothing_is_listed_behind_a_link_or_in_a_file(project: Project, name: str) -> None:
    (project.root / "folder/deeper").mkdir()
    (project.root / "linked").symlink_to("folder")

    assert f"{name}: {BEHIND}" == refused(lambda: project.entries(name))


def test_a_link_may_lead_to_a_folder(project: Project) -> None:
    (project.root / "there").symlink_to("folder")
    (project.root / "nowhere").symlink_to("nothing")
    (project.root / "here").symlink_to("plain.yml")

    assert [True, False, False] == [project.leads_to_folder(name) for name in ("there", "nowhere", "here")]


def test_a_name_that_is_too_long_is_refused(project: Project) -> None:
    assert "cannot be read: File name too long" in refused(lambda: project.read("x" * 300, LIMIT))


def test_a_file_that_this_user_may_not_read_is_told() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        Path(folder, "c.yml").touch(0o000)

        with another_user():
            problem = refused(lambda: Project.at(folder).read("c.yml", LIMIT))

    assert "c.yml: cannot be read: permission denied; let this user read it" == problem


def test_a_folder_that_this_user_may_not_look_into_is_told() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        Path(folder, "inner").mkdir(0o000)

        with another_user():
            problem = refused(lambda: Project.at(folder).entries("inner"))

    assert "inner: cannot be read: permission denied; let this user read it" == problem


def test_a_folder_that_this_user_may_not_write_in_is_told() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)

        with another_user():
            problem = refused(lambda: Project.at(folder).write("c.json", b"{}"), NotSaved)

    assert "c.json: cannot be written: permission denied; let this user write there" == problem


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("plain.yml", "file"),
        ("folder", "folder"),
        ("link", "link"),
        ("fifo", "other"),
        ("x", "nothing"),
        ("\0", "nothing"),
    ],
)
def test_what_lies_at_a_path_is_told(project: Project, name: str, kind: str) -> None:
    (project.root / "link").symlink_to("plain.yml")
    os.mkfifo(project.root / "fifo")

    assert kind == project.kind(name)


def test_a_file_is_written_for_its_owner_only(project: Project) -> None:
    project.write("new/deep/c.json", b"{}")

    modes = [stat.S_IMODE((project.root / name).stat().st_mode) for name in ("new", "new/deep", "new/deep/c.json")]
    assert [0o700, 0o700, 0o600] == modes


def test_a_written_file_takes_the_place_of_another(project: Project) -> None:
    project.write("plain.yml", b"new")

    assert b"new" == (project.root / "plain.yml").read_bytes()


@pytest.mark.parametrize("length", [1, 100, 250])
def test_a_name_may_be_as_long_as_the_system_allows(project: Project, length: int) -> None:
    project.write("é" * (length // 2) or "e", b"x")

    assert 3 == len(list(project.root.iterdir()))


@pytest.mark.parametrize(
    ("make", "name", "problem"),
    [
        (Path.mkdir, "it", "is a folder; name a plain file"),
        (lambda path: path.symlink_to("plain.yml"), "it", "is a link or device; name a plain file"),
        (fifo, "it", "is a link or device; name a plain file"),
        (lambda path: path.symlink_to("folder"), "it/c.json", BEHIND),
        (lambda path: path.write_bytes(b""), "it/c.json", BEHIND),
    ],
    ids=["folder", "link", "fifo", "linked folder", "file as folder"],
)
def test_nothing_is_written_over_or_through_what_is_not_plain(
    project: Project, make: Callable[[Path], object], name: str, problem: str
) -> None:
    make(project.root / "it")

    assert f"{name}: {problem}" == refused(lambda: project.write(name, b"new"), NotSaved)


def test_a_file_that_could_not_be_written_leaves_nothing_behind(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    problem = refused(lambda: project.write("plain.yml", b"new"), NotSaved)
    assert "plain.yml: cannot be written: No space left on device" == problem
    assert b"plain" == (project.root / "plain.yml").read_bytes()
    assert {"plain.yml", "folder"} == set(os.listdir(project.root))


def test_a_link_on_the_way_is_told_where_the_system_says_so() -> None:
    assert "lies behind a symbolic link; name a plain path" == writing(OSError(errno.ELOOP, "Too many levels"))


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 bytes"),
        (1_023, "1023 bytes"),
        (1_024, "1 KiB"),
        (1_536, "1.5 KiB"),
        (262_144, "256 KiB"),
        (64 << 20, "64 MiB"),
        (3 << 30, "3 GiB"),
    ],
)
def test_a_size_is_told_in_words(count: int, words: str) -> None:
    assert words == size(count)


def test_a_folder_is_made_once(project: Project) -> None:
    project.make_folder("runs/1")

    assert "runs/1: is there already; remove it" == refused(lambda: project.make_folder("runs/1"), NotSaved)


def test_a_made_folder_is_its_owners_only(project: Project) -> None:
    project.make_folder("runs/1")

    assert 0o700 == stat.S_IMODE((project.root / "runs/1").stat().st_mode)
