"""Path patterns → the files that they match inside one folder; no linked folder is entered, no hidden entry matched."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from agenttest.errors import InvalidInput, Problem
from agenttest.handles import leads_away

MAGIC = frozenset("*?[")
ANYWHERE = "**"


def is_pattern(name: str) -> bool:
    """Whether the name is meant as a pattern."""
    return bool(MAGIC & set(name))


def expand(base: Path, pattern: str, leave_out: Sequence[Path] = (), *, folders: bool = False) -> list[str]:
    """The files that match, below `base`, in order; where only folders match, or they are wanted too, those."""
    parts = [part for part in PurePath(pattern).parts if part != "."]
    found = dict.fromkeys(path for path in walk(base, parts) if not any(map(path.is_relative_to, leave_out)))
    # What is no plain file, or cannot be looked at, is told by whoever is to read it.
    files = [] if folders else [path for path in found if os.path.islink(path) or not os.path.isdir(path)]
    return sorted(path.relative_to(base).as_posix() for path in files or found)


def walk(folder: Path, parts: Sequence[str]) -> Iterator[Path]:
    """Everything below the folder that the parts lead to; no way is taken twice, however deep a folder lies."""
    ways, seen = [(folder, tuple(parts))], set()
    while ways:
        here, left = way = ways.pop()
        if way in seen:
            continue
        seen.add(way)
        if left:
            ways += steps(here, left[0], left[1:])
        else:
            yield here


def steps(here: Path, first: str, rest: tuple[str, ...]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Where the first part leads from a folder, each with the parts that are left there."""
    if first == ANYWHERE:
        yield here, rest or ("*",)
    for entry in entries(here):
        inner = entry.is_dir(follow_symlinks=False) and not leads_away(entry)
        if first == ANYWHERE and inner and not entry.name.startswith("."):
            yield here / entry.name, (first, *rest)
        elif first != ANYWHERE and matches(entry.name, first) and (inner or not rest):
            yield here / entry.name, rest


def entries(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in a folder, links too, so that whoever is to read one says that it is one.

    InvalidInput where that cannot be looked up: what the pattern means would be left out in silence.
    """
    try:
        with os.scandir(folder) as found:
            return list(found)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        said = f"cannot be looked through for a pattern: {error.strerror}; let this user read it, or name what is meant"
        raise InvalidInput(Problem(str(folder), 0, 0, said)) from error


def matches(name: str, part: str) -> bool:
    """Whether a name matches one part of a pattern; a leading dot has to be written."""
    return fnmatchcase(name, part) and (part.startswith(".") or not name.startswith("."))
