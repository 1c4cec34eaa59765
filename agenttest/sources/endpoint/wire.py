"""A `Target` → a connection to it, in which nothing lasts beyond one deadline: TCP alone, or TLS inside of it."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from agenttest.settings import REPLY_BYTES
from agenttest.sources.endpoint import failed, trust

if TYPE_CHECKING:
    from agenttest.sources.endpoint.trust import Target

PIECE = 1 << 16
WIRE_BYTES = 8 * REPLY_BYTES  # received in all; a body sent in chunks of one byte each takes six times its size

T = TypeVar("T")


class Line(Protocol):
    """What an exchange goes over; TimeoutError where its time is over."""

    def sendall(self, data: bytes) -> None:
        """Send all of it."""

    def receive(self) -> bytes:
        """The next bytes, as many as there are; none at the end."""

    def close(self) -> None:
        """Hang up."""


def opened(target: Target, tls: ssl.SSLContext | None, end: float) -> Line:
    """A connection to the target, which is over at `end` (monotonic clock); with TLS its certificate was verified."""
    wire = Wire(connected(target, end), end)
    if tls is None:
        return wire
    try:
        return Secured(wire, tls, target.host)
    except BaseException:
        wire.close()
        raise


def connected(target: Target, end: float) -> socket.socket:
    """A TCP connection to the first of the target's addresses that accepts one; Failed where none does."""
    addresses = target.addresses(end)
    error: OSError = TimeoutError()
    for number, address in enumerate(addresses):
        try:  # each has its share of the time, as an address that swallows packets must leave some for the next
            left = (end - time.monotonic()) / (len(addresses) - number)
            return attempt(address, target.address.port, left)
        except OSError as caught:
            if not isinstance(error, ConnectionRefusedError):  # which tells more than an address without a way to it
                error = caught
    raise failed.unconnected(error, trust.hint(target))


def attempt(address: str, port: int, seconds: float) -> socket.socket:
    """A TCP connection to one IP address."""
    if seconds <= 0:
        raise TimeoutError
    made = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.settimeout(seconds)
        made.connect((address, port))
        itself = made.getsockname()[:2] == (address, port)
    except BaseException:
        made.close()
        raise
    if itself:  # a port of this machine that nobody listens at may be given to the caller, which then meets itself
        made.close()
        raise ConnectionRefusedError
    return made


class Wire:
    """A connected socket. Every call of the system may take what is left until `end`, and no more."""

    def __init__(self, connected: socket.socket, end: float) -> None:
        self.socket, self.end, self.received = connected, end, 0

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        view = memoryview(data)
        while view:
            self.bound()
            view = view[self.socket.send(view) :]

    def receive(self) -> bytes:
        """The next bytes, as many as there are; none at the end."""
        self.bound()
        piece = self.socket.recv(PIECE)
        self.received += len(piece)
        if self.received > WIRE_BYTES:
            raise failed.endless("the whole", WIRE_BYTES)
        return piece

    def bound(self) -> None:
        """Let the next call take the time that is left."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.socket.settimeout(left)

    def close(self) -> None:
        """Hang up."""
        self.socket.close()


class Secured:
    """TLS over a wire. OpenSSL sees only bytes that were received already, as it might go on reading for as long as a
    peer has records that say nothing."""

    def __init__(self, wire: Wire, context: ssl.SSLContext, host: str) -> None:
        self.wire, self.incoming, self.outgoing = wire, ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname=host.rstrip("."))
        self.step(self.tls.do_handshake)

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        view = memoryview(data)
        while view:
            view = view[self.step(lambda: self.tls.write(view[:PIECE])) :]  # noqa: B023 (called at once)

    def receive(self) -> bytes:
        """The next bytes, as many as there are; none at the end, whether or not the peer said that it is one."""
        try:
            return self.step(lambda: self.tls.read(PIECE))
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
            return b""

    def step(self, act: Callable[[], T]) -> T:
        """Do one thing of TLS, with as many bytes from and to the wire as it takes."""
        while True:
            try:
                done = act()
            except ssl.SSLWantReadError:
                self.flush()
                self.feed()
            else:
                self.flush()
                return done

    def flush(self) -> None:
        """Send what TLS has to say."""
        self.wire.sendall(self.outgoing.read())

    def feed(self) -> None:
        """Let TLS have the next bytes of the wire."""
        if piece := self.wire.receive():
            self.incoming.write(piece)
        else:
            self.incoming.write_eof()

    def close(self) -> None:
        """Hang up."""
        self.wire.close()
