"""A saved run whose files are whole → the same report made anew, and every place where the saved one says otherwise."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from agenttest import gates
from agenttest.errors import Problem
from agenttest.evaluate import judge
from agenttest.model import Judged, Observation, Provenance, Reason, Status, Suite, Verdict
from agenttest.observations import from_document
from agenttest.quote import quote
from agenttest.report import FILES, Report, evidence_digest, to_document
from agenttest.savedrun import Damaged, Issue, SavedRun
from agenttest.suites import contract

WORDING = ("message", "remedy", "observed", "difference")
SHARED = ("status", "reason", "evidence_digest")
HARNESS = ("run_id", "started_at", "ended_at", "duration_ms", "tool")


def rejudge(saved: SavedRun, summary: Mapping[str, Any]) -> tuple[Report, tuple[Issue, ...]]:
    """The report made anew from the saved suite and observations, and the issues."""
    state, results, events = saved.json(FILES["state"]), saved.json(FILES["behavior_results"]), saved.events()
    suite = suite_of(state)
    seen = observed_of(events)
    chosen = [scenario for scenario in suite.scenarios if scenario.id in seen]
    scenarios = tuple(judge(scenario, seen[scenario.id]) for scenario in chosen)
    verdict = verdict_of(results, scenarios)
    kept = "observation" in (results.get("scenarios") or [{}])[0] if results.get("scenarios") else True
    came = Provenance(**state["provenance"]) if isinstance(state.get("provenance"), dict) else None
    problems = tuple(Problem(**problem) for problem in results.get("issues", ()))
    report = Report(verdict, suite.path, suite, str(state.get("mode")), scenarios, came, ".", {}, problems, kept)
    issues = [
        *journal_issues(events, results, scenarios),
        *agreement(summary, results, state, events),
        *differing(results, report),
    ]
    return report, tuple(issues)


def suite_of(state: Mapping[str, Any]) -> Suite:
    """The suite from its saved text, whose digest must be the original's."""
    raw = state.get("suite")
    if not isinstance(raw, dict) or not isinstance(raw.get("text"), str):
        raise Damaged(Issue("state", "state.json holds no suite"))
    data = raw["text"].encode("utf-8", "surrogatepass")
    if hashlib.sha256(data).hexdigest() != raw.get("digest"):
        raise Damaged(
            Issue("suite-digest", "the suite's text in state.json does not have the digest that stands beside it")
        )
    return contract.load(str(raw.get("path")), data)


def observed_of(events: Sequence[Mapping[str, Any]]) -> dict[str, Observation | None]:
    """The observations as the journal holds them, by scenario."""
    found: dict[str, Observation | None] = {}
    for event in events:
        if event["event"] == "observation":
            raw = event.get("observation")
            found[str(event.get("scenario"))] = None if raw is None else from_document(raw)
    return found


def verdict_of(results: Mapping[str, Any], scenarios: Sequence[Judged]) -> Verdict:
    """The gates' verdict, lowered where the run itself says that time or room ran out."""
    verdict = gates.decide(scenarios)
    lowered = results.get("reason") in (Reason.NOT_SAVED, Reason.BUDGET) and verdict.status is not Status.FAIL
    return Verdict(Status.INCOMPLETE, Reason(results["reason"]), verdict.gates) if lowered else verdict


def journal_issues(
    events: Sequence[Mapping[str, Any]], results: Mapping[str, Any], scenarios: Sequence[Judged]
) -> Iterator[Issue]:
    """The journal tells the same run from its start to its end, decision by decision."""
    names = [event["event"] for event in events]
    if names[:1] != ["run_started"] or names.count("run_started") != 1:
        yield Issue("journal", "events.jsonl does not begin with its one run_started")
    if names[-1:] != ["run_completed"] or names.count("run_completed") != 1:
        yield Issue("journal", "events.jsonl does not end with its one run_completed")
    made = [(e.get("scenario"), e.get("assertion"), e.get("status")) for e in events if e["event"] == "decision"]
    anew = [(j.scenario.id, o.assertion.name, str(o.status)) for j in scenarios for o in j.outcomes]
    if made != anew:
        place = next((a or b for a, b in zip_longest(made, anew) if a != b), ("?", "?"))
        yield Issue("decision", f"events.jsonl decides {place[0]} {place[1]} otherwise than the evidence does")
    ended = [(e.get("scenario"), e.get("status")) for e in events if e["event"] == "scenario_completed"]
    if ended != [(judged.scenario.id, str(judged.status)) for judged in scenarios]:
        yield Issue("journal", "events.jsonl completes other scenarios, or with another status, than the evidence does")


def agreement(
    summary: Mapping[str, Any],
    results: Mapping[str, Any],
    state: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
) -> Iterator[Issue]:
    """What several files say, they say alike."""
    ending = events[-1] if events else {}
    for key in SHARED:
        if not results.get(key) == summary.get(key) == ending.get(key):
            yield Issue(
                "disagreement", f"{key} is not the same in summary.json, behavior-results.json and events.jsonl"
            )
    if results.get("harness") != {key: summary.get(key) for key in HARNESS}:
        yield Issue("disagreement", "harness in behavior-results.json is not what summary.json says")
    started = events[0] if events else {}
    if not summary.get("run_id") == state.get("run_id") == started.get("run_id"):
        yield Issue("disagreement", "run_id is not the same in summary.json, state.json and events.jsonl")
    asked = state.get("selection")
    if not isinstance(asked, dict) or asked.get("scenarios") != started.get("scenarios"):
        yield Issue("disagreement", "the selection is not the same in state.json and events.jsonl")
    if results.get("evidence_digest") != evidence_digest(results):
        yield Issue("digest", "evidence_digest in behavior-results.json is not that of its contents")
    if summary.get("exit_code") != {"pass": 0, "fail": 1}.get(str(summary.get("status")), 2):
        yield Issue("disagreement", "exit_code in summary.json is not that of its status")


def differing(results: Mapping[str, Any], report: Report) -> Iterator[Issue]:
    """Every part of the saved report that the evidence, judged again, does not bear out; wording aside."""
    anew = to_document(report)
    for key in sorted(anew.keys() | results.keys()):
        if key in ("evidence_digest", "harness", "issues", "error", "scenarios"):
            continue
        if results.get(key) != plain(anew.get(key)):
            yield Issue(
                "decision",
                f"{key} in behavior-results.json is not what the evidence gives: {quote(plain(anew.get(key)))}",
            )
    saved = results.get("scenarios")
    pairs = zip_longest(saved if isinstance(saved, list) else [], anew["scenarios"])
    for index, (one, other) in enumerate(pairs):
        if decided(one) != decided(plain(other)):
            name = other["id"] if other else index
            yield Issue("decision", f"scenario {quote(name)} in behavior-results.json is not what the evidence gives")


def plain(value: Any) -> Any:
    """The value as JSON gives it back."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, str) else value


def decided(scenario: Any) -> Any:
    """A scenario's document without the wording of its outcomes."""
    if not isinstance(scenario, dict) or not isinstance(scenario.get("assertions"), list):
        return scenario
    bare = [
        {key: value for key, value in outcome.items() if key not in WORDING} if isinstance(outcome, dict) else outcome
        for outcome in scenario["assertions"]
    ]
    return {**scenario, "assertions": bare}
