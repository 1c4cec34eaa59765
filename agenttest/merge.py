"""Saved runs of shards → one run, judged anew from the evidence of all; what is not there stays unproven."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from agenttest import discovery, report
from agenttest.errors import InvalidInput, Problem
from agenttest.evaluate import judge
from agenttest.evidence import Missing
from agenttest.files import Project
from agenttest.model import Judged, Merged, Observation, Provenance, Reason, Scenario, Shard, Suite
from agenttest.replay import replay_files
from agenttest.report import Report, digest_of
from agenttest.run import Result, Run, Show, concluded, evaluate, open_parent
from agenttest.rundir import Start
from agenttest.runfiles import opened
from agenttest.settings import Settings
from agenttest.shards import Group, Part, groups

REMEDY = "merge the runs of all shards, each as it was saved"


def merge(project: Project, settings: Settings, places: Sequence[Path], show: Show) -> Result:
    """The one run that the runs at `places` are parts of; `show` gets each suite's report.

    Nothing is taken on trust: each run is replayed first, and one that is not valid is as good as missing.
    """
    this = Run(project, settings, show, time.monotonic() + settings.limits.max_seconds)
    return concluded(this, partial(merge_all, places))


def merge_all(places: Sequence[Path], this: Run) -> None:
    """Every suite of every group of runs that belong together."""
    found = groups(places)
    names = [(group, name) for group in found for name in group.suites]
    this.settings = replace(this.settings, suites=tuple(name for _, name in names))
    open_parent(this)
    for group, name in names:
        this.finish(merged(this, group, name))


@dataclass(slots=True)
class Evidence:
    """What is known of one suite from all parts of a group; `absent` says of the others why they tell nothing."""

    group: Group
    suite: Suite | None = None
    came: list[Provenance] = field(default_factory=list)
    seen: dict[str, Observation | None] = field(default_factory=dict)
    absent: dict[int, Missing] = field(default_factory=dict)

    def shard(self, index: int) -> Shard:
        """A part by its number."""
        return Shard(index, self.group.count)

    def lacks(self, index: int, why: str) -> None:
        """Note that a part tells nothing."""
        self.absent[index] = Missing(f"shard {self.shard(index)} {why}", REMEDY)

    def add(self, index: int, told: Report) -> None:
        """Take what one part has seen."""
        if told.suite is None or told.provenance is None:
            self.lacks(index, "holds no evidence")
        elif self.suite is not None and told.suite.digest != self.suite.digest:
            self.lacks(index, "judged another version of the suite")
        else:
            self.suite = told.suite
            self.came.append(told.provenance)
            self.seen |= {judged.scenario.id: judged.observation for judged in told.scenarios}

    def provenance(self) -> Provenance:
        """Where the observations of all parts came from."""
        first, *others = dict.fromkeys(self.came)
        if not others:
            return first
        paths = ", ".join(dict.fromkeys(each.path for each in (first, *others)))
        digest = digest_of(sorted(each.source_digest for each in (first, *others)))
        return replace(first, path=paths, source_digest=digest)


def merged(this: Run, group: Group, name: str) -> Report:
    """One suite's report, judged from the evidence of all parts."""
    evidence = gather(group, name)
    if evidence.suite is None:
        said = "; ".join(missing.reason for missing in evidence.absent.values())
        return report.invalid(name, [Problem(name, 0, 0, f"{said}; {REMEDY}")], Reason.MISSING_EVIDENCE)
    chosen = discovery.select(evidence.suite, discovery.cleaned(group.asked))
    shards = discovery.deal(name, chosen, group.count)
    skipped(evidence, name, set(shards.values()))
    missing = tuple(evidence.shard(index) for index in sorted(evidence.absent))
    whole = Merged(group.count, missing) if group.count > 1 else None
    settings = replace(this.settings, scenarios=group.asked)
    start = Start(evidence.suite, chosen, evidence.provenance(), settings, whole)
    return evaluate(this, start, judge_all(evidence, chosen, shards))


def gather(group: Group, name: str) -> Evidence:
    """What each part has of a suite."""
    evidence = Evidence(group)
    for index in range(1, group.count + 1):
        part = group.parts.get(index)
        if part is None:
            evidence.lacks(index, "; ".join(("is not there", *group.broken)))
        elif name in part.suites:
            found = read(part, part.suites[name])
            if found is None:
                evidence.lacks(index, "could not judge the suite, or could not save that")
            else:
                evidence.add(index, found)
    return evidence


def read(part: Part, folder: str | None) -> Report | None:
    """A suite's report as it is judged anew, its run replayed once more as it is read; None where that is not valid."""
    found: list[Report] = []
    if folder is not None:
        with suppress(InvalidInput), opened(part.path) as files:
            again = replay_files(files.inside(folder) if folder else files, found.append)
            found = found if again.valid else []
    return found[0] if found else None


def skipped(evidence: Evidence, name: str, needed: set[int]) -> None:
    """A part without a run of the suite is right where none of its scenarios falls into it, and lacking elsewhere."""
    for index, part in evidence.group.parts.items():
        if name not in part.suites and index in needed:
            evidence.lacks(index, "did not judge its scenarios of this suite")


def judge_all(evidence: Evidence, chosen: Sequence[Scenario], shards: Mapping[str, int]) -> Iterator[Judged]:
    """Each scenario by what its shard has seen of it."""
    for scenario in chosen:
        absent = evidence.absent.get(shards[scenario.id])
        yield judge(scenario, evidence.seen.get(scenario.id), absent)
