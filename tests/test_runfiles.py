"""A run directory and its ZIP are read alike: what there is, what it holds, and what cannot be read."""

import os
from pathlib import Path

import pytest

from agenttest.errors import InvalidInput
from agenttest.runfiles import folder, opened
from tests import zips

FILES = {"state.json": b"{}", "0001-a/state.json": b"[]", "0002-b/traces/x.json": b""}


@pytest.fixture(params=["folder", "ZIP", "ZIP with a top folder"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same files in each form."""
    if request.param != "folder":
        top = "run/" if "top" in request.param else ""
        return zips.of(tmp_path / "run.zip", {top + name: data for name, data in FILES.items()})
    for name, data in FILES.items():
        (tmp_path / "run" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "run" / name).write_bytes(data)
    return tmp_path / "run"


def test_what_lies_at_a_name_is_told(place: Path) -> None:
    names = ("state.json", "0001-a", "0001-a/state.json", "0002-b/traces", "x", "0001-a/x")
    with opened(place) as files:
        found = [files.kind(name) for name in names]

    assert ["file", "folder", "file", "folder", "nothing", "nothing"] == found


def test_folders_are_named_in_order_and_can_be_entered(place: Path) -> None:
    with opened(place) as files:
        inside = files.inside("0002-b")
        names = files.folders(), inside.folders(), inside.name, files.name

    assert (["0001-a", "0002-b"], ["traces"], "0002-b", "run") == names


def test_bytes_are_read_to_a_limit(place: Path) -> None:
    with opened(place) as files:
        found = files.read("state.json", 2), files.inside("0001-a").read("state.json", 2)
        with pytest.raises(InvalidInput, match=r"state.json: has 2 bytes; at most 1 \(1 bytes\) are read"):
            files.read("state.json", 1)

    assert (b"{}", b"[]") == found


@pytest.mark.parametrize("name", ["x", "0001-a", "0001-a/x"])
def test_what_is_no_file_cannot_be_read(place: Path, name: str) -> None:
    with opened(place) as files, pytest.raises(InvalidInput):
        files.read(name, 9)


def test_a_place_inside_is_named_with_its_run(place: Path) -> None:
    with opened(place) as files:
        where = files.inside("0001-a").place

    assert (str(place), "0001-a") == (where[: len(str(place))], where.rpartition("/")[2])


def test_a_link_to_a_folder_is_no_folder_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run/link").symlink_to(tmp_path / "real")

    with opened(tmp_path / "run") as files:
        assert ([], "link") == (files.folders(), files.kind("link"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere", "does not exist"),
        ("nowhere/deeper.zip", "does not exist"),
        ("a\0b", "does not exist"),
        ("x" * 300, "is no path"),
        ("pipe", "is no plain file"),
        ("text.zip", "is a file, and no ZIP"),
        ("dangling", "does not exist"),
    ],
)
def test_a_place_that_cannot_be_read_is_told_what_would_be_right(tmp_path: Path, name: str, said: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "text.zip").write_text("hello")
    (tmp_path / "dangling").symlink_to("nowhere")

    with pytest.raises(InvalidInput) as caught, opened(tmp_path / name):
        pass

    right = "name a run directory, such as .agenttest/runs/RUN, or the ZIP of one"
    assert f"{said}; {right}" == caught.value.problems[0].message


def test_a_folder_goes_by_its_own_name_whatever_link_leads_there(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "latest").symlink_to("real")

    assert "real" == folder(tmp_path / "latest").name


def test_a_zip_is_let_go_of_at_the_end(tmp_path: Path) -> None:
    with opened(zips.of(tmp_path / "x.zip", {"a": b"x", "b/c": b""})) as files:
        pass

    with pytest.raises(InvalidInput, match="cannot be unpacked"):
        files.read("a", 9)
