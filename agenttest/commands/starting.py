"""`agenttest demo`, `init` and `schema`: what is there before the first suite is."""

from __future__ import annotations

import argparse
import shlex
import sys
from difflib import get_close_matches
from pathlib import Path

from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.files import Project
from agenttest.github.commands import inert
from agenttest.output import Output
from agenttest.quote import one_line

KINDS = ("contract", "scenarios")


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
    """Write a starter: a contract, or scenarios."""
    here = Project.at(Path.cwd())
    try:
        kind, path = asked(options)
        said, suite = (scenarios if kind == "scenarios" else contract)(here, path, options)
    except AgentTestError as error:
        return Output(here, "text").refuse(error)
    named = f" {shlex.quote(suite)}" if suite else ""
    sys.stdout.write("".join(f"{inert(one_line(line))}\n" for line in [*said, f"next: agenttest test{named}"]))
    return 0


def contract(here: Project, path: str | None, options: argparse.Namespace) -> tuple[list[str], str]:
    """What is said of a contract that is written, and what names it."""
    from agenttest.suites.starters import DEFAULT, WORKFLOW, write

    written = write(here, path, force=options.force, workflow=options.workflow)
    return [f"wrote {name}" for name in written], "" if written[0] in (DEFAULT, WORKFLOW) else written[0]


def scenarios(here: Project, path: str | None, options: argparse.Namespace) -> tuple[list[str], str]:
    """What is said of each scenario file, and what names them all."""
    from agenttest.suites.starters.scenarios import folder_path, write

    folder = folder_path(here, path)
    written = write(here, folder, force=options.force, workflow=options.workflow)
    why = {"skipped": " (is there already; --force rewrites it)"}
    return [f"{word} {name}{why.get(word, '')}" for word, name in written], folder


def asked(options: argparse.Namespace) -> tuple[str, str | None]:
    """The kind of starter and where it goes: `init`, `init KIND`, `init PATH` and `init KIND PATH` all name them."""
    given = [word for word in (options.kind, options.path, options.path_flag) if word is not None]
    kind, paths = (given[0], given[1:]) if given[:1] and given[0] in KINDS else (KINDS[0], given)
    if paths and kind == KINDS[0] and (meant := get_close_matches(paths[0], KINDS, n=1, cutoff=0.8)):
        raise InvalidInput(Problem("init", 0, 0, f"does not know {paths[0]!r}; did you mean {meant[0]!r}?"))
    if len(paths) > 1:
        right = f"write: agenttest init [{'|'.join(KINDS)}] [PATH]"
        raise InvalidInput(Problem("init", 0, 0, f"does not know {' '.join(given)!r}; {right}"))
    return kind, paths[0] if paths else None


def schema(options: argparse.Namespace) -> int:
    """Print a JSON Schema."""
    from agenttest.documents.schema import text_of

    sys.stdout.write(text_of(options.name))
    return 0
