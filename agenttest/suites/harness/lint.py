"""A valid scenario → warnings that it proves little: what it is about is not what its oracles look at."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.errors import Problem
from agenttest.model import Scenario


def warnings(scenario: Scenario) -> Iterator[Problem]:
    """Everything about a scenario that a reviewer would stop at."""
    if not str((scenario.input or {}).get("prompt", "")).strip():
        yield Problem(scenario.path or "", scenario.line, 0, "the prompt is empty; say what the agent is asked")
