"""A suite's saved report + what is asked now → the report decided again; a run of files that have changed is stale."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterator
from dataclasses import replace

from agenttest import judging
from agenttest.errors import InvalidInput
from agenttest.files import Project
from agenttest.gates import REASONS, Asked, Policy
from agenttest.model import Gate, Reason, Status, Suite, Verdict, listing
from agenttest.quote import quote
from agenttest.recall import Recalled
from agenttest.report import Report
from agenttest.settings import OBSERVATIONS_BYTES
from agenttest.sources.replayed import Shelf
from agenttest.suites.harness import folder

GATE = "evidence-complete"


def decide_again(project: Project, saved: Recalled, asked: Asked) -> Report:
    """The report with the verdict that the gates give now, by the saved outcomes and the files that lie on disk.

    What the run was asked for holds on; `strict`, `partial` and `lint` may make it more, or accept more.
    """
    report = saved.report
    if report.suite is None:
        return report
    chosen = [each.scenario for each in report.scenarios]
    policy = Policy.of(report.suite, chosen, together(saved.asked, asked), saved.selected)
    early = {report.verdict.reason} & set(judging.EARLY)
    verdict = judging.decide(report.scenarios, report.merged, early, policy)
    if verdict.status is Status.PASS and not report.observations_kept:
        verdict = replace(verdict, status=Status.INCOMPLETE, reason=Reason.NOT_SAVED)
    changed = next(changes(project, report, report.suite), None)
    return replace(report, verdict=stale(verdict, changed, report.path) if changed else verdict)


def together(saved: Asked, now: Asked) -> Asked:
    """What the run was asked for and what is asked for now, of both the stricter, and whatever either accepts."""
    filters = replace(saved.filters, partial=saved.filters.partial or now.filters.partial)
    lint = "error" if "error" in (saved.lint, now.lint) else saved.lint
    return replace(saved, filters=filters, strict=saved.strict or now.strict, lint=lint)


def stale(verdict: Verdict, changed: str, path: str) -> Verdict:
    """The verdict of a run that is not of the files as they are now: its evidence is not complete."""
    said = f"stale: {changed} since the run; run it again: agenttest test {shlex.quote(path)}"
    gates = tuple(with_said(gate, said) if gate.name == GATE else gate for gate in verdict.gates)
    status = Status.worst([verdict.status, Status.INCOMPLETE])
    reason = REASONS[status] if verdict.status is Status.PASS else verdict.reason
    return Verdict(status, reason, gates)


def with_said(gate: Gate, said: str) -> Gate:
    """The gate, which does not hold for this reason too."""
    before = f"{gate.message}; " if gate.status is not Status.PASS else ""
    return Gate(gate.name, Status.worst([gate.status, Status.INCOMPLETE]), before + said)


def changes(project: Project, report: Report, suite: Suite) -> Iterator[str]:
    """In words, everything that the run was of and that is no longer as it was."""
    yield from suite_changes(project, suite)
    came = report.provenance
    if came is not None and came.source_digest and came.path != suite.path:
        yield from file_changes(project, came.path, came.source_digest)
    read = {judged.source.path: judged.source.sha256 for judged in report.scenarios if judged.source is not None}
    for path, digest in read.items():
        yield from file_changes(project, path, digest)
    if came is None or came.endpoint is None:  # else what is kept may differ from what the files hold, by a secret
        yield from retold(project, report)


def retold(project: Project, report: Report) -> Iterator[str]:
    """The recordings that do not tell what the run says it was judged by."""
    shelf = Shelf(project)
    for judged in report.scenarios:
        if judged.source is not None and shelf.seen(judged.scenario).observation != judged.observation:
            yield f"{quote(judged.source.path)} tells something else"


def suite_changes(project: Project, suite: Suite) -> Iterator[str]:
    """The suite or, as far as files can be told apart, those of them that are not as they were."""
    if suite.files is None:
        yield from file_changes(project, suite.path, suite.digest)
        return
    files = folder.files(project, suite.path)
    if hashlib.sha256(listing(files).encode("utf-8", "surrogatepass")).hexdigest() == suite.digest:
        return
    before = {file.path: file.digest for file in suite.files} if suite.whole else {}
    now = {file.path: file.digest for file in files}
    yield from (f"{quote(path)} is gone" for path in before if path not in now)
    yield from (f"{quote(path)} has come" for path in now if before and path not in before)
    yield from (f"{quote(path)} has changed" for path, digest in now.items() if before.get(path, digest) != digest)
    yield f"{quote(suite.path)} has changed"


def file_changes(project: Project, path: str, digest: str) -> Iterator[str]:
    """Whether a file that the run was judged by is another one now."""
    try:
        data = project.read(path, OBSERVATIONS_BYTES)
    except InvalidInput as error:
        there = project.kind(path) != "nothing"
        yield f"{quote(path)} {'cannot be read: ' + error.problems[0].message if there else 'is gone'}"
        return
    if hashlib.sha256(data).hexdigest() != digest:
        yield f"{quote(path)} has changed"
