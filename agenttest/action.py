"""A step of a workflow → its exit code: the inputs become `Settings`, and whatever happens, the runner is told."""

from __future__ import annotations

import io
import os
import sys
from functools import partial
from itertools import chain
from pathlib import Path

from agenttest import discovery
from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.files import Project
from agenttest.github import context as contexts
from agenttest.github import envfiles, globs, inputs
from agenttest.github.context import Context
from agenttest.github.log import Log
from agenttest.github.privileges import give_up_root
from agenttest.github.signals import interruptible
from agenttest.model import Reason
from agenttest.quote import quote
from agenttest.run import Result, run
from agenttest.settings import Settings
from agenttest.step import Step, closing, outputs

RECORDING = ".observations.json"  # what lies beside a suite is no suite


def main() -> int:
    """Run the step. Exit 0 pass, 1 violation, 2 incomplete, as far as `fail-on` lets it; 2 for a fault of our own."""
    speak_utf8()
    context = contexts.read(os.environ, Path.cwd())
    contexts.forget_secrets(os.environ)
    asked = inputs.read(context)
    output = envfiles.opened("GITHUB_OUTPUT", context.output)
    summary = envfiles.opened("GITHUB_STEP_SUMMARY", context.step_summary)
    with Log(sys.stdout) as log:
        step = Step(log, asked, debugging=context.debug)
        result = judge(step, context)
        log.say(closing(result, exit_code(result, asked)))
    for write in (step.annotate, partial(step.summarize, summary)):
        try:
            write(result)
        except Exception as error:
            result = step.fault(error)
    step.explain()
    envfiles.write_outputs(output, outputs(result))
    return exit_code(result, asked)


def speak_utf8() -> None:
    """Whatever the locale is, the runner reads UTF-8; and nothing that is printed may raise."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def exit_code(result: Result, asked: inputs.Inputs) -> int:
    """The step's exit code, which no input can make 0 where our own code failed."""
    return 2 if result.reason is Reason.INTERNAL else asked.fail_on.exit_code(result.status)


def judge(step: Step, context: Context) -> Result:
    """Run every suite that the inputs name, as the workspace's owner; whatever happens, there is a result."""
    try:
        with interruptible():
            give_up_root(context.workspace)
            step.project = workspace(context, step.asked)
            project, settings = asked_for(context, step.asked, step.project)
            return run(project, settings, step.show)
    except AgentTestError as error:
        return step.ended(error.problems, error.reason)
    except KeyboardInterrupt as error:
        said = f"the run was interrupted by {error or 'a signal'}; what was judged until then counts"
        return step.ended([Problem("", 0, 0, said)], Reason.INTERRUPTED)
    except Exception as error:
        return step.fault(error)


def workspace(context: Context, asked: inputs.Inputs) -> Project:
    """The workspace, with the working directory as the folder that paths start from."""
    project = Project.at(context.workspace)
    if not project.root.is_dir():
        raise InvalidInput(Problem("", 0, 0, f"the workspace {context.workspace} is no folder; check the job's set-up"))
    folder = (project.root / within(context, asked.working_directory)).resolve()
    if not folder.is_dir() or not folder.is_relative_to(project.root):
        said = f"is {quote(asked.working_directory)}, which is no folder of the workspace"
        raise InvalidInput(inputs.problem("working-directory", said))
    return Project(project.root, folder)


def within(context: Context, name: str) -> str:
    """A path as given; an absolute one below the workspace is written as the workspace really is, without links."""
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(context.workspace):
        return str(context.workspace.resolve() / path.relative_to(context.workspace))
    return name


def asked_for(context: Context, asked: inputs.Inputs, project: Project) -> tuple[Project, Settings]:
    """The settings that the inputs mean, or all that is wrong with them; without suites, those that are found here."""
    run_directory = within(context, asked.run_directory)
    found = {given: named(project, within(context, given), run_directory) for given in asked.suites}
    nothing = (f"{quote(given)} matches no file; check the pattern" for given, names in found.items() if not names)
    problems = [*asked.problems, *(inputs.problem("suite", said) for said in nothing)]
    if problems:
        raise InvalidInput(problems)
    suites = tuple(dict.fromkeys(chain.from_iterable(found.values())))
    if not suites:
        project, suites = discovery.find(project)
    return project, Settings(
        suites=suites,
        observations=within(context, asked.observations) if asked.observations else None,
        scenarios=asked.scenarios,
        strict=asked.strict,
        run_directory=run_directory,
        views=("markdown",),
    )


def named(project: Project, given: str, run_directory: str) -> list[str]:
    """The suites that one line names: a path as it is, or all that match a pattern, but for recordings and runs."""
    if not globs.is_pattern(given) or os.path.lexists(project.base / given):
        return [given]
    absolute = given.startswith(f"{project.root}/")
    base, pattern = (project.root, given.removeprefix(f"{project.root}/")) if absolute else (project.base, given)
    found = globs.expand(base, pattern, [project.base / run_directory])
    return [str(base / name) if absolute else name for name in found if not name.endswith(RECORDING)]


if __name__ == "__main__":
    sys.exit(main())
