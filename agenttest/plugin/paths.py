"""The paths that are opted in → which files below them are collected, and the suite that each of these is of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agenttest.errors import InvalidInput, Problem
from agenttest.model import Scenario
from agenttest.plugin.cases import Case, Loaded, below, load
from agenttest.quote import clip, one_line
from agenttest.suites import CONTRACTS
from agenttest.suites.harness.folder import ENDING, RECORDINGS

NAME = 120  # characters of an id in the name of a test
ROUND = str.maketrans("[]", "()")


@dataclass(slots=True)
class Paths:
    """What is opted in: files and folders, none of them inside another. Paths in messages are those below `top`, the
    folder of the whole project, where they are in it. `opened` are folders on the way there into which pytest would not
    go by itself."""

    top: Path
    roots: tuple[Path, ...]
    observations: Path | None = None
    opened: frozenset[Path] = frozenset()
    loaded: dict[Path, Loaded] = field(default_factory=dict)

    def root_of(self, path: Path) -> Path | None:
        """The opted-in path that this file is or lies in, if it is to be collected."""
        root = next((root for root in self.roots if path.is_relative_to(root)), None)
        if root is None or (path != root and not collectable(path.relative_to(root).parts)):
            return None
        return root

    def ignored(self, path: Path) -> bool | None:
        """Whether pytest is to leave a path out; None where that is its own choice. A folder that was opened is gone
        into, for the sake of what is opted in there and of nothing else."""
        if path in self.opened:
            return False
        wanted = any(root.is_relative_to(path) or path.is_relative_to(root) for root in self.roots)
        return True if not wanted and any(each in self.opened for each in path.parents) else None

    def cases(self, path: Path) -> list[Case]:
        """The cases in a file; InvalidInput where it is not valid."""
        loaded = self.suite_of(path)
        return loaded.of(below(loaded.top, path))

    def suite_of(self, path: Path) -> Loaded:
        """The suite of a file, loaded once: a scenario file's is the whole folder that is opted in."""
        root = path if path.name.lower().endswith(CONTRACTS) else self.root_of(path) or path
        if root not in self.loaded:
            self.loaded[root] = load(self.above(root), root, self.observations)
        return self.loaded[root]

    def above(self, path: Path) -> Path:
        """The folder that a file's path is told from: the project's, or else the one that holds what is opted in."""
        if path.is_relative_to(self.top) and self.top not in self.roots:
            return self.top
        return (next((root for root in self.roots if path.is_relative_to(root)), path)).parent

    def suites(self) -> Iterator[tuple[str, Loaded | tuple[Problem, ...]]]:
        """Every suite that is opted in, with its path, or what is wrong with it."""
        for root in self.roots:
            files = list(walk(root))
            for path in dict.fromkeys(each if each.name.lower().endswith(CONTRACTS) else root for each in files):
                try:
                    yield self.node_id(path), self.suite_of(path)
                except InvalidInput as error:
                    yield self.node_id(path), error.problems

    def node_id(self, path: Path) -> str:
        """What pytest calls a file, the same in every process, wherever the file lies."""
        try:
            return one_line(Path(os.path.relpath(path, self.top)).as_posix())
        except ValueError:  # on another drive
            return one_line(path.as_posix())

    def node_of(self, loaded: Loaded, scenario: Scenario) -> str:
        """What pytest calls a scenario's test."""
        return f"{self.node_id(loaded.top / (scenario.path or loaded.suite.path))}::{name(scenario)}"


def name(scenario: Scenario) -> str:
    """The id of a scenario on one short line, without `::` and brackets, which mean something in the name of a test."""
    return clip(one_line(scenario.id).replace("::", ":").translate(ROUND), NAME)


def collectable(parts: tuple[str, ...]) -> bool:
    """Whether a path below an opted-in folder is that of a scenario file or a contract; nothing hidden is."""
    leaf = parts[-1].lower()
    kept = leaf.endswith(ENDING) and not leaf.endswith(RECORDINGS)
    return (kept or leaf.endswith(CONTRACTS)) and not any(part.startswith(".") for part in parts)


def walk(root: Path) -> Iterator[Path]:
    """Every file to be collected at a path; nothing where there is none."""
    if root.is_file():
        yield root
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        yield from (Path(folder, each) for each in sorted(files) if collectable((each,)))
