"""A judged scenario → what a test's report says of it, and the failure that it is where it does not pass."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.model import Status
from agenttest.plugin.cases import Told
from agenttest.plugin.wording import headline, text
from agenttest.quote import one_line


class ScenarioFailure(AssertionError):
    """A scenario that does not pass; its text says why and where."""

    __module__ = "builtins"  # so that pytest calls it by its name alone
    incomplete: str | None = None

    def __init__(self, told: Told) -> None:
        self.told = told
        super().__init__(text(told))


class ScenarioIncomplete(ScenarioFailure):
    """A scenario that cannot be decided; `incomplete` says in short why."""

    __module__ = "builtins"

    def __init__(self, told: Told) -> None:
        super().__init__(told)
        self.incomplete = headline(told.judged)


def checked(told: Told) -> Told:
    """The same, or the failure that it is."""
    __tracebackhide__ = True
    if told.judged.status is Status.FAIL:
        raise ScenarioFailure(told)
    if told.judged.status is Status.INCOMPLETE:
        raise ScenarioIncomplete(told)
    return told


def properties(told: Told) -> Iterator[tuple[str, str]]:
    """What a report carries of it, to JUnit XML and to the gates: `assertions` are their statuses in order, `steps` the
    number of those in its trace, where it has one."""
    scenario, seen = told.judged.scenario, told.judged.observation
    yield "scenario_id", one_line(scenario.id)
    if scenario.risk is not None:
        yield "risk", scenario.risk.value
    yield "status", told.judged.status.value
    yield "evidence", told.provenance.mode
    yield "assertions", " ".join(outcome.status.value for outcome in told.judged.outcomes)
    if seen is not None and seen.steps is not None:
        yield "steps", str(len(seen.steps))
