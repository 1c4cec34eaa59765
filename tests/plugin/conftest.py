"""pytest in pytest: each run in a folder of its own, with the plugin as it is installed and no other one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.plugin import installed

Runner = Callable[..., pytest.RunResult]


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed.lay(tmp_path_factory.mktemp("installation"))


@pytest.fixture
def known(installation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin can be loaded by its name."""
    monkeypatch.syspath_prepend(installation)
    monkeypatch.setenv("PYTHONPATH", f"{installation}:{installed.ROOT}")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "CI", "BUILD_NUMBER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(known: None, pytester: pytest.Pytester) -> Runner:
    """Run pytest in this process with the plugin, in the folder of `pytester`."""

    def running(*arguments: str, **more: object) -> pytest.RunResult:
        return pytester.runpytest_inprocess("-p", "agenttest", "--strict-markers", *arguments)

    return running
