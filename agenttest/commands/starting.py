"""`agenttest demo`, `init` and `schema`: what is there before the first suite is."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.files import Project
from agenttest.output import Output


def demo(_: argparse.Namespace) -> int:
    """Show the bundled example."""
    from agenttest.demo import demo as bundled
    from agenttest.output import look
    from agenttest.reporters.text import render

    style = look(sys.stdout, "")
    for title, report in bundled():
        sys.stdout.write(f"{style.paint('bold', f'== {title}')}\n\n{render(report, style)}\n")
    sys.stdout.write("next: agenttest init   writes a contract and observations of your own to start from\n")
    return 0


def init(options: argparse.Namespace) -> int:
    """Write the starter."""
    from agenttest.suites.starters import DEFAULT, WORKFLOW, write

    here = Project.at(Path.cwd())
    try:
        written = write(here, starter_path(options), force=options.force, workflow=options.workflow)
    except AgentTestError as error:
        return Output(here, "text").refuse(error)
    sys.stdout.write("".join(f"wrote {name}\n" for name in written))
    suite = written[0]
    named = "" if suite in (DEFAULT, WORKFLOW) else f" {shlex.quote(suite)}"
    sys.stdout.write(f"next: agenttest test{named}\n")
    return 0


def starter_path(options: argparse.Namespace) -> str | None:
    """Where the starter goes: `init`, `init contract`, `init PATH` and `init contract PATH` all name it."""
    given = [word for word in (options.kind, options.path, options.path_flag) if word is not None]
    paths = given[1:] if given[:1] == ["contract"] else given
    if given[:1] == ["scenarios"] or len(paths) > 1:
        raise InvalidInput(
            Problem("init", 0, 0, f"does not know {' '.join(given)!r}; write: agenttest init [contract] [PATH]")
        )
    return paths[0] if paths else None


def schema(options: argparse.Namespace) -> int:
    """Print a JSON Schema."""
    from agenttest.documents.schema import text_of

    sys.stdout.write(text_of(options.name))
    return 0
