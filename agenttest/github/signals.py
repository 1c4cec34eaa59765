"""A cancelled job's signals → an exception while the run goes on, and nothing while its result is written."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

# The runner sends the first, 7.5 seconds later the second (on Windows the third), and kills 2.5 seconds later.
NAMES = ("SIGINT", "SIGTERM", "SIGBREAK")
CANCELS = tuple(signal.Signals[name] for name in NAMES if name in signal.Signals.__members__)


class Interrupted(KeyboardInterrupt):
    """The job was cancelled; says by which signal."""


@contextmanager
def interruptible() -> Iterator[list[str]]:
    """Within it a signal raises Interrupted; after it signals are ignored, so that the result is written in peace.

    The names of those that came are in the list, whoever caught what they raised. As a container's first process we
    get a SIGTERM only where we ask for it.
    """
    came: list[str] = []

    def interrupt(number: int, _: FrameType | None) -> NoReturn:
        came.append(signal.Signals(number).name)
        raise Interrupted(came[-1])

    for number in CANCELS:
        signal.signal(number, interrupt)
    try:
        yield came
    finally:
        for number in CANCELS:
            signal.signal(number, signal.SIG_IGN)
