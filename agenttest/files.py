"""Reading and writing inside the project root: no way out, no links, plain files only, nothing written by half."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from agenttest import handles
from agenttest.errors import InvalidInput, NotSaved, Problem
from agenttest.handles import Folder
from agenttest.names import misread

FOLDER_MODE, FILE_MODE = 0o700, 0o600
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
UNNAMEABLE = "holds a character that no name has on this system; rename it, or set a UTF-8 locale"
UNITS = (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))


@dataclass(frozen=True, slots=True)
class Project:
    """The folder that every path must stay in, and the folder in it that relative paths start from."""

    root: Path
    base: Path

    @classmethod
    def at(cls, root: Path | str, base: Path | str | None = None) -> Project:
        """A project whose own path may lead over links."""
        top = Path(root).resolve()
        return cls(top, top if base is None else Path(base).resolve())

    def relative(self, name: str) -> str:
        """A path that the user gave, as a path below the root with `/`; InvalidInput where it leaves the root."""
        if "\0" in name or not name.strip():
            raise InvalidInput(Problem("", 0, 0, f"{name!r} is no path; name a file inside the project"))
        path = home(name) if name.startswith("~") else Path(name)
        if ".." in path.parts:
            raise InvalidInput(
                Problem(name, 0, 0, f"holds '..'; name it without, from a folder that holds it (now {self.root})")
            )
        if said := misread(path):
            raise InvalidInput(Problem(name, 0, 0, said))
        full = path if path.is_absolute() else self.base / path
        if full.is_relative_to(self.root) and full != self.root:
            return full.relative_to(self.root).as_posix()
        where = "is the project itself" if full == self.root else "is outside the project"
        raise InvalidInput(Problem(name, 0, 0, f"{where}; name a path inside {self.root}"))

    def kind(self, name: str) -> str:
        """What lies at a path below the root: file, folder, link, other or nothing."""
        try:
            return handles.kind(os.lstat(self.root / name))
        except (OSError, ValueError):
            return "nothing"

    def entries(self, name: str) -> list[tuple[str, str]]:
        """What lies directly in a folder below the root, each path with its kind; nothing where there is no folder, and
        InvalidInput where it cannot be looked into, or only behind a link."""
        try:
            with self.folder(name) as (above, leaf):
                folder = above.enter(leaf)
                try:
                    return [(f"{name}/{entry}", kind) for entry, kind in folder.entries()]
                finally:
                    folder.close()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InvalidInput(Problem(name, 0, 0, reading(error))) from error
        except UnicodeEncodeError as error:
            raise InvalidInput(Problem(name, 0, 0, UNNAMEABLE)) from error

    def leads_to_folder(self, name: str) -> bool:
        """Whether a link leads to a folder."""
        try:
            return (self.root / name).is_dir()
        except OSError:
            return False

    def same(self, one: str, other: str) -> bool:
        """Whether two paths below the root are of one file, be it that the system takes `A.yml` for `a.yml`."""
        try:
            there, here = (os.lstat(self.root / name) for name in (one, other))
        except (OSError, ValueError):
            return one == other
        return one == other or (here.st_ino != 0 and os.path.samestat(there, here))  # a network drive may know none

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of a plain file below the root, at most `limit` of them; InvalidInput says what else it is."""
        try:
            with self.folder(name) as (folder, leaf):
                return read_at(folder, leaf, name, limit)
        except OSError as error:
            raise InvalidInput(Problem(name, 0, 0, reading(error))) from error

    def write(self, name: str, data: bytes | Iterable[bytes]) -> None:
        """A file below the root, at once or piece by piece, whole or not at all, for its owner only; folders on the way
        are made."""
        try:
            with self.folder(name, make=True) as (folder, leaf):
                write_at(folder, leaf, (data,) if isinstance(data, bytes) else data)
        except OSError as error:
            raise NotSaved(Problem(name, 0, 0, writing(error))) from error
        except UnicodeEncodeError as error:
            raise NotSaved(Problem(name, 0, 0, UNNAMEABLE)) from error

    def remove(self, name: str) -> None:
        """Take away a plain file below the root, if there is one and it can be taken away."""
        with suppress(OSError), self.folder(name) as (folder, leaf):
            if folder.kind(leaf) == "file":
                folder.remove(leaf)

    def make_folder(self, name: str) -> None:
        """A new folder below the root, for its owner only; NotSaved where it cannot be made or is there already."""
        try:
            with self.folder(name, make=True) as (folder, leaf):
                folder.make(leaf, FOLDER_MODE)
        except OSError as error:
            raise NotSaved(Problem(name, 0, 0, writing(error))) from error
        except UnicodeEncodeError as error:
            raise NotSaved(Problem(name, 0, 0, UNNAMEABLE)) from error

    @contextmanager
    def folder(self, name: str, *, make: bool = False) -> Iterator[tuple[Folder, str]]:
        """The open folder that holds the path, reached without following a link, and the path's last part."""
        *parts, leaf = PurePosixPath(name).parts
        current = handles.top(self.root)
        try:
            for part in parts:
                if make:
                    with suppress(FileExistsError):
                        current.make(part, FOLDER_MODE)
                inner = current.enter(part)
                current.close()
                current = inner
            yield current, leaf
        finally:
            current.close()


def from_here(folder: Path) -> str:
    """The folder as seen from the working directory, with `/`; as it is where that lies on another drive."""
    try:
        return Path(os.path.relpath(folder)).as_posix()
    except ValueError:
        return folder.as_posix()


def home(name: str) -> Path:
    """A path that begins with `~`; where that names nobody's home, a path like any other."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def read_at(folder: Folder, leaf: str, name: str, limit: int) -> bytes:
    """The bytes of a plain file in an open folder."""
    handle = folder.open(leaf, os.O_RDONLY)
    try:
        length = os.fstat(handle).st_size
        if length > limit:
            said = f"has {length:,} bytes; at most {limit:,} ({size(limit)}) are read, so make it smaller"
            raise InvalidInput(Problem(name, 0, 0, said))
        with open(handle, "rb", closefd=False) as stream:
            data = stream.read(limit + 1)
    finally:
        os.close(handle)
    if len(data) > limit:
        raise InvalidInput(
            Problem(name, 0, 0, f"grew while it was read; at most {size(limit)} are read, so make it smaller")
        )
    return data


def write_at(folder: Folder, leaf: str, pieces: Iterable[bytes]) -> None:
    """A file in an open folder: written beside its place, flushed to disk, then renamed."""
    with suppress(FileNotFoundError):
        kind = folder.kind(leaf)
        if kind != "file":
            raise IsADirectoryError(f"is a {'folder' if kind == 'folder' else 'link or device'}")
    beside = f".{os.urandom(8).hex()}.tmp"
    handle = folder.open(beside, CREATE, FILE_MODE)
    try:
        with open(handle, "wb") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(handle)
        folder.replace(beside, leaf)
    except BaseException:
        with suppress(OSError):
            folder.remove(beside)
        raise


def reading(error: OSError) -> str:
    """Why a file could not be read, and what would be right."""
    says = {
        "FileNotFoundError": "does not exist; check the path",
        "PermissionError": "cannot be read: permission denied; let this user read it",
        "IsADirectoryError": "is a folder; name a file",
        "NotADirectoryError": "lies behind something that is a link or no folder; name a plain path",
    }
    if error.errno == errno.ELOOP:  # O_NOFOLLOW met a symbolic link
        return "is a symbolic link; name the file itself"
    if error.errno in (errno.ENXIO, errno.EOPNOTSUPP):
        return "is no plain file (a pipe, socket or device); name a file"
    return says.get(type(error).__name__, f"cannot be read: {error.strerror or error}")


def writing(error: OSError) -> str:
    """Why something could not be written, and what would be right."""
    says = {
        "PermissionError": "cannot be written: permission denied; let this user write there",
        "FileExistsError": "is there already; remove it",
        "IsADirectoryError": f"{error.strerror or error}; name a plain file",
        "NotADirectoryError": "lies behind something that is a link or no folder; name a plain path",
    }
    if error.errno == errno.ELOOP:
        return "lies behind a symbolic link; name a plain path"
    return says.get(type(error).__name__, f"cannot be written: {error.strerror or error}")


def size(count: int) -> str:
    """A number of bytes in words."""
    for unit, step in UNITS:
        if count >= step:
            return f"{count / step:.1f} {unit}" if count % step else f"{count // step} {unit}"
    return f"{count} bytes"
