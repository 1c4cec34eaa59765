"""A `Target` that may still be starting → None as soon as it accepts a connection, or why nothing can be asked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event, Thread

from agenttest.evidence import OUT_OF_TIME, Lost, Missing
from agenttest.model import Reason
from agenttest.sources.endpoint import transport
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.pool import TICK, interrupted
from agenttest.sources.endpoint.trust import Target

ATTEMPT = 2.0  # seconds that one connection may take
PAUSES = (0.1, 0.5)  # seconds between two attempts, at first and at most
GROWTH = 1.25


def wait(target: Target, seconds: float, end: float, cancelled: Sequence[str]) -> Lost | None:
    """Try to connect until it works, for so many seconds, until `end` (monotonic clock) or until a signal came."""
    until = min(end, time.monotonic() + seconds)
    knocking = Knocking(target, until)
    Thread(target=knocking.work, daemon=True).start()  # as a signal must be seen while an attempt takes its time
    while not knocking.over.wait(TICK):
        if cancelled:
            knocking.given_up.set()
            return interrupted(cancelled[0])
    if knocking.failure is None:
        return None
    return OUT_OF_TIME if until == end else absent(seconds, knocking.failure)


@dataclass(slots=True)
class Knocking:
    """Attempts to connect, until one works or the time is over; then `failure` is the last of them, or None."""

    target: Target
    until: float
    failure: Failed | None = None
    over: Event = field(default_factory=Event)
    given_up: Event = field(default_factory=Event)

    def work(self) -> None:
        """One attempt after the other."""
        pause, most = PAUSES
        while not self.accepted() and self.left > 0 and not self.given_up.wait(min(pause, self.left)):
            pause = min(most, pause * GROWTH)
        self.over.set()

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.until - time.monotonic())

    def accepted(self) -> bool:
        """Whether a connection could be made just now."""
        try:
            transport.connect(self.target, time.monotonic() + min(ATTEMPT, max(TICK, self.left)))
        except Failed as failure:
            self.failure = failure
        else:
            self.failure = None
        return self.failure is None


def absent(seconds: float, failure: Failed) -> Lost:
    """What is said of every scenario where nothing accepted a connection in time."""
    said = f"nothing accepted a connection at the endpoint within {seconds:g} seconds: {failure.message}"
    return Lost(Reason.ENDPOINT, Missing(said, failure.remedy or "see that the agent runs and can be reached"))
