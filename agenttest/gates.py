"""Evaluation → `Verdict`: policy, and nothing else, lives in these gates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agenttest.model import (
    NO_FILTERS,
    Filters,
    Gate,
    Judged,
    Merged,
    Problem,
    Reason,
    Risk,
    Scenario,
    Status,
    Suite,
    Verdict,
)
from agenttest.quote import many, quote

CONTRACT, HARNESS = "agent_behavior", "agent_scenarios"
NAMED = 10  # scenarios in a gate's message
REASONS = {
    Status.PASS: Reason.KEPT,
    Status.FAIL: Reason.VIOLATION,
    Status.INCOMPLETE: Reason.MISSING_EVIDENCE,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the invocation says of the verdict: which scenarios are selected, and how strictly they are meant."""

    patterns: tuple[str, ...] = ()
    filters: Filters = NO_FILTERS
    strict: bool = False
    lint: str = "warn"

    @property
    def selects(self) -> bool:
        """Whether anything is selected, and so may be left out."""
        return bool(self.patterns) or self.filters.given


ALL = Asked()


@dataclass(frozen=True, slots=True)
class Policy:
    """What decides beside the scenarios: the suite's kind, its files that are no valid scenario, its shallow scenarios,
    what a selection left out of it, how many scenarios other shards judge, what should have been run and was not, and
    what the invocation asked for."""

    kind: str = CONTRACT
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    left_out: tuple[Scenario, ...] = ()
    asked: Asked = ALL
    elsewhere: int = 0
    not_run: tuple[Scenario, ...] = ()

    @classmethod
    def of(
        cls, suite: Suite, chosen: Sequence[Scenario], asked: Asked, selected: Sequence[Scenario] | None = None
    ) -> Policy:
        """The policy for these scenarios of a suite; `selected` are those of all shards, where there are shards."""
        names = {scenario.id for scenario in (chosen if selected is None else selected)}
        left_out = tuple(each for each in suite.scenarios if each.id not in names) if asked.selects else ()
        others = {each.path for each in left_out}
        warnings = tuple(problem for problem in suite.warnings if problem.path not in others)
        return cls(suite.kind, suite.problems, warnings, left_out, asked, len(names) - len(chosen))

    @property
    def selection(self) -> dict[str, Any] | None:
        """What a report tells of a selection of scenario files; nothing where all are judged, or of a contract."""
        if self.kind == CONTRACT or not self.asked.selects:
            return None
        asked = {"asked": list(self.asked.patterns), **asdict(self.asked.filters)}
        return {**asked, "left_out": [scenario.id for scenario in self.left_out]}


@dataclass(frozen=True, slots=True)
class Rule:
    """One gate: how it decides and, for some, when it is asked at all."""

    decide: Callable[[Sequence[Judged], Policy], Gate]
    asked: Callable[[Policy], bool] = lambda _: True


def all_scenarios_pass(scenarios: Sequence[Judged], _: Policy) -> Gate:
    """No scenario is violated."""
    broken = [judged for judged in scenarios if judged.status is Status.FAIL]
    said = f"{named(broken)} {'is' if len(broken) == 1 else 'are'} violated" if broken else "no scenario is violated"
    return Gate("all-scenarios-pass", Status.FAIL if broken else Status.PASS, said)


def evidence_complete(scenarios: Sequence[Judged], policy: Policy) -> Gate:
    """Every assertion could be decided, every file is a scenario and, in a contract, there are scenarios."""
    open_ones = [each for each in scenarios if not each.outcomes or undecided(each)]
    files = {problem.path for problem in policy.problems}
    said = [f"{named(open_ones)} cannot be decided whole"] if open_ones else []
    said += [f"{many(len(files), 'file')} {'is' if len(files) == 1 else 'are'} not valid"] if files else []
    if policy.kind == CONTRACT and not scenarios and not policy.not_run:
        said = ["there is no scenario"]
    status = Status.INCOMPLETE if said else Status.PASS
    return Gate("evidence-complete", status, "; ".join(said) or "everything could be decided")


def undecided(judged: Judged) -> bool:
    """Whether some assertion of a scenario is open."""
    return any(outcome.status is Status.INCOMPLETE for outcome in judged.outcomes)


def scenario_discovery(scenarios: Sequence[Judged], policy: Policy) -> Gate:
    """There are scenarios; files that are none leave it open whether there are."""
    count = many(len(scenarios), "scenario")
    if scenarios:
        return Gate("scenario-discovery", Status.PASS, f"{count} {'selected' if policy.asked.selects else 'found'}")
    if policy.elsewhere:
        said = f"no scenario falls into this shard; all shards together have {policy.elsewhere:,}, so merge them"
        return Gate("scenario-discovery", Status.INCOMPLETE, said)
    if policy.problems:
        return Gate("scenario-discovery", Status.INCOMPLETE, "no file is a valid scenario")
    there = listed(each.id for each in policy.left_out)
    said = f"no scenario is selected; there are {there}" if there else "no scenario was found"
    return Gate("scenario-discovery", Status.FAIL, said)


def explicit_oracles(scenarios: Sequence[Judged], _: Policy) -> Gate:
    """Every scenario has an oracle of its own."""
    bare = [each for each in scenarios if any(a.kind == "ExplicitOracles" for a in each.scenario.assertions)]
    said = f"{named(bare)} {'has' if len(bare) == 1 else 'have'} no oracle" if bare else "every scenario has an oracle"
    return Gate("explicit-oracles", Status.FAIL if bare else Status.PASS, said)


def high_risk_pass(scenarios: Sequence[Judged], _: Policy) -> Gate:
    """Every scenario of high or critical risk passes."""
    return passing("high-risk-pass", "high-risk", [s for s in scenarios if is_risky(s.scenario)])


def required_scenarios_pass(scenarios: Sequence[Judged], _: Policy) -> Gate:
    """Every scenario that is required for the gates passes."""
    return passing("required-scenarios-pass", "required", [s for s in scenarios if s.scenario.required])


def is_risky(scenario: Scenario) -> bool:
    """Whether much is at stake."""
    return scenario.risk in (Risk.HIGH, Risk.CRITICAL)


def passing(name: str, what: str, members: Sequence[Judged]) -> Gate:
    """All members pass, or the worst of them decides."""
    status = Status.worst(judged.status for judged in members) if members else Status.PASS
    short = [judged for judged in members if judged.status is not Status.PASS]
    if short:
        return Gate(name, status, f"not passed: {named(short)}")
    said = f"{many(len(members), f'{what} scenario')} passed" if members else f"no scenario is {what}"
    return Gate(name, status, said)


def trace_presence(scenarios: Sequence[Judged], _: Policy) -> Gate:
    """Every trace has a step; one that could not be had at all is another gate's."""
    empty = [each for each in scenarios if each.observation is not None and each.observation.steps == ()]
    said = f"no step in the trace of {named(empty)}" if empty else "every trace has a step"
    return Gate("trace-presence", Status.FAIL if empty else Status.PASS, said)


def selection_complete(_: Sequence[Judged], policy: Policy) -> Gate:
    """All that should be run was, and no scenario that a gate asks for is left out, unless that is meant."""
    if policy.not_run:
        said = f"not run: {listed(each.id for each in policy.not_run)}"
        return Gate("selection-complete", Status.INCOMPLETE, said)
    lacking = [scenario for scenario in policy.left_out if scenario.gated]
    if not lacking or policy.asked.filters.partial:
        said = f"{many(len(policy.left_out), 'scenario')} left out"
        return Gate("selection-complete", Status.PASS, said + (", which is accepted" if lacking else ""))
    said = f"left out, and asked for by a gate: {listed(each.id for each in lacking)}; --partial accepts that"
    return Gate("selection-complete", Status.INCOMPLETE, said)


def no_shallow_scenario(_: Sequence[Judged], policy: Policy) -> Gate:
    """No scenario is one that proves little."""
    count = len(policy.warnings)
    said = f"{many(count, 'warning')}, the first: {policy.warnings[0]}" if count else "no scenario is shallow"
    return Gate("no-shallow-scenario", Status.FAIL if count else Status.PASS, said)


GATES: dict[str, tuple[Rule, ...]] = {
    CONTRACT: (
        Rule(all_scenarios_pass),
        Rule(evidence_complete),
        Rule(selection_complete, lambda policy: bool(policy.not_run)),
    ),
    HARNESS: (
        Rule(scenario_discovery),
        Rule(explicit_oracles),
        Rule(high_risk_pass),
        Rule(required_scenarios_pass),
        Rule(trace_presence),
        Rule(evidence_complete),
        Rule(selection_complete, lambda policy: policy.asked.selects or bool(policy.not_run)),
        Rule(all_scenarios_pass, lambda policy: policy.asked.strict),
        Rule(no_shallow_scenario, lambda policy: policy.asked.lint == "error"),
    ),
}
SHARDS = "all-shards-present"


def decide(scenarios: Sequence[Judged], merged: Merged | None = None, policy: Policy | None = None) -> Verdict:
    """The verdict: every gate that is asked holds, a merged run has all shards, or the worst says why not."""
    policy = policy or Policy()
    found = [rule.decide(scenarios, policy) for rule in GATES[policy.kind] if rule.asked(policy)]
    if merged is not None and merged.missing:
        found.append(Gate(SHARDS, Status.INCOMPLETE, f"missing: {', '.join(map(str, merged.missing))}"))
    status = Status.worst(gate.status for gate in found)
    return Verdict(status, REASONS[status], tuple(found))


def named(scenarios: Iterable[Judged]) -> str:
    """The ids of some scenarios."""
    return listed(judged.scenario.id for judged in scenarios)


def listed(ids: Iterable[str]) -> str:
    """Some ids, the first of them where they are many."""
    found = list(ids)
    more = f" and {len(found) - NAMED:,} more" if len(found) > NAMED else ""
    return ", ".join(quote(each, 80) for each in found[:NAMED]) + more


def tolerated(judged: Judged, verdict: Verdict, kind: str) -> bool:
    """Whether a scenario of a suite of this kind is violated, and fails none of the gates that the verdict is of."""
    strict = any(gate.name == "all-scenarios-pass" for gate in verdict.gates)
    policy = Policy(kind, asked=Asked(strict=strict))
    found = (rule.decide((judged,), policy) for rule in GATES[kind] if rule.asked(policy))
    return judged.status is Status.FAIL and all(gate.status is not Status.FAIL for gate in found)
