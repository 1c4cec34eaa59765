"""What was named on the command line, or nothing → which suites are meant, and which observations belong to each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.model import Filters, Scenario, Shard, Suite
from agenttest.quote import quote
from agenttest.settings import DISCOVERED, SCENARIOS

RECORDING = ".observations.json"  # what the observations beside a suite are called, after its stem


def find(project: Project) -> tuple[Project, tuple[str, ...]]:
    """The first suite from the base folder upwards to the root; its folder becomes the base that paths start from."""
    inside = (folder for folder in (project.base, *project.base.parents) if folder.is_relative_to(project.root))
    for folder in inside:
        for name in DISCOVERED:
            if (folder / name).is_file():
                return Project(project.root, folder), (name,)
        if (folder / SCENARIOS).is_dir():
            return Project(project.root, folder), (SCENARIOS,)
    looked = f"looked for {', '.join(DISCOVERED)} and {SCENARIOS}/"
    said = f"no suite here or above: {looked}; name one, or let `agenttest init` write one"
    raise InvalidInput(Problem("", 0, 0, said))


def observations_of(project: Project, suite: str, given: str | None) -> str:
    """A suite's observations file: the one given, that of its stem in the folder given, or its sibling."""
    stem = PurePosixPath(suite).stem
    if given is None:
        beside = str(PurePosixPath(suite).with_name(stem + RECORDING))
        if project.kind(beside) != "nothing":
            return beside
        said = f"has no observations: record them in {beside}, or name them with --observations"
        raise InvalidInput(Problem(suite, 0, 0, said))
    named = project.relative(given)
    if project.kind(named) != "folder":
        return named
    tried = [f"{named}/{stem}.json", f"{named}/{stem}{RECORDING}"]
    found = [name for name in tried if project.kind(name) != "nothing"]
    return found[0] if found else tried[0]


def select(
    suite: Suite, patterns: tuple[str, ...], shard: Shard | None = None, filters: Filters | None = None
) -> tuple[Scenario, ...]:
    """The scenarios that a name or glob names and that no filter leaves out, in the suite's order, all where nothing is
    asked; of these a shard's."""
    fold = suite.files is not None
    named = tuple(
        scenario
        for scenario in suite.scenarios
        if (not patterns or any(names(pattern, scenario.id, fold=fold) for pattern in patterns))
        and (filters is None or passes(filters, scenario))
    )
    if shard is None:
        return named
    dealt = deal(suite.path, named, shard.count)
    return tuple(scenario for scenario in named if dealt[scenario.id] == shard.index)


def passes(filters: Filters, scenario: Scenario) -> bool:
    """Whether no filter leaves the scenario out; tags are the same in any case."""
    tags = {tag.casefold() for tag in scenario.tags}
    return (
        all(any(tag.casefold() in tags for tag in group) for group in filters.tags)
        and (filters.risk is None or scenario.risk is filters.risk)
        and (filters.min_risk is None or (scenario.risk is not None and scenario.risk.rank >= filters.min_risk.rank))
    )


def deal(path: str, scenarios: Sequence[Scenario], count: int) -> dict[str, int]:
    """Which of `count` shards each scenario is of, by its id: dealt out in the order of the ids' hashes, whatever their
    order in the suite, so that every shard gets its share; the suite's path says which shard is the first."""
    ids = sorted((scenario.id for scenario in scenarios), key=hashed)
    first = int(hashed(path), 16)
    return {name: (first + place) % count + 1 for place, name in enumerate(ids)}


def hashed(text: str) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def unmatched(suite: Suite, patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns that name no scenario of the suite."""
    fold = suite.files is not None
    return tuple(p for p in patterns if not any(names(p, scenario.id, fold=fold) for scenario in suite.scenarios))


def names(pattern: str, scenario_id: str, *, fold: bool = False) -> bool:
    """Whether a name or glob means this id; in any case, where ids are told apart by more than that."""
    if fold:
        pattern, scenario_id = pattern.casefold(), scenario_id.casefold()
    return pattern == scenario_id or fnmatchcase(scenario_id, pattern)


def cleaned(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The patterns without surrounding space, blanks and repeats; InvalidInput where only blanks were given."""
    kept = tuple(dict.fromkeys(pattern.strip() for pattern in patterns if pattern.strip()))
    if patterns and not kept:
        raise InvalidInput(Problem("--scenario", 0, 0, "is blank; give the id of a scenario, or a glob"))
    return kept


def matches_nothing(pattern: str, suite: Suite | None) -> Problem:
    """The problem of a pattern that names no scenario."""
    have = ", ".join(scenario.id for scenario in suite.scenarios[:8]) if suite else ""
    right = f"it has {have}" + (", …" if suite and len(suite.scenarios) > 8 else "") if suite else "check the name"
    return Problem("--scenario", 0, 0, f"{quote(pattern)} matches no scenario; {right}")
