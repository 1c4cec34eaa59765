"""Flags → `Settings`; reports → stdout or a file; returns the exit code."""

from __future__ import annotations

import argparse
import atexit
import gc
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from agenttest import streams
from agenttest.flags import parser

FEW_COLLECTIONS = 50_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit 0 pass or done, 1 violation (replay: not valid), 2 incomplete, invalid or our own fault."""
    hurry()
    streams.prepare()
    try:
        options = parser().parse_args(argv)
        code = command(options)(options)
    except SystemExit as ended:  # argparse has said what was asked for, or what is wrong
        code = int(ended.code or 0)
    except KeyboardInterrupt:
        code = complain("interrupted; a run begun is left unfinished, and replay says so")
    except Exception as error:  # the one place that catches all, as a traceback is a bug
        code = complain(fault(error))
    return streams.flushed(code, lambda error: complain(fault(error)))


def hurry() -> None:
    """A run makes hardly a cycle and dies with its process: look for cycles seldom, and at the end not at all."""
    gc.set_threshold(FEW_COLLECTIONS)
    atexit.register(gc.freeze)


def command(options: argparse.Namespace) -> Callable[[argparse.Namespace], int]:
    """The function of a command, imported when it is asked for."""
    from agenttest import commands

    found: Callable[[argparse.Namespace], int] = getattr(commands, options.command)
    return found


def fault(error: Exception) -> str:
    """What is said of a fault: of the machine where it is one, else of our own with its place."""
    if isinstance(error, OSError) and error.errno is not None:
        return f"the system refused: {error.strerror}" + (f": {error.filename!r}" if error.filename else "")
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"
    what = f"{type(error).__name__} at {place}"
    return f"a fault of agenttest itself ({what}); please report it with the files that led to it"


def complain(message: str) -> int:
    """A line on stderr, where it can be written, and exit code 2."""
    with suppress(OSError):
        sys.stderr.write(f"agenttest: {message}\n")
        sys.stderr.flush()
    return 2
