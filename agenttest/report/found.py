"""`Report`: what one suite's run found; `Ending`: how a whole call ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agenttest.errors import Problem
from agenttest.model import Judged, Merged, Outcome, Provenance, Reason, Shard, Status, Suite, Verdict


@dataclass(frozen=True, slots=True)
class TraceFile:
    """Where the trace of a scenario was written, below the root, and the SHA-256 of that file in hex."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Report:
    """One suite's run: `directory` is where it was saved, below the root; `problems`, what kept it from a verdict.

    `evidence_digest` is that of its document where one was made already, as making it is most of a report's work.
    `shard` is the part of the suite that it is of, None for the whole; `merged`, what a whole was merged from.
    `traces` are the files that were asked for beside it, by scenario.
    """

    verdict: Verdict
    path: str
    suite: Suite | None = None
    scenarios: tuple[Judged, ...] = ()
    provenance: Provenance | None = None
    directory: str | None = None
    harness: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    observations_kept: bool = True
    evidence_digest: str | None = None
    shard: Shard | None = None
    merged: Merged | None = None
    selection: Mapping[str, Any] | None = None
    traces: Mapping[str, TraceFile] = field(default_factory=dict)

    @property
    def mode(self) -> str:
        """How the agent was judged: `live`, or `offline` by a recording."""
        return self.provenance.mode if self.provenance else "offline"

    @property
    def status(self) -> Status:
        """The verdict's status."""
        return self.verdict.status

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every assertion's outcome, in order."""
        return tuple(outcome for judged in self.scenarios for outcome in judged.outcomes)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a whole call ended: the verdict on all suites, where they are saved together, the digest of the evidence."""

    status: Status
    reason: Reason
    directory: str | None = None
    evidence_digest: str = ""


def ending(report: Report) -> Ending:
    """The ending of a call that had this one suite."""
    return Ending(report.status, report.verdict.reason, report.directory, report.evidence_digest or "")


def invalid(path: str, problems: Iterable[Problem], reason: Reason = Reason.INVALID_INPUT) -> Report:
    """The report of a run that could not begin."""
    return Report(Verdict(Status.INCOMPLETE, reason), path, problems=tuple(problems))


def tally(statuses: Iterable[Status]) -> dict[Status, int]:
    """How many there are of each status."""
    counts = dict.fromkeys((Status.PASS, Status.FAIL, Status.INCOMPLETE), 0)
    for status in statuses:
        counts[status] += 1
    return counts
