"""Reports of several suites → the index page: the overall verdict, a row for each suite, the causes across all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from agenttest.model import Status
from agenttest.quote import clip, many
from agenttest.report import Ending, Report, tally
from agenttest.reporters.causes import all_causes
from agenttest.reporters.html.facts import ending_facts
from agenttest.reporters.html.page import (
    CAUSES,
    LINKS,
    MESSAGE,
    PROBLEMS,
    CauseView,
    Page,
    command,
    headline,
    remark,
    view,
)
from agenttest.reporters.html.scenario import NAME
from agenttest.reporters.html.templates import render
from agenttest.reporters.standing import spared, tells_gates

FILE = "report.html"
SUITES = 5_000  # rows
KEPT = 1_000  # causes that are told apart
CHILD = re.compile(r"\d{4,}-[A-Za-z0-9._-]+")  # what runs name a child's folder
ORDER = (Status.FAIL, Status.INCOMPLETE, Status.PASS)


@dataclass(frozen=True, slots=True)
class Row:
    """One suite: its path, where its page is, how it ended, its scenarios by status, its first problem."""

    path: str
    address: str
    status: Status
    reason: str
    counts: Mapping[Status, int]
    problem: str
    free: str = ""


class Index:
    """Takes reports one by one and keeps of them no more than can be shown."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.suites: Counter[Status] = Counter()
        self.scenarios: Counter[Status] = Counter()
        self.problems: list[str] = []
        self.problem_count = 0
        self.causes: dict[tuple[Status, str, str, str, str], CauseView] = {}
        self.more_causes = 0
        self.gated = False  # whether gates of scenario files are told

    def add(self, report: Report) -> None:
        """Note one suite's report."""
        self.scenarios.update(judged.status for judged in report.scenarios)
        if report.path:
            self.suites[report.status] += 1
            if len(self.rows) < SUITES:
                self.rows.append(row(report))
        self.problem_count += len(report.problems)
        self.problems += [clip(str(each), MESSAGE) for each in report.problems[: PROBLEMS - len(self.problems)]]
        self.gated = self.gated or tells_gates(report)
        for cause in all_causes(report):
            self.merge(view(cause, address(report) or None))

    def merge(self, found: CauseView) -> None:
        """Note a cause; one that another suite has too is the same."""
        key = found.status, found.free, found.key, found.message, found.remedy
        if key in self.causes:
            known = self.causes[key]
            links = (*known.links, *found.links)[:LINKS]
            self.causes[key] = replace(known, links=links, count=known.count + found.count)
        elif len(self.causes) < KEPT:
            self.causes[key] = found
        else:
            self.more_causes += 1

    def text(self, ending: Ending) -> str:
        """The page of all that was added."""
        ordered = sorted(self.rows, key=lambda each: ORDER.index(each.status))
        return render("index.html", page=self.page(ending), rows=ordered, more=self.suites.total() - len(self.rows))

    def page(self, ending: Ending) -> Page:
        """The frame of the page."""
        found = sorted(self.causes.values(), key=lambda each: (ORDER.index(each.status), each.free))
        return Page(
            subject=many(self.suites.total(), "suite"),
            status=ending.status,
            headline=headline(ending.status, ending.reason, gated=self.gated),
            remark=remark(ending.status, ending.reason),
            counts={status: self.suites[status] for status in ORDER},
            thing="suite",
            more_counts=", ".join(self.counted()),
            source="",
            problems=tuple(self.listed()),
            causes=tuple(found[:CAUSES]),
            more_causes=self.more_causes + max(0, len(found) - CAUSES),
            facts=tuple(ending_facts(ending)),
            command=command(ending.directory),
        )

    def counted(self) -> Iterator[str]:
        """The scenarios of all suites by status."""
        words = {Status.FAIL: "failed", Status.INCOMPLETE: "incomplete", Status.PASS: "passed"}
        counts = ", ".join(f"{self.scenarios[status]:,} {words[status]}" for status in ORDER if self.scenarios[status])
        if counts:
            yield f"{many(self.scenarios.total(), 'scenario')}: {counts}"

    def listed(self) -> Iterator[str]:
        """The problems, and how many there are beyond the shown ones."""
        yield from self.problems
        if self.problem_count > len(self.problems):
            yield f"and {self.problem_count - len(self.problems):,} more"


def row(report: Report) -> Row:
    """What remains of a report."""
    return Row(
        path=clip(report.path, NAME),
        address=address(report),
        status=report.status,
        reason=str(report.verdict.reason),
        counts=tally(judged.status for judged in report.scenarios),
        problem=clip(str(report.problems[0]), MESSAGE) if report.problems and report.suite is None else "",
        free=spared(report),
    )


def address(report: Report) -> str:
    """Where the suite's page is as seen from the index, nowhere where it was not saved."""
    name = PurePosixPath(report.directory).name if report.directory else ""
    return f"{name}/{FILE}" if CHILD.fullmatch(name) else ""
