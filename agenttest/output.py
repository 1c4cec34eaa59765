"""Reports as they come → stdout, stderr or a file, and the call's exit code."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TextIO

from agenttest import report as reports
from agenttest.errors import AgentTestError, InvalidInput, NotSaved, Problem
from agenttest.files import Project
from agenttest.model import Status
from agenttest.quote import one_line
from agenttest.report import Report
from agenttest.reporters import reporter
from agenttest.reporters.text import Look, colour, plain, render

if TYPE_CHECKING:
    from agenttest.run import Result


class Output:
    """Where one call's reports go. Text is shown as it comes, JSON when all is done, a file is written whole at the end."""

    def __init__(self, project: Project, form: str, target: str | None = None) -> None:
        self.project, self.form, self.target = project, form, target
        self.path: str | None = None
        self.texts: list[str] = []
        self.unwritten: str | None = None

    def check(self) -> None:
        """Raise InvalidInput where the target cannot be written, before anything is run."""
        if self.target is None:
            return
        path = self.project.relative(self.target)
        for part in [PurePosixPath(path), *PurePosixPath(path).parents][:-1]:
            kind, wanted = self.project.kind(str(part)), "file" if str(part) == path else "folder"
            if kind not in (wanted, "nothing"):
                said = f"cannot hold the report: {part} is a {kind}; name a plain file behind plain folders"
                raise InvalidInput(Problem(self.target, 0, 0, said))
        self.path = path

    def show(self, report: Report) -> None:
        """One finished report."""
        if self.form == "json":
            self.texts.append(reporter("json")(report))
        elif self.path is not None:
            self.texts.append(render(report))
        if report.suite is None and (self.form == "json" or self.path is not None):
            self.say(sys.stderr, "".join(f"{one_line(str(problem))}\n" for problem in report.problems))
        elif self.form != "json" and self.path is None:
            stream = sys.stderr if report.suite is None else sys.stdout
            self.say(stream, render(report, look(stream, self.prefix())))

    def say(self, stream: TextIO, text: str) -> None:
        """Write at once. Where that fails, say so at the end: a run goes on, and its verdict is kept."""
        try:
            stream.write(text)
            stream.flush()
        except OSError as error:
            self.unwritten = self.unwritten or f"output not written: {error.strerror}"

    def prefix(self) -> str:
        """The project root as seen from the working directory."""
        seen = os.path.relpath(self.project.root)
        return "" if seen == "." else seen + "/"

    def refuse(self, error: AgentTestError) -> int:
        """Say what keeps the call from beginning; exit code 2."""
        report = reports.invalid("", error.problems, error.reason)
        try:
            self.check()
        except AgentTestError:
            self.path = None  # the target is what is wrong
        self.show(report)
        self.deliver("\n".join(self.texts))
        return self.end(report.status)

    def close(self, result: Result) -> int:
        """Write what was kept, and the last lines; the exit code, which is 2 where a pass could not be written."""
        several = len(self.texts) > 1 and self.form == "json"
        self.deliver(joined(result, self.texts) if several else "\n".join(self.texts))
        if self.form != "json" and result.several:
            self.say(sys.stdout, "".join(f"{line}\n" for line in last_lines(result, self.prefix())))
        return self.end(result.status)

    def deliver(self, text: str) -> None:
        """The kept text in its file, or as JSON on stdout."""
        if self.path is None:
            self.say(sys.stdout, text if self.form == "json" else "")
            return
        try:
            self.project.write(self.path, text.encode())
        except NotSaved as error:
            self.unwritten = f"report not written: {error}"
            return
        if self.form != "json":
            self.say(sys.stdout, f"report written to {one_line(self.path)}\n")

    def end(self, status: Status) -> int:
        """The exit code; what could not be written turns a pass into 2 and is said on stderr."""
        if self.unwritten is None:
            return status.exit_code
        self.say(sys.stderr, f"agenttest: {one_line(self.unwritten)}\n")
        return 1 if status is Status.FAIL else 2


def last_lines(result: Result, prefix: str) -> Iterator[str]:
    """For several suites: their common verdict and how to replay them."""
    yield f"all suites: {result.status} ({result.reason}, exit {result.status.exit_code})"
    if result.directory is not None:
        run = prefix + result.directory
        yield f"saved in {one_line(run)}"
        yield f"replay: agenttest replay {one_line(shlex.quote(run))}"


def look(stream: TextIO, prefix: str) -> Look:
    """Colour on a terminal only, and not where NO_COLOR asks for none (no-color.org)."""
    coloured = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Look(colour if coloured else plain, prefix)


def joined(result: Result, texts: list[str]) -> str:
    """Several reports as one document, `{kind, reason, runs, status}`."""
    ends = {"kind": reports.KIND, "reason": result.reason}
    head = ",\n".join(f"  {json.dumps(key)}: {json.dumps(str(value))}" for key, value in ends.items())
    runs = ",\n".join(text.rstrip("\n") for text in texts)
    return f'{{\n{head},\n  "runs": [\n{runs}\n],\n  "status": "{result.status}"\n}}\n'
