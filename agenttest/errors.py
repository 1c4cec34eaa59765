"""What can be wrong with input or with saving: `Problem`, a place and words; and the error tree that carries them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agenttest.model import Reason


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong: where (line and column from 1, 0 for the whole file), what is, what would be right."""

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class AgentTestError(Exception):
    """Root of what agenttest raises: `problems`, all of them at once, and the `reason` of the run that ends so."""

    reason = Reason.INTERNAL

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class InvalidInput(AgentTestError):
    """A suite, an observations file or a setting is not what it should be."""

    reason = Reason.INVALID_INPUT


class NotSaved(AgentTestError):
    """Evidence or a report could not be written."""

    reason = Reason.NOT_SAVED
