"""What a scenario file scripts of its agent → `Observation`: nothing else happened, but for what it calls partial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agenttest.evidence import TRACED
from agenttest.model import Observation, Scenario, StateChange, Step, StepKind
from agenttest.steps import ordered

TRUE = "true"


def observation(scenario: Scenario) -> Observation:
    """The trace that the scenario's file scripts."""
    given: Mapping[str, Any] = scenario.input or {}
    steps = answered(ordered(given.get("scriptedTrace") or ()), given.get("scriptedFinalAnswer"))
    return Observation(
        id=scenario.id,
        response=final_answer(steps),
        refusal=bool(given.get("scriptedRefusal")),
        sources=tuple(source.strip() for source in given.get("scriptedSources") or ()),
        steps=steps,
        state=final_state(given.get("scriptedFinalState") or {}, steps),
        partial=tuple(kind for kind in TRACED if (given.get("capture") or {}).get(kind) == "partial"),
        timed_out=str((given.get("metadata") or {}).get("timedOut", "")).strip().lower() == TRUE,
    )


def answered(steps: tuple[Step, ...], answer: str | None) -> tuple[Step, ...]:
    """The steps, with the scripted answer as the last of them where no step is an answer."""
    if not answer or not answer.strip() or any(step.kind is StepKind.FINAL_ANSWER for step in steps):
        return steps
    return (*steps, Step(StepKind.FINAL_ANSWER, max((step.sequence for step in steps), default=0) + 1, answer))


def final_answer(steps: Iterable[Step]) -> str:
    """The text of the last answer; where there is none the agent said nothing."""
    answers = [step.payload for step in steps if step.kind is StepKind.FINAL_ANSWER]
    return str(answers[-1]) if answers else ""


def final_state(initial: Mapping[str, str], steps: Iterable[Step]) -> dict[str, str]:
    """The state that is left by all changes, the last of each key."""
    changes = (step.payload for step in steps if isinstance(step.payload, StateChange))
    return {**initial, **{change.key: change.new for change in changes}}
