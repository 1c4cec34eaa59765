"""A server of the tests → the target that asks it, and what came of asking: an answer, or why there is none."""

import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agenttest.sources.endpoint import transport
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.transport import Answer
from tests.agent import Server

TOKEN = "sk-a-token-that-nobody-may-see"
BODY = b'{"model": "m"}'


@dataclass(frozen=True)
class Place:
    """What a target's URL says."""

    scheme: str
    host: str
    port: int
    target: str = "/v1/chat/completions"


@dataclass
class Aim:
    """A target with its addresses as they are given; `ends` are those that a look-up was bound by."""

    address: Place
    ips: tuple[str, ...] = ("127.0.0.1",)
    kind: str = "isolated"  # as of a loopback that refuses, more is said inside a container
    gateway: str | None = None
    ends: list[float] = field(default_factory=list)

    @property
    def host(self) -> str:
        """The name of the host."""
        return self.address.host

    def addresses(self, end: float) -> tuple[str, ...]:
        """The IP addresses."""
        self.ends.append(end)
        return self.ips


def aim(server: Server, scheme: str = "http", host: str | None = None, target: str = "/v1/chat/completions") -> Aim:
    """The target that is this server, by its own name or by another."""
    return Aim(Place(scheme, host or server.host, server.port, target), (server.host,))


def exchanged(
    target: Aim,
    *,
    token: str | None = TOKEN,
    tls: ssl.SSLContext | None = None,
    seconds: float = 5.0,
    body: bytes = BODY,
) -> Answer | Failed:
    """What came of one exchange."""
    try:
        return transport.exchange(target, body, token, tls, time.monotonic() + seconds)
    except Failed as failure:
        return failure


def within(target: Aim, seconds: float, patience: float, **options: Any) -> Answer | Failed | None:
    """The same, by a thread that has this much longer than its deadline; None where it did not end by then."""
    outcomes: list[Answer | Failed] = []
    act = lambda: outcomes.append(exchanged(target, seconds=seconds, **options))  # noqa: E731
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    thread.join(seconds + patience)
    return outcomes[0] if outcomes else None


def said(outcome: Answer | Failed | None) -> str | int | None:
    """A failure's words, or an answer's status."""
    return outcome.message if isinstance(outcome, Failed) else outcome.status if outcome else None


def chain(error: object) -> Iterator[BaseException]:
    """An error with all that led to it."""
    while isinstance(error, BaseException):
        yield error
        error = error.__cause__ or error.__context__


def come(heard: Sequence[object], seconds: float = 2.0) -> None:
    """Wait until there is something, for a while."""
    end = time.monotonic() + seconds
    while not heard and time.monotonic() < end:
        time.sleep(0.01)


def others() -> set[threading.Thread]:
    """The threads that are no server's."""
    return {thread for thread in threading.enumerate() if thread.name != "server"}
