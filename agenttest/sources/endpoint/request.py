"""A scenario → the body of the one request that asks an agent for it."""

from __future__ import annotations

from agenttest.model import Agent, Scenario


def body(scenario: Scenario, agent: Agent, model: str, max_tokens: int) -> bytes:
    """A Chat Completions request that is not streamed, as UTF-8 JSON."""
    raise NotImplementedError
