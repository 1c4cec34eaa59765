"""A live agent → one `Seen` for each scenario: a bounded request each, to an address that the invocation allows."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from agenttest.evidence import Lost
from agenttest.model import Endpoint, Exchange, Observation, Provenance, Scenario, Seen, Suite
from agenttest.settings import REPLY_BYTES, Limits, Live
from agenttest.sources import ORIGINS
from agenttest.sources.endpoint import reply, request, transport, trust, waiting
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.pool import Pool
from agenttest.sources.endpoint.trust import Target


@dataclass(frozen=True, slots=True)
class LiveAgent:
    """The agent of a suite, ready to be asked: where it is, and how it is spoken to."""

    suite: Suite
    target: Target
    model: str
    timeout_seconds: float
    max_tokens: int
    token: str | None = field(repr=False)
    tls: transport.Tls | None = field(repr=False)

    @property
    def provenance(self) -> Provenance:
        """Where the observations come from; no word of it tells the address or the token."""
        endpoint = Endpoint(
            source=self.target.source,
            fingerprint=self.target.address.fingerprint,
            kind=self.target.kind,
            authenticated=self.token is not None,
            model=self.model,
            timeout_seconds=self.timeout_seconds,
            max_tokens=self.max_tokens,
            max_bytes=REPLY_BYTES,
        )
        return Provenance(*ORIGINS["live"], endpoint=endpoint)

    def ask(self, scenario: Scenario, end: float) -> Seen:
        """What the agent answers to a scenario, whole before `end` (on the monotonic clock) or not at all."""
        began = time.monotonic()
        body = request.body(scenario, self.suite.agent, self.model, self.max_tokens)
        until = min(end, began + self.seconds(scenario))
        try:
            answer = transport.exchange(self.target, body, self.token, self.tls, until)
        except Failed as failed:
            facts = Exchange(None, since(began), remedy=failed.remedy)
            return Seen(Observation(scenario.id, error=failed.message), facts, failed.message)
        return reply.seen(scenario.id, answer, self.max_tokens, since(began))

    def seconds(self, scenario: Scenario) -> float:
        """How long one request may take: a scenario file may say less than the invocation, and never more."""
        given = (scenario.input or {}).get("timeoutMilliseconds")
        return min(self.timeout_seconds, given / 1000) if isinstance(given, int) else self.timeout_seconds


def opened(suite: Suite, live: Live, limits: Limits, end: float) -> LiveAgent:
    """The agent that may be asked; InvalidInput with all that speaks against asking it."""
    target = trust.trusted(suite, live, end)
    return LiveAgent(
        suite=suite,
        target=target,
        model=trust.model(suite, live),
        timeout_seconds=live.timeout_seconds or suite.agent.timeout_seconds,
        max_tokens=limits.max_tokens,
        token=live.token,
        tls=transport.tls(live.ca_file) if target.address.scheme == "https" else None,
    )


def answers(
    agent: LiveAgent, scenarios: Sequence[Scenario], live: Live, end: float, cancelled: Sequence[str]
) -> Generator[Seen | Lost, None, None]:
    """What the agent says to each scenario, in order; nothing is asked before the first is read, or the agent is there.

    `end` is that of the run on the monotonic clock; `cancelled` gains the name of a signal that came.
    """
    lost = waiting.wait(agent.target, live.wait_seconds, end, cancelled) if live.wait_seconds else None
    if lost is not None:
        yield from [lost] * len(scenarios)
    else:
        yield from Pool(agent.ask, scenarios, live.concurrency, end, cancelled).answers()


def since(began: float) -> int:
    """Milliseconds."""
    return round((time.monotonic() - began) * 1000)
