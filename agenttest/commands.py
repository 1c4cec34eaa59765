"""What each command of the command line does, from its flags to its exit code."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.files import Project
from agenttest.live import Asked
from agenttest.live import live as live_of
from agenttest.model import Filters, Risk, Status
from agenttest.output import Output, inert_json
from agenttest.quote import quote
from agenttest.report import Report
from agenttest.settings import RUN_DIRECTORY, Limits, Settings, shard

if TYPE_CHECKING:
    from agenttest.run import Result


def test(options: argparse.Namespace) -> int:
    """Judge suites: exit 0 pass, 1 violation, 2 incomplete or invalid."""
    from agenttest.run import run

    here, read = Project.at(Path.cwd()), [options.observations] if options.observations else []
    output = Output(here, options.format, options.output, (*options.suites, *read))
    try:
        project, suites = located(here, options.suites)
        output = Output(project, options.format, options.output, (*suites, *read))
        output.check()
        settings = settings_of(options, suites)
    except AgentTestError as error:
        return output.refuse(error)
    if settings.live is not None:
        return output.close(live(project, settings, output))
    return output.close(run(project, settings, output.show))


def live(project: Project, settings: Settings, output: Output) -> Result:
    """A run that asks an agent: its progress is shown, and a signal ends it with whatever was seen kept."""
    from agenttest.run import Watch, run
    from agenttest.signals import interruptible

    with interruptible(again=True) as cancellation:
        return run(project, settings, output.show, Watch(output.progress, cancellation))


def located(here: Project, suites: list[str]) -> tuple[Project, tuple[str, ...]]:
    """The project and its suites: those named, in the working directory; or the one found here or above."""
    from agenttest.discovery import find

    if suites:
        return here, tuple(name for given in suites for name in named(here, given))
    found, names = find(Project(Path(here.base.anchor), here.base))
    return Project.at(found.base), names


def named(project: Project, given: str) -> list[str]:
    """The suites of one word, which is a path or, where the shell has left it, a pattern; no recording is one."""
    from agenttest import gathering
    from agenttest.github import globs

    if not globs.is_pattern(given) or os.path.lexists(project.base / given) or Path(given).is_absolute():
        return [given]
    found = gathering.suites(project.base, given)
    if not found:
        raise InvalidInput(Problem(given, 0, 0, "matches no file; check the pattern"))
    return found


def settings_of(options: argparse.Namespace, suites: tuple[str, ...]) -> Settings:
    """The settings that the flags ask for; InvalidInput where they do not go together."""
    asked = live_asked(options)
    given = [f"--{name.replace('_', '-')}" for name in asked.given()]
    if given and options.observations is not None:
        said = f"cannot be combined with --observations; a recording needs no endpoint, so leave {', '.join(given)} out"
        raise InvalidInput(Problem(given[0], 0, 0, said))
    limits = Limits(options.max_scenarios, options.max_seconds, options.max_tokens)
    return Settings(
        suites=suites,
        observations=options.observations,
        scenarios=tuple(options.scenario),
        filters=filters_of(options),
        strict=options.strict,
        lint=options.lint,
        shard=None if options.shard is None else shard(options.shard),
        limits=limits,
        artifacts=not options.no_artifacts,
        live=live_of(asked, os.environ),
    )


def filters_of(options: argparse.Namespace) -> Filters:
    """The filters that the flags ask for; InvalidInput where a list of tags is blank, or a word is no risk."""
    tags = tuple(tuple(word.strip() for word in given.split(",") if word.strip()) for given in options.tag)
    if () in tags:
        raise InvalidInput(Problem("--tag", 0, 0, "is blank; give one tag, or several with commas between them"))
    risks = {name: risk_of(f"--{name.replace('_', '-')}", getattr(options, name)) for name in ("risk", "min_risk")}
    return Filters(tags, **risks, partial=options.partial)


def risk_of(flag: str, given: str | None) -> Risk | None:
    """The risk of a flag's word."""
    try:
        return None if given is None else Risk.of(given)
    except ValueError:
        right = ", ".join(risk.lower() for risk in Risk)
        raise InvalidInput(Problem(flag, 0, 0, f"is {quote(given)}; give one of {right}")) from None


def live_asked(options: argparse.Namespace) -> Asked:
    """The live flags as they were given."""
    return Asked(**{name: getattr(options, name) for name in Asked.__slots__})


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


def newest(here: Path) -> Path:
    """The run that was begun last, here or above; InvalidInput where there is none."""
    from agenttest.runs import NAME

    for folder in (here, *here.parents):
        runs = folder / RUN_DIRECTORY
        entries = list(os.scandir(runs)) if runs.is_dir() else []
        if found := [entry for entry in entries if NAME.fullmatch(entry.name) and entry.is_dir()]:
            return runs / max(found, key=begun).name
    raise InvalidInput(Problem("", 0, 0, f"no saved run in {RUN_DIRECTORY}, here or above; name a run directory"))


def begun(run: os.DirEntry[str]) -> tuple[str, int]:
    """When a run was begun: its name says the second, the folder's own time the rest."""
    return run.name.partition("-")[0], run.stat().st_mtime_ns


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
