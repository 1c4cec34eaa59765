"""Which files are of what is opted in, and what they are called."""

from pathlib import Path

import pytest

from agenttest.plugin import paths
from agenttest.plugin.paths import Paths

TOP = Path("/desk")


@pytest.mark.parametrize(
    ("path", "collected"),
    [
        ("tests/a.json", True),
        ("tests/deep/a.YML", True),
        ("tests/a.trace.json", False),
        ("tests/.hidden/a.json", False),
        ("tests/readme.md", False),
        ("other/a.json", False),
        ("alone.json", True),
    ],
)
def test_a_file_is_collected_by_where_it_lies_and_what_it_is_called(path: str, collected: bool) -> None:
    opted = Paths(TOP, (TOP / "tests", TOP / "alone.json"))

    assert collected is (opted.root_of(TOP / path) is not None)


def test_a_file_outside_of_the_project_is_called_by_the_way_to_it() -> None:
    assert "../away/a.json" == Paths(TOP, ()).node_id(Path("/away/a.json"))


def test_a_file_on_another_drive_is_called_by_its_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    def another_drive(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(paths.os.path, "relpath", another_drive)

    assert "/away/a.json" == Paths(TOP, ()).node_id(Path("/away/a.json"))
