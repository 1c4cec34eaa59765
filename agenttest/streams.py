"""What a process prints to: streams that take every text and, at the end, the exit code once all is written."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable


def prepare() -> None:
    """Texts are UTF-8 and none is refused; a stream that was closed before we began takes nothing and says so."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8"))  # noqa: SIM115
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def flushed(code: int, complain: Callable[[OSError], object] | None = None) -> int:
    """The exit code once all is written: where that fails a 0 is 2, and the interpreter does not try again."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            if complain is not None and code == 0:
                complain(error)
            code = code or 2
    return code
