"""A step of a workflow → its exit code: what its inputs ask for is done, and whatever happens, the runner is told."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

from agenttest import modes, streams
from agenttest.call import Result
from agenttest.errors import AgentTestError, Problem
from agenttest.github import context as contexts
from agenttest.github import envfiles, given, inputs
from agenttest.github.context import Context
from agenttest.github.log import Log
from agenttest.github.privileges import give_up_root
from agenttest.model import Reason
from agenttest.signals import interruptible
from agenttest.step import Step, closing, outputs


def main() -> int:
    """Run the step. Exit 0 pass, 1 violation, 2 incomplete, as far as `fail-on` lets it; 2 for a fault of our own.

    A step that replays runs exits 0 where they are valid, 1 where one is not, 2 where one cannot be read.
    """
    streams.prepare()
    context = contexts.read(os.environ, Path.cwd())
    asked = inputs.read(context)
    contexts.forget_secrets(os.environ, given.text(context, "auth-env"))
    step = Step(Log(sys.stdout), asked, context)
    output = envfiles.opened("GITHUB_OUTPUT", context.output)
    summary = envfiles.opened("GITHUB_STEP_SUMMARY", context.step_summary)
    result = judge(step, context)
    step.log.say(closing(result, step.exit_code(result), replayed=step.validity is not None))
    for write in (step.publish, step.annotate, partial(step.summarize, summary), step.explain):
        try:
            write(result)
        except Exception as error:
            result = step.fault(error, result)
    told = {**outputs(result), **step.publisher.outputs(saved=result.directory is not None)}
    if not envfiles.write_outputs(output, told):
        return step.exit_code(result) or 2
    return streams.flushed(step.exit_code(result))


def judge(step: Step, context: Context) -> Result:
    """Do what the inputs ask for, as the workspace's owner; whatever happens, there is a result."""
    try:
        return performed(step, context)
    except AgentTestError as error:
        return step.ended(error.problems, error.reason)
    except KeyboardInterrupt as error:
        step.cancelled = True
        said = f"the run was interrupted by {error or 'a signal'}; what was judged until then counts"
        return step.ended([Problem("", 0, 0, said)], Reason.INTERRUPTED)
    except Exception as error:
        return step.fault(error)


def performed(step: Step, context: Context) -> Result:
    """What the inputs ask for, done; a run that a signal ends has a result all the same."""
    with interruptible() as cancellation:
        give_up_root(context.workspace)
        result = modes.perform(step, context, cancellation)
    step.cancelled = bool(cancellation.came)
    return result


if __name__ == "__main__":
    sys.exit(main())
