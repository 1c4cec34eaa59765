"""What became of it: `Outcome`, `Judged`, and the `Verdict` with its gates."""

from __future__ import annotations

from dataclasses import dataclass

from agenttest.model.seen import Exchange, Observation, Recording
from agenttest.model.status import Reason, Status
from agenttest.model.steps import Json
from agenttest.model.suite import Assertion, Scenario


@dataclass(frozen=True, slots=True)
class Outcome:
    """One assertion's result: `message` names the cause alone, `difference` is the first JSON path that differs."""

    assertion: Assertion
    status: Status
    message: str
    observed: Json = None
    difference: str | None = None
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A scenario with what was observed in it and one outcome for each of its assertions.

    `redacted` names the assertions that were decided on words which are not kept, as they hold a secret; `source` is
    the file that the observation was read from, where the scenario has one of its own.
    """

    scenario: Scenario
    observation: Observation | None
    outcomes: tuple[Outcome, ...]
    exchange: Exchange | None = None
    redacted: tuple[str, ...] = ()
    source: Recording | None = None

    @property
    def status(self) -> Status:
        """The worst of its outcomes."""
        return Status.worst(outcome.status for outcome in self.outcomes)

    @property
    def unanswered(self) -> bool:
        """Whether an agent was asked, and no answer came that shows anything."""
        return self.exchange is not None and self.observation is not None and self.observation.error is not None


@dataclass(frozen=True, slots=True)
class Gate:
    """One rule of policy, what became of it, and in words why."""

    name: str
    status: Status
    message: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What policy makes of an evaluation: every gate that was asked, and the worst of them."""

    status: Status
    reason: Reason
    gates: tuple[Gate, ...] = ()

    @property
    def unheld(self) -> tuple[str, ...]:
        """The names of the gates that do not hold."""
        return tuple(gate.name for gate in self.gates if gate.status is not Status.PASS)
