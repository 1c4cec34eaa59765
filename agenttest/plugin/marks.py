"""A scenario → the marks by which `-m` selects it, and the words by which `-k` does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agenttest.model import Scenario


def marks(scenario: Scenario) -> Iterator[pytest.MarkDecorator]:
    """Its risk, its tags, and whether a gate asks for it."""
    yield pytest.mark.agent_scenario
    if scenario.risk is not None:
        word = scenario.risk.lower()
        yield getattr(pytest.mark, f"risk_{word}")
        yield pytest.mark.agent_risk(level=word)
    for tag in scenario.tags:
        yield pytest.mark.agent_tag(name=tag)
    if scenario.gated:
        yield pytest.mark.agent_gate
