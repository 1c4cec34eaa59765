"""A saved run that was found valid → the reports that it was saved as: nothing in them is judged again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenttest.errors import Problem
from agenttest.gates import ALL, Asked
from agenttest.model import Assertion, Gate, Judged, Outcome, Reason, Scenario, Status, Verdict
from agenttest.report import Report
from agenttest.runfiles import Files, opened
from agenttest.savedrun import SavedRun
from agenttest.verify import contents, observed_of, suite_of
from agenttest.verify.asked import asked_of, chosen_of, merged_of, selected_of, shard_of
from agenttest.verify.folder import came_of, recordings_of
from agenttest.verify.live import exchanges_of

LOST = "was not saved, so of it no more is known than how it ended; run it again"


@dataclass(frozen=True, slots=True)
class Recalled:
    """A suite's report as it was saved, what the invocation had asked for, and what that selects in all shards."""

    report: Report
    asked: Asked = ALL
    selected: tuple[Scenario, ...] = ()


def recall(path: Path) -> Iterator[Recalled]:
    """Each suite's report of a run directory, or of its ZIP, that is known to be valid; each is read as it is asked
    for."""
    with opened(path) as files:
        yield from recall_files(files)


def recall_files(files: Files) -> Iterator[Recalled]:
    """The same of a run whose files are at hand."""
    run = SavedRun(files)
    summary = run.summary()
    if "children" not in summary:
        yield single(run, summary)
    for entry in summary.get("children", ()):
        if entry["directory"] is None:
            verdict = Verdict(Status(entry["status"]), Reason(entry["reason"]))
            yield Recalled(Report(verdict, entry["suite"], problems=(Problem(entry["suite"], 0, 0, LOST),)))
        else:
            yield from recall_files(files.inside(entry["directory"]))


def single(run: SavedRun, summary: Mapping[str, Any]) -> Recalled:
    """One suite's report."""
    saved = contents(run, summary)
    state, results = saved.state, saved.results
    suite = suite_of(state)
    came, chosen = came_of(state, suite), chosen_of(state, suite)
    seen, exchanges = observed_of(saved.told, suite, came), exchanges_of(saved.told, suite, came)
    recordings = recordings_of(saved.told, chosen)
    scenarios = tuple(
        Judged(
            scenario=each,
            observation=seen.get(each.id),
            outcomes=outcomes(each, raw),
            exchange=exchanges.get(each.id),
            redacted=tuple(raw.get("redacted", ())),
            source=recordings.get(each.id),
        )
        for each, raw in zip(chosen, results["scenarios"], strict=True)
    )
    report = Report(
        verdict=verdict_of(results),
        path=suite.path,
        suite=suite,
        scenarios=scenarios,
        provenance=came,
        directory=run.files.place,
        harness=results["harness"],
        problems=tuple(Problem(**raw) for raw in results.get("issues", ())),
        observations_kept=all("observation" in raw for raw in results["scenarios"]),
        evidence_digest=results["evidence_digest"],
        shard=shard_of(state),
        merged=merged_of(state),
        selection=results.get("selection"),
    )
    return Recalled(report, asked_of(state), selected_of(state, suite))


def outcomes(scenario: Scenario, raw: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """What became of a scenario's assertions, in the words that were saved."""
    return tuple(outcome(asked, found) for asked, found in zip(scenario.assertions, raw["assertions"], strict=True))


def outcome(asked: Assertion, raw: Mapping[str, Any]) -> Outcome:
    """What became of one."""
    found = (raw["message"], raw["observed"], raw.get("difference"), raw.get("remedy"))
    return Outcome(asked, Status(raw["status"]), *found)


def verdict_of(results: Mapping[str, Any]) -> Verdict:
    """The saved verdict with all its gates."""
    gates = tuple(Gate(raw["name"], Status(raw["status"]), raw["message"]) for raw in results["gates"])
    return Verdict(Status(results["status"]), Reason(results["reason"]), gates)
