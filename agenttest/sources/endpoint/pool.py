"""Scenarios → what an agent says to each, some asked at the same time, given in the suite's order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Condition, Thread

from agenttest.evidence import OUT_OF_TIME, Lost, Missing
from agenttest.model import Reason, Scenario, Seen
from agenttest.quote import quote

ALIKE = 5  # failures in a row that say that there is no use in going on
NAME = "agenttest-asking"  # of each thread
TICK = 0.1  # seconds between looks at what may end the run early

Ask = Callable[[Scenario, float], Seen]


@dataclass(slots=True)
class Pool:
    """Asks for each scenario once. `end` is that of the run on the monotonic clock; `cancelled` gains the name of a
    signal that came."""

    ask: Ask
    scenarios: Sequence[Scenario]
    concurrency: int
    end: float
    cancelled: Sequence[str] = ()
    done: dict[int, Seen | Exception] = field(default_factory=dict)
    begun: int = 0
    looked: int = 0
    failures: list[str] = field(default_factory=list)
    closed: bool = False
    news: Condition = field(default_factory=Condition)

    def answers(self) -> Iterator[Seen | Lost]:
        """One for each scenario, in order. Once something has ended the run, the rest is lost, asked or not."""
        for _ in range(min(self.concurrency, len(self.scenarios))):
            Thread(target=self.work, name=NAME, daemon=True).start()
        lost: Lost | None = None
        try:
            for index in range(len(self.scenarios)):
                found = lost or self.answer(index)
                lost = found if isinstance(found, Lost) else None
                yield found
        finally:
            self.close()

    def answer(self, index: int) -> Seen | Lost:
        """What is known of a scenario as soon as it is, or what ended the run before."""
        with self.news:
            while not (self.hopeless and index >= self.looked) and index not in self.done:
                if self.cancelled:
                    return interrupted(self.cancelled[0])
                if time.monotonic() >= self.end:
                    return OUT_OF_TIME
                self.news.wait(max(0.0, min(TICK, self.end - time.monotonic())))
            if self.hopeless and index >= self.looked:
                return unreachable(self.failures[0])
            found = self.done.pop(index)
        if isinstance(found, Exception):
            raise found
        return OUT_OF_TIME if found.transport is not None and time.monotonic() >= self.end else found

    @property
    def hopeless(self) -> bool:
        """Whether so many failures alike in a row were looked at that nobody is asked any more."""
        return len(self.failures) == ALIKE

    def work(self) -> None:
        """Ask for one scenario after another, as long as there are any."""
        while (index := self.next()) is not None:
            try:
                found: Seen | Exception = self.ask(self.scenarios[index], self.end)
            except Exception as error:  # a fault of our own, which is told where the answers are read
                found = error
            with self.news:
                self.done[index] = found
                self.look()
                self.news.notify()

    def look(self) -> None:
        """Count the failures alike in a row, in the suite's order, as far as all before is known."""
        while not self.hopeless and (found := self.done.get(self.looked)) is not None:
            failure = found.transport if isinstance(found, Seen) else None
            self.looked += 1
            if failure not in self.failures:
                self.failures.clear()
            if failure is not None:
                self.failures.append(failure)

    def next(self) -> int | None:
        """The number of the next scenario to ask for; None where there is none, or where all is over."""
        with self.news:
            if self.closed or self.hopeless or self.begun == len(self.scenarios) or time.monotonic() >= self.end:
                return None
            self.begun += 1
            return self.begun - 1

    def close(self) -> None:
        """Ask for nothing more."""
        with self.news:
            self.closed = True


def unreachable(failure: str) -> Lost:
    """What is said of the scenarios that are not asked for any more."""
    said = f"the endpoint failed {ALIKE} times in a row before this scenario, each time so: {quote(failure)}"
    return Lost(Reason.ENDPOINT, Missing(said, "see that the agent runs and can be reached, then run it again"))


def interrupted(signal: str) -> Lost:
    """What is said of the scenarios that were not answered before the run was cancelled."""
    said = f"the run was interrupted by {signal} before this scenario was answered"
    return Lost(Reason.INTERRUPTED, Missing(said, "run the same command again"))
