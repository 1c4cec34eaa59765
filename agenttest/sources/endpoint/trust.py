"""A suite and what the invocation allows → the one `Target` that may be asked, with the addresses it is pinned to."""

from __future__ import annotations

from dataclasses import dataclass

from agenttest.model import Suite
from agenttest.settings import Live
from agenttest.sources.endpoint.address import Address


@dataclass(slots=True)
class Target:
    """An endpoint that may be asked. `source` is `invocation` or `contract`, `kind` its class (see model.Endpoint)."""

    address: Address
    source: str
    kind: str

    @property
    def host(self) -> str:
        """The name for the Host field and for TLS."""
        return self.address.host

    def addresses(self, end: float) -> tuple[str, ...]:
        """The IP addresses to connect to, in the order to try them, looked up once and checked before `end` (monotonic
        clock); transport.Failed where there are none that may be used."""
        raise NotImplementedError


def trusted(suite: Suite, live: Live, end: float) -> Target:
    """The endpoint that may be asked; InvalidInput with all that speaks against it."""
    raise NotImplementedError


def model(suite: Suite, live: Live) -> str:
    """The model to ask for; trusted() has told where there is none."""
    raise NotImplementedError


def hint(target: Target) -> str | None:  # noqa: ARG001
    """What would help where this machine refused a connection, if there is more to say than to start the agent."""
    return None
