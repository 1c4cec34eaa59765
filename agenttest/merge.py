"""Saved runs of shards → one run, judged anew from the evidence of all; what is not there stays unproven."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from agenttest import discovery, report
from agenttest.call import Result, Run, Show, concluded, open_parent
from agenttest.errors import InvalidInput, Problem
from agenttest.evaluate import judge
from agenttest.evidence import Missing
from agenttest.files import Project
from agenttest.gates import ALL, Asked
from agenttest.judging import EARLY
from agenttest.model import Endpoint, Judged, Merged, Provenance, Reason, Scenario, Shard, Suite
from agenttest.replay import replay_files
from agenttest.report import Report, digest_of
from agenttest.run import evaluate
from agenttest.rundir import Start
from agenttest.runfiles import opened
from agenttest.settings import Settings
from agenttest.shards import WHOLE, Group, Part, groups
from agenttest.verify.asked import WHOLE_AGAIN
from agenttest.verify.live import KINDS, SOURCES

HELD = 32  # parts that are kept open
TOLD = 3  # of many things that are wrong, said in one message
UNJUDGED = "no shard has judged it"


def merge(project: Project, settings: Settings, places: Sequence[Path], show: Show) -> Result:
    """The one run that the runs at `places` are parts of; `show` gets each suite's report.

    Nothing is taken on trust: each run is replayed first, and one that is not valid is as good as missing.
    """
    this = Run(project, settings, show, time.monotonic() + settings.limits.max_seconds)
    return concluded(this, partial(merge_all, places))


def merge_all(places: Sequence[Path], this: Run) -> None:
    """Every suite of every group of runs that belong together; what is not valid and explains no gap is told alone."""
    found, broken = groups(places)
    beside = broken if all(group.whole for group in found) else []
    this.settings = settings_of(this.settings, found, beside)
    open_parent(this)
    for group in found:
        merge_group(this, group, broken)
    for problem in beside:
        this.finish(report.invalid(problem.path, [problem]))


def settings_of(given: Settings, found: Sequence[Group], beside: Sequence[Problem]) -> Settings:
    """The settings of the one call that the runs are parts of; of several calls, of one that names all their suites."""
    one = found[0] if len(found) == 1 else None
    suites = one.call if one else [name for group in found for name in group.suites]
    named = (*suites, *(problem.path for problem in beside))
    return asking(replace(given, suites=named), one.asked if one else ALL)


def asking(given: Settings, asked: Asked) -> Settings:
    """The settings of a call that asks for this."""
    return replace(given, scenarios=asked.patterns, filters=asked.filters, strict=asked.strict, lint=asked.lint)


def merge_group(this: Run, group: Group, broken: Sequence[Problem]) -> None:
    """Every suite of one call, and what ended the call early."""
    with held(group):
        for name in group.suites:
            this.finish(merged(this, group, name, broken))
    for reason, part in group.early.items():
        which = f"shard {part.shard}" if group.count > 1 else "the run"
        said = f"{which} ended with {reason}, as its log says; correct that and run it again"
        problem = Problem(str(part.path), 0, 0, said)
        this.finish(report.invalid("", [problem], reason))


@contextmanager
def held(group: Group) -> Iterator[None]:
    """Keep the parts of a call of several suites open, unless they are many: to open a large ZIP takes its time."""
    few = len(group.parts) <= HELD and len(group.suites) > 1
    with ExitStack() as stack:
        for part in group.parts.values() if few else ():
            with suppress(InvalidInput, OSError):
                group.held[part.path] = stack.enter_context(opened(part.path))
        yield


@dataclass(slots=True)
class Evidence:
    """What is known of one suite from all parts of a group; `absent` says of the others why they tell nothing, and
    `early`, why live parts ended before all was seen."""

    group: Group
    suite: Suite | None = None
    came: list[Provenance] = field(default_factory=list)
    seen: dict[str, Judged] = field(default_factory=dict)
    absent: dict[int, Missing] = field(default_factory=dict)
    early: set[Reason] = field(default_factory=set)
    whole: Merged | None = None

    def shard(self, index: int) -> Shard:
        """A part by its number."""
        return Shard(index, self.group.count)

    def lacks(self, index: int, why: str) -> None:
        """Note that a part tells nothing."""
        self.absent[index] = Missing(f"shard {self.shard(index)} {why}", WHOLE_AGAIN)

    def add(self, index: int, told: Report) -> None:
        """Take what one part has seen."""
        if told.suite is None or told.provenance is None:
            self.lacks(index, "holds no evidence")
        elif self.suite is not None and told.suite.digest != self.suite.digest:
            self.lacks(index, "judged another version of the suite")
        elif self.suite is not None and not self.alike(told.suite, told.provenance):
            self.lacks(index, "was judged in another way than the first that is there")
        else:
            self.suite, self.whole = told.suite, told.merged
            self.came.append(told.provenance)
            self.seen |= {judged.scenario.id: judged for judged in told.scenarios}
            self.early |= {told.verdict.reason} & set(may_end(told))

    def alike(self, suite: Suite, came: Provenance) -> bool:
        """Whether a part was judged as the first one was: with the same words of the suite kept, by a recording or by
        asking the same model."""
        first = self.came[0]
        asked, other = first.endpoint, came.endpoint
        model = asked.model if asked else None, other.model if other else None
        return suite == self.suite and first.mode == came.mode and model[0] == model[1]

    def merged(self) -> Merged | None:
        """What the whole is merged from; a whole that was given may itself be merged, and lack what that lacked."""
        if self.group.count == 1:
            return self.whole
        return Merged(self.group.count, tuple(self.shard(index) for index in sorted(self.absent)))

    def provenance(self) -> Provenance:
        """Where the observations of all parts came from."""
        first, *others = dict.fromkeys(self.came)
        if not others:
            return first
        if first.endpoint is not None:
            asked = [each.endpoint for each in (first, *others) if each.endpoint]
            return replace(first, endpoint=endpoint_of(asked))
        paths = ", ".join(dict.fromkeys(each.path for each in (first, *others)))
        digest = digest_of(sorted(each.source_digest for each in (first, *others)))
        return replace(first, path=paths, source_digest=digest)


def may_end(told: Report) -> tuple[Reason, ...]:
    """What may have ended a part early, and is then told of the whole."""
    if told.provenance is not None and told.provenance.endpoint is not None:
        return EARLY
    return (Reason.BUDGET,) if told.suite is not None and told.suite.files is not None else ()


def endpoint_of(asked: Sequence[Endpoint]) -> Endpoint:
    """Several endpoints as one: no more trusted than any of them, and bound by no less than the loosest bounds."""
    prints = sorted({each.fingerprint for each in asked})
    return replace(
        asked[0],
        source=max((each.source for each in asked), key=SOURCES.index),
        fingerprint=prints[0] if len(prints) == 1 else digest_of(prints),
        kind=max((each.kind for each in asked), key=KINDS.index),
        authenticated=any(each.authenticated for each in asked),
        timeout_seconds=max(each.timeout_seconds for each in asked),
        max_tokens=max(each.max_tokens for each in asked),
        max_bytes=max(each.max_bytes for each in asked),
    )


def merged(this: Run, group: Group, name: str, broken: Sequence[Problem]) -> Report:
    """One suite's report, judged from the evidence of all parts."""
    evidence = gather(group, name, broken)
    if evidence.suite is None:
        said = "; ".join(missing.reason for missing in list(evidence.absent.values())[:TOLD])
        return report.invalid(name, [Problem(name, 0, 0, f"{said or UNJUDGED}; {WHOLE_AGAIN}")], untold(group, name))
    chosen = discovery.select(evidence.suite, group.asked.patterns, None, group.asked.filters)
    shards = discovery.deal(name, chosen, group.count)
    skipped(evidence, name, set(shards.values()))
    settings = asking(this.settings, group.asked)
    start = Start(evidence.suite, chosen, evidence.provenance(), settings, evidence.merged())
    this.early = evidence.early
    return evaluate(this, start, judge_all(evidence, chosen, shards))


def untold(group: Group, name: str) -> Reason:
    """Why there is no evidence of a suite: as all parts say, where they agree and are all there."""
    reasons = {part.suites[name].reason if name in part.suites else None for part in group.parts.values()} - {None}
    (reason,) = reasons if len(reasons) == 1 and group.whole else {Reason.MISSING_EVIDENCE}
    return reason or Reason.MISSING_EVIDENCE


def gather(group: Group, name: str, broken: Sequence[Problem]) -> Evidence:
    """What each part has of a suite."""
    evidence = Evidence(group)
    for index in range(1, group.count + 1):
        part = group.parts.get(index)
        if part is None:
            evidence.lacks(index, "; ".join(("is not there", *some(broken))))
        elif name in part.suites:
            take(evidence, index, name, part)
    return evidence


def some(broken: Sequence[Problem]) -> Iterator[str]:
    """The first of the runs that are not valid, any of which may be the one that lacks."""
    yield from map(str, broken[:TOLD])
    if len(broken) > TOLD:
        yield f"{len(broken) - TOLD} more are not valid"


def take(evidence: Evidence, index: int, name: str, part: Part) -> None:
    """What one part has of a suite, where that is still as it was when the part was checked."""
    told = part.suites[name]
    found = None if told.folder is None else read(evidence.group, part.path, told.folder)
    if told.folder is None:
        evidence.lacks(index, f"could not judge the suite, or could not save that ({told.reason})")
    elif found is None or found.path != name or (found.shard or WHOLE) != part.shard:
        evidence.lacks(index, "is not what it was a moment ago")
    else:
        evidence.add(index, found)


def read(group: Group, path: Path, folder: str) -> Report | None:
    """A suite's report as it is judged anew, its run replayed once more as it is read; None where that is not valid."""
    found: list[Report] = []
    there = nullcontext(group.held[path]) if path in group.held else opened(path)
    with suppress(InvalidInput, OSError), there as files:
        again = replay_files(files.inside(folder) if folder else files, found.append)
        if again.valid and len(found) == 1:
            return found[0]
    return None


def skipped(evidence: Evidence, name: str, needed: set[int]) -> None:
    """A part without a run of the suite is right where none of its scenarios falls into it, and lacking elsewhere."""
    for index, part in evidence.group.parts.items():
        if name not in part.suites and index in needed:
            evidence.lacks(index, "did not judge its scenarios of this suite")


def judge_all(evidence: Evidence, chosen: Sequence[Scenario], shards: Mapping[str, int]) -> Iterator[Judged]:
    """Each scenario as its shard judged it, which was checked; without one, by what is known of why there is none."""
    for scenario in chosen:
        known = evidence.seen.get(scenario.id)
        yield known or judge(scenario, None, evidence.absent.get(shards[scenario.id]))
