"""Fixtures of the end-to-end tests: a Docker daemon, the checkout's image, and a runner with an empty workspace."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e import node
from tests.e2e.runner import ROOT, Runner, docker


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
        if os.environ.get("AGENTTEST_E2E") == "require":
            pytest.fail(f"a Docker daemon is required: {error}")
        pytest.skip('no Docker daemon answers; eval "$(tests/e2e/stack.sh)" finds or makes one')


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
def packages() -> Path:
    """The folder with npm's packages; without npm the test is skipped, or fails where AGENTTEST_E2E=require."""
    try:
        return node.packages()
    except FileNotFoundError as error:
        if os.environ.get("AGENTTEST_E2E") == "require":
            pytest.fail(f"npm is required: {error}")
        pytest.skip(f"{error}; the official artifact client and the blob store are npm packages")
