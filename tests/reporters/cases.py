"""The cases of tests/cases → the reports that each of their commands makes, and those in one file."""

import contextlib
import io
import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from agenttest.cli import main
from agenttest.model import Reason, Status
from agenttest.output import Output
from agenttest.report import Ending, Report, ending
from agenttest.reporters import junit, sarif

HERE = Path(__file__).parents[1] / "cases"
CASES = sorted(path.parent.name for path in HERE.glob("*/command"))
FILES: dict[str, Callable[[], sarif.Log | junit.Results]] = {"sarif": sarif.Log, "xml": junit.Results}


def reports_of(name: str, desk: Path) -> list[list[Report]]:
    """The reports of each command of a case, whose project is copied to `desk`."""
    shutil.copytree(HERE / name, desk, ignore=shutil.ignore_patterns("command", "stdout", "stderr", "exit"))
    found: list[list[Report]] = []
    show = Output.show

    def noting(output: Output, report: Report) -> None:
        found[-1].append(report)
        show(output, report)

    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(desk):
        patch.setattr(Output, "show", noting)
        for command in (HERE / name / "command").read_text().splitlines():
            found.append([])
            run(shlex.split(command))
    return [reports for reports in found if reports]


def run(words: list[str]) -> None:
    """One command of a case, which prints nothing."""
    if words[0] == "cd":
        os.chdir(words[1])
        return
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main(words[1:])


def file_of(reports: list[Report], form: str) -> str:
    """All reports of a command in one file."""
    made = FILES[form]()
    for report in reports:
        made.add(report)
    return made.text(last(reports))


def last(reports: list[Report]) -> Ending:
    """How a call with these reports ends."""
    if len(reports) == 1:
        return ending(reports[0])
    return Ending(Status.worst(report.status for report in reports), Reason.INVALID_INPUT)
