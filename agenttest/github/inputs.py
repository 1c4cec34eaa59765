"""A step's `Context` → `Inputs`: every input as a value, and a problem for each word that means nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from agenttest import settings
from agenttest.errors import InvalidInput, Problem
from agenttest.github import liveinputs, selecting
from agenttest.github.artifact import name_problem
from agenttest.github.context import Context
from agenttest.github.given import Switch, lines, on, problem, text, word
from agenttest.model import Filters, Shard, Status
from agenttest.quote import one_line, quote
from agenttest.settings import Limits, Live

RUN_DIRECTORY = "agent-test-runs"  # visible, as upload-artifact and globs pass over hidden folders


class FailOn(StrEnum):
    """Which verdicts turn the step red."""

    INCOMPLETE = "incomplete"
    FAIL = "fail"
    NEVER = "never"

    def exit_code(self, status: Status) -> int:
        """The step's exit code: the verdict's, or 0 where the verdict may not turn the step red."""
        red = {FailOn.INCOMPLETE: {Status.FAIL, Status.INCOMPLETE}, FailOn.FAIL: {Status.FAIL}, FailOn.NEVER: set()}
        return status.exit_code if status in red[self] else 0


class Summary(StrEnum):
    """How much the job summary shows."""

    AUTO = "auto"
    FAILURES = "failures"
    NEVER = "never"


class Annotations(StrEnum):
    """Whether the contract's lines are annotated."""

    AUTO = "auto"
    NEVER = "never"


class Lint(StrEnum):
    """What a scenario that proves little is: a warning, or an error."""

    WARN = "warn"
    ERROR = "error"


class Mode(StrEnum):
    """What the step does."""

    TEST = "test"
    REPLAY = "replay"
    MERGE = "merge"


class When(StrEnum):
    """How much something is wanted: where it can be done, with a complaint where it cannot, or not at all."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


MOST_DAYS = 90
TESTED = (
    "suite",
    "observations",
    "scenario",
    *selecting.NAMES,
    "shard",
    *liveinputs.NAMES,
)  # of no use but to judge contracts


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the workflow asks for; where a word means nothing the default stands, and `problems` says so."""

    mode: Mode
    suites: tuple[str, ...]
    observations: str | None
    scenarios: tuple[str, ...]
    filters: Filters
    strict: bool
    lint: str
    shard: Shard | None
    live: Live | None
    limits: Limits
    untrusted_head: bool
    runs: tuple[str, ...]
    fail_on: FailOn
    run_directory: str
    summary: Summary
    annotations: Annotations
    comment: When
    check_run: bool
    upload_artifact: When
    artifact_name: str | None
    retention_days: int | None
    working_directory: str
    matrix: str
    problems: tuple[Problem, ...]


def read(context: Context) -> Inputs:
    """The inputs of action.yml, but for the job's own token."""
    live, selected = liveinputs.read(context), selecting.read(context)
    shard, days, name = told_shard(context), told_days(context), told_name(context)
    told = [each for each in (shard, days, name, told_run_directory(context)) if isinstance(each, Problem)]
    return Inputs(
        mode=word(context, "mode", Mode.TEST),
        suites=lines(context, "suite"),
        observations=context.input("observations"),
        scenarios=lines(context, "scenario"),
        filters=selected.filters,
        strict=on(context, "strict"),
        lint=str(word(context, "lint", Lint.WARN)),
        shard=None if isinstance(shard, Problem) else shard,
        live=live.live,
        limits=live.limits,
        untrusted_head=on(context, "allow-untrusted-head"),
        runs=lines(context, "runs"),
        fail_on=word(context, "fail-on", FailOn.INCOMPLETE),
        run_directory=context.input("run-directory") or RUN_DIRECTORY,
        summary=word(context, "summary", Summary.AUTO),
        annotations=word(context, "annotations", Annotations.AUTO),
        comment=word(context, "comment", When.AUTO),
        check_run=on(context, "check-run"),
        upload_artifact=word(context, "upload-artifact", When.AUTO),
        artifact_name=None if isinstance(name, Problem) else name,
        retention_days=None if isinstance(days, Problem) else days,
        working_directory=context.input("working-directory") or ".",
        matrix=context.input("internal-matrix") or "",
        problems=(*unknown_words(context), *told, *selected.problems, *live.problems, *misplaced(context)),
    )


def told_shard(context: Context) -> Shard | Problem | None:
    """The part of the scenarios that is asked for, or what is wrong with it."""
    try:
        return settings.shard(context.input("shard") or "1/1", "with: shard")
    except InvalidInput as error:
        return error.problems[0]


def told_days(context: Context) -> int | Problem | None:
    """For how many days the artifact is to be kept, or what is wrong with that."""
    given = (context.input("retention-days") or "").strip()
    if not given:
        return None
    days = int(given) if re.fullmatch("[0-9]{1,3}", given) else 0
    right = f"is {quote(given)}; give a number from 1 to {MOST_DAYS}, or nothing for what the repository says"
    return days if 1 <= days <= MOST_DAYS else problem("retention-days", right)


def told_name(context: Context) -> str | Problem | None:
    """What the artifact is to be called, or what is wrong with that, before there is anything to upload."""
    name = (context.input("artifact-name") or "").strip()
    wrong = name_problem(name) if name else None
    return problem("artifact-name", wrong) if wrong else name or None


def told_run_directory(context: Context) -> Problem | None:
    """What is wrong with the run directory's name, which is an output that workflows use as it stands."""
    given = context.input("run-directory") or ""
    if given == one_line(given):
        return None
    return problem("run-directory", f"is {quote(given)}; should hold no line end, tab or unseen character")


def misplaced(context: Context) -> Iterator[Problem]:
    """A problem for each input that the mode has no use for: what it asks for would not be done, and nobody told."""
    mode = word(context, "mode", Mode.TEST)
    modes = {"runs": {Mode.MERGE, Mode.REPLAY}, **{name: {Mode.TEST} for name in TESTED}}
    for name, wanted in modes.items():
        if mode not in wanted and is_given(context, name):
            right = " or ".join(sorted(wanted))
            yield problem(name, f"is given, and mode {mode} has no use for it; leave it out, or set mode: {right}")
    if mode is Mode.REPLAY and word(context, "upload-artifact", When.AUTO) is When.ALWAYS:
        yield problem("upload-artifact", "is 'always', and mode replay saves nothing to upload; leave it out")


def is_given(context: Context, name: str) -> bool:
    """Whether an input asks for anything."""
    return on(context, name) if name in (*liveinputs.SWITCHES, *selecting.SWITCHES) else bool(text(context, name))


def unknown_words(context: Context) -> Iterator[Problem]:
    """A problem for each word that is none of those that its input may be."""
    words: dict[str, type[StrEnum]] = {
        "mode": Mode,
        "strict": Switch,
        "lint": Lint,
        "fail-on": FailOn,
        "summary": Summary,
        "annotations": Annotations,
        "comment": When,
        "check-run": Switch,
        "upload-artifact": When,
        **dict.fromkeys((*liveinputs.SWITCHES, *selecting.SWITCHES), Switch),
    }
    for name, choices in words.items():
        given = context.input(name)
        if given is not None and given.strip().lower() not in {str(choice) for choice in choices}:
            right = ", ".join(repr(str(choice)) for choice in choices)
            yield problem(name, f"is {quote(given)}; should be one of {right}")
