"""A suite and the settings → what is seen in each of its scenarios: recalled from a file, or asked of an agent."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agenttest import discovery
from agenttest.evidence import OUT_OF_TIME, Lost
from agenttest.files import Project
from agenttest.model import Observed, Provenance, Scenario, Seen, Suite
from agenttest.settings import OBSERVATIONS_BYTES, Live, Settings
from agenttest.sources import normalized
from agenttest.suites import contract

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
    redaction = Redaction.of(suite, live.token, agent.target.address.texts, contract.load)
    return Sight(agent.provenance, endpoint.answers(agent, chosen, live, deadline, cancelled), redaction)
