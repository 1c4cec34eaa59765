"""The flags of `agenttest test` → the project, the suites and the settings that they ask for."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.live import Asked
from agenttest.live import live as live_of
from agenttest.model import Filters, Risk
from agenttest.quote import quote
from agenttest.settings import Limits, Settings, shard


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
