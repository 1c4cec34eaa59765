"""A path below the root → the files of its suite: each scenario file there with its text, or why it is not read."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.errors import InvalidInput
from agenttest.files import Project
from agenttest.model import SuiteFile
from agenttest.settings import SCENARIO_BYTES

ENDING = ".json"
RECORDINGS = (".trace.json", ".observations.json")  # what lies beside scenarios for them to be judged by
LINKED = "is a symbolic link to a folder, which is not followed; put the folder itself there"


def files(project: Project, path: str) -> tuple[SuiteFile, ...]:
    """The one file at a path, or all in the folder there and in the folders in it, in the order of their names."""
    if project.kind(path) in ("file", "link"):
        return (file_of(project, path),)
    return tuple(sorted(found(project, path), key=lambda file: (file.path.casefold(), file.path)))


def found(project: Project, path: str) -> Iterator[SuiteFile]:
    """Every scenario file in a folder and in all folders in it; nothing hidden, and no recordings."""
    folders = [path]
    while folders:
        folder = folders.pop()
        try:
            entries = project.entries(folder)
        except InvalidInput as error:
            yield SuiteFile(folder, refused=error.problems[0].message)
            continue
        for name, kind in entries:
            leaf = name.rpartition("/")[2].lower()
            if leaf.startswith("."):
                continue
            if kind == "folder":
                folders.append(name)
            elif kind == "link" and project.leads_to_folder(name):
                yield SuiteFile(name, refused=LINKED)
            elif leaf.endswith(ENDING) and not leaf.endswith(RECORDINGS):
                yield file_of(project, name)


def file_of(project: Project, name: str) -> SuiteFile:
    """A file with its text, bytes that are no UTF-8 as lone surrogates, or with why it cannot be read."""
    try:
        return SuiteFile(name, project.read(name, SCENARIO_BYTES).decode("utf-8", "surrogateescape"))
    except InvalidInput as error:
        return SuiteFile(name, refused=error.problems[0].message)
