"""One POST to a `Target` → `Answer`, whole before its deadline and within its bounds, or `Failed`."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from urllib3.connection import HTTPConnection

from agenttest import __version__
from agenttest.errors import InvalidInput, Problem
from agenttest.quote import quote
from agenttest.sources.endpoint import framing, head, unpacking, wire
from agenttest.sources.endpoint.failed import Failed, explained
from agenttest.sources.endpoint.stream import Stream

if TYPE_CHECKING:
    from agenttest.sources.endpoint.trust import Target

Tls: TypeAlias = ssl.SSLContext
T = TypeVar("T")


class Connection(HTTPConnection):
    """Has urllib3 write a request to a line that is there already."""

    def __init__(self, target: Target, line: wire.Line) -> None:
        super().__init__(target.host, target.address.port)
        self.line = line

    def connect(self) -> None:
        """Take the line for a socket, of which a request needs no more than sendall."""
        self.sock = self.line


@dataclass(frozen=True, slots=True)
class Answer:
    """What the endpoint said, whatever its status; the body is unpacked and within REPLY_BYTES."""

    status: int
    body: bytes = field(repr=False)


def tls(ca_file: str | None) -> Tls:
    """TLS that always verifies: by the authorities of the file, else by those of SSL_CERT_FILE and SSL_CERT_DIR, else
    by the system's; InvalidInput where the file cannot be used."""
    context = ssl.create_default_context() if ca_file is None else trusting(ca_file)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def trusting(ca_file: str) -> Tls:
    """TLS that knows the authorities of this file alone."""
    try:
        with open(ca_file, "rb"):
            context = ssl.create_default_context(cafile=ca_file)
    except (OSError, ValueError) as error:
        why = "holds no certificates" if isinstance(error, ssl.SSLError) else "cannot be read"
        said = f"names {quote(ca_file)}, which {why}; name a file of certificates in PEM form"
        raise InvalidInput(Problem("--ca-file", 0, 0, said)) from error
    return context


def exchange(target: Target, body: bytes, token: str | None, tls: Tls | None, end: float) -> Answer:
    """The answer to one POST of JSON, on a connection of its own; Failed where none came whole before `end`."""
    return outcome(lambda: asked(target, body, token, tls, end))


def connect(target: Target, end: float) -> None:
    """Make a TCP connection and close it, sending nothing; Failed where that cannot be done before `end`."""
    outcome(lambda: wire.connected(target, end).close())


def outcome(act: Callable[[], T]) -> T:
    """What it gives; Failed without a cause where it raises anything, as a cause may show the address or a header."""
    try:
        return act()
    except Exception as error:
        failure = explained(error)
    raise Failed(failure.message, failure.remedy)


def asked(target: Target, body: bytes, token: str | None, tls: Tls | None, end: float) -> Answer:
    """Send the request and read the answer, without looking for a redirect or trying again."""
    with closing(wire.opened(target, tls, end)) as line:
        with suppress(ConnectionError):  # whoever does not read the whole request may have answered it all the same
            send(line, target, body, token)
        stream = Stream(line.receive)
        said = head.final(stream)
        packed = framing.body(stream, said)
    return Answer(said.status, unpacking.unpacked(packed, said.listed("content-encoding")))


def send(line: wire.Line, target: Target, body: bytes, token: str | None) -> None:
    """The request; path and query go out byte for byte."""
    Connection(target, line).request("POST", target.address.target, body, headers(target, token))


def headers(target: Target, token: str | None) -> dict[str, str]:
    """The request's header fields. No packing is asked for: answers are small, and what is not packed cannot break."""
    always = {
        "Host": authority(target),
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
        "User-Agent": f"agenttest/{__version__}",
        "Connection": "close",
    }
    return always if token is None else {**always, "Authorization": f"Bearer {token}"}


def authority(target: Target) -> str:
    """The host as the Host field writes it, with its port where that is not the scheme's own."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    own = {"http": 80, "https": 443}[target.address.scheme]
    return host if target.address.port == own else f"{host}:{target.address.port}"
