"""The reports of one call → everywhere they are asked for: a stream or a file, and what is left in the project."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.files import Project
from agenttest.output import Output
from agenttest.quote import one_line
from agenttest.report import Ending, Report
from agenttest.reporters.text import Look
from agenttest.targets import below

if TYPE_CHECKING:
    from agenttest.call import Result
    from agenttest.records import Records

Words = Callable[[Report, Look], str]


class Sink:
    """Takes reports one by one; what cannot be written costs a pass, and never hides a violation."""

    def __init__(
        self,
        project: Project,
        options: argparse.Namespace,
        words: Words,
        inputs: Iterable[str] = (),
        closed: Iterable[str] = (),
    ) -> None:
        self.output = Output(project, options.format, options.output, inputs)
        self.output.words = words
        self.output.closed = tuple(folders(project, closed))
        self.records = records_of(project, options, self.output)

    def check(self) -> None:
        """Raise InvalidInput where something cannot be written, or is an input, before anything is run."""
        problems: list[Problem] = []
        for place in (self.output, self.records):
            try:
                if place is not None:
                    place.check()
            except InvalidInput as error:
                problems += error.problems
        if problems:
            raise InvalidInput(problems)

    def begin(self) -> None:
        """Let no file of an earlier run stand for this one."""
        if self.records is not None:
            self.records.begin()

    def show(self, report: Report) -> None:
        """One finished report."""
        if self.records is not None:
            self.records.add(report)
        self.output.show(report)

    def refuse(self, error: AgentTestError) -> int:
        """Say everywhere what keeps the call from beginning; exit code 2."""
        if self.records is not None:
            self.output.miss(self.records.refuse(error))
        return self.output.refuse(error)

    def close(self, result: Result) -> int:
        """Write what is written at the end; the exit code."""
        if self.records is not None:
            ending = Ending(result.status, result.reason, result.directory, result.evidence_digest)
            self.output.miss(self.records.finish(ending))
            self.output.notes += [f"{one_line(line)}\n" for line in self.records.lines()]
        return self.output.close(result)


def folders(project: Project, names: Iterable[str]) -> Iterator[str]:
    """Those of some paths that are of folders below the root, as a folder of scenarios is."""
    found = (below(project, name) for name in names)
    yield from (name for name in found if name is not None and project.kind(name) == "folder")


def records_of(project: Project, options: argparse.Namespace, output: Output) -> Records | None:
    """What is to be left in the project, if anything."""
    if (options.report, options.results, options.trace_dir) == (None, None, None):
        return None
    from agenttest.records import Places, Records

    places = Places(options.report, options.results, options.trace_dir)
    return Records(project, places, output)
