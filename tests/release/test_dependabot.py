"""Dependabot's file: every folder with dependencies that it knows is looked after."""

import subprocess
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
UPDATES: list[dict[str, Any]] = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())["updates"]
TRACKED = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
STAND_INS = "tests/e2e/standins/"


@pytest.mark.parametrize(
    ("ecosystem", "file"),
    [
        *[("npm", name) for name in TRACKED if name.endswith("package.json")],
        *[("github-actions", name) for name in TRACKED if name.endswith("action.yml") and STAND_INS not in name],
        *[("docker", name) for name in TRACKED if name.endswith("Dockerfile") and STAND_INS not in name],
        *[("pip", name) for name in TRACKED if name.endswith(("pyproject.toml", "requirements.txt"))],
    ],
)
def test_what_a_folder_depends_on_is_kept_up_to_date(ecosystem: str, file: str) -> None:
    folder = "/" + file.rpartition("/")[0]
    (update,) = (each for each in UPDATES if each["package-ecosystem"] == ecosystem)

    assert any(fnmatchcase(folder, pattern) for pattern in update.get("directories", [update.get("directory")]))


@pytest.mark.parametrize("update", UPDATES, ids=lambda update: str(update["package-ecosystem"]))
def test_a_new_version_is_given_a_week_to_be_found_out(update: dict[str, Any]) -> None:
    assert {"default-days": 7} == update["cooldown"]
