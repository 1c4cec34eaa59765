"""`Report` → what its page says around the scenarios: the verdict, the causes, where it all comes from."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from agenttest.errors import Problem
from agenttest.model import Reason, Status
from agenttest.quote import clip, many
from agenttest.report import Report, tally
from agenttest.reporters import standing
from agenttest.reporters.causes import Cause, all_causes
from agenttest.reporters.gating import remedy
from agenttest.reporters.html.facts import Fact, facts
from agenttest.reporters.html.scenario import NAME, anchor
from agenttest.reporters.markdown import headline as told
from agenttest.reporters.origin import MODES, TRUST, origin, ways

CAUSES = 50
LINKS = 8  # scenarios of one cause
PROBLEMS = 200
MESSAGE = 600  # characters
RECORDING = "observations.json"  # that a live run makes
WORDS = {Status.FAIL: "failed", Status.INCOMPLETE: "incomplete", Status.PASS: "passed"}


@dataclass(frozen=True, slots=True)
class Link:
    """A place in a page, by its address, and the name of what is there."""

    address: str
    name: str


@dataclass(frozen=True, slots=True)
class CauseView:
    """One reason: what was asked for by which key, what is wrong, what would mend it, and where it shows."""

    status: Status
    key: str
    message: str
    remedy: str
    links: tuple[Link, ...]
    count: int
    free: str = ""

    @property
    def more(self) -> int:
        """How many places have no link."""
        return self.count - len(self.links)


@dataclass(frozen=True, slots=True)
class GateView:
    """A gate: what became of it, why and, where it does not hold, what would make it hold."""

    name: str
    status: Status
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Page:
    """The frame of a page: what has been judged, how it ended, the counts, what to correct, the causes, the facts."""

    subject: str
    status: Status
    headline: str
    remark: str
    counts: Mapping[Status, int]
    thing: str
    more_counts: str
    source: str
    problems: tuple[str, ...]
    causes: tuple[CauseView, ...]
    more_causes: int
    facts: tuple[Fact, ...]
    command: str
    again: str = ""
    free: str = ""
    gates: tuple[GateView, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many things are counted."""
        return sum(self.counts.values())


def page(report: Report) -> Page:
    """The frame of one suite's page."""
    found, verdict = all_causes(report), report.verdict
    gated = standing.tells_gates(report)
    return Page(
        subject=clip(report.path, NAME),
        status=verdict.status,
        headline=headline(verdict.status, verdict.reason, gated=gated),
        remark=remark(verdict.status, verdict.reason),
        counts=tally(judged.status for judged in report.scenarios),
        thing="scenario",
        more_counts=assertions(report),
        source=source(report),
        problems=problems(report.problems),
        causes=tuple(view(cause) for cause in found[:CAUSES]),
        more_causes=max(0, len(found) - CAUSES),
        facts=tuple(facts(report)),
        command=command(report.directory),
        again=again(report),
        free=standing.spared(report),
        gates=tuple(gates(report)) if gated else (),
        warnings=problems(standing.warnings(report)),
    )


def headline(status: Status, reason: Reason, *, gated: bool = False) -> str:
    """The verdict in a sentence."""
    return told(status, reason, gated=gated).split(" ", 1)[1]


def gates(report: Report) -> Iterator[GateView]:
    """Every gate of scenario files."""
    for gate in report.verdict.gates:
        yield GateView(clip(gate.name, NAME), gate.status, clip(gate.message, MESSAGE), remedy(gate))


def remark(status: Status, reason: Reason) -> str:
    """What else is to be said of the verdict."""
    partly = status is Status.FAIL and reason is not Reason.VIOLATION
    return f"Not everything was judged: {reason}." if partly else ""


def assertions(report: Report) -> str:
    """How many assertions came out how."""
    found = tally(outcome.status for outcome in report.outcomes)
    words = {Status.FAIL: "violated", Status.INCOMPLETE: "not provable", Status.PASS: "kept"}
    counted = [f"{found[status]:,} {word}" for status, word in words.items() if found[status]]
    return f"{many(sum(found.values()), 'assertion')}: {', '.join(counted)}" if counted else ""


def source(report: Report) -> str:
    """Where the observations came from, and how far they can be trusted."""
    if report.provenance is None:
        return ""
    came = report.provenance
    how = f" ({', '.join(ways(report.scenarios))})" if came.mode in MODES else ""
    said = f"{origin(came)}{how}: {TRUST.get(came.trust, came.trust)}."
    return clip(said[0].upper() + said[1:], MESSAGE)


def problems(found: Iterable[Problem]) -> tuple[str, ...]:
    """The problems with their places, the first of them where they are many."""
    found = tuple(found)
    more = (f"and {len(found) - PROBLEMS:,} more",) if len(found) > PROBLEMS else ()
    return (*(clip(str(problem), MESSAGE) for problem in found[:PROBLEMS]), *more)


def view(cause: Cause, file: str | None = "") -> CauseView:
    """A cause with links to its first scenarios: in this page, in the page at `file`, or without where that is None."""
    names = list(dict.fromkeys(judged.scenario.id for judged, _ in cause.members))
    return CauseView(
        status=cause.status,
        key=standing.titled(cause.first.assertion),
        message=clip(cause.first.message, MESSAGE),
        remedy=clip(cause.first.remedy or "", MESSAGE),
        links=tuple(Link(address(file, name), clip(name, NAME)) for name in islice(names, LINKS)),
        count=len(names),
        free=standing.FREE if cause.tolerated else "",
    )


def address(file: str | None, scenario: str) -> str:
    """Where a scenario is shown, nowhere where there is no page of it."""
    return "" if file is None else f"{file}#{anchor(scenario)}"


def command(directory: str | None) -> str:
    """What checks every decision again."""
    return f"agenttest replay {shlex.quote(directory)}" if directory else ""


def again(report: Report) -> str:
    """What judges the recorded answers of a live run as a recording, by the contract as it is by then."""
    if report.mode != "live" or not report.directory or report.problems or standing.tells_gates(report):
        return ""
    suite, recording = shlex.quote(report.path), shlex.quote(f"{report.directory}/{RECORDING}")
    return f"agenttest test {suite} --observations {recording}"
