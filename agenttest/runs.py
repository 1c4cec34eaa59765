"""Several suites in one call → a run of runs: a parent directory whose summary lists its children."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from agenttest import __version__
from agenttest.errors import InvalidInput, NotSaved, Problem
from agenttest.files import Project
from agenttest.jsontext import spread
from agenttest.model import Reason, Status
from agenttest.report import FILES, KIND, SCHEMA_VERSION, Ending, Report, digest_of, to_document
from agenttest.reporters import Collector, collector
from agenttest.settings import Settings

TOOL = {"name": "agenttest", "version": __version__}
STATE, SUMMARY = FILES["state"], FILES["summary"]
VIEWS = {"markdown": "summary.md", "html": "report.html", "sarif": "results.sarif", "junit": "junit.xml"}
NAME = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{8}")  # of a run that has a directory of its own
CHILD = re.compile(r"\d{4,}-[A-Za-z0-9._-]+")  # of a directory inside that of a run of runs


@dataclass(frozen=True, slots=True)
class Child:
    """What remains of a finished report: enough to sum up and to find it again."""

    path: str
    status: Status
    reason: Reason
    directory: str | None
    evidence_digest: str


def child(report: Report) -> Child:
    """What the parent keeps of a report."""
    digest = report.evidence_digest or to_document(report)["evidence_digest"]
    return Child(report.path, report.status, report.verdict.reason, report.directory, digest)


class Parent:
    """The directory that holds the runs of several suites; it is complete once its summary is there."""

    def __init__(self, project: Project, where: str, settings: Settings) -> None:
        self.project = project
        self.began = datetime.now(UTC)
        self.run_id = run_id(self.began)
        self.directory = PurePosixPath(where, settings.run_name or self.run_id).as_posix()
        self.failure: Problem | None = None
        self.files: dict[str, dict[str, str | int]] = {}
        self.views = {view: collector(view) for view in settings.views}
        self.attempt(lambda: self.begin(settings))

    def begin(self, settings: Settings) -> None:
        """The folder, and what the children are of."""
        self.project.make_folder(self.directory)
        suites = [below(self.project, name) for name in settings.suites]
        asked: dict[str, Any] = {"suites": suites, "asked": list(settings.scenarios), **narrowed(settings)}
        if settings.strict:
            asked["strict"] = True
        if settings.shard:
            asked["shard"] = str(settings.shard)
        self.put(STATE, spread({"schema_version": SCHEMA_VERSION, "run_id": self.run_id, **asked}))

    def add(self, report: Report) -> None:
        """Take note of a child's report for the views of all."""
        for view in self.views.values():
            view.add(report)

    def put(self, name: str, text: str) -> None:
        """One file of the parent's own, with its size and digest noted for the summary."""
        data = text.encode()
        self.project.write(f"{self.directory}/{name}", data)
        self.files[name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    def finish(self, children: Sequence[Child], status: Status, reason: Reason) -> Problem | None:
        """Write the views and the summary, which makes the run complete; what kept it, or them, from being written."""
        ending = Ending(status, reason, self.directory, digest(children))
        for name, view in self.views.items():
            self.attempt(partial(self.write_view, VIEWS[name], view, ending))
        self.attempt(lambda: self.put(SUMMARY, spread(self.document(children, status, reason))))
        return self.failure

    def write_view(self, name: str, view: Collector, ending: Ending) -> None:
        """One view of all suites."""
        self.put(name, view.text(ending))

    def attempt(self, step: Callable[[], None]) -> None:
        """Do a step unless an earlier one failed; a failure is kept, not raised, so that verdicts go on."""
        if self.failure is not None:
            return
        try:
            step()
        except NotSaved as error:
            self.failure = error.problems[0]

    def document(self, children: Sequence[Child], status: Status, reason: Reason) -> dict[str, Any]:
        """The summary."""
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": KIND,
            "run_id": self.run_id,
            "started_at": stamp(self.began),
            "ended_at": stamp(datetime.now(UTC)),
            "tool": TOOL,
            "status": status,
            "reason": reason,
            "exit_code": status.exit_code,
            "evidence_digest": digest(children),
            "children": [entry(each) for each in children],
            "files": dict(self.files),
        }


def narrowed(settings: Settings) -> dict[str, Any]:
    """What is asked for of scenario files, as a run's inputs hold it; only where it is not the usual."""
    filters, found = settings.filters, {}
    if filters.given or filters.partial:
        found["filters"] = asdict(filters)
    return found | ({"lint": settings.lint} if settings.lint != "warn" else {})


def below(project: Project, name: str) -> str:
    """A suite as its run names it: below the root or, where that cannot be, as it was given."""
    try:
        return project.relative(name)
    except InvalidInput:
        return name


def entry(each: Child) -> dict[str, str | None]:
    """One child as the summary lists it, its directory seen from the parent; None where it was not saved."""
    return {
        "suite": each.path,
        "status": each.status,
        "reason": each.reason,
        "directory": None if each.directory is None else PurePosixPath(each.directory).name,
        "evidence_digest": each.evidence_digest,
    }


def digest(children: Iterable[Child]) -> str:
    """The digest of the children's digests, in order."""
    return digest_of([each.evidence_digest for each in children])


def run_id(began: datetime) -> str:
    """A new name: when, and eight random hex digits."""
    return f"{began:%Y%m%dT%H%M%SZ}-{os.urandom(4).hex()}"


def stamp(moment: datetime) -> str:
    """A moment in UTC as ISO 8601 with milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def child_name(before: int, path: str) -> str:
    """A child's folder: how many there were before it, plus one, and its suite's stem."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", PurePosixPath(path).stem)[:60].strip(".-")
    return f"{before + 1:04d}-{stem or 'suite'}"
