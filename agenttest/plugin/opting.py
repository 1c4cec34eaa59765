"""pytest's configuration → the paths that are opted in, and what takes part in the session because of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

import pytest

from agenttest.plugin.collecting import Collection
from agenttest.plugin.gating import Gating
from agenttest.plugin.paths import Paths, walk


def opt_in(config: pytest.Config) -> None:
    """Collect the scenarios at the paths that the configuration or the call names; decide the gates if asked to.

    pytest.UsageError where nothing is to be collected at one of them.
    """
    asked = [absolute(config, given) for given in config.getoption("agenttest")]
    settled = [Path(os.path.normpath(path)) for path in config.getini("agenttest_paths")]
    roots = tuple(outermost(dict.fromkeys([*settled, *asked])))
    for root in roots:
        check(root)
    paths = Paths(config.rootpath, roots, observations(config), frozenset(opened(config, roots)))
    add(config, asked if explicit(config) else roots)
    config.pluginmanager.register(Collection(paths), "agenttest-collection")
    if option(config, "gates") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Gating(paths, partial=option(config, "partial")), "agenttest-gates")


def absolute(config: pytest.Config, given: str) -> Path:
    """A path of the command line."""
    return Path(os.path.normpath(config.invocation_params.dir / given))


def outermost(paths: dict[Path, None]) -> Iterator[Path]:
    """The paths that lie in no other one of them."""
    for path in paths:
        if not any(path != other and path.is_relative_to(other) for other in paths):
            yield path


def check(root: Path) -> None:
    """That there is something to collect: pytest would say nothing of a folder that holds no tests."""
    if next(walk(root), None) is None:
        here = "holds no scenario file (.json) and no contract (.yml)" if root.exists() else "is not there"
        raise pytest.UsageError(f"agenttest: {root} {here}; name a file or folder of scenarios")


def observations(config: pytest.Config) -> Path | None:
    """The recordings that contracts are judged by, where they are not beside them."""
    given = config.getoption("agenttest_observations")
    if given:
        return absolute(config, given)
    settled = config.getini("agenttest_observations")
    base = config.inipath.parent if config.inipath else config.rootpath
    return Path(os.path.normpath(base / settled)) if settled else None


def opened(config: pytest.Config, roots: Sequence[Path]) -> Iterator[Path]:
    """The folders on the way to the paths that pytest would leave out, and in which nothing else is named to be run."""
    patterns, named = config.getini("norecursedirs"), [path for path in visited(config) if path not in roots]
    for folder in {each for root in roots for each in (root, *root.parents)}:
        left_out = any(fnmatch(folder.name, pattern) for pattern in patterns)
        if left_out and config.rootpath in folder.parents and not any(each.is_relative_to(folder) for each in named):
            yield folder


def explicit(config: pytest.Config) -> bool:
    """Whether the call names what to run."""
    return config.args_source is pytest.Config.ArgsSource.ARGS


def add(config: pytest.Config, roots: Sequence[Path]) -> None:
    """Have pytest visit these paths too, as far as it would not come there anyhow."""
    for root in roots:
        if not any(root.is_relative_to(each) for each in visited(config)):
            config.args.append(str(root))


def visited(config: pytest.Config) -> list[Path]:
    """The paths that pytest visits, as it was called or configured."""
    return [absolute(config, str(given).partition("::")[0]) for given in config.args]


def option(config: pytest.Config, name: str) -> bool:
    """Whether a switch is on, in the call or in the configuration."""
    return bool(config.getoption(f"agenttest_{name}") or config.getini(f"agenttest_{name}"))
