"""`agenttest gates`: a saved run decided again, or suites judged first → a line for each gate, and the verdict."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agenttest.call import Result
from agenttest.commands.asked import live_asked
from agenttest.commands.place import checked, is_run, newest, placed, project_of, result_of
from agenttest.commands.sink import Sink
from agenttest.commands.testing import judged
from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.files import Project
from agenttest.gates import Asked
from agenttest.model import Filters, Status, Verdict
from agenttest.reporters.gatelines import render
from agenttest.settings import Limits

ONLY_RUNS = ("observations", "scenario", "tag", "risk", "min_risk", "shard", "no_artifacts")


def gates(options: argparse.Namespace) -> int:
    """Decide: exit 0 pass, 1 violation, 2 incomplete, as where a run is not of the files as they are now."""
    here = Path.cwd()
    try:
        run = run_of(options, here)
    except AgentTestError as error:
        return Sink(Project.at(here), options, render, options.suites, options.suites).refuse(error)
    return judged(options, render) if run is None else decided(options, run)


def run_of(options: argparse.Namespace, here: Path) -> Path | None:
    """The saved run that is meant; None where suites are to be judged first."""
    flags, runs = run_flags(options), [Path(word) for word in options.suites if is_run(Path(word))]
    if runs and len(options.suites) > 1:
        raise InvalidInput(Problem(str(runs[0]), 0, 0, "is a saved run; name it alone, or suites to judge"))
    if runs and flags:
        said = f"cannot be combined with the saved run {runs[0]}; what was seen in it is seen, so name its suites"
        raise InvalidInput(Problem(flags[0], 0, 0, said))
    if runs or options.suites or flags:
        return runs[0] if runs else None
    try:
        return newest(here)
    except InvalidInput:
        return None


def run_flags(options: argparse.Namespace) -> list[str]:
    """The flags that were given and that say how suites are judged."""
    limits = Limits()
    given = [name for name in ONLY_RUNS if getattr(options, name)] + list(live_asked(options).given())
    given += [name for name in ("max_scenarios", "max_seconds") if getattr(options, name) != getattr(limits, name)]
    return [f"--{name.replace('_', '-')}" for name in given]


def decided(options: argparse.Namespace, run: Path) -> int:
    """A saved run decided again."""
    from agenttest.recall import recall
    from agenttest.standing import decide_again

    project, asked = project_of(run), asked_of(options)
    sink = Sink(project, options, render, closed=[str(run)])
    try:
        saved = checked(run).saved
        suites = [entry["suite"] for entry in saved.get("children", (saved,))]
        sink = Sink(project, options, render, suites, [*suites, str(run)])
        sink.check()
    except AgentTestError as error:
        return sink.refuse(error)
    sink.begin()
    verdicts = []
    for each in recall(run):
        report = decide_again(project, each, asked)
        verdicts.append(report.verdict)
        sink.show(placed(report, run, project))
    return sink.close(worst(result_of(saved, run, project), verdicts))


def asked_of(options: argparse.Namespace) -> Asked:
    """What is asked of the decision."""
    return Asked(filters=Filters(partial=options.partial), strict=options.strict, lint=options.lint)


def worst(saved: Result, verdicts: Sequence[Verdict]) -> Result:
    """How the run ends by what was decided now."""
    status = Status.worst(verdict.status for verdict in verdicts)
    reason = next(verdict.reason for verdict in verdicts if verdict.status is status)
    return replace(saved, status=status, reason=reason)
