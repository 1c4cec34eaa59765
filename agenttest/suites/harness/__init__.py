"""A folder of scenario files → `Suite`: every valid file a scenario, every other one among the suite's problems."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import chain

from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.model import Agent, Scenario, Suite, SuiteFile, listing
from agenttest.suites.harness import folder, ids, scenariofile
from agenttest.suites.harness.scenariofile import Valid

KIND = "agent_scenarios"
VERSION = 1
NOBODY = Agent(None, None, 30.0, (), ())


def load(project: Project, path: str) -> Suite:
    """The suite of a folder, or of one scenario file, at a path below the root; there may be nothing in it or at it."""
    return read(path, folder.files(project, path))


def read(path: str, files: Sequence[SuiteFile]) -> Suite:
    """The suite of these files, the same whether they lie on disk or in a saved run."""
    found: list[Valid] = []
    problems: list[Problem] = []
    for file in files:
        try:
            found.append(scenariofile.read(file))
        except InvalidInput as error:
            problems += error.problems
    valid, doubles = ids.unique(found)
    digest = hashlib.sha256(listing(files).encode("utf-8", "surrogatepass")).hexdigest()
    scenarios = tuple(sorted((each.scenario for each in valid), key=order))
    warnings = tuple(sorted(chain.from_iterable(each.warnings for each in valid)))
    told = tuple(sorted([*problems, *doubles]))
    return Suite(KIND, VERSION, path, "", digest, NOBODY, scenarios, tuple(files), told, warnings)


def order(scenario: Scenario) -> tuple[str, str]:
    """Scenarios stand by their ids, whatever their case."""
    return scenario.id.casefold(), scenario.id
