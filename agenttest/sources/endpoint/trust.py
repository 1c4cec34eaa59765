"""A suite and what the invocation allows → the one `Target` that may be asked, with the addresses it is pinned to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from threading import Lock

from agenttest.errors import InvalidInput, Problem
from agenttest.model import Suite
from agenttest.settings import Live
from agenttest.sources.endpoint import lookup, reach, routes
from agenttest.sources.endpoint.address import Address, literal, parse
from agenttest.sources.endpoint.failed import Failed

RUNNER_HOST = "runner-host"  # the machine that started this container
LOCALHOST = ("127.0.0.1", "::1")  # what the name stands for, whatever a resolver says
CONTAINERS = ("/.dockerenv", "/run/.containerenv")
ELSEWHERE = (
    "localhost is this container itself; name a service by its key and its container port, or runner-host for a "
    "process of an earlier step that listens on 0.0.0.0"
)


@dataclass(frozen=True, slots=True)
class System:
    """What the machine is asked: the addresses of a name, and the routing tables as they are now."""

    ask: lookup.Ask = lookup.system
    routes: Callable[[], routes.Routes | None] = routes.read


@dataclass(slots=True)
class Target:
    """An endpoint that may be asked. `source` is `invocation` or `contract`, `kind` its class (see model.Endpoint);
    `gateway` is the address that stands in place of the host's name."""

    address: Address
    source: str
    kind: str
    gateway: str | None = None
    system: System = field(default=System(), repr=False)
    pinned: tuple[str, ...] | None = None
    name: lookup.Lookup = field(init=False, repr=False)
    lock: Lock = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.name, self.lock = lookup.Lookup(self.host, self.system.ask), Lock()

    @property
    def host(self) -> str:
        """The host as a request names it, in its Host header and in TLS; of an IPv6 address without brackets."""
        return self.gateway or self.address.host

    def addresses(self, end: float) -> tuple[str, ...]:
        """The IP addresses to connect to, in the order to try them, looked up once and checked before `end` (monotonic
        clock); Failed where there are none that may be used."""
        if self.pinned is not None:
            return self.pinned
        found = self.found(end)
        if refused := self.refused(found):
            _, refusal = refused
            raise Failed(f"the name of the endpoint leads to an address that {refusal.reason}", refusal.remedy)
        return self.pin(found)

    def found(self, end: float) -> tuple[str, ...]:
        """The addresses that the host stands for now, good or bad."""
        if self.kind == "loopback" and self.host == "localhost":
            return LOCALHOST
        return (self.host,) if literal(self.host) else self.name.answer(end)

    def refused(self, found: Sequence[str]) -> tuple[str, reach.Refusal] | None:
        """The first address that may not be connected to, and why: one of them spoils the name."""
        if self.kind == "loopback":
            return None
        table = self.system.routes() if self.kind == "isolated" else None
        judged = ((each, reach.refusal(ip_address(each), self.kind, table)) for each in found)
        return next(((each, why) for each, why in judged if why is not None), None)

    def pin(self, found: tuple[str, ...]) -> tuple[str, ...]:
        """Hold on to the addresses for good; who comes second takes those of the first."""
        with self.lock:
            self.pinned = self.pinned or found
            return self.pinned


def trusted(suite: Suite, live: Live, end: float, system: System = System()) -> Target:
    """The endpoint that may be asked; InvalidInput with all that speaks against it.

    A name that stands for nothing yet is no mistake: its target looks it up again each time it is asked.
    """
    problems = list(model_problems(suite, live))
    try:
        target = chosen(suite, live, end, system)
    except ValueError as error:
        place = suite.path if live.endpoint is None else "--endpoint"
        raise InvalidInput([Problem(place, 0, 0, str(error)), *problems]) from error
    if problems:
        raise InvalidInput(problems)
    return target


def chosen(suite: Suite, live: Live, end: float, system: System) -> Target:
    """The endpoint that is asked for: the invocation's, else the contract's own. ValueError says why it may not be."""
    if live.endpoint is None:
        return contracts(suite, live, system)
    seconds = live.timeout_seconds or suite.agent.timeout_seconds
    return invoked(live.endpoint, live, min(end, time.monotonic() + seconds), system)


def contracts(suite: Suite, live: Live, system: System) -> Target:
    """The contract's own endpoint; ValueError says why it may not be asked."""
    if suite.agent.endpoint is None:
        raise ValueError("names no agent.endpoint; name the agent with --endpoint")
    if not live.contract_endpoint:
        raise ValueError("may not name who is asked; give --allow-contract-endpoint, or name the agent with --endpoint")
    try:
        address = parse(suite.agent.endpoint)
    except ValueError as error:
        raise ValueError(f"agent.endpoint {error}") from error
    if not address.loopback:
        raise ValueError("agent.endpoint is not on loopback, as a contract's has to be; name the agent with --endpoint")
    return Target(address, "contract", "loopback", system=system)


def invoked(given: str, live: Live, end: float, system: System) -> Target:
    """The endpoint that the invocation names, in the narrowest class that it allows; ValueError says why in none."""
    address = parse(given)
    kinds = tuple(classes(address, live))
    if not kinds:
        raise ValueError(unallowed(address, system))
    if kinds == ("isolated",) and system.routes() is None:
        raise ValueError(f"{reach.UNTOLD.reason}; {reach.UNTOLD.remedy}")
    gateway = default_gateway(system) if address.host == RUNNER_HOST else None
    targets = [Target(address, "invocation", kind, gateway, system) for kind in kinds]
    try:
        found = targets[-1].found(end)
    except Failed:
        return targets[-1]
    return fitting(targets, found)


def classes(address: Address, live: Live) -> Iterator[str]:
    """The classes that an address may be in, the narrowest first."""
    if address.loopback:
        yield "loopback"
        return
    if live.isolated:
        yield "isolated"
    if live.remote and address.scheme == "https" and address.host != RUNNER_HOST:
        yield "remote"


def fitting(targets: Sequence[Target], found: tuple[str, ...]) -> Target:
    """The first of the targets that may be connected to at these addresses, pinned to them."""
    said = ""
    for target in targets:
        refused = target.refused(found)
        if refused is None:
            target.pin(found)
            return target
        where, why = refused
        said = f"leads to {where}, which {why.reason}; {why.remedy}"
    raise ValueError(said)


def unallowed(address: Address, system: System) -> str:
    """What would have to be allowed, as far as that can be told without looking a name up."""
    remote = "give --allow-remote" if address.scheme == "https" else "use https and give --allow-remote"
    if address.host == RUNNER_HOST:
        return "is the machine at the default gateway; give --allow-isolated to ask it"
    if address.ip is None:
        near = "is on a private network that is attached to this machine or container"
        return f"is not this machine by its name; give --allow-isolated where it {near}, else {remote}"
    if never := reach.never(address.ip):
        return f"{never.reason}; {never.remedy}"
    if far := reach.outside(address.ip, system.routes()):
        return f"{far.reason}; {remote}"
    return "is on a private network that is attached to this machine; give --allow-isolated to ask it"


def default_gateway(system: System) -> str:
    """The address that runner-host stands for."""
    table = system.routes()
    gateway = table.gateway() if table else None
    if gateway is None:
        raise ValueError("is runner-host, but this machine has no default gateway; name a host that it can reach")
    return str(gateway)


def model_problems(suite: Suite, live: Live) -> Iterator[Problem]:
    """What keeps the request from naming a model."""
    if not model(suite, live).strip():
        if live.model is not None:
            yield Problem("--model", 0, 0, "is blank; give the name of a model")
        else:
            right = "; add one, or give --model" if suite.files is None else ", nor can scenario files; give --model"
            yield Problem(suite.path, 0, 0, f"names no agent.model, which a live agent is asked for{right}")


def model(suite: Suite, live: Live) -> str:
    """The model to ask for; trusted() has told where there is none."""
    return live.model if live.model is not None else suite.agent.model or ""


def hint(target: Target, marks: Sequence[str] = CONTAINERS) -> str | None:
    """What would help where a connection is refused: inside a container an agent is seldom on loopback, and outside of
    it one may be on nothing else."""
    if target.gateway is not None:
        return "have the process listen on 0.0.0.0, as 127.0.0.1 cannot be reached from a container"
    contained = any(Path(mark).exists() for mark in marks)
    return ELSEWHERE if target.kind == "loopback" and contained else None
