"""Reports → notes at the suites' lines, and of these the annotations that GitHub shows: ten of a level and step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import PurePosixPath

from agenttest.errors import Problem
from agenttest.github.commands import Level, annotation
from agenttest.model import Gate, Json, Judged, Outcome, Reason, Status
from agenttest.quote import clip, one_line, quote
from agenttest.report import Report
from agenttest.reporters.causes import causes, violations
from agenttest.reporters.gating import remedy, shallow_matters, unexplained
from agenttest.reporters.standing import FREE, file_of, grave, named, stakes, tolerated, unkept, unread
from agenttest.reporters.standing import warnings as warned

MOST = 9  # the tenth says how many there are besides
VALUE, LONG_VALUE = 500, 4000
TITLES = {Status.FAIL: "violated", Status.INCOMPLETE: "not proven"}

Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Note:
    """What is said at a place of a file; `title` holds no word of an agent's, `details` what is too long for more."""

    message: str
    path: str
    line: int
    column: int
    title: str
    details: str = ""


@dataclass(slots=True)
class Notes:
    """Of one level: the first of each cause, some others of the same causes, and a count of all."""

    level: Level
    most: int = MOST
    count: int = 0
    causes: set[str] = field(default_factory=set)
    firsts: list[tuple[int, Note]] = field(default_factory=list)
    others: list[tuple[int, Note]] = field(default_factory=list)

    def add(self, cause: str, note: Callable[[], Note]) -> None:
        """Count one; make it and keep it only where it may still be shown."""
        self.count += 1
        kept = self.others if cause in self.causes else self.firsts
        if len(self.firsts) < self.most and len(kept) < self.most:
            self.causes.add(cause)
            kept.append((self.count, note()))

    @property
    def shown(self) -> list[Note]:
        """At most as many as there may be, in order: each cause comes before any cause comes twice."""
        chosen = [*self.firsts, *self.others][: self.most]
        return [note for _, note in sorted(chosen, key=lambda kept: kept[0])]


def render(report: Report) -> str:
    """One report's annotations, a line each."""
    annotations = Annotations()
    annotations.add(report)
    return annotations.text()


def plain(path: str, line: int) -> Place | None:
    """The place in a file, if the path is one as GitHub takes it: relative, with nothing in it to be resolved."""
    parts = PurePosixPath(path).parts
    odd = path != "/".join(parts) or path != one_line(path) or "\\" in path or ": " in path or path.startswith("-")
    return None if odd or not parts or {"..", "/"} & set(parts) else (path, max(1, line))


class Annotations:
    """Takes reports one by one; `locate` gives the file and line where GitHub may show something, or None.

    Of each level `most` are kept, and one line says how many there are besides.
    """

    def __init__(self, locate: Callable[[str, int], Place | None] = plain, most: int = MOST) -> None:
        self.locate = locate
        self.notes = {level: Notes(level, most) for level in Level}
        self.own: dict[Level, list[str]] = {level: [] for level in Level}

    def add(self, report: Report) -> None:
        """Note what is wrong with one suite. What does not break the suite's verdict is only a warning."""
        before = self.count
        self.problems(report)
        for judged, outcome in chain(violated(report), unproven(report)):
            self.outcome(judged, outcome, report)
        self.gates(report)
        if report.status is not Status.PASS and self.count == before:
            level = Level.ERROR if report.status is Status.FAIL else Level.WARNING
            note = Note(f"{report.status}: {report.verdict.reason}", report.path, 1, 0, "")
            self.notes[level].add("", lambda: note)

    def problems(self, report: Report) -> None:
        """Note what kept a suite, or a file of it, from being judged, or from being saved."""
        reasons = [*((each, report.verdict.reason) for each in unkept(report))]
        reasons += [(each, Reason.INVALID_INPUT) for each in unread(report)]
        for problem, reason in reasons:
            self.notes[Level.ERROR].add(problem.message, partial(refused, problem, reason))

    def gates(self, report: Report) -> None:
        """Note the gates that nothing else explains, and the scenarios that prove little."""
        for gate in unexplained(report):
            level = Level.ERROR if gate.status is Status.FAIL else Level.WARNING
            self.notes[level].add(gate.message, partial(unheld, gate, report))
        level = Level.ERROR if shallow_matters(report) else Level.NOTICE
        for problem in warned(report):
            self.notes[level].add(problem.message, partial(shallow, problem))

    def outcome(self, judged: Judged, outcome: Outcome, report: Report) -> None:
        """Note one outcome that is not kept."""
        level = Level.ERROR if grave(report, judged, outcome) else Level.WARNING
        self.notes[level].add(outcome.message, partial(noted, judged, outcome, report))

    @property
    def count(self) -> int:
        """How much there is to be told of suites, without hints."""
        return self.notes[Level.ERROR].count + self.notes[Level.WARNING].count

    def tell(self, level: Level, message: str) -> None:
        """Say something of the step itself, which comes before all that is of a suite."""
        self.own[level].append(message)

    def forget(self) -> None:
        """Leave out all that is of a suite."""
        self.notes = {level: Notes(level) for level in Level}

    def text(self) -> str:
        """The annotations, errors first, a line each."""
        return "".join(f"{line}\n" for level in Level for line in self.lines(self.notes[level]))

    def lines(self, notes: Notes) -> Iterator[str]:
        """The annotations of one level, of which the last says what is not shown."""
        own = self.own[notes.level]
        yield from (annotation(notes.level, message) for message in own)
        shown = notes.shown[: max(0, notes.most - len(own))]
        yield from (self.line(notes.level, note) for note in shown)
        more = notes.count - len(shown)
        if more:
            yield annotation(notes.level, f"{more:,} more like these; see the job summary and the run directory")

    def line(self, level: Level, note: Note) -> str:
        """One annotation; without a place it says in words where it belongs."""
        place = self.locate(note.path, note.line)
        if place is None:
            where = f"{note.path}: " if note.path else ""
            return annotation(level, where + note.message, title=note.title)
        file, line = place
        column = note.column if line == note.line else None
        return annotation(level, note.message, file=file, line=line, column=column, title=note.title)


def violated(report: Report) -> Iterator[tuple[Judged, Outcome]]:
    """What is violated, each cause by itself."""
    for cause in violations(report):
        yield from cause.members


def unproven(report: Report) -> Iterator[tuple[Judged, Outcome]]:
    """What could not be proven: of a scenario's assertions that lack the same, only the first."""
    seen: set[tuple[str, str]] = set()
    for cause in causes(report.scenarios, Status.INCOMPLETE):
        for judged, outcome in cause.members:
            if (judged.scenario.id, outcome.message) not in seen:
                yield judged, outcome
            seen.add((judged.scenario.id, outcome.message))


def refused(problem: Problem, reason: Reason) -> Note:
    """What a problem says at its place."""
    return Note(problem.message, problem.path, problem.line, problem.column, reason.replace("-", " "))


def shallow(problem: Problem) -> Note:
    """What is said of a scenario that proves little."""
    return Note(problem.message, problem.path, problem.line, problem.column, "shallow scenario")


def unheld(gate: Gate, report: Report) -> Note:
    """A gate that does not hold, with what would make it hold."""
    hint = remedy(gate)
    said = f"{gate.message}\nto hold it: {hint}" if hint else gate.message
    return Note(said, report.path, 1, 0, f"gate {clip(one_line(gate.name), 100)}")


def noted(judged: Judged, outcome: Outcome, report: Report) -> Note:
    """What an outcome says at its assertion's line."""
    assertion, scenario = outcome.assertion, judged.scenario
    said, details = [outcome.message], ""
    if outcome.status is Status.FAIL:
        short, long = contrast(outcome, VALUE), contrast(outcome, LONG_VALUE)
        said, details = said + short, "\n".join(long) if long != short else ""
    elif outcome.remedy:
        said.append(f"to prove it: {outcome.remedy}")
    title = f"{clip(one_line(scenario.id), 100)}: {one_line(named(assertion))} {TITLES[outcome.status]}"
    title += f" ({why})" if (why := stakes_told(report, judged)) else ""
    return Note("\n".join(said), file_of(report, scenario), assertion.line, assertion.column, title, details)


def stakes_told(report: Report, judged: Judged) -> str:
    """What is at stake in a scenario of a file, and whether it fails no gate."""
    return ", ".join(filter(None, (stakes(judged.scenario), FREE if tolerated(report, judged) else "")))


def contrast(outcome: Outcome, limit: int) -> list[str]:
    """What was expected and what was observed, a line each."""
    return [f"expected: {value(outcome.assertion.wanted, limit)}", f"observed: {value(outcome.observed, limit)}"]


def value(found: Json, limit: int) -> str:
    """A value on one line."""
    return one_line(quote(found, limit))
