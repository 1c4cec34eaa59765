"""Files that a pattern matches → suites: the folder of scenario files where all of them are meant, else each file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath

from agenttest.discovery import RECORDING
from agenttest.errors import InvalidInput
from agenttest.files import Project
from agenttest.github import globs
from agenttest.settings import SCENARIO_BYTES
from agenttest.suites import CONTRACT

RECORDINGS = (RECORDING, ".trace.json")  # evidence that lies beside a suite
ENDING = ".json"


def suites(base: Path, pattern: str, leave_out: Sequence[Path] = ()) -> list[str]:
    """The suites that a pattern names, below `base`, in order: no evidence, and nothing in a run directory."""
    found = [name for name in globs.expand(base, pattern, leave_out) if not name.lower().endswith(RECORDINGS)]
    scenarios = [name for name in found if is_json(base, name)]
    return gathered(base, pattern, found, scenarios) if scenarios else found


def is_json(base: Path, name: str) -> bool:
    """Whether what was found may be a scenario file."""
    return name.lower().endswith(ENDING) and not os.path.isdir(base / name)


def gathered(base: Path, pattern: str, found: Iterable[str], scenarios: Sequence[str]) -> list[str]:
    """What was found, with each folder whose scenario files are all among it in place of these files."""
    left = set(scenarios)
    folders: list[str] = []
    for folder in folders_of(base, pattern):
        held = set(held_by(base, folder))
        if held and held <= left and not any(is_contract(base, name) for name in held):
            folders.append(folder)
            left -= held
    meant = set(scenarios) - left
    return sorted({*folders, *(name for name in found if name not in meant)})


def folders_of(base: Path, pattern: str) -> list[str]:
    """The folders that a pattern looks for files in: what its parts match but for the last, and for any depth before
    it; never `base` itself."""
    *parts, _ = (part for part in PurePath(pattern).parts if part != ".")
    while parts and parts[-1] == globs.ANYWHERE:
        parts.pop()
    if not parts:
        return []
    found = globs.expand(base, PurePath(*parts).as_posix(), folders=True)
    return [name for name in found if os.path.isdir(base / name)]


def held_by(base: Path, folder: str) -> Iterator[str]:
    """All scenario files in a folder and in the folders in it."""
    for path in globs.walk(base / folder, (globs.ANYWHERE,)):
        name = path.relative_to(base).as_posix()
        if is_json(base, name) and not name.lower().endswith(RECORDINGS):
            yield name


def is_contract(base: Path, name: str) -> bool:
    """Whether a JSON file is a contract; what cannot be read, or is no JSON, is none."""
    try:
        project = Project.at(base)
        found = json.loads(project.read(name, SCENARIO_BYTES).decode("utf-8-sig"))
    except (InvalidInput, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool(CONTRACT & found.keys())
