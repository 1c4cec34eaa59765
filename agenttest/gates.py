"""Evaluation → `Verdict`: policy, and nothing else, lives in these gates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agenttest.model import Judged, Merged, Reason, Status, Verdict

Gate = Callable[[Sequence[Judged]], Status]


def all_scenarios_pass(scenarios: Sequence[Judged]) -> Status:
    """No scenario is violated."""
    return Status.FAIL if any(judged.status is Status.FAIL for judged in scenarios) else Status.PASS


def evidence_complete(scenarios: Sequence[Judged]) -> Status:
    """There are scenarios, and every assertion of theirs could be decided."""
    undecided = not scenarios or any(
        not judged.outcomes or any(outcome.status is Status.INCOMPLETE for outcome in judged.outcomes)
        for judged in scenarios
    )
    return Status.INCOMPLETE if undecided else Status.PASS


GATES: dict[str, Gate] = {
    "all-scenarios-pass": all_scenarios_pass,
    "evidence-complete": evidence_complete,
}


SHARDS = "all-shards-present"


def decide(scenarios: Sequence[Judged], merged: Merged | None = None) -> Verdict:
    """The verdict of a contract run: every gate holds, a merged one has all shards, or the worst says why not."""
    found = {name: gate(scenarios) for name, gate in GATES.items()}
    if merged is not None and merged.missing:
        found[SHARDS] = Status.INCOMPLETE
    status = Status.worst(found.values())
    reason = {
        Status.PASS: Reason.KEPT,
        Status.FAIL: Reason.VIOLATION,
        Status.INCOMPLETE: Reason.MISSING_EVIDENCE,
    }[status]
    return Verdict(status, reason, tuple(name for name, held in found.items() if held is not Status.PASS))
