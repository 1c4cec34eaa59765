"""ZIPs of runs: as an artifact is downloaded, and as nobody's is."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

Change = Callable[[zipfile.ZipInfo], object]


def packed(run: Path, place: Path, top: str = "", how: int = zipfile.ZIP_DEFLATED) -> Path:
    """The ZIP of a run directory; `top` is what stands before every name."""
    with zipfile.ZipFile(place, "w", how) as zipped:
        for file in sorted(run.rglob("*")):
            if file.is_file():
                zipped.write(file, top + file.relative_to(run).as_posix())
    return place


def of(place: Path, files: dict[str, bytes], change: Change = lambda info: None) -> Path:
    """A ZIP of these files, each entry changed before it is written."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            change(info)
            zipped.writestr(info, data)
    return place


class Pipe(io.RawIOBase):
    """What takes bytes and cannot go back, so that the sizes stand behind each file."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.data += data
        return len(data)


def streamed(run: Path, place: Path) -> Path:
    """The ZIP as it is written when it is sent while it is made."""
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as zipped:  # type: ignore[call-overload]
        for file in sorted(run.iterdir()):
            with zipped.open(file.name, "w", force_zip64=True) as entry:
                entry.write(file.read_bytes())
    place.write_bytes(pipe.data)
    return place
