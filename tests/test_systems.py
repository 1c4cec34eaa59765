"""The package works where the system offers as little as Windows does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import ROOT, agenttest, environment
from tests.systems import PATHS_ONLY

THERE = environment(PYTHONPATH=f"{PATHS_ONLY}{os.pathsep}{ROOT}")
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "agenttest").rglob("*.py")
    if path.stem != "__main__"
)
FIRST_MINUTES = (["demo"], ["init", "--workflow"], ["test"], ["replay"], ["test", "--format", "json", "-o", "r.json"])
MOMENTS = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")


def test_every_module_can_be_imported() -> None:
    program = f"import importlib\nfor name in {MODULES}:\n    importlib.import_module(name)"

    done = subprocess.run([sys.executable, "-c", program], env=THERE, stderr=subprocess.PIPE, text=True)

    assert (0, "") == (done.returncode, done.stderr)


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two folders of one name, as paths are told."""
    folders = [tmp_path / number / "project" for number in ("1", "2")]
    for folder in folders:
        folder.mkdir(parents=True)
    return folders


def test_the_first_minutes_are_the_same(folders: list[Path]) -> None:
    def minutes(folder: Path, system: dict[str, str]) -> list[tuple[int, str, str]]:
        done = [agenttest(folder, *words, env=system) for words in FIRST_MINUTES]
        return [(each.returncode, MOMENTS.sub("RUN", each.stdout), each.stderr) for each in done]

    here, there = folders
    expected = minutes(here, environment())
    assert {0} == {code for code, _, _ in expected}
    assert expected == minutes(there, THERE)
