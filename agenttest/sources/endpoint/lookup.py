"""A host name → its IP addresses, looked up beside the caller, who waits no longer than its deadline."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import TypeAlias

from agenttest.sources.endpoint.failed import Failed

Ask: TypeAlias = Callable[[str], Sequence[str]]

NO_NAME = ("EAI_NONAME", "EAI_NODATA")  # not every system has both
REMEDY = "see that the name is right, and that the agent runs; a service of the job is named by its key"
UNKNOWN = "no address is known for the name of the endpoint"
UNASKED = "the name of the endpoint could not be looked up"
LATE = "the name of the endpoint was not looked up in time"


def system(host: str) -> Sequence[str]:
    """What the system's resolver knows, of both families, in the order to try them; OSError where it fails."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return tuple(dict.fromkeys(str(place[0]) for *_, place in found))


@dataclass(slots=True)
class Lookup:
    """Looks one name up, by `ask`. Who comes while that goes on waits for the same answer, so that a resolver that
    hangs holds one thread and no more."""

    host: str
    ask: Ask
    pending: Future[Sequence[str]] | None = None
    lock: Lock = field(default_factory=Lock)

    def answer(self, end: float) -> tuple[str, ...]:
        """The addresses as they are known now, before `end` on the monotonic clock; Failed where there are none."""
        future = self.current()
        try:
            found = future.result(max(0.0, end - time.monotonic()))
        except TimeoutError:
            raise Failed(LATE, REMEDY) from None
        except (OSError, UnicodeError) as error:
            raise Failed(UNKNOWN if unknown(error) else UNASKED, REMEDY) from None
        if not found:
            raise Failed(UNKNOWN, REMEDY)
        return tuple(found)

    def current(self) -> Future[Sequence[str]]:
        """The answer that is on its way, else a new one."""
        with self.lock:
            if self.pending is None or self.pending.done():
                self.pending = Future()
                Thread(target=self.fetch, args=(self.pending,), daemon=True).start()
            return self.pending

    def fetch(self, future: Future[Sequence[str]]) -> None:
        """Ask, and give whatever comes of it to those who wait."""
        try:
            future.set_result(self.ask(self.host))
        except Exception as error:  # it is raised where it is waited for
            future.set_exception(error)


def unknown(error: Exception) -> bool:
    """Whether it is certain that the name stands for nothing."""
    codes = {getattr(socket, name) for name in NO_NAME if hasattr(socket, name)}
    return isinstance(error, socket.gaierror) and error.errno in codes
