"""Reports → the job summary in GitHub's Markdown, within a budget of bytes: first what is wrong, then what is not."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator

from agenttest import __version__
from agenttest.model import Reason, Status
from agenttest.quote import many
from agenttest.report import Ending, Report
from agenttest.reporters import entries, scenarioentries
from agenttest.reporters.gfm import code, fence
from agenttest.reporters.parts import MOST, SLACK, Part, bytes_of
from agenttest.reporters.standing import said_of_spared, tells_gates, tolerated

HEADLINES = {
    Reason.KEPT: "✅ The agent keeps its contract",
    Reason.VIOLATION: "❌ The agent breaks its contract",
    Reason.MISSING_EVIDENCE: "⚠️ Not proven: evidence is missing",
    Reason.INVALID_INPUT: "⚠️ Not judged: the input is not valid",
    Reason.ENDPOINT: "⚠️ Not proven: the agent could not be observed",
    Reason.BUDGET: "⚠️ Not proven: the run's budget was used up",
    Reason.NOT_SAVED: "⚠️ Not proven: the evidence could not be saved",
    Reason.INTERRUPTED: "⚠️ Not proven: the run was interrupted",
    Reason.INTERNAL: "⚠️ Not judged: agenttest itself failed",
}
GATES_HEADLINES = {Reason.KEPT: "✅ Every gate holds", Reason.VIOLATION: "❌ A gate does not hold"}
COUNTED = {Status.FAIL: "failed", Status.INCOMPLETE: "incomplete", Status.PASS: "passed"}


def render(report: Report) -> str:
    """One report as a summary of its own."""
    summary = Summary()
    summary.add(report)
    return summary.text(Ending(report.status, report.verdict.reason, report.directory))


class Summary:
    """Takes reports one by one and keeps of them no more than can be shown."""

    def __init__(self, *, failures_only: bool = False) -> None:
        self.failures_only = failures_only
        self.scenarios: Counter[Status] = Counter()
        self.suite, self.suites = "", 0
        self.gated, self.spared = False, 0  # whether gates of scenario files are told, and the failures of none of them
        self.problems = Part("Problems", "problem")
        self.violations = Part("Violations", "cause")
        self.unproven = Part("Not proven", "cause")
        self.tolerated = Part("Tolerated", "cause")
        self.gates = Part("Gates", "gate", open_to=20)
        self.traces = Part("Traces", "scenario", open_to=0, most=200)
        self.warnings = Part("Warnings", "warning", open_to=10, most=200)
        self.passed = Part("Passed", "scenario", open_to=0, most=500)
        self.exchanges = Part("Exchanges", "scenario", open_to=0, most=500)
        self.sources = Part("Judged", "suite", open_to=3, most=50)

    def add(self, report: Report) -> None:
        """Note one suite's report."""
        self.scenarios.update(judged.status for judged in report.scenarios)
        self.suite = self.suite or report.path
        self.suites += bool(report.path)
        self.gated = self.gated or tells_gates(report)
        self.spared += sum(tolerated(report, judged) for judged in report.scenarios)
        for part, source in (
            (self.problems, entries.problems),
            (self.violations, entries.violations),
            (self.unproven, entries.unproven),
            (self.tolerated, scenarioentries.tolerated),
            (self.gates, scenarioentries.gates),
            (self.traces, scenarioentries.traces),
            (self.warnings, scenarioentries.warnings),
            (self.passed, entries.passed),
            (self.exchanges, entries.exchanged),
            (self.sources, entries.sources),
        ):
            for entry in source(report):
                part.add(entry)

    def text(self, ending: Ending, budget: int = MOST, proof: Iterable[str] | None = None) -> str:
        """The summary in at most `budget` bytes; nothing where there is no room for the verdict, or no failure.

        `proof` says in Markdown where the evidence is and what to do with it.
        """
        if self.failures_only and ending.status is Status.PASS:
            return ""
        head = "\n".join(self.head(ending)) + "\n"
        foot = "\n".join([made_by(ending), "", *(replayed(ending) if proof is None else proof)]).rstrip() + "\n"
        room = budget - bytes_of(head) - bytes_of(foot) - SLACK
        if room < 0:
            return ""
        return "\n".join(filter(None, [head, *self.body(room), foot]))

    def head(self, ending: Ending) -> Iterator[str]:
        """The verdict, the counts, and in one line what is wrong."""
        failed = ending.status is Status.FAIL
        yield f"## {headline(ending.status, ending.reason, gated=self.gated)}"
        if self.suites:
            free = f"; {said_of_spared(self.spared)}" if self.spared else ""
            yield f"\n{counts(self.scenarios)} in {self.judged()}{free}"
        if failed and ending.reason is not Reason.VIOLATION:
            yield f"\nNot everything was judged: {code(ending.reason)}."
        causes = [part for part in (self.violations, self.problems, self.unproven, self.tolerated) if part.count]
        if causes:
            count = causes[0].count - 1
            more = f" and {many(count, f'more {causes[0].thing}')}" if count else ""
            yield f"\n{code(causes[0].first)}{more}"

    def judged(self) -> str:
        """The suite, or how many there are."""
        return code(self.suite) if self.suites == 1 else many(self.suites, "suite")

    def body(self, room: int) -> Iterator[str]:
        """The parts in their order; the earlier ones have first claim on the room, but for a share of the sources."""
        sources = self.sources.text(room // 8)
        room -= bytes_of(sources)
        grave = (self.problems, self.violations, self.unproven, self.tolerated, self.gates, self.traces)
        for part in grave if self.failures_only else (*grave, self.warnings, self.passed, self.exchanges):
            text = part.text(room - 1)
            room -= bytes_of(text) + 1
            yield text
        yield sources


def headline(status: Status, reason: Reason, *, gated: bool = False) -> str:
    """The verdict in words; where there is a violation, it is told before whatever else ended the run.

    Of scenario files the verdict is that of their gates: it may not be of an agent at all.
    """
    told = Reason.VIOLATION if status is Status.FAIL else reason
    return (GATES_HEADLINES if gated else HEADLINES).get(told, HEADLINES[told])


def counts(scenarios: Counter[Status]) -> str:
    """How many scenarios there are of each status."""
    found = [f"**{scenarios[status]:,} {word}**" for status, word in COUNTED.items() if scenarios[status]]
    total = many(scenarios.total(), "scenario")
    return f"{' · '.join(found)} of {total}" if found else total


def replayed(ending: Ending) -> Iterator[str]:
    """The command that comes next where the run lies at hand."""
    if ending.directory:
        yield "Check every decision again:\n"
        yield fence(f"agenttest replay {shlex.quote(ending.directory)}")


def made_by(ending: Ending) -> str:
    """What made this summary."""
    digest = f" · evidence digest {code(ending.evidence_digest)}" if ending.evidence_digest else ""
    return f"agenttest {__version__}{digest}"
