"""`agenttest replay`, `report` and `merge`: saved runs → whether they hold, what they say, and one of many."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path, PurePosixPath

from agenttest.commands.place import checked, newest, placed, result_of
from agenttest.commands.sink import folders
from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.files import Project
from agenttest.model import Status
from agenttest.output import Output, inert_json
from agenttest.report import Report
from agenttest.settings import Settings


def replay(options: argparse.Namespace) -> int:
    """Check a saved run: exit 0 valid, 1 not valid or unfinished, 2 it cannot be read."""
    from agenttest import replay as replaying
    from agenttest.reporters.text import render

    output, as_json = Output(Project.at(Path.cwd()), options.format), options.format == "json"

    def show(report: Report) -> None:
        if not as_json:
            output.say(sys.stdout, render(report) + "\n")

    try:
        found = replaying.replay(newest(Path.cwd()) if options.run is None else Path(options.run), show)
    except AgentTestError as error:
        return output.refuse(error)
    if as_json:
        output.say(sys.stdout, replaying.as_json(found), inert_json)
    else:
        output.say(sys.stdout, replaying.as_text(found))
    return output.end(Status.PASS if found.valid else Status.FAIL)


def merge(options: argparse.Namespace) -> int:
    """Join saved runs: exit 0 pass, 1 violation, 2 incomplete, as where a shard is missing."""
    from agenttest.merge import merge as merging

    here = Project.at(Path.cwd())
    output = Output(here, options.format)
    try:
        settings = Settings(()) if options.output is None else saved_as(here, options.output)
    except AgentTestError as error:
        return output.refuse(error)
    return output.close(merging(here, settings, [Path(run) for run in options.runs], output.show))


def saved_as(project: Project, given: str) -> Settings:
    """Settings that save in a new run directory of this path; InvalidInput where something is there."""
    path = PurePosixPath(project.relative(given))
    if project.kind(str(path)) != "nothing":
        raise InvalidInput(Problem(given, 0, 0, "is there already; name a new directory"))
    return Settings((), run_directory="" if path.parent.name == "" else str(path.parent), run_name=path.name)


def report(options: argparse.Namespace) -> int:
    """Show a saved run in any format: the exit code of its verdict, or 2 where it is not valid."""
    from agenttest.recall import recall

    here = Project.at(Path.cwd())
    output = Output(here, options.format, options.output)
    try:
        run = newest(Path.cwd()) if options.run is None else Path(options.run)
        output = Output(here, options.format, options.output, [str(run)])
        output.closed = tuple(folders(here, [str(run)]))
        output.check()
        found = checked(run)
    except AgentTestError as error:
        return output.refuse(error)
    for each in recall(run):
        output.show(placed(each.report, run, here))
    return output.close(result_of(found.saved, run, here))
