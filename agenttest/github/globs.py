"""Path patterns → the files that they match inside one folder; no link is followed, no hidden entry found by `*`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

MAGIC = frozenset("*?[")
ANYWHERE = "**"


def is_pattern(name: str) -> bool:
    """Whether the name is meant as a pattern."""
    return bool(MAGIC & set(name))


def expand(base: Path, pattern: str, leave_out: Sequence[Path] = ()) -> list[str]:
    """The files that match, below `base`, in order; where only folders match, those."""
    parts = [part for part in PurePosixPath(pattern).parts if part != "."]
    found = dict.fromkeys(path for path in walk(base, parts) if not any(map(path.is_relative_to, leave_out)))
    files = [path for path in found if path.is_file()]
    return sorted(path.relative_to(base).as_posix() for path in files or found)


def walk(folder: Path, parts: Sequence[str]) -> Iterator[Path]:
    """Everything below the folder that the parts lead to."""
    if not parts:
        yield folder
        return
    first, rest = parts[0], parts[1:]
    if first == ANYWHERE:
        yield from walk(folder, rest or ["*"])
        for inner in entries(folder):
            if inner.is_dir(follow_symlinks=False) and not inner.name.startswith("."):
                yield from walk(folder / inner.name, parts)
        return
    for entry in entries(folder):
        if matches(entry.name, first) and (not rest or entry.is_dir(follow_symlinks=False)):
            yield from walk(folder / entry.name, rest)


def entries(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in a folder and is no link; nothing where it cannot be read."""
    try:
        with os.scandir(folder) as found:
            return [entry for entry in found if not entry.is_symlink()]
    except OSError:
        return []


def matches(name: str, part: str) -> bool:
    """Whether a name matches one part of a pattern; a leading dot has to be written."""
    return fnmatchcase(name, part) and (part.startswith(".") or not name.startswith("."))
