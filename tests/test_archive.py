"""A folder becomes a ZIP: the same bytes for the same files, without links and secrets, or it is said why not."""

import io
import os
import shutil
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest import archive as module
from agenttest.archive import Archived, LeftOut, archive
from agenttest.errors import NotSaved


def lay(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    folder.mkdir(exist_ok=True)
    return folder


def packed(folder: Path) -> bytes:
    pieces: list[bytes] = []
    archive(folder, pieces.append)
    return b"".join(pieces)


def opened(data: bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(data))


def unpacked(data: bytes) -> dict[str, bytes]:
    with opened(data) as source:
        return {name: source.read(name) for name in source.namelist()}


def test_files_lie_at_the_root_in_the_order_of_their_paths(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"b": b"1", "a/c": b"2", "a-b": b"3", "a.txt": b"4", "a/b/d": b"", "é": b"5"})

    assert ["a-b", "a.txt", "a/b/d", "a/c", "b", "é"] == [*unpacked(packed(run))]


files = st.dictionaries(st.sampled_from(["a", "b/c", "b/d", "e f", "é", "😀.json"]), st.binary(max_size=4000))


@given(files)
def test_what_is_unpacked_is_what_lay_there(tmp_path_factory: pytest.TempPathFactory, held: dict[str, bytes]) -> None:
    data = packed(lay(tmp_path_factory.mktemp("run") / "run", held))

    assert held == unpacked(data)
    with opened(data) as source:
        assert None is source.testzip()


def test_equal_files_make_equal_bytes(tmp_path: Path) -> None:
    first = lay(tmp_path / "one", {"a": b"1" * 5000, "b/c": b"2"})
    second = lay(tmp_path / "two", {"b/c": b"2", "a": b"1" * 5000})
    os.chmod(second / "a", 0o600)
    os.utime(second / "a", (5, 5))

    assert packed(first) == packed(second)


def test_an_entry_tells_nothing_of_this_machine(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"a": b"1"})
    os.chmod(run / "a", 0o600)

    with opened(packed(run)) as source:
        (entry,) = source.infolist()

    assert (1980, 1, 1, 0, 0, 0) == entry.date_time
    assert "-rw-r--r--" == stat.filemode(entry.external_attr >> 16)


def test_a_large_file_has_sizes_of_64_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = lay(tmp_path / "run", {"a": b"1" * 1000})
    small = packed(run)
    monkeypatch.setattr(module, "LARGE", 1000)

    assert len(small) < len(packed(run))
    assert {"a": b"1" * 1000} == unpacked(packed(run))


def test_an_empty_folder_makes_an_empty_archive(tmp_path: Path) -> None:
    assert {} == unpacked(packed(lay(tmp_path / "run", {})))


@pytest.mark.parametrize("name", [".git/config", ".git", ".GIT/config", "a/.git/HEAD", ".env", ".env.local", "a/.ENV"])
def test_what_may_hold_secrets_is_left_out(tmp_path: Path, name: str) -> None:
    run = lay(tmp_path / "run", {"kept": b"", name: b"secret"})

    assert ["kept"] == [*unpacked(packed(run))]


@pytest.mark.parametrize("name", [".gitignore", ".github/x", "env", "a.env", "git/x"])
def test_what_only_looks_alike_is_taken(tmp_path: Path, name: str) -> None:
    assert [name] == [*unpacked(packed(lay(tmp_path / "run", {name: b""})))]


def test_links_are_left_out(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"kept": b""})
    lay(tmp_path, {"outside/secret": b"x"})
    (run / "file").symlink_to(tmp_path / "outside/secret")
    (run / "folder").symlink_to(tmp_path / "outside")
    (run / "inner").symlink_to("kept")
    (run / "nowhere").symlink_to("gone")

    assert ["kept"] == [*unpacked(packed(run))]


def test_pipes_are_left_out(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"kept": b""})
    os.mkfifo(run / "pipe")

    assert ["kept"] == [*unpacked(packed(run))]


@pytest.mark.parametrize("name", ["a:b", "a\nb", "a\\b", "..\\x", "a?", b"\xff".decode("utf-8", "surrogateescape")])
def test_names_that_not_every_system_can_hold_are_left_out(tmp_path: Path, name: str) -> None:
    assert ["kept"] == [*unpacked(packed(lay(tmp_path / "run", {"kept": b"", name: b"x"})))]


def test_folders_without_an_end_are_left_out(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"d/" * 63 + "kept": b"", "d/" * 64 + "deep": b""})

    assert ["d/" * 63 + "kept"] == [*unpacked(packed(run))]


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"kept": b"", ".git/config": b"", "a/.env": b"", "a:b": b""})

    assert (
        LeftOut(".git", "that may hold secrets"),
        LeftOut("a/.env", "that may hold secrets"),
        LeftOut("a:b", "with a name that not every system can hold"),
    ) == archive(run, len).left_out


def test_what_is_left_out_is_told_in_one_line() -> None:
    told = Archived(1, (LeftOut("a\nb", "that are links"), LeftOut("c", "that are links")))

    assert "1 file, left out: 2 that are links (a\\nb)" == str(told)


def test_of_nothing_left_out_nothing_is_said() -> None:
    assert "2 files" == str(Archived(2, ()))


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    lay(tmp_path / "real", {"a": b""})
    (tmp_path / "run").symlink_to("real")

    with pytest.raises(NotSaved, match=r"^run: cannot be archived"):
        packed(tmp_path / "run")


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotSaved, match=r"^run: changed while it was archived"):
        packed(tmp_path / "run")


class Meddler:
    """Takes the archive's bytes and does something at the first of them."""

    def __init__(self, deed: object) -> None:
        self.deed, self.pieces = deed, list[bytes]()

    def __call__(self, piece: bytes) -> None:
        self.pieces.append(piece)
        if len(self.pieces) == 1:
            self.deed()  # type: ignore[operator]


def test_a_file_that_vanishes_is_named(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"a": b"1", "b": b"2"})

    with pytest.raises(NotSaved, match=r"^b: changed while it was archived; let nothing write there"):
        archive(run, Meddler((run / "b").unlink))


def test_a_folder_that_vanishes_is_named(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"a": b"1", "b/c": b"2"})

    with pytest.raises(NotSaved, match=r"^b: changed while it was archived"):
        archive(run, Meddler(lambda: shutil.rmtree(run / "b")))


def test_a_file_that_becomes_a_link_is_not_followed(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"a": b"1", "b": b"2"})
    lay(tmp_path, {"secret": b"x"})

    def swap() -> None:
        (run / "b").unlink()
        (run / "b").symlink_to(tmp_path / "secret")

    with pytest.raises(NotSaved, match=r"^b: cannot be archived"):
        archive(run, Meddler(swap))


def test_a_folder_that_becomes_a_link_is_not_followed(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"a": b"1", "b/c": b"2"})
    lay(tmp_path, {"other/c": b"secret"})

    def swap() -> None:
        shutil.rmtree(run / "b")
        (run / "b").symlink_to(tmp_path / "other")

    with pytest.raises(NotSaved, match=r"^b: cannot be archived"):
        archive(run, Meddler(swap))


@pytest.mark.parametrize("written", [b"1", b"longer than before", b"6 same"])
def test_a_file_that_is_written_meanwhile_is_named(tmp_path: Path, written: bytes) -> None:
    run = lay(tmp_path / "run", {"a": b"before"})
    os.utime(run / "a", (5, 5))

    with pytest.raises(NotSaved, match=r"^a: changed while it was archived"):
        archive(run, Meddler(lambda: (run / "a").write_bytes(written)))


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, real = lay(tmp_path / "run", {"a": b"1"}), os.open

    def locked(path: str, *rest: int, dir_fd: int | None = None) -> int:
        if path == "a":
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", locked)

    with pytest.raises(NotSaved, match=r"^a: cannot be archived: permission denied"):
        packed(run)


def test_after_a_failure_nothing_more_is_given(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"a": b"1", "b": b"2"})
    seen: list[bytes] = []

    def interrupted(piece: bytes) -> None:
        seen.append(piece)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        archive(run, interrupted)

    assert 1 == len(seen)


@pytest.mark.parametrize("held", [{"a": b"1", "b/c": b"2", ".git/x": b""}])
def test_a_system_without_handles_of_folders_makes_the_same_bytes(
    tmp_path: Path, held: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = lay(tmp_path / "run", held)
    expected = packed(run)
    monkeypatch.setattr(module, "HANDLES", False)

    assert expected == packed(run)


def test_no_handle_is_left_open(tmp_path: Path) -> None:
    run = lay(tmp_path / "run", {"a": b"1", "b/c": b"2"})
    before = os.listdir("/dev/fd")

    packed(run)

    assert before == os.listdir("/dev/fd")


def test_an_error_in_the_middle_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("a")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zipfile._ZipWriteFile.write", interrupted)

    with pytest.raises(KeyboardInterrupt):
        archive(tmp_path, lambda _: None)
