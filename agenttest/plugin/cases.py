"""A path → its suite, loaded once, and each scenario of it as a `Case` that can be judged."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from agenttest import suites
from agenttest.call import Run
from agenttest.errors import InvalidInput
from agenttest.evidence import Lost
from agenttest.files import Project
from agenttest.judging import judge_all
from agenttest.model import Judged, Provenance, Risk, Scenario, Seen, Suite
from agenttest.observing import Sight
from agenttest.quote import quote
from agenttest.run import look
from agenttest.settings import Settings


@dataclass(frozen=True, slots=True)
class Told:
    """A scenario that was judged, where what was seen in it came from, and the path of the file that it stands in."""

    judged: Judged
    provenance: Provenance
    path: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Case:
    """One scenario with the suite that it is of."""

    scenario: Scenario
    loaded: Loaded

    def __repr__(self) -> str:
        return f"<scenario {quote(self.id)}>"

    @property
    def id(self) -> str:
        """The scenario's id."""
        return self.scenario.id

    @property
    def risk(self) -> Risk | None:
        """How much is at stake; nothing is said of that in a contract."""
        return self.scenario.risk

    @property
    def tags(self) -> tuple[str, ...]:
        """The scenario's tags."""
        return self.scenario.tags

    @property
    def path(self) -> str:
        """The file that it stands in."""
        return self.scenario.path or self.loaded.suite.path

    def judge(self) -> Told:
        """Judge it by what its file names or its recording holds, as `agenttest test` does."""
        sight = self.loaded.sight(self.scenario)
        (judged,) = judge_all((self.scenario,), sight, set())
        return Told(judged, sight.provenance, self.path)


@dataclass(slots=True, eq=False)
class Loaded:
    """A suite; by the path of each of its files, below `top`, the cases that are in it."""

    top: Path
    run: Run
    suite: Suite
    recorded: Sight | None = None
    seen: Mapping[str, Seen | Lost] = field(default_factory=dict)
    cases: dict[str, list[Case]] = field(default_factory=lambda: defaultdict(list))

    def sight(self, scenario: Scenario) -> Sight:
        """What one scenario is judged by."""
        if self.recorded is None:
            return look(self.run, replace(self.suite, scenarios=(scenario,)), (scenario,))
        return replace(self.recorded, seen=iter((self.seen[scenario.id],)))

    def of(self, path: str) -> list[Case]:
        """The cases in one file of the suite; InvalidInput where it is not valid, or lies in a folder that is not."""
        if path in self.cases:
            return self.cases[path]
        wrong = [each for each in self.suite.problems if path == each.path or path.startswith(f"{each.path}/")]
        if wrong:
            raise InvalidInput(wrong)
        return []


def load(top: Path, path: Path, observations: Path | None = None) -> Loaded:
    """The suite at a path in the folder `top`, all paths being absolute; files that are no scenario are among its
    problems. InvalidInput where it is no suite, or a contract that has no valid recording."""
    project, name = Project.at(top), below(top, path)
    suite = suites.load(project, name)
    contract = suite.files is None
    given = below(top, observations) if contract and observations is not None else None
    loaded = Loaded(top, Run(project, Settings((name,), given, artifacts=False), lambda _: None, math.inf), suite)
    if contract:
        loaded.recorded = look(loaded.run, suite, suite.scenarios)
        ids = [scenario.id for scenario in suite.scenarios]
        loaded.seen = dict(zip(ids, loaded.recorded.seen, strict=True))
    for scenario in suite.scenarios:
        loaded.cases[scenario.path or name].append(Case(scenario, loaded))
    return loaded


def below(top: Path, path: Path) -> str:
    """A path below a folder, as the engine writes it; one that lies elsewhere as it is, for the engine to refuse."""
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)
