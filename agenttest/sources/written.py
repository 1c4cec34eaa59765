"""A scenario → what its own file says of its evidence: the trace that it scripts, or why there can be none."""

from __future__ import annotations

from agenttest.model import EXECUTORS, Observation, Scenario
from agenttest.quote import quote
from agenttest.sources import scripted

ALIKE = 0.6  # from here on two names are, of at most 1


def written(scenario: Scenario, *, live: bool) -> Observation | None:
    """What follows from the scenario's file alone; None where a saved trace tells or, in a `live` run, an agent."""
    if scenario.executor == "scripted":
        return scripted.observation(scenario)
    if scenario.executor not in EXECUTORS:
        return unknown(scenario)
    return unasked(scenario) if scenario.executor == "endpoint" and not live else None


def unknown(scenario: Scenario) -> Observation:
    """What is said where a scenario names an executor that there is not."""
    from agenttest.documents.explain import nearest

    near = nearest(scenario.executor, sorted(EXECUTORS), ALIKE)
    right = f"write {near!r}" if near else f"name one of {', '.join(EXECUTORS)}"
    said = f"there is no executor {quote(scenario.executor, 60)}"
    return Observation(scenario.id, error=said, remedy=f"{right} in input.executor")


def unasked(scenario: Scenario) -> Observation:
    """What is said of a scenario that is to be judged by a live agent's answer where no agent may be asked."""
    said = "no endpoint was given, and the executor 'endpoint' asks one"
    return Observation(scenario.id, error=said, remedy="name one with --endpoint")
