"""Scenario + observation → `Judged`: one outcome for each assertion. Pure, and the same for every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agenttest.assertions import ASSERTIONS, Finding, Row
from agenttest.evidence import Channel, Missing, weigh
from agenttest.model import Assertion, Exchange, Judged, Observation, Outcome, Scenario, Status


def judge(
    scenario: Scenario,
    observation: Observation | None,
    absent: Missing | None = None,
    exchange: Exchange | None = None,
) -> Judged:
    """The scenario judged by what was observed; `absent` says why nothing was, where that is known."""
    evidence = weigh(observation, absent, exchange)
    outcomes: dict[str, Outcome] = {}
    for kind in dict.fromkeys(assertion.kind for assertion in scenario.assertions):
        row, group = ASSERTIONS[kind], [a for a in scenario.assertions if a.kind == kind]
        for outcome in judge_kind(row, group, evidence.channel(row.channel)):
            outcomes[outcome.assertion.name] = outcome
    return Judged(scenario, observation, tuple(outcomes[each.name] for each in scenario.assertions), exchange)


def judge_kind(row: Row, group: Sequence[Assertion], channel: Channel) -> Iterator[Outcome]:
    """All assertions of one kind together, as some need each its own part of the evidence."""
    if isinstance(channel, Missing):
        yield from unproven(row, group, channel)
        return
    found = dict(row.check([assertion.expected for assertion in group], channel))
    for index, assertion in enumerate(group):
        yield against(assertion, found[index]) if index in found else Outcome(assertion, Status.PASS, row.kept)


def against(assertion: Assertion, finding: Finding) -> Outcome:
    """The outcome of an assertion that something speaks against."""
    return Outcome(assertion, finding.status, finding.message, finding.observed, finding.difference, finding.remedy)


def unproven(row: Row, group: Sequence[Assertion], missing: Missing) -> Iterator[Outcome]:
    """Incomplete outcomes; where what was seen already breaks an assertion, the message shows that too."""
    witnesses: dict[int, Finding] = {}
    if row.refutable and missing.seen is not None:
        witnesses = dict(row.check([assertion.expected for assertion in group], missing.seen))
    for index, assertion in enumerate(group):
        seen = witnesses.get(index)
        message = f"{missing.reason}; seen so far: {seen.message}" if seen else missing.reason
        yield Outcome(assertion, Status.INCOMPLETE, message, seen.observed if seen else None, None, missing.remedy)
