"""A cancelled run's signals → an exception or a note while it goes on, and nothing while its result is written."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

# The runner sends the first, 7.5 seconds later the second (on Windows the third), and kills 2.5 seconds later.
NAMES = ("SIGINT", "SIGTERM", "SIGBREAK")
CANCELS = tuple(signal.Signals[name] for name in NAMES if name in signal.Signals.__members__)


class Interrupted(KeyboardInterrupt):
    """The run was cancelled; says by which signal."""


@dataclass(slots=True)
class Cancellation:
    """The names of the signals that came. While it is `held` the first of them is only noted: who works looks here."""

    came: list[str] = field(default_factory=list)
    held: bool = False

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Let the first signal raise nothing, so that what is under way can be brought to an end."""
        self.held = True
        try:
            yield
        finally:
            self.held = False

    def take(self, number: int, _: FrameType | None) -> None:
        """Handle a signal."""
        self.came.append(signal.Signals(number).name)
        if not self.held or len(self.came) > 1:
            raise Interrupted(self.came[-1])


@contextmanager
def interruptible(*, again: bool = False) -> Iterator[Cancellation]:
    """Within it a signal raises Interrupted, or is noted where the Cancellation is held; after it signals are ignored,
    so that the result is written in peace, or, where they shall count `again`, handled as before.

    As a container's first process we get a SIGTERM only where we ask for it.
    """
    cancellation = Cancellation()
    before = {number: signal.signal(number, cancellation.take) for number in CANCELS}
    try:
        yield cancellation
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if again else signal.SIG_IGN)
