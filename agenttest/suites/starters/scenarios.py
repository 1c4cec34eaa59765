"""A folder → four scenario files to start from, an ignore line for runs and, if asked for, a workflow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePosixPath

from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.settings import RUN_DIRECTORY, SCENARIOS
from agenttest.suites import FILES
from agenttest.suites.starters import WORKFLOW, missing_text, put, text_of, with_value

EXAMPLES = ("tool-call", "unsafe-tool-blocked", "approval-required", "retry-after-timeout")
IGNORE = ".gitignore"


def folder_path(project: Project, path: str | None) -> str:
    """Where the scenarios go, below the root."""
    name = SCENARIOS if path is None else project.relative(path)
    if name.lower().endswith(FILES):
        raise InvalidInput(Problem(name, 0, 0, f"is no name for a folder of scenarios; give one such as {SCENARIOS}"))
    return name


def write(project: Project, folder: str, *, force: bool, workflow: bool) -> Iterator[tuple[str, str]]:
    """Write the files that are not there yet, and with `force` all of them; of each what became of it, and its path.

    If something else is in the way, InvalidInput, and nothing is written.
    """
    files = {f"{folder}/{name}.json": text_of(f"examples/{name}.json") for name in EXAMPLES}
    if workflow:
        files[WORKFLOW] = text_of("scenarios.workflow.yml") + with_value("suite", folder)
    refuse_obstacles(project, files)
    missing = missing_text(project, IGNORE, f"{RUN_DIRECTORY}/")
    for name, text in files.items():
        there = project.kind(name) == "file"
        if force or not there:
            put(project, name, text.encode(), os.O_TRUNC if force else os.O_EXCL)
        yield "created" if not there else "rewritten" if force else "skipped", name
    if missing:
        put(project, IGNORE, missing.encode(), os.O_APPEND)
        yield "created", IGNORE


def refuse_obstacles(project: Project, files: dict[str, str]) -> None:
    """InvalidInput with everything that lies where a file or its folders should go, and is something else."""
    folders = {str(above) for name in files for above in PurePosixPath(name).parents[:-1]}
    right = {**dict.fromkeys(files, "file"), **dict.fromkeys(folders, "folder"), IGNORE: "file"}
    problems = [
        Problem(name, 0, 0, f"is there already, and is no plain {thing}; give another path")
        for name, thing in right.items()
        if project.kind(name) not in ("nothing", thing)
    ]
    if problems:
        raise InvalidInput(sorted(problems))
