"""A run as it goes → its directory: a journal that grows, and files that are each there whole or not at all."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Protocol

from agenttest.bounds import bounded, unsaved
from agenttest.errors import NotSaved, Problem
from agenttest.files import Project, writing
from agenttest.journal import Journal
from agenttest.jsontext import compact, spread
from agenttest.model import Judged, Merged, Provenance, Scenario, Suite
from agenttest.observations import exchange_to_document, provenance_to_document
from agenttest.observations import to_document as observation_document
from agenttest.recording import RECORDED, recording, written
from agenttest.report import FILES, SCHEMA_VERSION, Report
from agenttest.reporters import reporter
from agenttest.runs import TOOL, VIEWS, narrowed, run_id, stamp
from agenttest.settings import Settings
from agenttest.suites import saved

if TYPE_CHECKING:
    from agenttest.redaction import Redaction

LEAKS = Problem(
    "",
    0,
    0,
    "the token would have been written, so this is not saved: a fault of agenttest, unless the token is a word that "
    "any report holds, then take another one",
)


@dataclass(frozen=True, slots=True)
class Start:
    """What is known when a suite's run begins; `redaction` tells what nothing that is written may hold."""

    suite: Suite
    chosen: Sequence[Scenario]
    provenance: Provenance
    settings: Settings
    merged: Merged | None = None
    redaction: Redaction | None = None

    def check(self, text: str) -> None:
        """NotSaved where a text that is about to be written holds the run's token."""
        if self.redaction is not None and self.redaction.leaks(text):
            raise NotSaved(LEAKS)


class Recorder(Protocol):
    """Takes a run down, in `directory` where it is saved."""

    @property
    def directory(self) -> str | None:
        """Where the run is saved, below the project root."""

    def record(self, judged: Judged) -> None:
        """Note one scenario."""

    def finish(self, report: Report) -> Report:
        """Save the report; what comes back is the report as it stands then."""

    def close(self) -> None:
        """Let go of what is open; a run that is not finished stays so."""


class Unsaved:
    """Saves nothing, and holds the report to its bounds all the same; `failure` is why, where saving was asked for."""

    directory: str | None = None

    def __init__(self, start: Start, failure: Problem | None = None) -> None:
        self.start, self.failure = start, failure

    def record(self, judged: Judged) -> None:
        """Nothing."""

    def finish(self, report: Report) -> Report:
        """The report, without its observations where they are too large."""
        report, _, text = bounded(report)
        try:
            self.start.check(text)
        except NotSaved as error:
            return withheld(report, error)
        return report if self.failure is None else unsaved(report, self.failure)

    def close(self) -> None:
        """Nothing."""


def recorder(project: Project, where: str, start: Start, name: str | None = None) -> Recorder:
    """What writes a run down in a new folder of `where`, below the root; where none can be made, what remembers why."""
    try:
        return Saved(project, where, start, name)
    except (NotSaved, OSError) as error:
        return Unsaved(start, failed(error, where))


class Saved:
    """Writes one suite's run directory. What cannot be written is remembered and decides at the end."""

    def __init__(self, project: Project, where: str, start: Start, name: str | None = None) -> None:
        self.project, self.start = project, start
        self.began, self.clock = datetime.now(UTC), time.monotonic()
        self.run_id = run_id(self.began)
        self.directory: str = PurePosixPath(where, name or self.run_id).as_posix()
        self.failure: Problem | None = None
        self.files: dict[str, dict[str, Any]] = {}
        project.make_folder(self.directory)
        self.journal = Journal(project, f"{self.directory}/{FILES['events']}")
        self.attempt(self.begin)

    def begin(self) -> None:
        """The journal's first line, and the inputs."""
        self.tell(
            "run_started",
            run_id=self.run_id,
            schema_version=SCHEMA_VERSION,
            suite=self.start.suite.path,
            suite_digest=self.start.suite.digest,
            scenarios=[scenario.id for scenario in self.start.chosen],
            time=stamp(self.began),
        )
        self.put(FILES["state"], spread(self.state()))

    def state(self) -> dict[str, Any]:
        """The inputs that the run was judged from."""
        suite, settings = self.start.suite, self.start.settings
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": suite.kind,
            "run_id": self.run_id,
            "mode": self.start.provenance.mode,
            "suite": saved(suite),
            "selection": {**asked(settings), "scenarios": [scenario.id for scenario in self.start.chosen]},
            "limits": asdict(settings.limits),
            "strict": settings.strict,
            "provenance": provenance_to_document(self.start.provenance),
            **self.parts(),
        }

    def parts(self) -> dict[str, Any]:
        """Which part of the suite this is, or what it was merged from."""
        shard, merged = self.start.settings.shard, self.start.merged
        found: dict[str, Any] = {"shard": str(shard)} if shard else {}
        return found | ({"merged": asdict(merged)} if merged else {})

    def record(self, judged: Judged) -> None:
        """One scenario's observation, decisions and end."""
        self.attempt(lambda: self.write_down(judged))

    def write_down(self, judged: Judged) -> None:
        """The journal's lines of one scenario."""
        name, seen = judged.scenario.id, judged.observation
        more: dict[str, Any] = {"redacted": list(judged.redacted)} if judged.redacted else {}
        if judged.exchange is not None:
            more["exchange"] = exchange_to_document(judged.exchange)
        if judged.source is not None:
            more["source"] = asdict(judged.source)
        told = None if seen is None else observation_document(seen)
        self.tell("observation", scenario=name, observation=told, **more)
        for outcome in judged.outcomes:
            self.tell("decision", scenario=name, assertion=outcome.assertion.name, status=outcome.status)
        self.tell("scenario_completed", scenario=name, status=judged.status)

    def tell(self, event: str, **fields: Any) -> None:
        """One line of the journal."""
        if self.start.redaction is not None:
            self.start.check(compact({"event": event, **fields}))
        self.journal.add(event, **fields)

    def finish(self, report: Report) -> Report:
        """Report, views and, when everything else is on disk, the summary that makes the run complete."""
        report, document, text = bounded(replace(report, directory=self.directory, harness=self.harness()))
        try:
            self.start.check(text)
        except NotSaved as error:
            return withheld(report, error)
        self.attempt(lambda: self.save(report, document, text))
        return report if self.failure is None else unsaved(report, self.failure)

    def close(self) -> None:
        """The journal is closed, finished or not."""
        self.journal.abandon()

    def harness(self) -> dict[str, Any]:
        """The run's name and times, which are no evidence."""
        return {
            "run_id": self.run_id,
            "started_at": stamp(self.began),
            "ended_at": stamp(datetime.now(UTC)),
            "duration_ms": round((time.monotonic() - self.clock) * 1000),
            "tool": TOOL,
        }

    def save(self, report: Report, document: dict[str, Any], text: str) -> None:
        """Everything that is written at the end, the summary last."""
        self.put(FILES["behavior_results"], text)
        if self.start.provenance.endpoint and self.start.suite.files is None:  # traces are what a scenario is saved as
            self.record_observations(report)
        for view in self.start.settings.views:
            self.put(VIEWS[view], reporter(view)(report))
        ending = {key: document[key] for key in ("status", "reason", "evidence_digest")}
        self.tell("run_completed", **ending)
        self.files[FILES["events"]] = self.journal.close()
        summary = {
            "schema_version": SCHEMA_VERSION,
            "kind": document["kind"],
            "suite": report.path,
            **report.harness,
            **ending,
            "exit_code": report.status.exit_code,
            "files": self.files,
        }
        self.write(FILES["summary"], spread(summary))

    def record_observations(self, report: Report) -> None:
        """What a live run saw, as others may be judged by it; not where it is more than can be."""
        text = written(recording(judged.observation for judged in report.scenarios))
        if text:
            self.put(RECORDED, text)

    def put(self, name: str, text: str) -> None:
        """One file of the run, with its size and digest noted for the summary."""
        data = self.write(name, text)
        self.files[name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    def write(self, name: str, text: str) -> bytes:
        """One file of the run, where it does not hold the token; what was written."""
        self.start.check(text)
        data = text.encode()
        self.project.write(f"{self.directory}/{name}", data)
        return data

    def attempt(self, step: Callable[[], None]) -> None:
        """Do a step unless an earlier one failed; a failure is kept, not raised, so that verdicts go on."""
        if self.failure is not None:
            return
        try:
            step()
        except (NotSaved, OSError) as error:
            self.failure = failed(error, self.directory)


def failed(error: NotSaved | OSError, place: str) -> Problem:
    """What could not be written, and why."""
    return error.problems[0] if isinstance(error, NotSaved) else Problem(place, 0, 0, writing(error))


def asked(settings: Settings) -> dict[str, Any]:
    """Which scenarios were asked for; filters only where there are any."""
    return {"asked": settings.scenarios, **narrowed(settings)}


def withheld(report: Report, error: NotSaved) -> Report:
    """The report of a run whose words cannot be shown: what was decided, a pass no longer as one, and nothing else."""
    verdict = unsaved(report, error.problems[0]).verdict
    return Report(verdict, report.path, problems=error.problems)
