"""Reports as they come → stdout, stderr or a file, and the call's exit code."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from agenttest import report as reports
from agenttest.errors import AgentTestError, InvalidInput, NotSaved, Problem
from agenttest.files import Project, from_here
from agenttest.github import commands
from agenttest.model import Judged, Status
from agenttest.quote import one_line
from agenttest.report import Ending, Report
from agenttest.reporters import COLLECTORS, collector, reporter
from agenttest.reporters.progress import Progress, width
from agenttest.reporters.text import Look, colour, plain, render
from agenttest.targets import inside, obstacle, overwriting

if TYPE_CHECKING:
    from agenttest.call import Result

STARTS = re.compile(r"^(\s*)::", re.M)
SHOWS_COLOUR = {"WT_SESSION", "TERM", "ANSICON"}
COLUMNS = 80  # of a terminal that does not tell


class Output:
    """Where one call's reports go: text is shown as it comes, JSON when all is done, a file is written at the end."""

    def __init__(self, project: Project, form: str, target: str | None = None, inputs: Iterable[str] = ()) -> None:
        self.project, self.form, self.target, self.inputs = project, form, target, tuple(inputs)
        self.path: str | None = None
        self.texts: list[str] = []
        self.whole = collector(form) if form in COLLECTORS else None
        self.closed: tuple[str, ...] = ()  # folders that nothing is written into, below the root
        self.words: Callable[[Report, Look], str] = render  # what text says of one report
        self.notes: list[str] = []  # lines of what else was written
        self.only: Report | None = None  # while there is one report alone, as one has a page of its own
        self.reports = 0
        self.used: set[TextIO] = set()
        self.unwritten: str | None = None
        self.far, self.columns = Progress(), 0  # that the line of progress takes, while one is shown

    def check(self) -> None:
        """Raise InvalidInput where the target cannot be written, or is an input, before anything is run."""
        if self.target is None:
            return
        path = self.project.relative(self.target)
        said = obstacle(self.project, path) or overwriting(self.project, path, self.inputs)
        said = said or inside(path, self.closed)
        if said:
            raise InvalidInput(Problem(self.target, 0, 0, f"cannot hold the report: {said}"))
        self.path = path

    def show(self, report: Report) -> None:
        """One finished report."""
        if self.whole is not None:
            self.whole.add(replace(report, directory=None))  # where no page lies that could be linked
            self.reports += 1
            self.only = report if self.reports == 1 else None
        elif self.form == "json":
            self.texts.append(reporter("json")(report))
        elif self.path is not None:
            self.texts.append(self.words(report, Look()))
        aside = report.suite is None and (self.later or self.path is not None)
        told = report.problems if aside else (*self.absent(report), *(report.suite.problems if report.suite else ()))
        if told:
            self.say(sys.stderr, "".join(f"{one_line(str(problem))}\n" for problem in told))
        if not aside and not self.later and self.path is None:
            stream = sys.stderr if report.suite is None else sys.stdout
            self.say(stream, self.gap(stream) + self.words(report, look(stream, self.prefix())))

    def absent(self, report: Report) -> Iterator[Problem]:
        """That a folder is not there, which is a suite without scenarios all the same."""
        if report.suite is not None and report.suite.files == () and self.project.kind(report.path) == "nothing":
            yield Problem(report.path, 0, 0, "does not exist; check the path")

    def progress(self, judged: Judged, number: int, count: int) -> None:
        """How far a live run is, in one line that is written over and over; for people on a terminal alone."""
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self.rewrite(self.far.line(judged, number, count, columns_of(sys.stderr)))

    def rewrite(self, line: str) -> None:
        """Show a line in place of the line of progress, which an empty one takes away. No run depends on it."""
        if line or self.columns:
            rest = " " * (self.columns - width(line))
            with suppress(OSError):
                sys.stderr.write(f"\r{line}{rest}" if line else f"\r{rest}\r")
                sys.stderr.flush()
            self.columns = width(line)

    @property
    def later(self) -> bool:
        """Whether nothing is shown before all is done."""
        return self.whole is not None or self.form == "json"

    def say(self, stream: TextIO, text: str, calm: Callable[[str], str] = commands.inert) -> None:
        """Write at once. Where that fails, say so at the end: a run goes on, and its verdict is kept."""
        self.rewrite("")
        try:
            stream.write(text if stream.isatty() else calm(text))
            stream.flush()
        except OSError as error:
            self.unwritten = self.unwritten or f"output not written: {error.strerror}"

    def gap(self, stream: TextIO) -> str:
        """An empty line between what is said on a stream and what was said before."""
        before = stream in self.used
        self.used.add(stream)
        return "\n" * before

    def prefix(self) -> str:
        """The project root as seen from the working directory."""
        seen = from_here(self.project.root)
        return "" if seen == "." else seen + "/"

    def refuse(self, error: AgentTestError) -> int:
        """Say what keeps the call from beginning; exit code 2."""
        report = reports.invalid("", error.problems, error.reason)
        with suppress(AgentTestError):  # else the target is what is wrong
            self.check()
        self.show(report)
        self.deliver(self.text(reports.ending(report)))
        return self.end(report.status)

    def close(self, result: Result) -> int:
        """Write what was kept, and the last lines; the exit code, which is 2 where a pass could not be written."""
        as_one = result.several and self.form == "json"
        ending = Ending(result.status, result.reason, result.directory, result.evidence_digest)
        self.deliver(joined(result, self.texts) if as_one else self.text(ending))
        written = self.path is not None and self.form != "json" and self.unwritten is None
        if written or (not self.later and self.path is None and result.several):
            lines = (f"{line}\n" for line in last_lines(result, self.prefix()))
            self.say(sys.stdout, self.gap(sys.stdout) + "".join(lines))
        if self.notes and self.form != "json" and (self.path is not None or not self.later):
            self.say(sys.stdout, "".join(self.notes))
        return self.end(result.status)

    def text(self, ending: Ending) -> str:
        """What was kept until all was done."""
        if self.whole is None:
            return "\n".join(self.texts)
        return reporter(self.form)(self.only) if self.only else self.whole.text(ending)

    def deliver(self, text: str) -> None:
        """The kept text in its file or on stdout."""
        if self.path is None and self.target is not None and self.whole is not None:
            return  # the target is what is wrong, and a page in its place would hide that
        if self.path is None:
            self.say(sys.stdout, text, CALMS.get(self.form, commands.inert))
            return
        try:
            self.project.write(self.path, text.encode())
        except NotSaved as error:
            self.unwritten = f"report not written: {error}"
            return
        if self.form != "json":
            self.say(sys.stdout, f"report written to {one_line(self.path)}\n")

    def miss(self, what: str | None) -> None:
        """Remember something else that could not be written, if anything; the first is said at the end."""
        self.unwritten = self.unwritten or what

    def end(self, status: Status) -> int:
        """The exit code; what could not be written turns a pass into 2 and is said on stderr."""
        self.rewrite("")
        if self.unwritten is None:
            return status.exit_code
        self.say(sys.stderr, f"agenttest: {one_line(self.unwritten)}\n")
        return 1 if status is Status.FAIL else 2


def inert_markup(text: str) -> str:
    """HTML or XML that says the same to its reader, and has no word in it that a workflow's log obeys."""
    return STARTS.sub(r"\1&#58;:", text.replace("##[", "##&#91;"))


def inert_json(text: str) -> str:
    """JSON that says the same to its reader, and has no word in it that a workflow's log obeys."""
    return text.replace("##[", "#\\u0023[")


CALMS = {"json": inert_json, "results": inert_json, "sarif": inert_json, "html": inert_markup, "junit": inert_markup}


def last_lines(result: Result, prefix: str) -> Iterator[str]:
    """Of several suites, or of a report that went elsewhere: the verdict, and how to replay the run."""
    whose = "all suites: " if result.several else ""
    yield f"{whose}{result.status} ({result.reason}, exit {result.status.exit_code})"
    if result.directory is not None:
        run = prefix + result.directory
        yield f"saved in {one_line(run)}"
        yield f"replay: agenttest replay {one_line(shlex.quote(run))}"


def columns_of(stream: TextIO) -> int:
    """How many columns of a terminal can be written to without a second line."""
    try:
        return (os.get_terminal_size(stream.fileno()).columns or COLUMNS) - 1
    except OSError:
        return COLUMNS - 1


def look(stream: TextIO, prefix: str) -> Look:
    """Colour on a terminal only, and not where NO_COLOR asks for none (no-color.org).

    A console of Windows shows escapes as they are, unless it is a terminal that says so.
    """
    asked = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    shows = os.name != "nt" or not SHOWS_COLOUR.isdisjoint(os.environ)
    coloured = stream.isatty() and shows and not asked
    return Look(colour if coloured else plain, prefix)


def joined(result: Result, texts: list[str]) -> str:
    """Several reports as one document, `{kind, reason, runs, status}`."""
    ends = {"kind": reports.KIND, "reason": result.reason}
    head = ",\n".join(f"  {json.dumps(key)}: {json.dumps(str(value))}" for key, value in ends.items())
    runs = ",\n".join(text.rstrip("\n") for text in texts)
    return f'{{\n{head},\n  "runs": [\n{runs}\n],\n  "status": "{result.status}"\n}}\n'
