"""Fixtures of the end-to-end tests: a Docker daemon, the checkout's image, and a runner with an empty workspace."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from tests.e2e import node
from tests.e2e.runner import ROOT, Runner, docker

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this folder, so that `-m "not e2e"` leaves them out."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("e2e")


@pytest.fixture(scope="session")
def daemon() -> str:
    """The version of the Docker daemon; without one the test is skipped, or fails where AGENTTEST_E2E=require."""
    try:
        return docker("version", "--format", "{{.Server.Version}}")
    except (OSError, RuntimeError) as error:
        lacking(f'a Docker daemon is required ({error}); eval "$(tests/e2e/stack.sh)" finds or makes one')


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout as git sees it, with what is not committed yet."""
    target = tmp_path_factory.mktemp("checkout")
    listed = subprocess.check_output(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True
    )
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


@pytest.fixture(scope="session")
def image(daemon: str, checkout: Path) -> str:
    """The image of the checkout's Dockerfile."""
    return docker("build", "--quiet", "--tag", "agenttest-e2e", str(checkout))


@pytest.fixture
def runner(image: str, tmp_path: Path) -> Runner:
    """A machine with an empty workspace."""
    workspace = tmp_path / "desk"
    workspace.mkdir()
    return Runner(image, workspace, tmp_path / "_temp")


@pytest.fixture(scope="session")
def installed() -> Callable[[str], Path]:
    """Gives the folder of npm packages by its name here; a test is skipped, or fails, where there is no npm."""

    def folder(name: str) -> Path:
        try:
            return node.packages(name)
        except FileNotFoundError as error:
            lacking(f"npm is required: {error}")

    return folder


@pytest.fixture(scope="session")
def packages(installed: Callable[[str], Path]) -> Path:
    """The packages of GitHub's artifact client and of a blob store."""
    return installed("npm")


@pytest.fixture(scope="session")
def browser() -> str:
    """The path of a browser."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or lacking("a browser is required, such as Chromium")


def lacking(what: str) -> NoReturn:
    """Skip the test, or fail it where AGENTTEST_E2E=require; `tests/e2e/stack.sh` installs what it can."""
    if os.environ.get("AGENTTEST_E2E") == "require":
        pytest.fail(what)
    pytest.skip(what)
