"""Reports as they come → stdout, stderr or a file, and the call's exit code."""

from __future__ import annotations

import json
import os
import sys
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TextIO

from agenttest import report as reports
from agenttest.errors import AgentTestError, InvalidInput, NotSaved, Problem
from agenttest.files import Project
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
        if self.form != "json" and (self.path is None or report.suite is None):
            self.print(report)
        elif report.suite is None:
            sys.stderr.write("".join(f"{one_line(str(problem))}\n" for problem in report.problems))

    def print(self, report: Report) -> None:
        """Text on the terminal: what was judged on stdout, what could not be on stderr."""
        stream = sys.stderr if report.suite is None else sys.stdout
        stream.write(render(report, look(stream, self.prefix())))
        stream.flush()

    def prefix(self) -> str:
        """The project root as seen from the working directory."""
        seen = os.path.relpath(self.project.root)
        return "" if seen == "." else seen + "/"

    def refuse(self, error: AgentTestError) -> int:
        """Say what keeps the call from beginning; exit code 2."""
        report = reports.invalid("", error.problems, error.reason)
        try:
            if self.target is not None and self.path is None:
                self.check()
        except AgentTestError:
            self.path = None
        self.show(report)
        self.deliver("\n".join(self.texts))
        return report.status.exit_code

    def close(self, result: Result) -> int:
        """Write what was kept, and the last lines; the exit code of the result, or 2 where a pass could not be written."""
        if len(self.texts) > 1 and self.form == "json":
            delivered = self.deliver(joined(result, self.texts))
        else:
            delivered = self.deliver("\n".join(self.texts))
        if self.form != "json":
            self.last_lines(result)
        return result.status.exit_code if delivered or result.status.exit_code else 2

    def deliver(self, text: str) -> bool:
        """The kept text in its file, or as JSON on stdout."""
        if self.path is None:
            sys.stdout.write(text if self.form == "json" else "")
            sys.stdout.flush()
            return True
        try:
            self.project.write(self.path, text.encode())
        except NotSaved as error:
            sys.stderr.write(f"report not written: {error}\n")
            return False
        if self.form != "json":
            sys.stdout.write(f"report written to {one_line(self.path)}\n")
        return True

    def last_lines(self, result: Result) -> None:
        """For several suites: their common verdict and how to replay them."""
        if result.directory is None or not result.several:
            return
        run = self.prefix() + result.directory
        sys.stdout.write(f"all suites: {result.status} ({result.reason}, exit {result.status.exit_code})\n")
        sys.stdout.write(f"saved in {one_line(run)}\nreplay: agenttest replay {one_line(run)}\n")


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

