"""What is seen in the scenarios of a suite → each of them judged, and the verdict on all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from agenttest import gates
from agenttest.evaluate import judge
from agenttest.evidence import Lost
from agenttest.model import Judged, Merged, Reason, Scenario, Status, Verdict
from agenttest.observing import Sight

EARLY = (Reason.INTERRUPTED, Reason.BUDGET, Reason.ENDPOINT)  # what may have ended a run; the first explains most


def judge_all(chosen: Sequence[Scenario], sight: Sight, early: set[Reason]) -> Iterator[Judged]:
    """Each scenario judged by what was seen, in order, then without what must not be kept; `early` gains why a run
    ended before all was seen."""
    for scenario, found in zip(chosen, sight.seen, strict=True):
        if isinstance(found, Lost):
            early.add(found.reason)
            judged = judge(scenario, None, found.missing)
        else:
            judged = judge(scenario, found.observation, None, found.exchange)
            judged = judged if found.source is None else replace(judged, source=found.source)
        yield judged if sight.redaction is None else sight.redaction.redact(judged)


def decide(
    scenarios: Sequence[Judged], merged: Merged | None, early: Collection[Reason], policy: gates.Policy | None = None
) -> Verdict:
    """The gates' verdict; where it is incomplete as the run ended early, or as an agent did not answer, it says so."""
    verdict = gates.decide(scenarios, merged, policy)
    unanswered = any(judged.unanswered for judged in scenarios)
    reasons = [each for each in EARLY if each in early or (each is Reason.ENDPOINT and unanswered)]
    return replace(verdict, reason=reasons[0]) if reasons and verdict.status is Status.INCOMPLETE else verdict
