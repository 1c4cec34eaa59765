"""A run directory, or the ZIP that it was uploaded as → its files, read in the same way; nothing is unpacked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project

RIGHT = "name a run directory, such as .agenttest/runs/RUN, or the ZIP of one"


class Files(Protocol):
    """The files of one run; names are below it, with `/`."""

    @property
    def place(self) -> str:
        """Where the run lies, for people."""

    @property
    def name(self) -> str:
        """The last part of the place."""

    def kind(self, name: str) -> str:
        """What there is: file, folder, link, other or nothing."""

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of a file; InvalidInput where it is none that can be read, or is larger."""

    def folders(self) -> list[str]:
        """The names of the folders right inside."""

    def inside(self, name: str) -> Files:
        """The files of a folder right inside."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A run directory on disk."""

    path: Path

    @property
    def project(self) -> Project:
        """What the files are read through."""
        return Project.at(self.path)

    @property
    def place(self) -> str:
        """The path as it was given."""
        return str(self.path)

    @property
    def name(self) -> str:
        """The name of the folder itself, whatever links lead there."""
        return self.project.root.name

    def kind(self, name: str) -> str:
        """As the disk has it."""
        return self.project.kind(name)

    def read(self, name: str, limit: int) -> bytes:
        """As the disk has it."""
        return self.project.read(self.project.relative(name), limit)

    def folders(self) -> list[str]:
        """Plain folders; a link to one is none."""
        return sorted(entry.name for entry in os.scandir(self.path) if entry.is_dir(follow_symlinks=False))

    def inside(self, name: str) -> Files:
        """A folder of this one; InvalidInput where it may not be read."""
        return folder(self.path / name)


@contextmanager
def opened(path: Path) -> Iterator[Files]:
    """The files of a run directory or of a ZIP, as long as the context lasts; InvalidInput where there is neither."""
    found = folder(path)
    if found.path.is_dir():
        yield found
        return
    from agenttest.zipped import archive, packed, unzipped  # slow to import, and most runs are folders

    if not packed(path):
        raise InvalidInput(Problem(str(path), 0, 0, f"is a file, and no ZIP; {RIGHT}"))
    with unzipped(path) as zipped:
        yield archive(path, zipped)


def folder(path: Path) -> Folder:
    """The files of a folder; InvalidInput where it may not be read."""
    said = unreadable(path)
    if said:
        raise InvalidInput(Problem(str(path), 0, 0, said))
    return Folder(path)


def unreadable(path: Path) -> str:
    """What keeps a path from being read; nothing where it can be."""
    try:
        folder, file = path.is_dir(), path.is_file()
    except PermissionError:
        return "cannot be read: permission denied; let this user read it"
    except (OSError, ValueError):
        return f"is no path; {RIGHT}"
    if not folder and not file:
        return f"{'is no plain file' if path.exists() else 'does not exist'}; {RIGHT}"
    if not os.access(path, os.R_OK | os.X_OK if folder else os.R_OK):
        return "cannot be read: permission denied; let this user read it"
    return ""
