"""What the system offers → `Folder`: a folder below which names are opened one by one, and no link is followed.

A system that opens names below an open folder, as Linux and macOS do, holds every folder on the way. One that knows
only whole paths, as Windows does, has each part looked at before it is used and again when the file is open: a link or
a junction that lies there is refused, and one that is put there in between is found out, unless it is gone again.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol


def flags(*names: str) -> int:
    """Those flags together of a call to os.open that this system has."""
    together = 0
    for name in names:
        together |= getattr(os, name, 0)
    return together


NO_LINK = flags("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC")  # a pipe would never open
BYTES = flags(
    "O_BINARY", "O_NOINHERIT", "O_CLOEXEC", "O_NONBLOCK"
)  # or Windows writes other line ends, and digests break
INTO_FOLDER = flags("O_RDONLY", "O_DIRECTORY", "O_CLOEXEC")
NAME_SURROGATE = 0x20000000  # in a reparse tag of Windows: the entry stands for another path
TELLS_TAGS = hasattr(os.stat_result, "st_reparse_tag")


class Folder(Protocol):
    """An open folder. What is asked of it is a name inside it; OSError where that cannot be had."""

    def enter(self, name: str) -> Folder:
        """The folder of this name."""

    def make(self, name: str, mode: int = 0o777) -> None:
        """A new folder."""

    def open(self, name: str, how: int, mode: int = 0o777) -> int:
        """The handle of a plain file, which `how` (as for os.open) may make."""

    def kind(self, name: str) -> str:
        """What the name is of: file, folder, link or other; FileNotFoundError where it is of nothing."""

    def entries(self) -> list[tuple[str, str]]:
        """Every name in it with what it is of."""

    def replace(self, old: str, new: str) -> None:
        """Rename a file; one of the new name is gone."""

    def remove(self, name: str) -> None:
        """Remove a file."""

    def close(self) -> None:
        """Let go of it."""


class Held:
    """A folder that an open handle holds: whatever becomes of its path, names are looked up in it."""

    def __init__(self, handle: int) -> None:
        self.handle = handle

    @classmethod
    def top(cls, path: str) -> Held:
        """The folder at a path, which may lead over links."""
        return cls(os.open(path, INTO_FOLDER))

    def enter(self, name: str) -> Held:
        """The folder of this name."""
        return Held(os.open(name, INTO_FOLDER | NO_LINK, dir_fd=self.handle))

    def make(self, name: str, mode: int = 0o777) -> None:
        """A new folder."""
        os.mkdir(name, mode, dir_fd=self.handle)

    def open(self, name: str, how: int, mode: int = 0o777) -> int:
        """The handle of a plain file."""
        return plain(os.open(name, how | NO_LINK, mode, dir_fd=self.handle))

    def kind(self, name: str) -> str:
        """What the name is of."""
        return kind(os.stat(name, dir_fd=self.handle, follow_symlinks=False))

    def entries(self) -> list[tuple[str, str]]:
        """Every name in it with what it is of."""
        with os.scandir(self.handle) as found:
            return listed(found)

    def replace(self, old: str, new: str) -> None:
        """Rename a file."""
        os.replace(old, new, src_dir_fd=self.handle, dst_dir_fd=self.handle)

    def remove(self, name: str) -> None:
        """Remove a file."""
        os.unlink(name, dir_fd=self.handle)

    def close(self) -> None:
        """Let go of it."""
        os.close(self.handle)


class Named:
    """A folder that only its path leads to: the same one as when it was entered, or nothing is done in it."""

    def __init__(self, path: str, info: os.stat_result, above: Named | None = None) -> None:
        self.path, self.info, self.above = path, info, above
        if kind(info) != "folder":
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)

    @classmethod
    def top(cls, path: str) -> Named:
        """The folder at a path, which may lead over links."""
        return cls(path, os.stat(path))

    def enter(self, name: str) -> Named:
        """The folder of this name."""
        path = self.place(name)
        return Named(path, os.lstat(path), self)

    def make(self, name: str, mode: int = 0o777) -> None:
        """A new folder."""
        os.mkdir(self.place(name), mode)

    def open(self, name: str, how: int, mode: int = 0o777) -> int:
        """The handle of a plain file: of the one that was looked at, behind the folders that were entered."""
        path = self.place(name)
        before = found(path)
        if before is not None and how & os.O_EXCL:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        refuse_odd(before)
        handle = os.open(path, exactly(how, before) | BYTES, mode)
        try:
            self.check()
            same(os.fstat(handle), before or os.lstat(path), path)
            if how & os.O_TRUNC:
                os.ftruncate(handle, 0)
        except BaseException:
            os.close(handle)
            raise
        return plain(handle)

    def kind(self, name: str) -> str:
        """What the name is of."""
        return kind(os.lstat(self.place(name)))

    def entries(self) -> list[tuple[str, str]]:
        """Every name in it with what it is of, once it is sure that it is this folder that was looked into."""
        with os.scandir(self.path) as found:
            names = listed(found)
        self.check()
        return names

    def replace(self, old: str, new: str) -> None:
        """Rename a file."""
        os.replace(self.place(old), self.place(new))

    def remove(self, name: str) -> None:
        """Remove a file."""
        os.unlink(self.place(name))

    def close(self) -> None:
        """Nothing is held."""

    def place(self, name: str) -> str:
        """The path of a name in this folder, once it is sure to be this folder still."""
        if os.path.basename(name) != name:  # joined to the folder's path it would lead elsewhere
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        self.check()
        return os.path.join(self.path, name)

    def check(self) -> None:
        """NotADirectoryError where a folder on the way is another one by now; the first may be reached over links."""
        if self.above is not None:
            same(os.lstat(self.path), self.info, self.path)
            self.above.check()


def way() -> type[Held] | type[Named]:
    """How this system opens folders; the stricter way where it is offered."""
    calls = {os.open, os.mkdir, os.stat, os.rename, os.unlink}
    held = calls <= os.supports_dir_fd and os.scandir in os.supports_fd
    return Held if held and flags("O_NOFOLLOW") and flags("O_DIRECTORY") else Named


WAY = way()


def top(path: str | os.PathLike[str]) -> Folder:
    """The folder at a path, which may lead over links."""
    return WAY.top(os.fspath(path))


def append(path: str) -> int:
    """The handle of a plain file that is there, to be added to; its folders may lie behind links, it may be none."""
    folder = top(os.path.dirname(path) or ".")
    try:
        return folder.open(os.path.basename(path), os.O_WRONLY | os.O_APPEND)
    finally:
        folder.close()


def kind(info: os.stat_result) -> str:
    """What something is: file, folder, link or other. A junction is a link, a file in a cloud's folder is a file."""
    if stat.S_ISLNK(info.st_mode) or getattr(info, "st_reparse_tag", 0) & NAME_SURROGATE:
        return "link"
    return "file" if stat.S_ISREG(info.st_mode) else "folder" if stat.S_ISDIR(info.st_mode) else "other"


def listed(entries: Iterable[os.DirEntry[str]]) -> list[tuple[str, str]]:
    """The name of each entry with its kind; one that is gone by now is left out."""
    found = []
    for entry in entries:
        with suppress(FileNotFoundError):
            found.append((entry.name, kind(entry.stat(follow_symlinks=False))))
    return found


def leads_away(entry: os.DirEntry[str]) -> bool:
    """Whether an entry of a folder is a link or a junction."""
    return entry.is_symlink() or (TELLS_TAGS and kind(entry.stat(follow_symlinks=False)) == "link")


def found(path: str) -> os.stat_result | None:
    """What lies at a path, or None."""
    with suppress(FileNotFoundError):
        return os.lstat(path)
    return None


def exactly(how: int, before: os.stat_result | None) -> int:
    """The flags that make a file only where none was, and empty none before it is known to be the one that is meant."""
    if before is not None:
        return how & ~(os.O_CREAT | os.O_TRUNC)
    return how | os.O_EXCL if how & os.O_CREAT else how


def refuse_odd(info: os.stat_result | None) -> None:
    """The error that opening it would give, or had better give."""
    what = "file" if info is None else kind(info)
    if what == "link":
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if what == "folder":
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if what == "other":
        raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))


def same(info: os.stat_result, before: os.stat_result, path: str) -> None:
    """NotADirectoryError where a path leads to something else than before."""
    if identity(info) != identity(before):
        raise NotADirectoryError(errno.ENOTDIR, "is another one than before", path)


def identity(info: os.stat_result) -> tuple[int, int]:
    """What a file is known by: as many bits of it as every call of Windows tells."""
    return info.st_dev & 0xFFFF_FFFF, info.st_ino & 0xFFFF_FFFF_FFFF_FFFF


def plain(handle: int) -> int:
    """The handle, if it is of a plain file; else it is closed."""
    try:
        refuse_odd(os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return handle
