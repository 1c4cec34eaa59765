"""A ZIP is read as the folder that it was made of; one that no run has is refused in words, whatever is in it."""

import os
import stat
import struct
import subprocess
import sys
import warnings
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest import zipped
from agenttest.errors import InvalidInput
from agenttest.replay import replay
from agenttest.runfiles import opened
from tests import zips
from tests.projects import BROKEN, KEPT, environment, lay, saved, told

CORE = ["behavior-results.json", "events.jsonl", "state.json", "summary.json"]
DOWNLOADED = "use the ZIP as it was downloaded"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    lay(tmp_path, greets=KEPT, parts=BROKEN)
    return saved(tmp_path)


def refused(place: Path) -> str:
    """The one problem of a ZIP that cannot be opened."""
    with pytest.raises(InvalidInput) as caught, opened(place):
        pass
    (problem,) = caught.value.problems
    return str(problem).removeprefix(f"{place}: ")


def unreadable(place: Path, name: str, limit: int = 100) -> str:
    """The problem of a file in a ZIP that can be opened."""
    with opened(place) as files, pytest.raises(InvalidInput) as caught:
        files.read(name, limit)
    return str(caught.value.problems[0])


@pytest.mark.parametrize("top", ["", "evidence/", "evidence/shard 1/", ".agenttest-20260101T000000Z-00000000/"])
@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_run_is_replayed_from_its_zip_as_from_its_folder(run: Path, tmp_path: Path, top: str, how: int) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip", top, how)

    assert told(run) == told(place)


def test_a_run_of_runs_is_replayed_from_its_zip(tmp_path: Path) -> None:
    parent = saved(tmp_path, lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=BROKEN))
    place = zips.packed(parent, tmp_path / "evidence.zip")

    found = replay(place)

    assert (True, [f"{place}/0001-a", f"{place}/0002-b"]) == (found.valid, [child.run for child in found.children])


def test_a_zip_that_was_sent_while_it_was_made_is_read(run: Path, tmp_path: Path) -> None:
    assert replay(zips.streamed(run, tmp_path / "evidence.zip")).valid


def test_entries_of_folders_are_passed_over(run: Path, tmp_path: Path) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip", "top/")
    with zipfile.ZipFile(place, "a") as zipped:
        zipped.writestr("top/", "")
        zipped.writestr("other/", "")

    assert replay(place).valid


def test_a_zip_that_begins_with_something_else_is_refused(run: Path, tmp_path: Path) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip")
    place.write_bytes(b"#!/bin/sh\n" + place.read_bytes())

    assert f"begins with something else than its first file; {DOWNLOADED}" == refused(place)


@pytest.mark.parametrize("more", ["Summary.json", "SUMMARY.JSON", "summary.json/", "summary.json\0.txt"])
def test_a_name_that_other_tools_take_for_another_is_refused(run: Path, tmp_path: Path, more: str) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip")
    with zipfile.ZipFile(place, "a") as target:
        target.writestr("placeholder".ljust(len(more), "_")[: len(more)], b"")
    written = "placeholder".ljust(len(more), "_")[: len(more)].encode()
    place.write_bytes(place.read_bytes().replace(written, more.encode()))

    assert refused(place).startswith("holds ")


def test_a_table_that_tells_less_than_there_is_packed_is_seen(run: Path, tmp_path: Path) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip")
    data = (run / "state.json").read_bytes()
    table = place.read_bytes().rindex(b"state.json") - 46
    whole = bytearray(place.read_bytes())
    whole[table + 16 : table + 20] = zlib.crc32(data[:100]).to_bytes(4, "little")
    whole[table + 24 : table + 28] = (100).to_bytes(4, "little")
    place.write_bytes(whole)

    with opened(place) as files, pytest.raises(InvalidInput, match="cannot be unpacked"):
        files.read("state.json", 1 << 20)


def test_words_after_a_zip_do_no_harm(run: Path, tmp_path: Path) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip")
    with zipfile.ZipFile(place, "a") as zipped:
        zipped.comment = b"x" * 65_535

    with opened(place) as files:
        assert ["file"] * 4 == [files.kind(name) for name in CORE]


@pytest.mark.parametrize(
    "name",
    ["../x", "a/../x", "a/..", "/etc/x", "//x", "a//b", "./x", "a/./b", "a\\b", "..\\x", "C:/x", "C:x", "x:y", "a:b/c"],
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    place = zips.of(tmp_path / "x.zip", {"state.json": b"{}", name: b"x"})

    assert f"holds {name!r}, which is no plain path; {DOWNLOADED}" == refused(place)


@pytest.mark.parametrize("name", ["x" * 5000, "x/" * 40 + "x", "/".join("x" * 32_000)])
def test_a_name_that_is_too_long_or_too_deep_is_refused(tmp_path: Path, name: str) -> None:
    assert "which is no plain path" in refused(zips.of(tmp_path / "x.zip", {name: b"x"}))


def test_a_name_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "x.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(place, "w") as zipped:
        warnings.simplefilter("ignore")
        zipped.writestr("state.json", "{}")
        zipped.writestr("state.json", "[]")

    assert f"holds 'state.json' twice; {DOWNLOADED}" == refused(place)


def test_a_name_that_is_a_file_and_a_folder_is_refused(tmp_path: Path) -> None:
    place = zips.of(tmp_path / "x.zip", {"top/a": b"", "top/a/b": b""})

    assert f"holds 'top/a' both as a file and as a folder; {DOWNLOADED}" == refused(place)


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_is_packed_in_another_way_is_refused(tmp_path: Path, how: int) -> None:
    place = zips.of(tmp_path / "x.zip", {"a": b"x"}, lambda info: setattr(info, "compress_type", how))

    assert f"holds 'a' encrypted, or packed in a way that is not read; {DOWNLOADED}" == refused(place)


def patched(place: Path, at: int, data: bytes) -> Path:
    """The ZIP with bytes of its first entry in the table of contents changed."""
    whole = bytearray(place.read_bytes())
    start = whole.index(b"PK\1\2") + at
    whole[start : start + len(data)] = data
    place.write_bytes(whole)
    return place


@pytest.mark.parametrize(("at", "data"), [(8, b"\1\0"), (10, b"\x63\0"), (10, b"\xff\xff")])
def test_what_is_encrypted_or_packed_in_an_unknown_way_is_refused(tmp_path: Path, at: int, data: bytes) -> None:
    place = patched(zips.of(tmp_path / "x.zip", {"a": b"x"}), at, data)

    assert f"holds 'a' encrypted, or packed in a way that is not read; {DOWNLOADED}" == refused(place)


def test_a_symbolic_link_in_a_zip_is_none_that_is_followed(tmp_path: Path) -> None:
    link = stat.S_IFLNK | 0o777
    place = zips.of(tmp_path / "x.zip", {"a": b"/etc/passwd"}, lambda info: setattr(info, "external_attr", link << 16))

    with opened(place) as files:
        assert "link" == files.kind("a")
    assert f"a: is a symbolic link; {DOWNLOADED}" == unreadable(place, "a")


def test_a_file_that_is_not_there_or_too_large_is_told(tmp_path: Path) -> None:
    place = zips.of(tmp_path / "x.zip", {"a": b"x" * 101})

    assert f"b: does not exist; {DOWNLOADED}" == unreadable(place, "b")
    assert "a: has 101 bytes; at most 100 (100 bytes) are read" == unreadable(place, "a")


def test_a_zip_says_what_there_is_by_its_names(tmp_path: Path) -> None:
    with opened(zips.of(tmp_path / "x.zip", {"a/b/c": b"x", "a/d": b"", "e": b""})) as files:
        kinds = {name: files.kind(name) for name in ("a", "a/b", "a/b/c", "e", "a/x", "", "b")}
        inside = files.inside("a")

        assert {"a": "folder", "a/b": "folder", "a/b/c": "file", "e": "file", "a/x": "nothing"} == {
            name: kind for name, kind in kinds.items() if name not in ("", "b")
        }
        assert (["a"], ["b"], "a") == (files.folders(), inside.folders(), inside.name)
        assert (b"x", b"") == (inside.inside("b").read("c", 9), inside.read("d", 9))


@pytest.mark.parametrize("declared", [1, 4, 100])
def test_of_a_file_that_is_larger_than_it_says_no_more_is_read(tmp_path: Path, declared: int) -> None:
    place = patched(zips.of(tmp_path / "x.zip", {"a": b"\0" * 50_000_000}), 24, declared.to_bytes(4, "little"))

    assert "a: cannot be unpacked (BadZipFile); download the ZIP again" == unreadable(place, "a")


def test_more_than_is_read_of_all_files_together_is_refused(tmp_path: Path) -> None:
    place = zips.of(tmp_path / "x.zip", {f"f{number}": b"x" for number in range(2)})
    whole = place.read_bytes()
    first, second = (found for found in range(len(whole)) if whole.startswith(b"PK\1\2", found))
    for start in (first, second):
        whole = whole[: start + 24] + (0xFFFFFFFE).to_bytes(4, "little") + whole[start + 28 :]
    place.write_bytes(whole)

    assert f"is more than 4 GiB when unpacked; {DOWNLOADED}" == refused(place)


def test_more_files_than_are_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipped, "ENTRIES", 20)
    right = zips.of(tmp_path / "right.zip", {f"{number}": b"" for number in range(20)})
    wrong = zips.of(tmp_path / "wrong.zip", {f"{number}": b"" for number in range(21)})

    with opened(right) as files:
        assert "file" == files.kind("19")
    said = "holds more than the 20 files that are read, or longer names than a run has"
    assert f"{said}; {DOWNLOADED}" == refused(wrong)


def test_a_table_of_contents_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipped, "CONTENTS", 70_000)

    said = refused(zips.of(tmp_path / "x.zip", {f"{number}{'x' * 4000}": b"" for number in range(20)}))

    assert said.startswith("holds more than")


def test_a_large_bomb_takes_little_memory(tmp_path: Path) -> None:
    place = tmp_path / "bomb.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as target:
        for name in (*CORE, "a", "b"):
            with target.open(name, "w") as entry:
                for _ in range(200):
                    entry.write(b"\0" * (1 << 20))
    for name in range(6):  # each says that it is small
        whole = place.read_bytes()
        start = [at for at in range(whole.index(b"PK\1\2"), len(whole)) if whole.startswith(b"PK\1\2", at)][name]
        place.write_bytes(whole[: start + 24] + (200).to_bytes(4, "little") + whole[start + 28 :])
    program = (
        "from agenttest.cli import main; code = main(); "
        "print(code, open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"  # of this process alone
    )
    command = [sys.executable, "-c", program, "replay", str(place)]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True)

    code, peak = map(int, done.stdout.split()[-2:])
    assert (1, True) == (code, peak < 100_000)  # KiB


@pytest.mark.parametrize("text", [b"", b"hello", b"PK", b"PK\3\4" + b"x" * 100])
def test_a_file_that_is_no_zip_is_told_what_would_be_right(tmp_path: Path, text: bytes) -> None:
    place = tmp_path / "evidence.zip"
    place.write_bytes(text)

    right = "name a run directory, such as .agenttest/runs/RUN, or the ZIP of one"
    assert f"is a file, and no ZIP; {right}" == refused(place)


def test_a_pipe_or_device_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")

    places = (tmp_path / "pipe.zip", Path("/dev/zero"))
    assert [True, True] == [refused(place).startswith("is no plain file") for place in places]


def test_a_zip_of_no_run_is_none(tmp_path: Path) -> None:
    place = zips.of(tmp_path / "x.zip", {"readme.txt": b"hello"})

    with pytest.raises(InvalidInput, match="is no run directory: it holds none of"):
        replay(place)


def test_an_empty_zip_is_none(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is no run directory"):
        replay(zips.of(tmp_path / "x.zip", {}))


def test_a_zip_that_shrinks_while_it_is_read_is_told(run: Path, tmp_path: Path) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip", how=zipfile.ZIP_STORED)
    with opened(place) as files:
        os.truncate(place, 10_000)

        read = []
        for name in CORE:
            try:
                read.append(len(files.read(name, 1 << 20)) > 0)
            except InvalidInput as error:
                read.append("cannot be unpacked" in str(error))

    assert [True] * 4 == read


def outcome(place: Path) -> str:
    """What a replay comes to: valid, not valid, or refused in words."""
    try:
        return "valid" if replay(place).valid else "not valid"
    except InvalidInput:
        return "refused"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's ZIP, and room beside it."""
    root = tmp_path_factory.mktemp("whole")
    lay(root, greets=KEPT)
    return zips.packed(saved(root), root / "evidence.zip", "top/")


@given(cut=st.integers(1, 3_000))
def test_a_zip_that_is_cut_off_is_not_valid(whole: Path, cut: int) -> None:
    place = whole.with_name("cut.zip")
    place.write_bytes(whole.read_bytes()[:-cut])

    assert outcome(place) in ("not valid", "refused")


@given(at=st.integers(0, 1 << 20), bits=st.integers(1, 255))
def test_a_zip_with_a_changed_byte_is_told_in_words_and_says_nothing_else(whole: Path, at: int, bits: int) -> None:
    data = bytearray(whole.read_bytes())
    data[at % len(data)] ^= bits
    place = whole.with_name("changed.zip")
    place.write_bytes(data)

    assert outcome(place) in ("not valid", "refused") or told(place) == told(whole)


@given(data=st.binary(max_size=300))
def test_garbage_that_ends_as_a_zip_does_is_told_in_words(whole: Path, data: bytes) -> None:
    place = whole.with_name("garbage.zip")
    place.write_bytes(data + whole.read_bytes()[-22:])

    assert "refused" == outcome(place)


def test_nothing_is_written_when_a_zip_is_read(run: Path, tmp_path: Path) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip")
    before = sorted(tmp_path.rglob("*"))

    replay(place)

    assert before == sorted(tmp_path.rglob("*"))


@pytest.mark.parametrize("claimed", [1 << 33, 1 << 40, 1 << 62])
def test_a_file_that_is_said_to_be_packed_in_more_than_it_can_be_is_not_read(
    run: Path, tmp_path: Path, claimed: int
) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip")

    with opened(place) as files:
        assert isinstance(files, zipped.Archive)
        files.entries["state.json"].compress_size = claimed
        with pytest.raises(InvalidInput, match="cannot be unpacked"):
            files.read("state.json", 1 << 20)


def test_a_field_that_names_a_file_otherwise_is_refused(run: Path, tmp_path: Path) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip")
    other = zipfile.ZipInfo("x.txt")
    other.extra = unicode_path("x.txt", "report.html")
    with zipfile.ZipFile(place, "a") as target:
        target.writestr(other, b"forged")

    assert "under another name too" in refused(place)


def test_a_field_that_names_a_file_beyond_ascii_is_as_it_should_be(run: Path, tmp_path: Path) -> None:
    place = zips.packed(run, tmp_path / "evidence.zip")
    other = zipfile.ZipInfo("traces/n.json")
    other.extra = unicode_path("traces/n.json", "traces/ñ.json")
    with zipfile.ZipFile(place, "a") as target:
        target.writestr(other, b"[]")

    assert replay(place).valid


def unicode_path(name: str, other: str) -> bytes:
    """The field that Info-ZIP writes beside a name that is not ASCII."""
    data = b"\1" + zlib.crc32(name.encode()).to_bytes(4, "little") + other.encode()
    return struct.pack("<HH", 0x7075, len(data)) + data
