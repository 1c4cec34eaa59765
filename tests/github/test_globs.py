"""Patterns match files of one folder, and lead nowhere else."""

import errno
import inspect
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from agenttest.errors import InvalidInput
from agenttest.github.globs import expand, is_pattern

FILES = ["a.yml", "b.json", "deep/a.yml", "deep/er/c.yml", ".hidden/d.yml", "deep/.e.yml", "runs/1/f.yml"]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / "base" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "base" / name).touch()
    return tmp_path / "base"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.yml", ["a.yml"]),
        ("./*.yml", ["a.yml"]),
        ("*", ["a.yml", "b.json"]),
        ("deep/*", ["deep/a.yml"]),
        ("**/*.yml", ["a.yml", "deep/a.yml", "deep/er/c.yml"]),
        ("**", ["a.yml", "b.json", "deep/a.yml", "deep/er/c.yml"]),
        ("**/er/**", ["deep/er/c.yml"]),
        ("d*p/?.yml", ["deep/a.yml"]),
        (".hidden/*", [".hidden/d.yml"]),
        ("**/.*.yml", ["deep/.e.yml"]),
        ("[ab].*", ["a.yml", "b.json"]),
        ("none/*.yml", []),
        ("../base/*", []),
        ("A.yml*", []),
    ],
)
def test_a_pattern_matches_files_in_order(base: Path, pattern: str, expected: list[str]) -> None:
    assert expected == expand(base, pattern, [base / "runs"])


def test_where_only_folders_match_it_is_those(base: Path) -> None:
    assert ["deep/er"] == expand(base, "deep/e*")


def test_folders_may_be_wanted_beside_files(base: Path) -> None:
    assert ["deep/a.yml", "deep/er"] == expand(base, "deep/*", folders=True)


def test_no_linked_folder_is_entered_and_a_linked_file_is_found_so_that_it_is_told(base: Path) -> None:
    (base / "deep" / "loop").symlink_to(base)
    (base / "deep" / "away").symlink_to("/etc")
    (base / "link.yml").symlink_to(base / "a.yml")

    assert ["a.yml", "deep/a.yml", "deep/er/c.yml", "link.yml"] == expand(base, "**/*.yml", [base / "runs"])
    assert [] == expand(base, "deep/away/*")


def test_a_folder_that_is_not_there_has_nothing(tmp_path: Path) -> None:
    assert [] == expand(tmp_path / "missing", "*")


def test_a_folder_that_cannot_be_read_is_told_as_something_may_be_in_it(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(folder: Path) -> Any:
        if folder.name == "deep":
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(folder)

    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", locked)

    with pytest.raises(InvalidInput) as caught:
        expand(base, "**/*.yml")

    assert str(caught.value).startswith(f"{base}/deep: cannot be looked through for a pattern: Permission denied;")


@pytest.mark.parametrize(("name", "expected"), [("a.yml", False), ("a*", True), ("a?", True), ("[a]", True)])
def test_a_name_with_a_wildcard_is_a_pattern(name: str, expected: bool) -> None:
    assert expected == is_pattern(name)


def test_folders_may_lie_in_each_other_as_deep_as_they_can(tmp_path: Path) -> None:
    tmp_path.joinpath(*"a" * 200).mkdir(parents=True)
    (tmp_path / "a" / "c.yml").touch()

    usual, here = sys.getrecursionlimit(), len(inspect.stack())
    sys.setrecursionlimit(here + 120)
    try:
        found = expand(tmp_path, "**/**/**/*.yml")
    finally:
        sys.setrecursionlimit(usual)

    assert ["a/c.yml"] == found


def test_a_file_that_cannot_be_looked_at_is_found_so_that_it_is_told(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.path.isfile", lambda _: False)

    assert ["deep/a.yml"] == expand(base, "deep/*.yml")
