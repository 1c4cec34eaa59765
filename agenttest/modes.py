"""What the inputs of a step ask for → the run, the replay or the merge that they mean, and its result."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path

from agenttest import discovery, gathering, replay
from agenttest.call import Result, Watch
from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.github import globs
from agenttest.github.context import Context
from agenttest.github.given import problem
from agenttest.github.heads import distrusted
from agenttest.github.inputs import Inputs, Mode
from agenttest.merge import merge
from agenttest.model import Reason, Status
from agenttest.quote import quote
from agenttest.report import digest_of
from agenttest.run import run
from agenttest.runs import VIEWS
from agenttest.settings import Live, Settings
from agenttest.signals import Cancellation
from agenttest.step import Step

EVERYTHING = ("/**/*", "/**")  # what a pattern ends with that means a folder with all that is in it


def perform(step: Step, context: Context, cancellation: Cancellation) -> Result:
    """Do what the step's mode says; InvalidInput with all that is wrong with the inputs."""
    step.project = workspace(context, step.asked)
    if step.asked.mode is Mode.TEST:
        return test(step, context, step.project, cancellation)
    modes = {Mode.REPLAY: replay_runs, Mode.MERGE: merge_runs}
    return modes[step.asked.mode](step, context, step.project)


def workspace(context: Context, asked: Inputs) -> Project:
    """The workspace, with the working directory as the folder that paths start from."""
    project = Project.at(context.workspace)
    if not project.root.is_dir():
        raise InvalidInput(Problem("", 0, 0, f"the workspace {context.workspace} is no folder; check the job's set-up"))
    folder = Path(os.path.realpath(project.root / within(context, asked.working_directory)))
    if not os.path.isdir(folder) or not folder.is_relative_to(project.root):
        said = f"is {quote(asked.working_directory)}, which is no folder of the workspace"
        raise InvalidInput(problem("working-directory", said))
    return Project(project.root, folder)


def within(context: Context, name: str) -> str:
    """A path as given; an absolute one below the workspace is written as the workspace really is, without links."""
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(context.workspace):
        return str(context.workspace.resolve() / path.relative_to(context.workspace))
    return name


def test(step: Step, context: Context, project: Project, cancellation: Cancellation) -> Result:
    """Judge the suites that the inputs name; without any, those that are found here."""
    asked = step.asked
    suites = named(context, asked, project, "suite", asked.suites)
    if not suites:
        project, found = discovery.find(project)
        suites = list(found)
    stranger = distrusted(context, project, below(project, suites)) if asked.live and not asked.untrusted_head else None
    if stranger:
        raise InvalidInput(stranger)
    settings = Settings(
        suites=tuple(suites),
        observations=within(context, asked.observations) if asked.observations else None,
        scenarios=asked.scenarios,
        filters=asked.filters,
        strict=asked.strict,
        lint=asked.lint,
        run_directory=within(context, asked.run_directory),
        views=tuple(VIEWS),
        limits=asked.limits,
        shard=asked.shard,
        live=live(context, asked, project),
    )
    return run(project, settings, step.show, Watch(step.progress, cancellation))


def below(project: Project, names: Sequence[str]) -> Iterator[str]:
    """Suites as paths below the root; those that lie elsewhere are told when they are run."""
    for name in names:
        with suppress(InvalidInput):
            yield project.relative(name)


def live(context: Context, asked: Inputs, project: Project) -> Live | None:
    """Whom to ask, with the path of a CA file as the process sees it."""
    if asked.live is None or asked.live.ca_file is None:
        return asked.live
    return replace(asked.live, ca_file=str(project.base / within(context, asked.live.ca_file)))


def merge_runs(step: Step, context: Context, project: Project) -> Result:
    """Join the runs that the inputs name."""
    settings = Settings((), run_directory=within(context, step.asked.run_directory), views=tuple(VIEWS))
    return merge(project, settings, saved_runs(step, context, project), step.show)


def replay_runs(step: Step, context: Context, project: Project) -> Result:
    """Check the runs that the inputs name; of those that are valid, the result is the saved one."""
    found: list[replay.Replay] = []
    broken: list[Problem] = []
    for place in saved_runs(step, context, project):
        try:
            found.append(replay.replay(place, step.recall))
        except InvalidInput as error:
            broken += error.problems
        else:
            step.log.say(replay.as_text(found[-1]).rstrip())
    issues = [
        Problem(each.run, 0, 0, issue.message) for one in found for each in replay.every(one) for issue in each.issues
    ]
    step.validity = 2 if broken else 1 if issues else 0
    if broken or issues:
        return step.ended([*broken, *issues], Reason.INVALID_INPUT)
    return recalled(step, found)


def recalled(step: Step, found: Sequence[replay.Replay]) -> Result:
    """The saved result of valid runs: the worst of them."""
    status = Status.worst(Status(each.saved["status"]) for each in found)
    reason = next(Reason(each.saved["reason"]) for each in found if each.saved["status"] == status)
    digests = [each.saved["evidence_digest"] for each in found]
    digest = digests[0] if len(digests) == 1 else digest_of(digests)
    return Result(status, reason, dict(step.summary.scenarios), None, None, digest)


def saved_runs(step: Step, context: Context, project: Project) -> list[Path]:
    """The places that `runs` names, as they are seen from the working directory of the process."""
    asked = step.asked
    names = named(context, asked, project, "runs", [folder_of(line) for line in asked.runs])
    if not names:
        right = f"is empty; mode {asked.mode} needs the saved runs, or the ZIPs of them"
        raise InvalidInput(problem("runs", right))
    return [Path(os.path.relpath(project.base / name)) for name in names]


def folder_of(line: str) -> str:
    """A line that names everything in a folder names the folder."""
    return next((line.removesuffix(end) for end in EVERYTHING if line.endswith(end)), line)


def named(context: Context, asked: Inputs, project: Project, name: str, given: Sequence[str]) -> list[str]:
    """All that an input's lines name, each once; InvalidInput with all that is wrong with the inputs."""
    run_directory = within(context, asked.run_directory)
    found = {line: matching(project, within(context, line), run_directory, asked.mode) for line in given}
    nothing = (f"{quote(line)} matches no file; check the pattern" for line, names in found.items() if not names)
    problems = [*asked.problems, *(problem(name, said) for said in nothing)]
    if problems:
        raise InvalidInput(problems)
    return list(dict.fromkeys(chain.from_iterable(found.values())))


def matching(project: Project, given: str, run_directory: str, mode: Mode) -> list[str]:
    """What one line names: a path as it is, or all that match a pattern and may be what the mode is about."""
    if not globs.is_pattern(given) or os.path.lexists(project.base / given):
        return [given]
    path = Path(given)
    absolute = path.is_absolute() and path.is_relative_to(project.root)
    base, pattern = (project.root, path.relative_to(project.root).as_posix()) if absolute else (project.base, given)
    leave_out = [project.base / run_directory]
    found = gathering.suites(base, pattern, leave_out) if mode is Mode.TEST else runs(base, pattern)
    return [str(base / name) if absolute else name for name in found]


def runs(base: Path, pattern: str) -> list[str]:
    """What a pattern finds that may be a saved run: folders and ZIPs or, where there are none, whatever there is."""
    found = globs.expand(base, pattern, folders=True)
    return [name for name in found if name.lower().endswith(".zip") or os.path.isdir(base / name)] or found
