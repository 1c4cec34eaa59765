"""The command line, over and over, with its first, second, third … touch of the disk made the last, or made to fail.

`python tripwire.py HOW WORD…` runs `agenttest WORD…` in the copy 1 of the folder `project`, then in the copy 2, and so
on, until a run ends before its number. A touch makes a folder or a file, writes, flushes, syncs or renames. HOW is
`kill`: the process dies there, half of a write done; `full`: there, and only there, no space is left on the device;
`full-from`: nor is any later. Printed is the exit code of each run, -9 where it was killed; its output is in `N.out`.
"""

import builtins
import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable
from typing import Any

from agenttest import cli, run  # noqa: F401 (imported before anything is counted)


class Wire:
    """Counts touches and trips at its number."""

    def __init__(self, how: str, number: int) -> None:
        self.how, self.number, self.count = how, number, 0

    def touch(self, do: Callable[[], Any], half: Callable[[], Any] = lambda: None) -> Any:
        """Do it, unless it is the one to die or to fail at."""
        self.count += 1
        if self.count == self.number and self.how == "kill":
            half()
            os.kill(os.getpid(), signal.SIGKILL)
        if self.count == self.number or (self.how == "full-from" and self.count > self.number):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return do()


class Stream:
    """A file opened for writing whose touches are counted."""

    def __init__(self, wire: Wire, stream: Any) -> None:
        self.wire, self.stream = wire, stream

    def write(self, data: bytes) -> Any:
        return self.wire.touch(lambda: self.stream.write(data), lambda: self.half(data))

    def half(self, data: bytes) -> None:
        self.stream.write(data[: len(data) // 2])
        self.stream.flush()

    def flush(self) -> Any:
        return self.wire.touch(self.stream.flush)

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def install(wire: Wire) -> None:
    """From now on every touch is counted."""
    real_open, real_os_open = builtins.open, os.open

    def opened(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        stream = real_open(file, mode, *more, **named)
        return Stream(wire, stream) if mode == "wb" else stream

    def os_opened(path: Any, flags: int, *more: Any, **named: Any) -> int:
        def do() -> int:
            return real_os_open(path, flags, *more, **named)

        return int(wire.touch(do) if flags & os.O_CREAT else do())

    builtins.open = opened  # type: ignore[assignment]
    os.open = os_opened
    for name in ("mkdir", "replace", "fsync"):
        setattr(os, name, counted(wire, getattr(os, name)))


def counted(wire: Wire, real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments, **named: wire.touch(lambda: real(*arguments, **named))


def process(how: str, number: int, words: list[str]) -> int:
    """The exit code of a run in a process of its own."""
    child = os.fork()
    if child == 0:
        sys.stdout = sys.stderr = open(f"{number}.out", "w")  # noqa: SIM115 (open until the process ends)
        os.chdir(str(number))
        wire = Wire(how, number)
        install(wire)
        code = cli.main(words)
        sys.stdout.flush()
        os._exit(code if wire.count >= number else 128 + code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(how: str, words: list[str]) -> None:
    """A run for every touch, until one ends before its number."""
    code, number = 0, 0
    while code < 128:
        number += 1
        shutil.copytree("project", str(number))
        code = process(how, number, words)
        print(number, code % 128 if code >= 0 else code, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
