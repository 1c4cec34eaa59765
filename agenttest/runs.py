"""Several suites in one call → a run of runs: a parent directory whose summary lists its children."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from agenttest import __version__
from agenttest.errors import AgentTestError, Problem
from agenttest.files import Project
from agenttest.jsontext import spread
from agenttest.model import Reason, Status
from agenttest.report import KIND, Report, digest_of, to_document

SCHEMA_VERSION = 1
TOOL = {"name": "agenttest", "version": __version__}
STATE, SUMMARY = "state.json", "summary.json"


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

    def __init__(self, project: Project, where: str, suites: Sequence[str]) -> None:
        self.project = project
        self.began = datetime.now(UTC)
        self.run_id = run_id(self.began)
        self.directory = f"{where}/{self.run_id}"
        self.summary = f"{self.directory}/{SUMMARY}"
        self.failure: Problem | None = None
        self.files: dict[str, dict[str, str | int]] = {}
        try:
            project.make_folder(self.directory)
            self.put(STATE, {"schema_version": SCHEMA_VERSION, "run_id": self.run_id, "suites": list(suites)})
        except AgentTestError as error:
            self.failure = error.problems[0]

    def digest(self, children: Sequence[Child]) -> str:
        """The digest of the children's digests, in order."""
        return digest_of([each.evidence_digest for each in children])

    def put(self, name: str, document: dict[str, Any]) -> None:
        """One file of the parent's own, with its size and digest noted for the summary."""
        data = spread(document).encode()
        self.project.write(f"{self.directory}/{name}", data)
        self.files[name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    def finish(self, children: Sequence[Child], status: Status, reason: Reason) -> Problem | None:
        """Write the summary; what kept it, or the directory before it, from being written."""
        document = {
            "schema_version": SCHEMA_VERSION,
            "kind": KIND,
            "run_id": self.run_id,
            "started_at": stamp(self.began),
            "ended_at": stamp(datetime.now(UTC)),
            "tool": TOOL,
            "status": status,
            "reason": reason,
            "exit_code": status.exit_code,
            "evidence_digest": self.digest(children),
            "children": [self.entry(each) for each in children],
            "files": dict(self.files),
        }
        try:
            self.put(SUMMARY, document)
        except AgentTestError as error:
            self.failure = self.failure or error.problems[0]
        return self.failure

    def entry(self, each: Child) -> dict[str, str | None]:
        """One child as the summary lists it, its directory seen from the parent; None where it was not saved."""
        inside = None if each.directory is None else PurePosixPath(each.directory).name
        return {
            "suite": each.path,
            "status": each.status,
            "reason": each.reason,
            "directory": inside,
            "evidence_digest": each.evidence_digest,
        }


def run_id(began: datetime) -> str:
    """A new name: when, and eight random hex digits."""
    return f"{began:%Y%m%dT%H%M%SZ}-{os.urandom(4).hex()}"


def stamp(moment: datetime) -> str:
    """A moment in UTC as ISO 8601 with milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def slug(path: str) -> str:
    """A suite's stem as a part of a folder's name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", PurePosixPath(path).stem)[:60].strip(".-") or "suite"
