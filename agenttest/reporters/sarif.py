"""Reports → a SARIF 2.1.0 log, for code scanning and editors: a run for each suite, within the bounds that GitHub sets.

Of a file GitHub takes 20 runs, and of a run it shows 5,000 results: so many are kept of the file, errors first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agenttest.errors import Problem
from agenttest.github.commands import Level
from agenttest.jsontext import SPACED
from agenttest.jsontext import inert as inert_json
from agenttest.model import Reason, Status
from agenttest.quote import clip, one_line
from agenttest.report import Ending, Report, ending
from agenttest.reporters.alerts import BASE, MESSAGE, alerts, artifact, inert, location
from agenttest.reporters.gating import problem_of, unexplained
from agenttest.reporters.github import plain
from agenttest.reporters.rules import LEFT_OUT, driver
from agenttest.reporters.standing import file_of, tells_gates, unkept, unread

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
CATEGORY = "agent-test"
MOST_RUNS = 20
MOST = 5_000
MOST_NOTICES = 100
JUDGED = (Reason.KEPT, Reason.VIOLATION, Reason.MISSING_EVIDENCE)


def render(report: Report) -> str:
    """One report as a log of its own."""
    log = Log()
    log.add(report)
    return log.text(ending(report))


@dataclass(slots=True)
class Run:
    """What stands beside the results of one suite, or of all."""

    statuses: set[Status] = field(default_factory=set)
    successful: bool = True
    results: int = 0
    notices: list[tuple[Reason, dict[str, Any]]] = field(default_factory=list)
    untold: Counter[Reason] = field(default_factory=Counter)
    gated: bool = False  # by the gates of scenario files, whose oracles have rules of their own
    files: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)

    def notify(self, reason: Reason, told: dict[str, Any]) -> None:
        """Keep a notification while there are not too many, else count it."""
        if len(self.notices) < MOST_NOTICES:
            self.notices.append((reason, told))
        else:
            self.untold[reason] += 1


class Log:
    """Takes reports one by one and keeps of them no more than a file may hold."""

    def __init__(self) -> None:
        self.whole = Run()
        self.runs: dict[str, Run] = {}
        self.kept: dict[Level, list[tuple[str, str]]] = {level: [] for level in Level}
        self.shards: set[str] = set()

    def add(self, report: Report) -> None:
        """Note one suite's report."""
        name = category(one_line(report.path), shard(report))
        self.shards.add(shard(report))
        if len(self.runs) <= MOST_RUNS:
            self.runs.setdefault(name, Run()).files.update(files(report))
            self.runs[name].properties.update(properties(report))
        for run in self.noting(name):
            note(run, report)
        for level, result in alerts(report):
            self.keep(name, level, result)

    def noting(self, name: str) -> list[Run]:
        """Where a report of this name is noted: in the run of all, and in its own while each has one."""
        return [self.whole, *([self.runs[name]] if name in self.runs else [])]

    def keep(self, name: str, level: Level, result: dict[str, Any]) -> None:
        """Count a result, and keep its text where it may still be shown."""
        for run in self.noting(name):
            run.results += 1
        if len(self.kept[level]) < MOST:
            self.kept[level].append((name, spaced(result)))

    def text(self, ending: Ending) -> str:
        """The log: a run for each suite, or where they are too many one run for all."""
        shown = [kept for level in Level for kept in self.kept[level]][:MOST]
        if 0 < len(self.runs) <= MOST_RUNS:
            runs = [
                run_text(name, run, [text for owner, text in shown if owner == name]) for name, run in self.runs.items()
            ]
        else:
            (part,) = self.shards if len(self.shards) == 1 else ("",)
            self.whole.properties = {"evidenceDigest": ending.evidence_digest} if ending.evidence_digest else {}
            self.whole.statuses.add(ending.status)
            runs = [run_text(category("", part), self.whole, [text for _, text in shown])]
        return '{\n"$schema": ' + spaced(SCHEMA) + ',\n"version": "2.1.0",\n"runs": [\n' + ",\n".join(runs) + "\n]\n}\n"


def shard(report: Report) -> str:
    """The part of a suite that the report is of, as a path's part: `2of3`."""
    return f"{report.shard.index}of{report.shard.count}" if report.shard else ""


def category(path: str, part: str) -> str:
    """What tells this analysis from others, slash at the end: GitHub replaces the results of an equal one."""
    return "/".join(filter(None, (CATEGORY, path, part))) + "/"


def files(report: Report) -> dict[str, str]:
    """The SHA-256 of suite and observations by their encoded paths; of scenario files, of those that did not pass."""
    if report.suite and report.suite.files is not None:
        judged = {file_of(report, judged.scenario) for judged in report.scenarios if judged.status is not Status.PASS}
        known = [(file.path, file.digest) for file in report.suite.files if file.path in judged]
    else:
        known = [(report.path, report.suite.digest)] if report.suite else []
        known += [(report.provenance.path, report.provenance.source_digest)] if report.provenance else []
    places = ((location(path), digest) for path, digest in known)
    return {place["physicalLocation"]["artifactLocation"]["uri"]: digest for place, digest in places if place}


def properties(report: Report) -> dict[str, str]:
    """The verdict, and what the evidence can be found and checked by."""
    asked = report.provenance.endpoint if report.provenance else None
    known = {"evidenceDigest": report.evidence_digest, "runDirectory": report.directory}
    known |= {"endpointClass": asked.kind, "endpointFingerprint": asked.fingerprint} if asked else {}
    shown = {name: one_line(value) for name, value in known.items() if value}
    return shown | {"status": report.status, "reason": report.verdict.reason}


def note(run: Run, report: Report) -> None:
    """Note in a run how a report ended, and what kept it from being whole."""
    reason = report.verdict.reason
    run.statuses.add(report.status)
    run.successful = run.successful and reason in JUDGED and not report.problems
    run.gated = run.gated or tells_gates(report)
    for problem in unread(report):
        run.notify(Reason.INVALID_INPUT, refused(problem))
    for problem in unkept(report):
        run.notify(Reason.NOT_SAVED if report.suite else reason, refused(problem))
    for gate in unexplained(report):
        run.notify(reason, {"message": {"text": inert(clip(f"{problem_of(report, gate)}.", MESSAGE))}})
    silent = all(outcome.status is Status.PASS for outcome in report.outcomes) or reason not in JUDGED
    silent = silent and not unexplained(report)
    if silent and not report.problems and report.status is not Status.PASS:
        gates = f", gates that do not hold: {', '.join(report.verdict.unheld)}" if report.verdict.unheld else ""
        run.notify(reason, {"message": {"text": inert(f"The suite is {report.status}: {reason}{gates}.")}})


def refused(problem: Problem) -> dict[str, Any]:
    """What a problem says, and where."""
    found: dict[str, Any] = {"message": {"text": inert(clip(f"{problem}.", MESSAGE))}}
    file = plain(problem.path, problem.line)
    place = {"startLine": problem.line, "startColumn": problem.column}
    where = location(file[0], {key: at for key, at in place.items() if at} or None) if file else None
    return found | ({"locations": [where]} if where else {})


def run_text(name: str, run: Run, results: list[str]) -> str:
    """A run as JSON, one line for each of its parts and for each result."""
    parts = {
        "automationDetails": {"id": name},
        "tool": {"driver": driver(oracles=run.gated)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {BASE: {"description": {"text": "The root of the project."}}},
        "artifacts": [
            {"location": artifact(uri), "hashes": {"sha-256": digest}} for uri, digest in sorted(run.files.items())
        ],
        "invocations": [invocation(run, run.results - len(results))],
        "properties": run.properties,
    }
    lines = [f"{spaced(key)}: {spaced(part)}" for key, part in parts.items()]
    return "{\n" + ",\n".join([*lines, '"results": [\n' + ",\n".join(results) + "\n]"]) + "\n}"


def invocation(run: Run, left_out: int) -> dict[str, Any]:
    """How the run went: problems with what it was given, and with the run itself."""
    given: list[dict[str, Any]] = []
    own: list[dict[str, Any]] = []
    for reason, told in notices(run):
        (given if reason is Reason.INVALID_INPUT else own).append(
            told | {"descriptor": {"id": reason}, "level": "error"}
        )
    if left_out:
        text = f"{left_out:,} more results are left out; they stand in the run directory."
        own.append({"message": {"text": text}, "descriptor": {"id": LEFT_OUT}, "level": "warning"})
    return {
        "executionSuccessful": run.successful,
        "exitCode": Status.worst(run.statuses).exit_code,
        "toolConfigurationNotifications": given,
        "toolExecutionNotifications": own,
    }


def notices(run: Run) -> Iterator[tuple[Reason, dict[str, Any]]]:
    """The notifications that are kept, then how many there are besides."""
    yield from run.notices
    for reason, count in run.untold.items():
        yield reason, {"message": {"text": f"{count:,} more problems like these; they stand in the report."}}


def spaced(value: Any) -> str:
    """A value as JSON on one line, inert in a terminal and in a workflow's log."""
    return inert_json(SPACED.encode(value)).replace("##[", "#\\u0023[")
