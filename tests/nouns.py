"""Scenarios, observations and judgements in few words."""

from typing import Any

from agenttest.evaluate import judge
from agenttest.model import Assertion, Judged, Observation, Outcome, Scenario, Status

WHOLE = {"response_complete": True, "finish_reason": "stop", "tool_calls_complete": True}


def scenario(*asked: tuple[str, str, Any], name: str = "desk") -> Scenario:
    """A scenario that asks for (name, kind, expected), from line 10 on."""
    checks = tuple(Assertion(path, kind, expected, 10 + at, 5) for at, (path, kind, expected) in enumerate(asked))
    return Scenario(name, "Hello", None, None, checks, 3)


def observation(**fields: Any) -> Observation:
    """A complete observation with these fields."""
    return Observation("desk", **{**WHOLE, **fields})


def judged(*statuses: Status, name: str = "desk") -> Judged:
    """A scenario with one outcome of each status."""
    asked = scenario(
        *((f"response.contains[{at}]", "response_contains", "x") for at in range(len(statuses))), name=name
    )
    outcomes = tuple(Outcome(check, status, "so") for check, status in zip(asked.assertions, statuses, strict=True))
    return Judged(asked, None, outcomes)


def outcome(asked: tuple[str, str, Any], seen: Observation | None) -> Outcome:
    """The outcome of one thing asked."""
    (only,) = judge(scenario(asked), seen).outcomes
    return only
