"""Reports as they come → the files that a call is asked to leave in the project: report, results, and traces.

Before a run begins, report and results say that it has not come to its end, so that no pass of an earlier run survives
one that is broken off.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import PurePosixPath

from agenttest import report as reports
from agenttest import traces
from agenttest.errors import AgentTestError, InvalidInput, NotSaved, Problem
from agenttest.files import Project
from agenttest.model import Judged, Reason, Status, Suite
from agenttest.output import Output
from agenttest.quote import many
from agenttest.report import Ending, Report, TraceFile
from agenttest.reporters.results import SCHEMA, Document, digests_of
from agenttest.reporters.testrun import Page
from agenttest.settings import OBSERVATIONS_BYTES, SCENARIOS
from agenttest.targets import below, inside, obstacle, overwriting

FLAGS = {"report": "--report", "results": "--results", "traces": "--trace-dir"}
ENDINGS = {"report": (".md", ".markdown", ".txt"), "results": (".json",)}
UNFINISHED = Problem("", 0, 0, "the run has not come to its end; run it again")
HEAD = 200  # bytes, in which results say that they are
INPUTS = {
    "a scenario": {"input", "expected"},
    "a trace": {"scenarioId", "steps"},
    "a recording": {"version", "scenarios"},
}
"""What files are that no run writes over, by keys that only they have together."""
ANY = f"any{traces.ENDING}"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the files shall go, as it was given; None for what is not asked for."""

    report: str | None = None
    results: str | None = None
    traces: str | None = None

    def given(self) -> Iterator[tuple[str, str]]:
        """Each that is asked for, with its name."""
        found = ((each.name, getattr(self, each.name)) for each in fields(self))
        yield from ((name, path) for name, path in found if path is not None)


class Records:
    """The files of one call. What cannot be written is remembered and costs a pass; a violation stays one."""

    def __init__(self, project: Project, places: Places, output: Output) -> None:
        self.project, self.places, self.output = project, places, output
        self.paths: dict[str, str] = {}
        self.page, self.document = Page(), Document()
        self.failure: Problem | None = None
        self.kept: set[str] = set()
        self.begun = False
        self.traces = 0

    def check(self) -> None:
        """Raise InvalidInput with every place that nothing can be written to, or that is an input, before anything is
        run; the others are known from then on."""
        problems: list[Problem] = []
        self.paths = {}
        for name, given in self.places.given():
            try:
                path = self.project.relative(given)
                said = self.wrong(name, path)
            except InvalidInput as error:
                problems += error.problems
                continue
            if said:
                problems.append(Problem(given, 0, 0, f"cannot hold what {FLAGS[name]} asks for: {said}"))
            else:
                self.paths[name] = path
        self.page = Page(self.paths.get("report", ""))
        if problems:
            raise InvalidInput(problems)

    def wrong(self, name: str, path: str) -> str:
        """What speaks against a place; nothing where it is right."""
        if name == "traces":
            return obstacle(self.project, f"{path}/{ANY}") or inside(path, (*self.output.closed, SCENARIOS))
        if not path.lower().endswith(ENDINGS[name]):
            return f"its name should end in {' or '.join(ENDINGS[name][:1])}; a suite belongs before the flags"
        return (
            obstacle(self.project, path)
            or overwriting(self.project, path, self.output.inputs)
            or inside(path, (*self.output.closed, SCENARIOS))
            or self.shared(path)
            or self.read_by_a_run(path)
        )

    def shared(self, path: str) -> str:
        """Whether something else of this call goes there."""
        output = below(self.project, self.output.target) if self.output.target else None
        others = [*self.paths.values(), *([output] if output else [])]
        taken = any(self.project.same(path, other) for other in others)
        return "something else of this call goes there too; give each its own" if taken else ""

    def read_by_a_run(self, path: str) -> str:
        """Whether the file that lies there is a scenario or a recording, be it that nothing of this call names it."""
        return f"it is {thing}; name a file of its own" if (thing := input_of(self.project, path)) else ""

    def begin(self) -> None:
        """Let report and results say that the run is not finished."""
        unfinished = reports.invalid("", [UNFINISHED], Reason.INTERRUPTED)
        page, document = Page(), Document()
        page.add(unfinished)
        document.add(unfinished)
        self.put(page, document, reports.ending(unfinished))
        self.kept.clear()
        self.begun = True

    def refuse(self, error: AgentTestError) -> str | None:
        """Let report and results say what keeps the call from beginning, wherever they can be written."""
        with suppress(AgentTestError):
            self.check()
        refused = reports.invalid("", error.problems, error.reason)
        self.add(refused)
        return self.finish(reports.ending(refused))

    def add(self, report: Report) -> None:
        """Take note of one suite's report, and write its traces."""
        if "traces" in self.paths and report.suite is not None:
            report = replace(report, traces=self.traced(report, report.suite, self.paths["traces"]))
        self.page.add(report)
        if "results" in self.paths:
            self.attempt("results", lambda: self.document.add(report))

    def traced(self, report: Report, suite: Suite, folder: str) -> dict[str, TraceFile]:
        """The files of a suite's traces, each written, as far as they can be."""
        found: dict[str, TraceFile] = {}
        digests, read = digests_of(suite), set(traces_read(report))
        for judged in report.scenarios:
            digest = digests[judged.scenario.id]
            path = f"{folder}/{traces.file_name(judged, digest)}"
            if path in read:
                said = "is the trace that the scenario is judged by, so it is not written over; name another folder"
                self.failure = self.failure or Problem(path, 0, 0, said)
                continue
            data = traces.text(traces.document(judged, digest)).encode()
            if self.attempt(path, partial(self.project.write, path, data)):
                found[judged.scenario.id] = TraceFile(path, hashlib.sha256(data).hexdigest())
        self.traces += len(found)
        return found

    def finish(self, ending: Ending) -> str | None:
        """Write report and results as the call ended; what could not be written, if anything."""
        before = self.failure
        if before is not None:
            lost = reports.invalid("", [before], Reason.NOT_SAVED)
            self.page.add(lost)
            self.document.add(lost)
        self.put(self.page, self.document, ending)
        if self.failure is not before:  # the results, it may be, which come after the report
            self.put(self.page, None, ending)
        return None if self.failure is None else f"not written: {self.failure}"

    def put(self, page: Page, document: Document | None, ending: Ending) -> None:
        """Write both files, the second as the first has left it."""
        report, results = self.paths.get("report"), self.paths.get("results")
        if report is not None:
            self.write("report", report, lambda: (page.text(self.honest(ending)).encode(),))
        if results is not None and document is not None:
            self.write("results", results, lambda: document.pieces(self.honest(ending)))

    def write(self, name: str, path: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        """Write one of the two; where it cannot be, that of an earlier run must not stay to be taken for this one's."""
        self.kept.discard(name)
        if self.attempt(path, lambda: self.project.write(path, pieces())):
            self.kept.add(name)
        elif not self.begun:
            self.project.remove(path)

    def honest(self, ending: Ending) -> Ending:
        """The ending; no pass where something could not be written."""
        if self.failure is None or ending.status is not Status.PASS:
            return ending
        return replace(ending, status=Status.INCOMPLETE, reason=Reason.NOT_SAVED)

    def attempt(self, place: str, step: Callable[[], object]) -> bool:
        """Do a step; what kept it from being done is remembered, so that the run goes on."""
        try:
            step()
        except NotSaved as error:
            self.failure = self.failure or error.problems[0]
        except OSError as error:
            self.failure = self.failure or Problem(place, 0, 0, f"cannot be written: {error.strerror or error}")
        else:
            return True
        return False

    def lines(self) -> Iterator[str]:
        """What was written, and where."""
        for name in ("report", "results"):
            if name in self.kept:
                yield f"{name} written to {self.paths[name]}"
        if "traces" in self.paths:
            yield f"{many(self.traces, 'trace')} written to {self.paths['traces']}"


def input_of(project: Project, path: str) -> str:
    """What a JSON file holds that a run may be judged by, in a word or two; nothing of any other file."""
    if project.kind(path) != "file" or not path.lower().endswith(".json"):
        return ""
    try:
        data = project.read(path, OBSERVATIONS_BYTES)
        found = {} if SCHEMA.encode() in data[:HEAD] else json.loads(data.decode("utf-8-sig"))
    except (InvalidInput, ValueError, RecursionError):
        return ""
    keys = found.keys() if isinstance(found, dict) else set()
    return next((thing for thing, marks in INPUTS.items() if marks <= keys), "")


def traces_read(report: Report) -> Iterator[str]:
    """The paths below the root of the traces and recordings that the scenarios are judged by."""
    for judged in report.scenarios:
        yield from sources_of(judged)


def sources_of(judged: Judged) -> Iterator[str]:
    """The file that a scenario is judged by, where it names one: as it was found, and wherever it may be meant."""
    scenario = judged.scenario
    if judged.source is not None:
        yield judged.source.path
    replayed = (scenario.input or {}).get("replay")
    named = replayed.get("trace") if isinstance(replayed, dict) else None
    if isinstance(named, str):
        beside = PurePosixPath(scenario.path or "").parent / named.strip()
        yield from (posixpath.normpath(named.strip()), posixpath.normpath(beside))
