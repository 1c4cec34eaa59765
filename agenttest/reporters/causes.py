"""Outcomes → causes: all that failed, or could not be proven, for one and the same reason, stand together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agenttest.model import Judged, Outcome, Status


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason, and every scenario's outcome that it explains, in the report's order; there is at least one."""

    members: tuple[tuple[str, Outcome], ...]

    @property
    def first(self) -> Outcome:
        """The outcome that speaks for all."""
        return self.members[0][1]

    @property
    def status(self) -> Status:
        """The status that they share."""
        return self.first.status


def causes(scenarios: Iterable[Judged], status: Status) -> list[Cause]:
    """The causes of one status: same message, which names the difference, and same remedy."""
    groups: dict[tuple[str, str | None], list[tuple[str, Outcome]]] = {}
    for judged in scenarios:
        for outcome in judged.outcomes:
            if outcome.status is status:
                key = outcome.message, outcome.remedy
                groups.setdefault(key, []).append((judged.scenario.id, outcome))
    return [Cause(tuple(members)) for members in groups.values()]
