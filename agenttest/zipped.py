"""A ZIP → its files as those of a run, read in memory and never unpacked; a ZIP that no run has is refused."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from agenttest.errors import InvalidInput, Problem
from agenttest.files import reading, size
from agenttest.quote import quote

ENTRIES = 200_000
ENTRY = b"PK\x01\x02"  # what each begins with in a ZIP's table of contents
CONTENTS = 32 * 1024**2  # bytes of a ZIP's table of contents
UNPACKED = 4 * 1024**3  # bytes of all files of a ZIP together
DEEP = 32  # folders in each other
LONG = 4096  # characters of a name
RIGHT = "use the ZIP as it was downloaded"
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of others zipfile unpacks more at once than is asked for
ENCRYPTED, UTF8 = 1, 0x800  # flags
FILE = b"PK\x03\x04"
SPARE = 1024
UNICODE_PATH = 0x7075  # an extra field that gives another name, which some tools and Pythons take instead
# What zipfile raises for a ZIP that is cut off, damaged, or of a form that it does not know.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Archive:
    """A folder in a ZIP: `prefix` is its path there with a `/` at its end, or nothing for the top.

    `entries` are all of the ZIP's by name, `tree` is for each folder's prefix the names of the folders inside.
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
        return "folder" if f"{self.prefix}{name}/" in self.tree else "nothing"

    def read(self, name: str, limit: int) -> bytes:
        """A file, unpacked in memory."""
        entry = self.entries.get(self.prefix + name)
        if entry is None or self.kind(name) != "file":
            said = "does not exist" if entry is None else "is a symbolic link"
            raise InvalidInput(Problem(name, 0, 0, f"{said}; {RIGHT}"))
        if entry.file_size > limit:
            said = f"has {entry.file_size:,} bytes; at most {limit:,} ({size(limit)}) are read"
            raise InvalidInput(Problem(name, 0, 0, said))
        try:
            return content(self.zipped, entry)
        except UNREADABLE as error:
            said = f"cannot be unpacked ({type(error).__name__}); download the ZIP again"
            raise InvalidInput(Problem(name, 0, 0, said)) from error

    def folders(self) -> list[str]:
        """As the paths in the ZIP have them."""
        return self.tree.get(self.prefix, [])

    def inside(self, name: str) -> Archive:
        """A folder of this one."""
        return replace(self, prefix=f"{self.prefix}{name}/")


def content(zipped: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """A file's bytes, which are all that is packed, as the table of contents says, under the name that it says.

    zipfile reads no further than the table says, and other tools unpack whatever there is.
    """
    stream = zipped.fp
    if stream is None:
        raise zipfile.BadZipFile("closed")
    if entry.compress_size > entry.file_size + entry.file_size // 1000 + SPARE:  # what cannot be packed grows by less
        raise zipfile.BadZipFile(entry.filename)
    stream.seek(entry.header_offset)
    signature, names, more = struct.unpack("<4s22xHH", stream.read(30))
    name = stream.read(names).decode("utf-8" if entry.flag_bits & UTF8 else "cp437")
    stream.seek(more, io.SEEK_CUR)
    packed = stream.read(entry.compress_size)
    whole, ended = inflated(packed, entry.file_size) if entry.compress_type == zipfile.ZIP_DEFLATED else (packed, True)
    right = ended and len(whole) == entry.file_size and zlib.crc32(whole) == entry.CRC
    if signature != FILE or name != entry.orig_filename or not right:
        raise zipfile.BadZipFile(entry.filename)
    return whole


def inflated(packed: bytes, count: int) -> tuple[bytes, bool]:
    """What was deflated, at most one byte more than `count`, and whether that is all of it."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    whole = stream.decompress(packed, count + 1)
    return whole, stream.eof and not stream.unused_data


def packed(path: Path) -> bool:
    """Whether a file ends as a ZIP does."""
    return zipfile.is_zipfile(path)


@contextmanager
def unzipped(path: Path) -> Iterator[zipfile.ZipFile]:
    """The open ZIP."""
    try:
        stream = Contents(io.FileIO(path))
    except OSError as error:
        raise InvalidInput(Problem(str(path), 0, 0, reading(error))) from error
    with stream:
        try:
            zipped = zipfile.ZipFile(stream)
        except TooLong as error:
            said = f"holds more than the {ENTRIES:,} files that are read, or longer names than a run has; {RIGHT}"
            raise InvalidInput(Problem(str(path), 0, 0, said)) from error
        except UNREADABLE as error:
            said = f"is no ZIP that can be read ({type(error).__name__}); download it again"
            raise InvalidInput(Problem(str(path), 0, 0, said)) from error
        stream.known = True
        yield zipped


class TooLong(Exception):
    """A table of contents that no ZIP of a run has."""


class Contents(io.BufferedReader):
    """A ZIP's bytes; until its table of contents is `known`, which zipfile reads at once, no more than one may have."""

    known = False

    def read(self, count: int | None = -1, /) -> bytes:
        """As any stream does; TooLong for such a table."""
        if self.known:
            return super().read(count)
        data = super().read(CONTENTS + 1 if count is None or not 0 <= count <= CONTENTS else count)
        if len(data) > CONTENTS or data.count(ENTRY) > ENTRIES:
            raise TooLong
        return data


def archive(path: Path, zipped: zipfile.ZipFile) -> Archive:
    """The files of a ZIP; where all lie in one folder, those of the folder."""
    infos = [info for info in zipped.infolist() if not info.is_dir()]
    problem = next(odd(zipped.infolist()), None)
    if problem:
        raise InvalidInput(Problem(str(path), 0, 0, f"{problem}; {RIGHT}"))
    entries = {info.filename: info for info in infos}
    found = Archive(path, zipped, entries, tree(entries))
    top = next((name for name in entries if f"{name}/" in found.tree), None)
    if top is not None:
        said = f"holds {quote(top)} both as a file and as a folder; {RIGHT}"
        raise InvalidInput(Problem(str(path), 0, 0, said))
    filled = {name[: name.rfind("/") + 1] for name in entries}
    while found.prefix not in filled and len(found.folders()) == 1:
        found = found.inside(found.folders()[0])
    return found


def tree(names: Iterable[str]) -> dict[str, list[str]]:
    """For the prefix of each folder of a ZIP, the names of the folders inside."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name in names:
        prefix = ""
        for part in name.split("/")[:-1]:
            found[prefix].add(part)
            prefix += f"{part}/"
        found[prefix].update()
    return {prefix: sorted(inside) for prefix, inside in found.items()}


def odd(infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    """What no ZIP of a run has."""
    if sum(info.file_size for info in infos) > UNPACKED:
        yield f"is more than {size(UNPACKED)} when unpacked"
    if min((info.header_offset for info in infos), default=0):
        yield "begins with something else than its first file"
    seen: dict[str, str] = {}
    for info in infos:
        name = info.orig_filename.removesuffix("/")
        if (alike := seen.get(name.casefold())) is not None:  # one file only, on systems that know no case
            yield f"holds {quote(name)} twice" if alike == name else f"holds {quote(alike)} and {quote(name)}"
        seen[name.casefold()] = name
        if other_name(info):
            yield f"holds {quote(name)} under another name too"
        if not plain(name):
            yield f"holds {quote(name)}, which is no plain path"
        if info.compress_type not in PACKED or info.flag_bits & ENCRYPTED:
            yield f"holds {quote(name)} encrypted, or packed in a way that is not read"


def other_name(info: zipfile.ZipInfo) -> bool:
    """Whether an extra field names a file otherwise; a name beyond ASCII is there twice in many an honest ZIP."""
    extra = info.extra
    while len(extra) >= 4:
        kind, length = struct.unpack("<HH", extra[:4])
        name, extra = extra[9 : 4 + length], extra[4 + length :]
        if kind == UNICODE_PATH and name.isascii() and name != info.orig_filename.encode():
            return True
    return False


def plain(name: str) -> bool:
    """Whether a name in a ZIP leads to one place below it, on every system."""
    parts = name.split("/")
    if len(name) > LONG or len(parts) > DEEP:
        return False
    return not {"", ".", ".."} & set(parts) and not {"\\", ":", "\0"} & set(name)
