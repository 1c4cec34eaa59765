"""Where saved runs are: the newest one, one that is named, and what is known of it once it was checked."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from agenttest.call import Result
from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.model import Reason, Status
from agenttest.replay import Replay, every, lines
from agenttest.replay import replay as replayed
from agenttest.report import FILES, Report
from agenttest.runs import NAME
from agenttest.settings import RUN_DIRECTORY

ZIP = b"PK"
STATE_BYTES = 1 << 20


def newest(here: Path) -> Path:
    """The run that was begun last, here or above; InvalidInput where there is none."""
    for folder in (here, *here.parents):
        runs = folder / RUN_DIRECTORY
        entries = list(os.scandir(runs)) if runs.is_dir() else []
        if found := [entry for entry in entries if NAME.fullmatch(entry.name) and entry.is_dir()]:
            return runs / max(found, key=begun).name
    raise InvalidInput(Problem("", 0, 0, f"no saved run in {RUN_DIRECTORY}, here or above; name a run directory"))


def begun(run: os.DirEntry[str]) -> tuple[str, int]:
    """When a run was begun: its name says the second, the folder's own time the rest."""
    return run.name.partition("-")[0], run.stat().st_mtime_ns


def is_run(path: Path) -> bool:
    """Whether a path is of a saved run, or of a ZIP, and not of a suite."""
    try:
        if path.is_file():
            with path.open("rb") as stream:
                return stream.read(len(ZIP)) == ZIP
        return path.is_dir() and (NAME.fullmatch(path.name) is not None or holds_run(path))
    except OSError:
        return False


def holds_run(folder: Path) -> bool:
    """Whether a folder has a journal or, as one of several suites, says in its inputs which run it is."""
    if (folder / FILES["events"]).is_file():
        return True
    state = folder / FILES["state"]
    if not state.is_file() or state.stat().st_size > STATE_BYTES:
        return False
    try:
        found = json.loads(state.read_bytes())
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "run_id" in found


def checked(run: Path) -> Replay:
    """The replay of a run that is valid; InvalidInput with all that speaks against one that is not."""
    found = replayed(run)
    if not found.valid:
        issues = [Problem(each.run, 0, 0, issue.message) for each in every(found) for issue in each.issues]
        *_, said = lines(found)
        raise InvalidInput([*issues, Problem("", 0, 0, said)])
    return found


def result_of(saved: Mapping[str, Any], run: Path, project: Project) -> Result:
    """How a saved run ended, as its summary says."""
    status, several = Status(saved["status"]), "children" in saved
    return Result(status, Reason(saved["reason"]), {}, seen(run, project), None, saved["evidence_digest"], several)


def placed(report: Report, run: Path, project: Project) -> Report:
    """The report with its directory as seen from the root; none of a part of a ZIP, which no path names."""
    if report.directory is None:
        return report
    inside = run.is_file() and Path(report.directory) != run
    return replace(report, directory=None if inside else seen(Path(report.directory), project))


def seen(path: Path, project: Project) -> str:
    """A path as seen from the root; as it is where that lies on another drive."""
    try:
        return Path(os.path.relpath(path, project.root)).as_posix()
    except ValueError:
        return path.as_posix()


def project_of(run: Path) -> Project:
    """The project that a run is of: that which it was saved in or, wherever else it lies, the working directory."""
    folders = run.resolve().parents
    depth = len(Path(RUN_DIRECTORY).parts)
    home = folders[depth] if len(folders) > depth else None
    return Project.at(home if home is not None and folders[0] == home / RUN_DIRECTORY else Path.cwd())
