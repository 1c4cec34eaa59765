"""The lock: installed without looking at dependencies, it has to hold all of them for every Python and system."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PINNED = re.compile(r"^([a-z][\w.-]*==[^ ]+(?: ; [^\\]+)?) \\$", re.M)
LOCK = (ROOT / "requirements.lock").read_text()


def here(python: str, system: str) -> dict[str, str]:
    """What markers read of a machine."""
    return {**default_environment(), "extra": "", "python_version": python, "python_full_version": f"{python}.0"} | {
        "sys_platform": system,
        "os_name": "nt" if system == "win32" else "posix",
        "platform_system": {"win32": "Windows", "darwin": "Darwin"}.get(system, "Linux"),
    }


def needed(asked: list[str], environment: dict[str, str]) -> Iterator[str]:
    """The distributions that these requirements bring, each with its own."""
    for requirement in map(Requirement, asked):
        if requirement.marker is None or requirement.marker.evaluate(environment):
            yield canonicalize_name(requirement.name)
            yield from needed(requires(requirement.name) or [], environment)


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_the_lock_holds_everything_that_is_imported(python: str, system: str) -> None:
    environment = here(python, system)
    asked: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]

    locked = map(Requirement, PINNED.findall(LOCK))

    assert {*needed(asked, environment)} == {
        each.name for each in locked if each.marker is None or each.marker.evaluate(environment)
    }


def test_everything_in_the_lock_has_its_hashes() -> None:
    entries = re.split(r"^(?=[a-z])", LOCK, flags=re.M)[1:]

    assert len(entries) == len(PINNED.findall(LOCK))
    assert all("--hash=sha256:" in entry for entry in entries)
