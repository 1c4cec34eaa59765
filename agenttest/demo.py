"""The bundled example → reports: one contract, an agent that keeps it and one that changed; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

from agenttest import evaluate, gates
from agenttest.model import Suite
from agenttest.report import Report
from agenttest.sources import normalized
from agenttest.suites import contract

FOLDER = resources.files("agenttest") / "suites" / "starters" / "demo"
CONTRACT = "bank.yml"
RECORDINGS = {
    "The agent as it was": "good.observations.json",
    "The same agent after a change": "regressed.observations.json",
}


def demo() -> Iterator[tuple[str, Report]]:
    """For each recording a title and its report."""
    suite = contract.load(CONTRACT, FOLDER.joinpath(CONTRACT).read_bytes())
    for title, recording in RECORDINGS.items():
        yield title, judged(suite, recording)


def judged(suite: Suite, recording: str) -> Report:
    """The report of one recording, as a run would make it."""
    ids = {scenario.id for scenario in suite.scenarios}
    observed = normalized.load(recording, FOLDER.joinpath(recording).read_bytes(), ids)
    scenarios = tuple(evaluate.judge(scenario, observed.observations.get(scenario.id)) for scenario in suite.scenarios)
    verdict = gates.decide(scenarios)
    return Report(verdict, suite.path, suite=suite, scenarios=scenarios, provenance=observed.provenance)
