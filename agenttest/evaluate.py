"""Scenario + observation → `Judged`: one outcome for each assertion. Pure, and the same for every format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agenttest.assertions import Finding, Row, row_of
from agenttest.evidence import Channel, Missing, weigh
from agenttest.model import Assertion, Exchange, Judged, Observation, Outcome, Scenario, Status


def judge(
    scenario: Scenario,
    observation: Observation | None,
    absent: Missing | None = None,
    exchange: Exchange | None = None,
) -> Judged:
    """The scenario judged by what was observed; `absent` says why nothing was, where that is known."""
    evidence = weigh(observation, absent, exchange, scenario.partial)
    outcomes = {each.name: faulty(each) for each in scenario.assertions if each.fault is not None}
    for kind in dict.fromkeys(each.kind for each in scenario.assertions if each.fault is None):
        row, group = row_of(kind), [a for a in scenario.assertions if a.kind == kind and a.fault is None]
        for outcome in judge_kind(row, group, evidence.channel(row.channel)):
            outcomes[outcome.assertion.name] = outcome
    return Judged(scenario, observation, tuple(outcomes[each.name] for each in scenario.assertions), exchange)


def faulty(assertion: Assertion) -> Outcome:
    """The outcome of an assertion that cannot be judged as it is written: what it asks for is not shown to be kept.

    It expects the parameter that is at fault; the value that was given for it is what there is.
    """
    given = assertion.expected if isinstance(assertion.expected, Mapping) else {}
    value = given.get(str(assertion.summary))
    return Outcome(assertion, Status.FAIL, str(assertion.fault), "missing" if value is None else value)


def judge_kind(row: Row, group: Sequence[Assertion], channel: Channel) -> Iterator[Outcome]:
    """All assertions of one kind together, as some need each its own part of the evidence."""
    if isinstance(channel, Missing):
        yield from unproven(row, group, channel)
        return
    found = dict(row.check([assertion.expected for assertion in group], channel))
    for index, assertion in enumerate(group):
        yield against(assertion, found[index]) if index in found else Outcome(assertion, Status.PASS, row.kept)


def against(assertion: Assertion, finding: Finding) -> Outcome:
    """The outcome of an assertion that something speaks against or, where the finding says so, for."""
    return Outcome(assertion, finding.status, finding.message, finding.observed, finding.difference, finding.remedy)


def unproven(row: Row, group: Sequence[Assertion], missing: Missing) -> Iterator[Outcome]:
    """Incomplete outcomes; where what was seen already breaks an assertion, the message shows that too."""
    witnesses: dict[int, Finding] = {}
    if row.refutable and missing.seen is not None:
        witnesses = dict(row.check([assertion.expected for assertion in group], missing.seen))
    for index, assertion in enumerate(group):
        seen = witnesses.get(index)
        seen = None if seen is None or seen.status is Status.PASS else seen
        message = f"{missing.reason}; seen so far: {seen.message}" if seen else missing.reason
        yield Outcome(assertion, Status.INCOMPLETE, message, seen.observed if seen else None, None, missing.remedy)
