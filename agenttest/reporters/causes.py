"""Outcomes → causes: all that failed, or could not be proven, for one and the same reason, stand together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agenttest.model import Judged, Outcome, Status
from agenttest.report import Report
from agenttest.reporters.standing import tolerated


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason, and every scenario's outcome that it explains, in the report's order; there is at least one.

    What is `tolerated` fails no gate.
    """

    members: tuple[tuple[Judged, Outcome], ...]
    tolerated: bool = False

    @property
    def first(self) -> Outcome:
        """The outcome that speaks for all."""
        return self.members[0][1]

    @property
    def scenario(self) -> Judged:
        """The scenario that it is of."""
        return self.members[0][0]

    @property
    def status(self) -> Status:
        """The status that they share."""
        return self.first.status


def all_causes(report: Report) -> list[Cause]:
    """Every cause: what is violated and fails a gate, what is violated and fails none, what is not proven."""
    return [*violations(report), *causes(report.scenarios, Status.INCOMPLETE)]


def violations(report: Report) -> list[Cause]:
    """The causes of failing: those that fail a gate before those that fail none."""
    spared = [judged for judged in report.scenarios if tolerated(report, judged)]
    if not spared:
        return causes(report.scenarios, Status.FAIL)
    names = {judged.scenario.id for judged in spared}
    others = [judged for judged in report.scenarios if judged.scenario.id not in names]
    return [*causes(others, Status.FAIL), *causes(spared, Status.FAIL, tolerated=True)]


def causes(scenarios: Iterable[Judged], status: Status, *, tolerated: bool = False) -> list[Cause]:
    """The causes of one status: same message, which names the difference, and same remedy."""
    groups: dict[tuple[str, str | None], list[tuple[Judged, Outcome]]] = {}
    for judged in scenarios:
        for outcome in judged.outcomes:
            if outcome.status is status:
                key = outcome.message, outcome.remedy
                groups.setdefault(key, []).append((judged, outcome))
    return [Cause(tuple(members), tolerated) for members in groups.values()]
