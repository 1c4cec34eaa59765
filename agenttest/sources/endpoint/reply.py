"""The answer of an endpoint → `Seen`: what it shows as an observation, and no more than it shows."""

from __future__ import annotations

from agenttest.model import Seen
from agenttest.sources.endpoint.transport import Answer


def seen(scenario_id: str, answer: Answer, max_tokens: int, latency_ms: int) -> Seen:
    """What the answer shows of the scenario; an answer that is no completion is an observation with an error."""
    raise NotImplementedError
