"""Names are opened inside a folder, whichever way the system offers, and no link is followed."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from agenttest import handles
from agenttest.handles import Held, Named
from tests.systems import take_away

JUNCTION, LINK, CLOUD = 0xA0000003, 0xA000000C, 0x9000001A
NEW = os.O_WRONLY | os.O_CREAT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "here/inner").mkdir(parents=True)
    (tmp_path / "here/inner/c.yml").write_bytes(b"mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/c.yml").write_bytes(b"a stranger's")
    return tmp_path / "here"


def test_this_system_holds_the_folders_that_it_opens() -> None:
    assert Held is handles.WAY


def test_one_that_knows_only_paths_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    take_away(monkeypatch.setattr, monkeypatch.delattr)

    assert Named is handles.way()


def test_flags_that_the_system_does_not_have_are_left_out() -> None:
    assert os.O_EXCL == handles.flags("O_EXCL", "O_OF_ANOTHER_SYSTEM")


def before(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], object]) -> None:
    """Once, right before a call of `os`, something else happens."""
    real = getattr(os, name)

    def call(*arguments: Any, **named: Any) -> Any:
        monkeypatch.setattr(os, name, real)
        act()
        return real(*arguments, **named)

    monkeypatch.setattr(os, name, call)


def swap(path: Path, stranger: Path) -> None:
    """In place of what was there lies a link to a stranger's."""
    os.rename(path, path.with_name("gone"))
    os.symlink(stranger, path)


@pytest.mark.parametrize("how", [os.O_RDONLY, NEW, NEW | os.O_TRUNC, os.O_WRONLY | os.O_APPEND])
@pytest.mark.parametrize(
    ("path", "stranger"), [("inner", "other"), ("inner/c.yml", "other/c.yml"), ("inner/c.yml", "x")]
)
def test_a_link_that_is_put_in_the_way_while_a_file_is_opened_is_found_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch, path: str, stranger: str, how: int
) -> None:
    inner = Named.top(str(folder)).enter("inner")
    before(monkeypatch, "open", lambda: swap(folder / path, folder.parent / stranger))

    with pytest.raises((NotADirectoryError, FileNotFoundError)):
        inner.open("c.yml", how)
    assert b"a stranger's" == (folder.parent / "other/c.yml").read_bytes()
    assert {"here", "other"} == set(os.listdir(folder.parent))


@pytest.mark.parametrize(
    "act",
    [
        lambda inner: inner.enter("x"),
        lambda inner: inner.make("x"),
        lambda inner: inner.open("c.yml", os.O_RDONLY),
        lambda inner: inner.kind("c.yml"),
        lambda inner: inner.entries(),
        lambda inner: inner.replace("c.yml", "d.yml"),
        lambda inner: inner.remove("c.yml"),
    ],
    ids=["enter", "make", "open", "kind", "entries", "replace", "remove"],
)
def test_nothing_is_done_in_a_folder_that_has_become_another(folder: Path, act: Callable[[Named], object]) -> None:
    inner = Named.top(str(folder)).enter("inner")
    swap(folder / "inner", folder.parent / "other")

    with pytest.raises(NotADirectoryError):
        act(inner)


@pytest.mark.usefixtures("each_system")
def test_a_folder_lists_what_is_in_it_with_its_kind(folder: Path) -> None:
    (folder / "link").symlink_to("inner")
    os.mkfifo(folder / "pipe")
    (folder / "file").touch()

    kinds = {("inner", "folder"), ("link", "link"), ("pipe", "other"), ("file", "file")}
    assert kinds == set(handles.top(folder).entries())


def test_an_entry_that_is_gone_once_it_is_looked_at_is_left_out() -> None:
    gone = SimpleNamespace(name="gone", stat=lambda follow_symlinks: os.stat("/nowhere/at/all"))
    here = SimpleNamespace(name="here", stat=lambda follow_symlinks: os.stat("/"))

    assert [("here", "folder")] == handles.listed(cast("Any", [gone, here]))


@pytest.mark.parametrize("name", ["", ".", "..", "/etc", "inner/c.yml"])
def test_only_a_name_is_taken_for_one(folder: Path, name: str) -> None:
    with pytest.raises(OSError, match=r".*") as caught:
        Named.top(str(folder)).open(name, os.O_RDONLY)

    assert caught.value.errno in (errno.ENOENT, errno.EISDIR)


@pytest.mark.usefixtures("each_system")
@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_there_is_not_made_anew(folder: Path, kind: str) -> None:
    make = {"file": lambda path: path.touch(), "link": lambda path: path.symlink_to("inner/c.yml")}
    make[kind](folder / "x")

    with pytest.raises(FileExistsError):
        handles.top(folder).open("x", NEW | os.O_EXCL)


@pytest.mark.usefixtures("each_system")
def test_a_file_is_emptied_where_that_is_asked_for(folder: Path) -> None:
    os.close(handles.top(folder / "inner").open("c.yml", NEW | os.O_TRUNC))

    assert b"" == (folder / "inner/c.yml").read_bytes()


@pytest.mark.usefixtures("each_system")
def test_what_is_added_to_has_to_be_there(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        handles.append(str(folder / "none"))


@pytest.mark.parametrize(
    ("mode", "tag", "kind"),
    [
        (stat.S_IFREG, 0, "file"),
        (stat.S_IFDIR, 0, "folder"),
        (stat.S_IFIFO, 0, "other"),
        (stat.S_IFLNK, LINK, "link"),
        (stat.S_IFDIR, JUNCTION, "link"),
        (stat.S_IFREG, CLOUD, "file"),
    ],
)
def test_a_junction_is_a_link_and_a_file_in_the_cloud_is_none(mode: int, tag: int, kind: str) -> None:
    info = cast(os.stat_result, SimpleNamespace(st_mode=mode, st_reparse_tag=tag))

    assert kind == handles.kind(info)


@pytest.mark.parametrize(("tag", "away"), [(0, False), (JUNCTION, True), (CLOUD, False)])
def test_an_entry_leads_away_where_it_is_a_junction(monkeypatch: pytest.MonkeyPatch, tag: int, away: bool) -> None:
    monkeypatch.setattr(handles, "TELLS_TAGS", True)
    info = SimpleNamespace(st_mode=stat.S_IFDIR, st_reparse_tag=tag)
    entry = SimpleNamespace(is_symlink=lambda: False, stat=lambda follow_symlinks: info)

    assert away == handles.leads_away(cast("os.DirEntry[str]", entry))


def test_a_file_is_the_same_by_the_bits_that_every_call_tells() -> None:
    long, short = (SimpleNamespace(st_dev=dev, st_ino=ino) for dev, ino in ((1 << 40 | 7, 1 << 80 | 9), (7, 9)))

    assert handles.identity(cast(os.stat_result, short)) == handles.identity(cast(os.stat_result, long))
