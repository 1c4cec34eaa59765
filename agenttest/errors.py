"""What can be wrong with input or with saving: `Problem`, a place and words; and the error tree that carries them."""

from __future__ import annotations

from collections.abc import Iterable

from agenttest.model import Problem as Problem
from agenttest.model import Reason


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
