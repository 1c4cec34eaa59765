"""One POST to a `Target` → `Answer`, whole before its deadline and within its bounds, or `Failed`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import ssl

    from agenttest.sources.endpoint.trust import Target

Tls: TypeAlias = "ssl.SSLContext"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the endpoint said, whatever its status; the body is unpacked and within REPLY_BYTES."""

    status: int
    body: bytes = field(repr=False)


def tls(ca_file: str | None) -> Tls:
    """TLS that always verifies: by the authorities of the file, else by those of SSL_CERT_FILE and SSL_CERT_DIR, else
    by the system's; InvalidInput where the file cannot be used."""
    raise NotImplementedError


def exchange(target: Target, body: bytes, token: str | None, tls: Tls | None, end: float) -> Answer:
    """The answer to one POST of JSON, on a connection of its own; Failed where none came whole before `end`."""
    raise NotImplementedError


def connect(target: Target, end: float) -> None:
    """Make a TCP connection and close it, sending nothing; Failed where that cannot be done before `end`."""
    raise NotImplementedError
