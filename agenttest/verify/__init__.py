"""A saved run whose files are whole → the same report made anew, and every place where the saved one says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from agenttest import judging, suites
from agenttest.documents import Document, Marks
from agenttest.errors import Problem
from agenttest.evaluate import judge
from agenttest.evidence import AGAIN, OUT_OF_TIME, Missing
from agenttest.gates import Policy
from agenttest.jsontext import compact
from agenttest.model import (
    Judged,
    Observation,
    Provenance,
    Reason,
    Scenario,
    Status,
    Suite,
    Verdict,
)
from agenttest.observations import from_document
from agenttest.quote import quote
from agenttest.report import FILES, Report, evidence_digest, to_document
from agenttest.savedrun import Damaged, Issue, SavedRun
from agenttest.sources import normalized
from agenttest.verify import folder
from agenttest.verify.asked import asked_of, chosen_of, lacking_of, merged_of, selected_of, shard_of
from agenttest.verify.live import came_of, exchanges_of, recording_issues
from agenttest.verify.redacted import claims_of, redacted_suite
from agenttest.verify.words import word_issues

ENDED = {  # by the reason of a run that ended early, what is said again of the scenarios that it did not come to
    Reason.BUDGET: OUT_OF_TIME.missing,
    Reason.INTERRUPTED: Missing("the run was interrupted before this scenario was answered", "run it again"),
    Reason.ENDPOINT: Missing("the endpoint had failed again and again before this scenario", AGAIN),
}
LIVE_END = Missing("the run ended before this scenario was answered", "run it again")
WORDING = ("message", "remedy", "observed", "difference")
NOT_COMPARED = ("evidence_digest", "harness", "error", "scenarios")  # each is checked in another way
HARNESS = ("run_id", "started_at", "ended_at", "duration_ms", "tool")


@dataclass(frozen=True, slots=True)
class Saved:
    """What the files of one run say: summary, inputs, report, and the journal's first, inner and last events."""

    summary: Mapping[str, Any]
    state: Mapping[str, Any]
    results: Mapping[str, Any]
    started: Mapping[str, Any]
    told: Sequence[Mapping[str, Any]]
    ending: Mapping[str, Any]


def rejudge(run: SavedRun, summary: Mapping[str, Any]) -> tuple[Report, tuple[Issue, ...]]:
    """The report made anew from the saved suite and observations, and the issues."""
    saved = contents(run, summary)
    suite = suite_of(saved.state)
    chosen = chosen_of(saved.state, suite)
    came = folder.came_of(saved.state, suite)
    lacking, claims = lacking_of(saved.state, suite, chosen), claims_of(saved.told, saved.results, came)
    scenarios = tuple(map(claims.granted, judged_of(saved, suite, chosen, came, lacking)))
    report = report_of(saved, suite, scenarios)
    issues = (
        *word_issues(saved.results),
        *journal_issues(saved.told, scenarios),
        *agreement(saved),
        *differing(saved.results, report),
    )
    told = (*recording_issues(run, summary, report), *folder.issues(saved.results, report, lacking))
    return report, (*issues, *merged_issues(report, lacking), *claims.issues(scenarios), *told)


def judged_of(
    saved: Saved, suite: Suite, chosen: Sequence[Scenario], came: Provenance, lacking: Mapping[str, Missing]
) -> Iterator[Judged]:
    """The scenarios as what the journal says was seen of them makes them."""
    seen, exchanges = observed_of(saved.told, suite, came), exchanges_of(saved.told, suite, came)
    recordings = folder.recordings_of(saved.told, chosen)
    ended = ENDED.get(saved.summary["reason"], LIVE_END if came.endpoint else None)
    for each in chosen:
        judged = judge(each, seen.get(each.id), lacking.get(each.id, ended), exchanges.get(each.id))
        yield replace(judged, source=recordings.get(each.id))


def contents(run: SavedRun, summary: Mapping[str, Any]) -> Saved:
    """All files of the run; the journal begins and ends as a finished one."""
    events = run.events()
    if not events or (events[0]["event"], events[-1]["event"]) != ("run_started", "run_completed"):
        raise Damaged(Issue("journal", f"{FILES['events']} does not go from run_started to run_completed"))
    state, results = run.json(FILES["state"]), run.json(FILES["behavior_results"])
    return Saved(summary, state, results, events[0], events[1:-1], events[-1])


def suite_of(state: Mapping[str, Any]) -> Suite:
    """The suite from its saved text, whose digest must be the original's."""
    raw = state.get("suite")
    if not isinstance(raw, dict) or not isinstance(raw.get("text", raw.get("files")), str | list):
        raise Damaged(Issue("state", "state.json holds no suite"))
    suite = suites.recalled(raw)
    differs = suite.digest != raw.get("digest")
    if differs is not ("redacted" in raw) or (differs and not redacted_suite(state)):
        said = "the suite's text in state.json does not have the digest that stands beside it"
        raise Damaged(Issue("suite-digest", said))
    suite = replace(suite, digest=raw["digest"])
    if not same(suites.saved(suite), raw):
        raise Damaged(Issue("state", "state.json holds of the suite what no run writes"))
    return suite


def merged_issues(report: Report, lacking: Mapping[str, Missing]) -> Iterator[Issue]:
    """Of a shard that was not there nothing was observed."""
    for judged in report.scenarios:
        if judged.observation is not None and judged.scenario.id in lacking:
            yield Issue("merged", f"scenario {quote(judged.scenario.id)} is of a missing shard, and yet was observed")


def observed_of(told: Sequence[Mapping[str, Any]], suite: Suite, came: Provenance) -> dict[str, Observation]:
    """The observations as the journal holds them, by scenario; each must be valid as an observations file's entry, or
    be what such a scenario can show."""
    if suite.files is not None:
        return folder.observed_of(told, suite, came)
    raw = [event["observation"] for event in told if event["event"] == "observation"]
    raw = [observation for observation in raw if observation is not None]
    document = Document(FILES["events"], {"version": 1, "scenarios": raw}, Marks(1, 1))
    problem = next(normalized.problems(document, {scenario.id for scenario in suite.scenarios}), None)
    if problem is not None:
        raise Damaged(Issue("observation", f"{FILES['events']} holds an invalid observation: {problem.message}"))
    return {observation["id"]: from_document(observation) for observation in raw}


def report_of(saved: Saved, suite: Suite, scenarios: tuple[Judged, ...]) -> Report:
    """The report as the run must have made it."""
    results, came = saved.results, came_of(saved.state)
    kept = all("observation" in scenario for scenario in results["scenarios"])
    problems = problems_of(results, suite)
    merged = merged_of(saved.state)
    early = [reason for reason in reasons(scenarios, came) if reason == results.get("reason")]
    chosen = [judged.scenario for judged in scenarios]
    policy = Policy.of(suite, chosen, asked_of(saved.state), selected_of(saved.state, suite))
    verdict = judging.decide(scenarios, merged, early, policy)
    if verdict.status is Status.PASS and not kept:
        verdict = Verdict(Status.INCOMPLETE, Reason.NOT_SAVED, verdict.gates)
    report = Report(verdict, suite.path, suite, scenarios, came, ".", {}, problems, kept)
    return replace(report, shard=shard_of(saved.state), merged=merged, selection=policy.selection)


def problems_of(results: Mapping[str, Any], suite: Suite) -> tuple[Problem, ...]:
    """What the report says was wrong; of files that are no valid scenario, what is found anew."""
    told = tuple(Problem(**problem) for problem in results.get("issues", ()))
    return (*suite.problems, *told[len(suite.problems) :])


def reasons(scenarios: Sequence[Judged], came: Provenance) -> tuple[Reason, ...]:
    """Why a run may say that it ended early: some scenario was not seen in it."""
    if all(judged.observation is not None for judged in scenarios):
        return ()
    return (Reason.BUDGET, Reason.INTERRUPTED, Reason.ENDPOINT) if came.endpoint else (Reason.BUDGET,)


def journal_issues(told: Sequence[Mapping[str, Any]], scenarios: Sequence[Judged]) -> Iterator[Issue]:
    """The journal tells what the evidence gives, event by event; the first that differs is named."""
    saved = [(e["event"], e.get("scenario"), e.get("assertion"), e.get("status")) for e in told]
    anew = [event for judged in scenarios for event in events_of(judged)]
    for one, other in zip_longest(saved, anew):
        if one != other:
            event, scenario, assertion, _ = other or one
            code = "decision" if event == "decision" else "journal"
            said = f"{event} {quote(scenario)}" + (f" {quote(assertion)}" if assertion else "")
            yield Issue(code, f"{FILES['events']} tells another story than the evidence: {said}")
            return


def events_of(judged: Judged) -> Iterator[tuple[str, str, str | None, str | None]]:
    """What the journal tells of one scenario."""
    name = judged.scenario.id
    yield "observation", name, None, None
    for outcome in judged.outcomes:
        yield "decision", name, outcome.assertion.name, str(outcome.status)
    yield "scenario_completed", name, None, str(judged.status)


def agreement(saved: Saved) -> Iterator[Issue]:
    """What several files say, they say alike."""
    for what, values in said_twice(saved):
        if any(not same(values[0], other) for other in values[1:]):
            yield Issue("disagreement", f"the files do not agree on {what}")
    if saved.results.get("evidence_digest") != evidence_digest(saved.results):
        yield Issue("digest", "evidence_digest in behavior-results.json is not that of its contents")
    if not same(saved.summary.get("exit_code"), Status(saved.summary["status"]).exit_code):
        yield Issue("disagreement", "exit_code in summary.json is not that of its status")


def said_twice(saved: Saved) -> Iterator[tuple[str, list[Any]]]:
    """Each thing that is written in several places, with what stands there."""
    summary, state, results, started, ending = saved.summary, saved.state, saved.results, saved.started, saved.ending
    for key in ("status", "reason", "evidence_digest"):
        yield key, [summary[key], results.get(key), ending.get(key)]
    suite, harness = state["suite"], {key: summary.get(key) for key in HARNESS}
    yield "harness", [harness, results.get("harness")]
    yield "run_id", [summary.get("run_id"), state.get("run_id"), started.get("run_id")]
    yield "started_at", [summary.get("started_at"), started.get("time")]
    yield "kind", [summary.get("kind"), state.get("kind"), results.get("kind")]
    yield "schema_version", [each.get("schema_version") for each in (summary, state, results, started)]
    yield "mode", [came_of(state).mode, state.get("mode"), results.get("mode")]
    yield "the suite", [suite.get("path"), summary.get("suite"), started.get("suite")]
    contracted = results.get("contract") or {}
    yield "the suite's digest", [suite.get("digest"), started.get("suite_digest"), contracted.get("digest")]
    yield "the suite's version", [suite.get("version"), contracted.get("version")]
    yield "the selection", [state["selection"]["scenarios"], started.get("scenarios")]


def differing(results: Mapping[str, Any], report: Report) -> Iterator[Issue]:
    """Every part of the saved report that the evidence, judged again, does not bear out; wording aside."""
    anew = to_document(report)
    for key in sorted((anew.keys() | results.keys()) - set(NOT_COMPARED)):
        right = unworded(key, anew.get(key))
        if not same(unworded(key, results.get(key)), right):
            said = f"{key} in behavior-results.json is not what the evidence gives: {quote(compact(right))}"
            yield Issue("decision", said)
    for one, other in zip_longest(results["scenarios"], anew["scenarios"]):
        if not same(decided(one), decided(other)):
            name = quote((other or one)["id"])
            yield Issue("decision", f"scenario {name} in behavior-results.json is not what the evidence gives")


def unworded(key: str, value: Any) -> Any:
    """A part of a report without the messages in it, which a newer version may put better."""
    if key not in ("gates", "issues", "warnings") or value is None:
        return value
    return [{name: each[name] for name in each if name != "message"} for each in value]


def same(one: Any, other: Any) -> bool:
    """Whether two values are written alike as JSON: true is not 1, and 1 is not 1.0."""
    return compact(one) == compact(other)


def decided(scenario: Any) -> Any:
    """A scenario's document without the wording of its outcomes."""
    if scenario is None:
        return None
    bare = [{key: outcome[key] for key in outcome if key not in WORDING} for outcome in scenario["assertions"]]
    return {**scenario, "assertions": bare}
