"""A step's live inputs → whom it may ask and within which limits, with a problem for each input that is not right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agenttest import live as lives
from agenttest.errors import InvalidInput, Problem
from agenttest.github.context import Context
from agenttest.github.given import WITH, Number, number, on, problem, text
from agenttest.live import Asked
from agenttest.quote import quote
from agenttest.settings import Limits, Live

INTEGERS, DECIMALS = ("concurrency", "max-tokens"), ("timeout-seconds", "wait-for-endpoint", "max-seconds")
SWITCHES = ("allow-contract-endpoint", "allow-isolated", "allow-remote", "allow-untrusted-head")
NAMES = ("endpoint", "auth-env", "ca-file", "model", *INTEGERS, *DECIMALS, *SWITCHES)
FLAG = re.compile(rf"--({'|'.join(NAMES)})\b")  # as the command line names what an input is
RUNNERS_OWN = ("ACTIONS_", "GITHUB_", "INPUT_", "RUNNER_")  # the first letters of what the runner sets itself


@dataclass(frozen=True, slots=True)
class LiveInputs:
    """Whom to ask, None where nobody is to be asked or may be; the limits of any run; and all that is wrong."""

    live: Live | None
    limits: Limits
    problems: tuple[Problem, ...]


def read(context: Context) -> LiveInputs:
    """The live inputs of action.yml, with the token that the variable named by one of them holds."""
    numbers = [
        *(number(context, name, int) for name in INTEGERS),
        *(number(context, name, float) for name in DECIMALS),
    ]
    asked, limits = asked_of(context), limits_of(context)
    problems = [
        *(found for found in numbers if isinstance(found, Problem)),
        *recorded(context, asked),
        *bounds(asked, limits),
        *runners_own(asked),
    ]
    try:
        live = lives.live(replace(asked, auth_env=None) if runners_own(asked) else asked, context.variables, WITH)
    except InvalidInput as error:
        return LiveInputs(None, limits, (*problems, *error.problems))
    return LiveInputs(None if problems else live, limits, tuple(problems))


def asked_of(context: Context) -> Asked:
    """The live inputs as they were given; of a number that is none nothing."""
    return Asked(
        endpoint=text(context, "endpoint"),
        auth_env=text(context, "auth-env"),
        ca_file=text(context, "ca-file"),
        model=text(context, "model"),
        timeout_seconds=known(number(context, "timeout-seconds", float)),
        concurrency=known(number(context, "concurrency", int)),
        wait_for_endpoint=known(number(context, "wait-for-endpoint", float)),
        allow_contract_endpoint=on(context, "allow-contract-endpoint"),
        allow_isolated=on(context, "allow-isolated"),
        allow_remote=on(context, "allow-remote"),
    )


def limits_of(context: Context) -> Limits:
    """The limits of a run; those that are not given are the command line's."""
    limits = Limits()
    seconds, tokens = known(number(context, "max-seconds", float)), known(number(context, "max-tokens", int))
    limits = limits if seconds is None else replace(limits, max_seconds=seconds)
    return limits if tokens is None else replace(limits, max_tokens=tokens)


def known(found: Number | Problem | None) -> Number | None:
    """The number, where it is one."""
    return None if isinstance(found, Problem) else found


def bounds(asked: Asked, limits: Limits) -> Iterator[Problem]:
    """Every number that is out of its bounds."""
    yield from limits.problems(WITH)
    concurrency = 1 if asked.concurrency is None else asked.concurrency
    live = Live(
        timeout_seconds=asked.timeout_seconds, concurrency=concurrency, wait_seconds=asked.wait_for_endpoint or 0.0
    )
    yield from live.problems(WITH)


def recorded(context: Context, asked: Asked) -> Iterator[Problem]:
    """A recording and an agent that is asked do not go together."""
    given = [name.replace("_", "-") for name in asked.given()]
    if given and text(context, "observations"):
        said = f"cannot be combined with observations; a recording needs no endpoint, so leave {', '.join(given)} out"
        yield problem(given[0], said)


def runners_own(asked: Asked) -> Sequence[Problem]:
    """The variables that the runner sets hold the job's own tokens, which no agent gets."""
    name = asked.auth_env or ""
    if not name.upper().startswith(RUNNERS_OWN):
        return ()
    right = "give the token a variable of its own, such as AGENT_TOKEN"
    return (problem("auth-env", f"names {quote(name, 60)}, which is the runner's own; {right}"),)


def worded(told: Problem) -> Problem:
    """A problem in the words of the command line, in those of a workflow."""
    flag = FLAG.fullmatch(told.path)
    message = FLAG.sub(lambda found: found[1] + ": true" * (found[1] in SWITCHES), told.message)
    return replace(told, path=WITH.format(flag[1]) if flag else told.path, message=message)
