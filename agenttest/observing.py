"""A suite and the settings → what is seen in each of its scenarios: recalled from a file, or asked of an agent."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agenttest import discovery, suites
from agenttest.errors import InvalidInput, Problem
from agenttest.evidence import OUT_OF_TIME, Lost
from agenttest.files import Project
from agenttest.model import Observation, Observed, Provenance, Scenario, Seen, Suite
from agenttest.quote import quote
from agenttest.settings import OBSERVATIONS_BYTES, Live, Settings
from agenttest.sources import EXECUTORS, ORIGINS, normalized, scripted

if TYPE_CHECKING:
    from agenttest.redaction import Redaction


@dataclass(frozen=True, slots=True)
class Sight:
    """What a suite is judged by: one thing seen for each scenario, in their order, and read only once.

    `redaction`, where there is one, takes out of what was judged whatever must not be kept.
    """

    provenance: Provenance
    seen: Iterator[Seen | Lost]
    redaction: Redaction | None = None


def recorded(project: Project, settings: Settings, suite: Suite, chosen: Sequence[Scenario], deadline: float) -> Sight:
    """The recorded observations that belong to the suite; InvalidInput where there are none, or no valid ones."""
    name = discovery.observations_of(project, suite.path, settings.observations)
    ids = {scenario.id for scenario in suite.scenarios}
    observed = normalized.load(name, project.read(name, OBSERVATIONS_BYTES), ids)
    return Sight(observed.provenance, recalled(observed, chosen, deadline))


def told(settings: Settings, suite: Suite, chosen: Sequence[Scenario], deadline: float) -> Sight:
    """What scenario files say of their evidence, each in its own way."""
    if settings.observations is not None:
        said = "holds scenarios, which name their evidence themselves; leave --observations out"
        raise InvalidInput(Problem(suite.path, 0, 0, said))
    return Sight(Provenance(*ORIGINS["scripted"], suite.path, suite.digest), scripts(chosen, deadline))


def scripts(chosen: Sequence[Scenario], deadline: float) -> Iterator[Seen | Lost]:
    """What each scenario scripts; after the deadline the rest has no evidence."""
    for scenario in chosen:
        if time.monotonic() > deadline:
            yield OUT_OF_TIME
        elif scenario.executor == "scripted":
            yield Seen(scripted.observation(scenario))
        else:
            yield Seen(unknown(scenario))


def unknown(scenario: Scenario) -> Observation:
    """What is said where a scenario names a source that there is not."""
    said = f"there is no executor {quote(scenario.executor, 60)}; name one of {', '.join(EXECUTORS)}"
    return Observation(scenario.id, error=said)


def recalled(observed: Observed, chosen: Sequence[Scenario], deadline: float) -> Iterator[Seen | Lost]:
    """The observation of each scenario; after the deadline the rest has no evidence."""
    for scenario in chosen:
        late = time.monotonic() > deadline
        yield OUT_OF_TIME if late else Seen(observed.observations.get(scenario.id))


def answered(
    live: Live, settings: Settings, suite: Suite, chosen: Sequence[Scenario], deadline: float, cancelled: Sequence[str]
) -> Sight:
    """The answers of a live agent, which is asked as they are read; InvalidInput where it may not be asked."""
    from agenttest.redaction import Redaction
    from agenttest.sources import endpoint

    agent = endpoint.opened(suite, live, settings.limits, deadline)
    redaction = Redaction.of(suite, live.token, agent.target.address.texts, suites.changed)
    return Sight(agent.provenance, endpoint.answers(agent, chosen, live, deadline, cancelled), redaction)
