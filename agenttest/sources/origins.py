"""The scenarios of a folder that are asked for → where all of their evidence comes from."""

from __future__ import annotations

from collections.abc import Sequence

from agenttest.model import EXECUTORS, Endpoint, Provenance, Scenario, Suite
from agenttest.sources import ORIGINS

ENDPOINT = "endpoint"


def asks(scenarios: Sequence[Scenario]) -> bool:
    """Whether some scenario is to be judged by a live agent's answer."""
    return any(scenario.executor == ENDPOINT for scenario in scenarios)


def origin(suite: Suite, selected: Sequence[Scenario], endpoint: Endpoint | None) -> Provenance:
    """Where the evidence of all selected scenarios comes from, those of other shards too, so that shards agree.

    Without an `endpoint` nothing comes from one, so that there may be no evidence at all. Which file a replayed
    scenario was read from is told with it.
    """
    used = {each.executor for each in selected if each.executor != ENDPOINT or endpoint is not None}
    modes = [mode for executor, mode in EXECUTORS.items() if executor in used] or ["unobserved"]
    mode = modes[0] if len(modes) == 1 else "mixed"
    if mode == "live":
        return Provenance(*ORIGINS[mode], endpoint=endpoint)
    return Provenance(*ORIGINS[mode], suite.path, suite.digest, endpoint if ENDPOINT in used else None)
