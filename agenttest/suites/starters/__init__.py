"""A path → the starter contract there, its observations, an ignore line for runs and, if asked for, a workflow."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from importlib import resources
from pathlib import PurePosixPath

from agenttest.errors import InvalidInput, NotSaved, Problem
from agenttest.files import Project, writing
from agenttest.settings import RUN_DIRECTORY

DEFAULT = ".agenttest/agent-test.yml"
WORKFLOW = ".github/workflows/agent-test.yml"
IGNORE_BYTES = 1_000_000
CREATE = os.O_WRONLY | os.O_CREAT
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")


def write(project: Project, path: str | None, *, force: bool, workflow: bool) -> list[str]:
    """Write the starter files; their paths below the root. If one is in the way, InvalidInput, nothing written.

    Where the contract is there already, a workflow that is asked for is written alone.
    """
    contract = contract_path(project, path)
    files = starters(contract, workflow)
    if workflow and not force and project.kind(contract) == "file":  # it is there, and only a workflow is wanted for it
        files = {WORKFLOW: files[WORKFLOW]}
    refuse_existing(project, files, force)
    ignore, line = ignore_line(contract)
    missing = missing_text(project, ignore, line)
    for name, text in files.items():
        put(project, name, text.encode(), os.O_TRUNC if force else os.O_EXCL)
    if missing:
        put(project, ignore, missing.encode(), os.O_APPEND)
    return [*files, ignore] if missing else [*files]


def contract_path(project: Project, path: str | None) -> str:
    """Where the contract goes, below the root."""
    name = DEFAULT if path is None else project.relative(path)
    if PurePosixPath(name).suffix not in (".yml", ".yaml"):
        raise InvalidInput(Problem(name, 0, 0, "is no name for a contract; give one that ends in .yml"))
    if name == WORKFLOW:
        raise InvalidInput(Problem(name, 0, 0, "is where the workflow goes; give the contract another path"))
    return name


def starters(contract: str, workflow: bool) -> dict[str, str]:
    """The text of every file, by its path below the root."""
    observations = PurePosixPath(contract).with_suffix(".observations.json").as_posix()
    files = {contract: text_of("contract.yml"), observations: text_of("contract.observations.json")}
    if workflow:
        files[WORKFLOW] = text_of("workflow.yml") + with_suite(contract)
    return files


def text_of(name: str) -> str:
    """The text of a file beside this module."""
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def with_suite(contract: str) -> str:
    """The workflow's last lines, which name a contract that the action would not find by itself."""
    return "" if contract == DEFAULT else with_value("suite", contract)


def with_value(name: str, value: str) -> str:
    """The lines of a workflow's last step that give the action one input."""
    text = value if PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    return f"        with:\n          {name}: {text}\n"


def refuse_existing(project: Project, files: dict[str, str], force: bool) -> None:
    """InvalidInput with everything that lies where a file or its folders should go."""
    free = ("nothing", "file") if force else ("nothing",)
    problems = [Problem(name, 0, 0, advice(project.kind(name))) for name in files if project.kind(name) not in free]
    folders = {folder.as_posix() for name in files for folder in PurePosixPath(name).parents}
    for folder in sorted(folders):
        if project.kind(folder) not in ("nothing", "folder"):
            problems.append(Problem(folder, 0, 0, "is there already, and is no folder; give another path"))
    if problems:
        raise InvalidInput(problems)


def advice(kind: str) -> str:
    """What to do about something that lies where a file should go."""
    if kind == "file":
        return "is there already; give another path, or --force to overwrite it"
    return "is there already, and is no plain file; give another path"


def ignore_line(contract: str) -> tuple[str, str]:
    """The .gitignore that keeps run directories out of the repository, and the line that does it."""
    folder, runs = PurePosixPath(RUN_DIRECTORY).parts
    if PurePosixPath(contract).parts[0] == folder:
        return f"{folder}/.gitignore", f"{runs}/"
    return ".gitignore", f"{RUN_DIRECTORY}/"


def missing_text(project: Project, name: str, line: str) -> str:
    """What has to be appended to a .gitignore, with its own line ends; empty where the line stands there already."""
    if project.kind(name) == "nothing":
        return f"{line}\n"
    text = project.read(name, IGNORE_BYTES).decode("utf-8", "replace")
    if line in (written.strip() for written in text.splitlines()):
        return ""
    end = "\r\n" if "\r\n" in text else "\n"
    return line + end if not text or text.endswith("\n") else end + line + end


def put(project: Project, name: str, data: bytes, how: int) -> None:
    """Write a file that belongs to the project, so with the modes that this user's other files get."""
    try:
        for folder in reversed(PurePosixPath(name).parents[:-1]):
            with project.folder(folder.as_posix()) as (above, leaf), suppress(FileExistsError):
                above.make(leaf)
        with project.folder(name) as (above, leaf):
            handle = above.open(leaf, CREATE | how, 0o666)
        with open(handle, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise NotSaved(Problem(name, 0, 0, writing(error))) from error
