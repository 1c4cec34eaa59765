"""Reports → a test-run report in Markdown to be checked in: the same for the same evidence, with no clock in it."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from agenttest.jsontext import compact
from agenttest.model import Json, Judged, Outcome, Problem, Provenance, Risk, Status
from agenttest.quote import many
from agenttest.report import Ending, Report, ending
from agenttest.reporters.gfm import code
from agenttest.reporters.origin import origin

VALUE = 500  # characters of a value that are shown
DIGITS = 16  # of the digest of the rest
WHOLE = 10 * VALUE  # characters of what is shown, as a character may take several to write
LABELS = {Status.PASS: "PASS", Status.FAIL: "FAIL", Status.INCOMPLETE: "INCOMPLETE"}
MODES = {
    "scripted": "**scripted** in the scenario files: this run tests the oracles and not a running agent",
    "offline": "**recorded**: this run judges a recording and not a running agent",
    "replayed": "**replayed** from saved traces: this run judges recordings and not a running agent",
    "live": "**live**: observed while the agent ran",
    "mixed": "**mixed**: of several kinds, as each scenario names its own",
    "unobserved": "**none**: this run observed nothing, so it proves nothing",
}
EVERY = "all-scenarios-pass"  # the gate that asks for each scenario
BAR = re.compile(r"\\\|")
UNWRITTEN = "not written"

Row = tuple[str, ...]


def render(report: Report) -> str:
    """One report as a page of its own."""
    page = Page()
    page.add(report)
    return page.text(ending(report))


@dataclass(frozen=True, slots=True)
class Noted:
    """What the page shows of one suite, as Markdown."""

    path: str
    evidence: str
    scenarios: Counter[Status]
    oracles: Counter[Status]
    gates: tuple[Row, ...]
    rows: tuple[Row, ...]
    results: tuple[tuple[str, str], ...]
    selection: str
    files: tuple[str, ...]
    problems: tuple[str, ...]
    warnings: tuple[str, ...]


class Page:
    """Takes reports one by one, for one page at `place` below the root, which paths on it start from."""

    def __init__(self, place: str = "") -> None:
        self.folder = str(PurePosixPath(place).parent)
        self.noted: list[Noted] = []

    def add(self, report: Report) -> None:
        """Note one suite's report."""
        told, judged = report.suite is not None, report.scenarios
        files = report.suite.problems if report.suite else ()
        self.noted.append(
            Noted(
                code(report.path) if report.path else "",
                evidence(report.mode, report.provenance) if report.provenance else "",
                Counter(each.status for each in judged),
                Counter(outcome.status for outcome in report.outcomes),
                tuple((gate.name, LABELS[gate.status], cell(gate.message)) for gate in report.verdict.gates),
                tuple(row(each, report, self.folder) for each in judged),
                tuple((code(each.scenario.id), results(each)) for each in judged),
                selection(report) if told else "",
                bullets(files),
                bullets(problem for problem in report.problems if problem not in files),
                bullets(report.suite.warnings if report.suite else ()),
            )
        )

    def text(self, ending: Ending) -> str:
        """The page."""
        return "\n".join(line for part in (self.head, self.body, self.foot) for line in part(ending)) + "\n"

    def head(self, ending: Ending) -> Iterator[str]:
        """The status of all gates, the counts, and where the evidence is from."""
        yield from ("# Test run report", "")
        yield f"Gate status: **{LABELS[ending.status]}** ({ending.reason}, exit {ending.status.exit_code})"
        yield from ("", f"{self.counts()}.")
        for noted in self.noted:
            if noted.evidence:
                yield from ("", f"Evidence{self.of(noted)}: {noted.evidence}.")

    def counts(self) -> str:
        """How many scenarios and oracles there are of each status."""
        scenarios = sum((noted.scenarios for noted in self.noted), Counter[Status]())
        oracles = sum((noted.oracles for noted in self.noted), Counter[Status]())
        return f"{counted(scenarios, 'scenario')}; {counted(oracles, 'oracle')}"

    def body(self, _: Ending) -> Iterator[str]:
        """Gates, scenarios, and the results of each scenario's oracles."""
        gates = [(noted, noted.gates) for noted in self.noted]
        yield from self.section("Gates", ("Gate", "Status", "Message"), gates, "No gate was asked.")
        rows = [(noted, noted.rows) for noted in self.noted]
        head = ("Scenario", "Risk", "Status", "Gate?", "Trace")
        yield from self.section("Scenarios", head, rows, "No scenario was judged.")
        yield from ("", "## Oracle Results")
        for noted in self.noted:
            for name, told in noted.results:
                yield from ("", f"### {f'{noted.path} ' * self.several}{name}", "", told)

    def section(
        self, title: str, head: Row, rows: Sequence[tuple[Noted, Sequence[Row]]], nothing: str
    ) -> Iterator[str]:
        """A titled table of all suites, which are named where there are several."""
        found = [(cell_of(noted.path), *row) if self.several else row for noted, own in rows for row in own]
        yield from ("", f"## {title}", "")
        yield from table(("Suite", *head) if self.several else head, found) if found else (nothing,)

    def foot(self, _: Ending) -> Iterator[str]:
        """What was selected, and what is not right."""
        for noted in self.noted:
            if noted.selection:
                yield from ("", f"Selection{self.of(noted)}: {noted.selection}.")
        for title in ("problems", "files", "warnings"):
            found = [line for noted in self.noted for line in getattr(noted, title)]
            if found:
                yield from ("", f"## {TITLES[title]}", "", *found)

    @property
    def several(self) -> bool:
        """Whether there are several suites to tell apart."""
        return len({noted.path for noted in self.noted if noted.path}) > 1

    def of(self, noted: Noted) -> str:
        """Of which suite something is said, where there are several."""
        return f" of {noted.path}" if self.several else ""


TITLES = {"problems": "Problems", "files": "Invalid Files", "warnings": "Warnings"}


def counted(found: Counter[Status], word: str) -> str:
    """`3 scenarios: 2 passed, 1 failed, 0 incomplete`."""
    words = {Status.PASS: "passed", Status.FAIL: "failed", Status.INCOMPLETE: "incomplete"}
    return f"{many(found.total(), word)}: {', '.join(f'{found[status]:,} {said}' for status, said in words.items())}"


def evidence(mode: str, came: Provenance) -> str:
    """Where the evidence came from, and what that is worth."""
    what = code(came.path) if came.endpoint is None else code(origin(came))
    return f"{MODES.get(mode, mode)} ({what})"


def selection(report: Report) -> str:
    """Which scenarios were asked for, and which were left out; nothing where all were judged."""
    if report.selection is None:
        return ""
    chosen = {key: value for key, value in report.selection.items() if value and key not in ("left_out", "partial")}
    left = report.selection.get("left_out") or []
    named = ", ".join(code(name) for name in left[:VALUE]) + (", …" if len(left) > VALUE else "")
    accepted = " and accepted as partial" if report.selection.get("partial") else ""
    return f"{code(compact(chosen), WHOLE)}; {len(left):,} left out{accepted}" + (f": {named}" if named else "")


def row(judged: Judged, report: Report, folder: str) -> Row:
    """A scenario's row."""
    scenario, written = judged.scenario, report.traces.get(judged.scenario.id)
    trace = cell(posixpath.relpath(written.path, folder)) if written else UNWRITTEN
    risk = str(scenario.risk) if scenario.risk else "–"
    return cell(scenario.id), risk, LABELS[judged.status], gated(judged, report), trace


def gated(judged: Judged, report: Report) -> str:
    """Whether a gate asks for the scenario, and why."""
    scenario = judged.scenario
    why = ["required"] if scenario.required else []
    why += ["risk"] if scenario.risk in (Risk.HIGH, Risk.CRITICAL) else []
    why += ["every scenario"] if any(gate.name == EVERY for gate in report.verdict.gates) else []
    return f"yes ({', '.join(why)})" if why else "no"


def results(judged: Judged) -> str:
    """The final answer, what kept it from coming, and a row for each oracle."""
    seen = judged.observation
    lines = [f"Final answer: {value(seen.response)}" if seen and seen.response is not None else "Final answer: none"]
    if seen is not None and seen.error is not None:
        lines += ["", f"Executor error: {value(seen.error)}"]
    head = ("Oracle", "Status", "Message", "Expected", "Actual")
    return "\n".join([*lines, "", *table(head, map(oracle_row, judged.outcomes))])


def oracle_row(outcome: Outcome) -> Row:
    """The row of one oracle, or of a contract's assertion."""
    asked = outcome.assertion
    name = asked.label or (asked.kind if asked.summary is not None else asked.name)
    told = (cell_of(value(each)) for each in (outcome.message, asked.wanted, outcome.observed))
    return cell(name), LABELS[outcome.status], *told


def value(found: Json) -> str:
    """A value as a code span, its first characters where it is long, with a digest of the rest; nothing for nothing."""
    if found is None or found == "":
        return ""
    text = found if isinstance(found, str) else compact(found)
    rest = text[VALUE:]
    if not rest:
        return code(text, WHOLE)
    digest = hashlib.sha256(rest.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
    return f"{code(text[:VALUE], WHOLE)} and {many(len(rest), 'more character')} (SHA-256 {digest}…)"


def cell(text: str) -> str:
    """Foreign text as a cell of a table."""
    return cell_of(value(text))


def cell_of(markdown: str) -> str:
    """Markdown as a cell: no bar in it ends the cell, not even one behind a backslash, which readers disagree on."""
    return BAR.sub(r"\\u005c|", markdown).replace("|", r"\|")


def table(head: Row, rows: Iterable[Row]) -> Iterator[str]:
    """A table."""
    for each in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(each)} |"


def bullets(problems: Iterable[Problem]) -> tuple[str, ...]:
    """A list of problems, each with its place."""
    return tuple(f"- {value(str(problem))}" for problem in problems)
