"""A step's `Context` → `Inputs`: every input as a value, and a problem for each word that means nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from agenttest.errors import Problem
from agenttest.github.context import Context
from agenttest.model import Status
from agenttest.quote import quote

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


class Strict(StrEnum):
    """Whether every failing scenario counts."""

    FALSE = "false"
    TRUE = "true"


Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the workflow asks for; where a word means nothing the default stands, and `problems` says so."""

    suites: tuple[str, ...]
    observations: str | None
    scenarios: tuple[str, ...]
    strict: bool
    fail_on: FailOn
    run_directory: str
    summary: Summary
    annotations: Annotations
    working_directory: str
    problems: tuple[Problem, ...]


def read(context: Context) -> Inputs:
    """The inputs of action.yml."""
    return Inputs(
        suites=lines(context, "suite"),
        observations=context.input("observations"),
        scenarios=lines(context, "scenario"),
        strict=word(context, "strict", Strict.FALSE) is Strict.TRUE,
        fail_on=word(context, "fail-on", FailOn.INCOMPLETE),
        run_directory=context.input("run-directory") or RUN_DIRECTORY,
        summary=word(context, "summary", Summary.AUTO),
        annotations=word(context, "annotations", Annotations.AUTO),
        working_directory=context.input("working-directory") or ".",
        problems=tuple(unknown_words(context)),
    )


def lines(context: Context, name: str) -> tuple[str, ...]:
    """An input of one value a line, without blank lines."""
    given = context.input(name) or ""
    return tuple(line.strip() for line in given.splitlines() if line.strip())


def word(context: Context, name: str, default: Word) -> Word:
    """An input that is one of a few words."""
    given = (context.input(name) or default).strip().lower()
    known = {str(choice): choice for choice in type(default)}
    return known.get(given, default)


def unknown_words(context: Context) -> Iterator[Problem]:
    """A problem for each word that is none of those that its input may be."""
    words: dict[str, type[StrEnum]] = {
        "strict": Strict,
        "fail-on": FailOn,
        "summary": Summary,
        "annotations": Annotations,
    }
    for name, choices in words.items():
        given = context.input(name)
        if given is not None and given.strip().lower() not in {str(choice) for choice in choices}:
            right = ", ".join(repr(str(choice)) for choice in choices)
            yield problem(name, f"is {quote(given)}; should be one of {right}")


def problem(name: str, said: str) -> Problem:
    """A problem of an input, named as the workflow writes it."""
    return Problem(f"with: {name}", 0, 0, said)
