"""A run directory, or the ZIP that it was uploaded as → its files, read in the same way; nothing is unpacked."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Protocol

from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project, size
from agenttest.quote import quote

ENTRIES = 200_000
UNPACKED = 4 * 1024**3  # bytes of all files of a ZIP together
# What zipfile raises for a ZIP that is cut off, damaged, encrypted, or packed in a way that it does not know.
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


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


@dataclass(frozen=True, slots=True)
class Archive:
    """A folder in a ZIP: `prefix` is its path there with a `/` at its end, or nothing for the top.

    `entries` are all of the ZIP's by name, `tree` is for each prefix the names of the folders behind it.
    """

    path: Path
    zipped: zipfile.ZipFile
    entries: Mapping[str, zipfile.ZipInfo]
    tree: Mapping[str, list[str]]
    prefix: str = ""

    @property
    def place(self) -> str:
        """The ZIP, and where in it."""
        return f"{self.path}/{self.prefix.rstrip('/')}" if self.prefix else str(self.path)

    @property
    def name(self) -> str:
        """The folder's name, or the ZIP's."""
        return PurePosixPath(self.prefix).name if self.prefix else self.path.stem

    def kind(self, name: str) -> str:
        """What the ZIP says of the name."""
        entry = self.entries.get(self.prefix + name)
        if entry is not None:
            mode = entry.external_attr >> 16
            return "link" if stat.S_ISLNK(mode) else "file"
        return "folder" if name in self.folders() else "nothing"

    def read(self, name: str, limit: int) -> bytes:
        """A file, unpacked in memory."""
        entry = self.entries.get(self.prefix + name)
        if entry is None or self.kind(name) != "file":
            said = "does not exist" if entry is None else "is a symbolic link"
            raise InvalidInput(Problem(name, 0, 0, f"{said}; use the ZIP as it was downloaded"))
        if entry.file_size > limit:
            said = f"has {entry.file_size:,} bytes; at most {limit:,} ({size(limit)}) are read"
            raise InvalidInput(Problem(name, 0, 0, said))
        try:
            return self.zipped.read(entry)
        except (*UNREADABLE, OSError) as error:
            said = f"cannot be unpacked ({type(error).__name__}); download the ZIP again"
            raise InvalidInput(Problem(name, 0, 0, said)) from error

    def folders(self) -> list[str]:
        """As the paths in the ZIP have them."""
        return self.tree.get(self.prefix, [])

    def inside(self, name: str) -> Files:
        """A folder of this one."""
        return replace(self, prefix=f"{self.prefix}{name}/")


@contextmanager
def opened(path: Path) -> Iterator[Files]:
    """The files of a run directory or of a ZIP, as long as the context lasts; InvalidInput where there is neither."""
    if path.is_dir():
        yield folder(path)
        return
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
    right = "name a run directory, such as .agenttest/runs/RUN, or the ZIP of one"
    try:
        folder, file = path.is_dir(), path.is_file()
    except (OSError, ValueError):
        return f"is no path; {right}"
    if not folder and not file:
        return f"{'is no plain file' if path.exists() else 'does not exist'}; {right}"
    if not os.access(path, os.R_OK | os.X_OK if folder else os.R_OK):
        return "cannot be read: permission denied; let this user read it"
    return "" if folder or zipfile.is_zipfile(path) else f"is a file, and no ZIP; {right}"


def unzipped(path: Path) -> zipfile.ZipFile:
    """The open ZIP."""
    said = unreadable(path)
    if said:
        raise InvalidInput(Problem(str(path), 0, 0, said))
    try:
        return zipfile.ZipFile(path)
    except (*UNREADABLE, OSError) as error:
        said = f"is no ZIP that can be read ({type(error).__name__}); download it again"
        raise InvalidInput(Problem(str(path), 0, 0, said)) from error


def archive(path: Path, zipped: zipfile.ZipFile) -> Files:
    """The files of a ZIP; where all lie in one folder, those of the folder."""
    infos = [info for info in zipped.infolist() if not info.is_dir()]
    problem = next(odd(infos), None)
    if problem:
        raise InvalidInput(Problem(str(path), 0, 0, f"{problem}; use the ZIP as it was downloaded"))
    entries = {info.filename: info for info in infos}
    top = Archive(path, zipped, entries, tree(entries))
    alone = len(top.folders()) == 1 and all("/" in name for name in entries)
    return top.inside(top.folders()[0]) if alone else top


def tree(names: Iterable[str]) -> dict[str, list[str]]:
    """The folders of a ZIP by the prefix that they lie behind."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name in names:
        prefix = ""
        for part in name.split("/")[:-1]:
            found[prefix].add(part)
            prefix += f"{part}/"
    return {prefix: sorted(inside) for prefix, inside in found.items()}


def odd(infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    """What no ZIP of a run has."""
    if len(infos) > ENTRIES:
        yield f"holds {len(infos):,} files, at most {ENTRIES:,} are read"
    if sum(info.file_size for info in infos) > UNPACKED:
        yield f"is more than {size(UNPACKED)} when unpacked"
    seen: set[str] = set()
    for info in infos:
        name = info.filename
        if name in seen:
            yield f"holds {quote(name)} twice"
        if name != "/".join(PurePosixPath(name).parts) or {"..", "/"} & set(PurePosixPath(name).parts):
            yield f"holds {quote(name)}, which is no plain path"
        seen.add(name)
