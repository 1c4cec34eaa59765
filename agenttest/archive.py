"""A folder → a ZIP stream, the same bytes for the same files; no link is followed, no secret file taken along."""

from __future__ import annotations

import io
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from agenttest.errors import NotSaved, Problem
from agenttest.quote import clip, one_line

BEGINNING = (1980, 1, 1, 0, 0, 0)  # the first moment that a ZIP knows
FILE = (stat.S_IFREG | 0o644) << 16
UNIX = 3
LEVEL = 6
PIECE = 1 << 20
LARGE = 1 << 31  # from here on an entry's sizes need 64 bits; a deflated file may be larger than the file
DEEPEST = 64

GIT, ENV = ".git", ".env"  # a checkout leaves its token in .git/config
REFUSED = frozenset(
    '":<>|*?\r\n\\'
)  # upload-artifact refuses them in paths: no Windows machine could unpack such a name

# Windows has no handles of folders and none of these flags; there a path is looked at before and after it is opened.
HANDLES = os.open in os.supports_dir_fd and os.listdir in os.supports_fd
SAFE = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
FOLDER = SAFE | getattr(os, "O_DIRECTORY", 0)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something of the folder that is not in the archive, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Archived:
    """How many files the archive holds, and what it leaves out."""

    files: int
    left_out: tuple[LeftOut, ...]

    def __str__(self) -> str:
        """In words; of what was left out one example of each kind."""
        example = {item.why: item.path for item in reversed(self.left_out)}
        counts = Counter(item.why for item in self.left_out)
        kinds = [f"{counts[why]} {why} ({clip(one_line(path), 60)})" for why, path in sorted(example.items())]
        return f"{self.files} {'file' if self.files == 1 else 'files'}" + f", left out: {', '.join(kinds)}" * bool(
            kinds
        )


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that is open, with its path below the archive's root (empty, or ending in `/`)."""

    full: str
    below: str
    handle: int | None

    def at(self, name: str) -> tuple[str, int | None]:
        """How `os` is told of something in it: a path and the folder that it starts from."""
        return (os.path.join(self.full, name), None) if self.handle is None else (name, self.handle)

    def info(self, name: str) -> os.stat_result:
        """What lies under a name; of a link the link."""
        path, start = self.at(name)
        return os.stat(path, dir_fd=start, follow_symlinks=False)

    @contextmanager
    def open(self, name: str, flags: int) -> Iterator[int]:
        """A handle of something in it that is no link."""
        path, start = self.at(name)
        handle = os.open(path, os.O_RDONLY | flags, dir_fd=start)
        try:
            yield handle
        finally:
            os.close(handle)

    @contextmanager
    def inner(self, name: str) -> Iterator[Folder]:
        """A folder in it, open."""
        full, below = os.path.join(self.full, name), f"{self.below}{name}/"
        if not HANDLES:
            yield Folder(full, below, None)
            return
        with self.open(name, FOLDER) as handle:
            yield Folder(full, below, handle)


class Tape(io.RawIOBase):
    """Where the archive is written: it cannot be wound back, and once torn it passes nothing on."""

    def __init__(self, emit: Callable[[bytes], object]) -> None:
        super().__init__()
        self.emit, self.torn = emit, False

    def writable(self) -> bool:
        return True

    def write(self, piece: bytes | bytearray | memoryview) -> int:  # type: ignore[override]
        if not self.torn:
            self.emit(bytes(piece))
        return len(piece)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Tear where what is done here fails: `zipfile` would still write an end to a stream that has none."""
        try:
            yield
        except BaseException:
            self.torn = True
            raise


def archive(folder: Path, emit: Callable[[bytes], object]) -> Archived:
    """Give the folder's files as a ZIP, piece by piece, to `emit`; NotSaved where one is not read as it lies there."""
    files, left_out = 0, list[LeftOut]()
    tape = Tape(emit)
    target = ZipFile(tape, "w", ZIP_DEFLATED, compresslevel=LEVEL)
    try:
        for place, name in files_of(folder, left_out):
            add(target, tape, place, name)
            files += 1
    except BaseException:
        target.fp = None  # or it would write an end to a stream that has none, and complain of what is open in it
        raise
    target.close()
    return Archived(files, tuple(left_out))


def files_of(folder: Path, left_out: list[LeftOut]) -> Iterator[tuple[Folder, str]]:
    """Every file that the archive takes, in the order of the paths."""
    with told(folder.name):
        handle = os.open(folder, os.O_RDONLY | FOLDER) if HANDLES else None
    try:
        yield from walk(Folder(str(folder), "", handle), left_out, 1)
    finally:
        if handle is not None:
            os.close(handle)


def walk(place: Folder, left_out: list[LeftOut], depth: int) -> Iterator[tuple[Folder, str]]:
    """The files in and below a folder; what is not taken is added to `left_out`."""
    with told(place.below):
        found = {
            name: place.info(name).st_mode for name in os.listdir(place.full if place.handle is None else place.handle)
        }
    for name, mode in sorted(found.items(), key=lambda item: item[0] + "/" * stat.S_ISDIR(item[1])):
        if why := refusal(name, mode, depth):
            left_out.append(LeftOut(place.below + name, why))
        elif stat.S_ISDIR(mode):
            with told(place.below + name), place.inner(name) as inner:
                yield from walk(inner, left_out, depth + 1)
        else:
            yield place, name


def refusal(name: str, mode: int, depth: int) -> str | None:
    """Why something is not taken, in words that follow a number."""
    if name.casefold() == GIT or name.casefold().startswith(ENV):
        return "that may hold secrets"
    if stat.S_ISLNK(mode):
        return "that are links"
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return "that are no plain files"
    if REFUSED & set(name) or not encodable(name):
        return "with a name that not every system can hold"
    return "that lie too deep" if stat.S_ISDIR(mode) and depth == DEEPEST else None


def encodable(name: str) -> bool:
    """Whether a name is UTF-8, as names in the archive are."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def add(target: ZipFile, tape: Tape, place: Folder, name: str) -> None:
    """Write one file to the archive, whose size and time must stay as they were when it was opened."""
    path = place.below + name
    with told(path), place.open(name, SAFE) as handle:
        before = os.fstat(handle)
        if not os.path.samestat(before, place.info(name)):
            raise changed(path)
        entry = ZipInfo(path, BEGINNING)
        entry.compress_type, entry.external_attr, entry.create_system = ZIP_DEFLATED, FILE, UNIX
        with target.open(entry, "w", force_zip64=before.st_size >= LARGE) as sink, tape.whole():
            left = before.st_size
            while piece := os.read(handle, min(PIECE, left + 1)):
                left -= len(piece)
                if left < 0:
                    break
                sink.write(piece)
            if left or os.fstat(handle).st_mtime_ns != before.st_mtime_ns:
                raise changed(path)


@contextmanager
def told(path: str) -> Iterator[None]:
    """Say in words what the system says of a path."""
    try:
        yield
    except FileNotFoundError as error:
        raise changed(path) from error
    except OSError as error:
        said = f"cannot be archived: {(error.strerror or str(error)).lower()}"
        raise NotSaved(Problem(path, 0, 0, f"{said}; let this user read it, and nothing write there")) from error


def changed(path: str) -> NotSaved:
    """What is said of a file that is no longer what it was."""
    return NotSaved(
        Problem(path, 0, 0, "changed while it was archived; let nothing write there until the upload is done")
    )
