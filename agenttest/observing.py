"""A suite and the settings → what is seen in each of its scenarios: recalled from a file, or asked of an agent."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from agenttest import discovery, suites
from agenttest.errors import InvalidInput, Problem
from agenttest.evidence import OUT_OF_TIME, Lost
from agenttest.files import Project
from agenttest.model import Observed, Provenance, Scenario, Seen, Suite
from agenttest.settings import OBSERVATIONS_BYTES, Live, Settings
from agenttest.sources import normalized
from agenttest.sources.origins import asks, origin
from agenttest.sources.replayed import Shelf
from agenttest.sources.written import written

if TYPE_CHECKING:
    from agenttest.redaction import Redaction


@dataclass(frozen=True, slots=True)
class Call:
    """What all suites of a call share: `deadline` is on the monotonic clock, `cancelled` gains the name of a signal
    that came."""

    project: Project
    settings: Settings
    deadline: float
    cancelled: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What a suite is judged by: one thing seen for each scenario, in their order, and read only once.

    `redaction`, where there is one, takes out of what was judged whatever must not be kept.
    """

    provenance: Provenance
    seen: Iterator[Seen | Lost]
    redaction: Redaction | None = None


def recorded(call: Call, suite: Suite, chosen: Sequence[Scenario]) -> Sight:
    """The recorded observations that belong to the suite; InvalidInput where there are none, or no valid ones."""
    name = discovery.observations_of(call.project, suite.path, call.settings.observations)
    ids = {scenario.id for scenario in suite.scenarios}
    observed = normalized.load(name, call.project.read(name, OBSERVATIONS_BYTES), ids)
    return Sight(observed.provenance, recalled(observed, chosen, call.deadline))


def told(call: Call, suite: Suite, chosen: Sequence[Scenario], selected: Sequence[Scenario]) -> Sight:
    """What scenario files say of their evidence, each in its own way; `selected` are those of all shards.

    InvalidInput where a recording is given as well, or where the agent may not be asked.
    """
    if call.settings.observations is not None:
        said = "holds scenarios, which name their evidence themselves; leave --observations out"
        raise InvalidInput(Problem(suite.path, 0, 0, said))
    live = call.settings.live
    if live is not None and live.endpoint is not None and asks(selected):
        return told_live(call, live, suite, chosen, selected)
    redaction = None if live is None or live.token is None else unasking(suite, live.token)
    return Sight(origin(suite, selected, None), each(call, chosen), redaction)


def told_live(call: Call, live: Live, suite: Suite, chosen: Sequence[Scenario], selected: Sequence[Scenario]) -> Sight:
    """The same where some scenarios are to be judged by what a live agent answers."""
    from agenttest.redaction import Redaction
    from agenttest.sources import endpoint

    agent = endpoint.opened(suite, live, call.settings.limits, call.deadline)
    answers = endpoint.answers(agent, [s for s in chosen if asks([s])], live, call.deadline, call.cancelled)
    redaction = Redaction.of(suite, live.token, agent.target.address.texts, suites.changed, partial(written, live=True))
    return Sight(origin(suite, selected, agent.provenance.endpoint), each(call, chosen, answers), redaction)


def unasking(suite: Suite, token: str) -> Redaction:
    """What keeps the token of a call out of a suite that asks nobody; InvalidInput where it stands in the suite."""
    from agenttest.redaction import Redaction, stuck

    found = Redaction.of(suite, token, (), suites.changed, partial(written, live=False))
    if found.suite is not suite:
        raise stuck(suite, found.redactor)
    return found


def each(
    call: Call, chosen: Sequence[Scenario], answers: Generator[Seen | Lost, None, None] | None = None
) -> Iterator[Seen | Lost]:
    """What is seen of each scenario, in order; after the deadline, or a signal, the rest has no evidence."""
    shelf = Shelf(call.project)
    with nullcontext() if answers is None else closing(answers):
        for scenario in chosen:
            if answers is not None and asks([scenario]):
                yield next(answers)
            else:
                yield ended(call) or read(scenario, shelf)


def ended(call: Call) -> Lost | None:
    """What has ended the run, if anything has."""
    if call.cancelled:
        from agenttest.sources.endpoint.pool import interrupted

        return interrupted(call.cancelled[0])
    return OUT_OF_TIME if time.monotonic() > call.deadline else None


def read(scenario: Scenario, shelf: Shelf) -> Seen:
    """What the scenario's file, or the one that it names, tells of it."""
    found = written(scenario, live=False)
    return shelf.seen(scenario) if found is None else Seen(found)


def recalled(observed: Observed, chosen: Sequence[Scenario], deadline: float) -> Iterator[Seen | Lost]:
    """The observation of each scenario; after the deadline the rest has no evidence."""
    for scenario in chosen:
        late = time.monotonic() > deadline
        yield OUT_OF_TIME if late else Seen(observed.observations.get(scenario.id))


def answered(call: Call, live: Live, suite: Suite, chosen: Sequence[Scenario]) -> Sight:
    """The answers of a live agent, which is asked as they are read; InvalidInput where it may not be asked."""
    from agenttest.redaction import Redaction
    from agenttest.sources import endpoint

    agent = endpoint.opened(suite, live, call.settings.limits, call.deadline)
    redaction = Redaction.of(suite, live.token, agent.target.address.texts, suites.changed)
    return Sight(agent.provenance, endpoint.answers(agent, chosen, live, call.deadline, call.cancelled), redaction)
