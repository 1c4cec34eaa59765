"""Reports → JUnit XML, which CI tools show: a test case for each scenario.

The elements are those that Ant's schema and Jenkins's xUnit plugin both take; the plugin refuses a file with any other.
Neither has a file or a line on a test case: the class name is the suite's path, and the texts name its lines. Nor has a
test case properties there: what is at stake in a scenario of a file stands in the suite's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from agenttest import __version__
from agenttest.errors import Problem
from agenttest.model import Endpoint, Exchange, Json, Judged, Outcome, Provenance, Reason, Status
from agenttest.quote import clip, one_line, quote
from agenttest.report import Ending, Report, ending
from agenttest.reporters.gating import problem_of, unexplained
from agenttest.reporters.standing import (
    FREE,
    counts,
    file_of,
    named,
    stakes,
    tags,
    tells_gates,
    tolerated,
    unkept,
    unread,
)
from agenttest.reporters.standing import warnings as warned
from agenttest.reporters.trace import listed as steps_listed
from agenttest.reporters.trace import steps_of

VALUE = 500
NAME = 200
MESSAGE = 1000
MOST = 16 << 20  # characters of details in a file; some tools refuse one beyond 30 MB
LATER = "\nThe details stand in the run directory, as this file has no room for more.\n"
UNKNOWN_TIME = "1970-01-01T00:00:00"  # Ant's schema demands one
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
HOST = "localhost"  # what Ant's schema asks for where none is known; no report names a machine
# What XML means by itself, and what it cannot hold beyond what `one_line` escapes. (xml.sax imports an HTTP client.)
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\ufffe": "\\ufffe", "\uffff": "\\uffff"})
UNCOUNTED = "violated, which does not break the suite's verdict"
TOLERATED = f"violated, which {FREE}"
WORDS = {Status.FAIL: "violated", Status.INCOMPLETE: "not proven"}


def render(report: Report) -> str:
    """One report as a file of its own."""
    results = Results()
    results.add(report)
    return results.text(ending(report))


@dataclass(frozen=True, slots=True)
class Case:
    """A test case at a line of its suite, with what came of it: `element` is failure, error or skipped, or empty.

    `file` is that of a scenario that has a file of its own.
    """

    name: str
    line: int
    element: str = ""
    kind: str = ""
    message: str = ""
    details: str = ""
    seconds: str = "0"
    file: str = ""


@dataclass(slots=True)
class Results:
    """Takes reports one by one and keeps each suite's text."""

    suites: list[str] = field(default_factory=list)
    room: int = MOST

    def add(self, report: Report) -> None:
        """Note one suite's report."""
        cases = [self.fitting(case) for case in all_cases(report)]
        self.suites.append(suite_text(len(self.suites), report, cases))

    def fitting(self, case: Case) -> Case:
        """The case, its details only while there is room for them."""
        self.room -= len(case.details)
        if self.room >= 0 or not case.details:
            return case
        return replace(case, details=LATER)

    def text(self, _: Ending) -> str:
        """The file."""
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{"".join(self.suites)}</testsuites>\n'


def all_cases(report: Report) -> Iterator[Case]:
    """One for each scenario, and one for what kept the suite from being judged or saved."""
    cases = [timed(scenario_case(report, judged), judged.exchange) for judged in report.scenarios]
    yield from cases
    more = [*problem_cases(report), *gate_cases(report)]
    yield from more
    if more:
        return
    if report.status is not Status.PASS and not any(case.element in ("failure", "error") for case in cases):
        said = f"{report.status}: {report.verdict.reason}"
        element = "failure" if report.status is Status.FAIL else "error"
        yield Case("verdict", 1, element, report.verdict.reason, said, lines([said, *report.verdict.unheld]))


def problem_cases(report: Report) -> Iterator[Case]:
    """One for all that kept the suite from being judged or saved, and one for each file that is no valid scenario."""
    by_file: dict[str, list[Problem]] = {}
    for problem in unread(report):
        by_file.setdefault(problem.path, []).append(problem)
    for path, found in by_file.items():
        yield problem_case(Reason.INVALID_INPUT, found, one_line(path))
    if unkept(report):
        yield problem_case(Reason.NOT_SAVED if report.suite else report.verdict.reason, unkept(report))


def problem_case(reason: Reason, found: Sequence[Problem], file: str = "") -> Case:
    """What is wrong, as an error at the first place that is not right."""
    problems = [one_line(str(problem)) for problem in found]
    details = lines(f"- {problem}" for problem in problems)
    name = f"{reason}: {clip(file, NAME)}" if file else reason
    return Case(name, max(1, found[0].line) if file else 1, "error", reason, problems[0], details, file=file)


def gate_cases(report: Report) -> Iterator[Case]:
    """One for each gate that does not hold, and that no scenario and no file explains."""
    for gate in unexplained(report):
        element = "failure" if gate.status is Status.FAIL else "error"
        said = one_line(str(problem_of(report, gate)))
        name = clip(one_line(gate.name), NAME)
        yield Case(f"gate {name}", 1, element, name.strip() or "gate", said, lines([said]))


def timed(case: Case, seen: Exchange | None) -> Case:
    """The case with how long its exchange took, where there was one."""
    return case if seen is None else replace(case, seconds=f"{seen.latency_ms / 1000:.3f}")


def scenario_case(report: Report, judged: Judged) -> Case:
    """One scenario. What is not proven is an error, never green; a violation that no gate counts is only skipped."""
    name, line, file = clip(one_line(judged.scenario.id), NAME), judged.scenario.line, judged.scenario.path or ""
    found = [outcome for outcome in judged.outcomes if outcome.status is not Status.PASS]
    found.sort(key=lambda outcome: outcome.status is not Status.FAIL)
    details = lines(line for outcome in found for line in told(report, judged, outcome)) + happened(judged)
    if judged.status is Status.PASS:
        return Case(name, line, file=file)
    if judged.status is Status.INCOMPLETE:
        message = found[0].message if found else "the scenario asks for nothing, so nothing is proven"
        remedy = f"; to prove it: {found[0].remedy}" if found and found[0].remedy else ""
        reason = Reason.ENDPOINT if judged.unanswered else Reason.MISSING_EVIDENCE
        return Case(name, line, "error", reason, one_line(message + remedy), details, file=file)
    message = one_line(found[0].message)
    if counts(report, judged):
        return Case(name, line, "failure", found[0].assertion.kind, message, details, file=file)
    why = TOLERATED if tolerated(report, judged) else UNCOUNTED
    return Case(name, line, "skipped", Reason.VIOLATION, f"{why}: {message}", details, file=file)


def happened(judged: Judged) -> str:
    """The steps of a trace, where there is one and the scenario did not pass."""
    steps = steps_of(judged) if judged.status is not Status.PASS else ()
    return lines(["steps:", *(f"  {line}" for line in steps_listed(steps))]) if steps else ""


def told(report: Report, judged: Judged, outcome: Outcome) -> Iterator[str]:
    """What one outcome says: what is wrong, expected and observed or what would prove it, and where it is asked for."""
    assertion = outcome.assertion
    yield f"{named(assertion)} {WORDS[outcome.status]}: {outcome.message}"
    if outcome.status is Status.FAIL:
        yield f"  expected  {value(assertion.wanted)}"
        yield f"  observed  {value(outcome.observed)}"
        if outcome.difference:
            yield f"  differs   at {outcome.difference}"
    elif outcome.remedy:
        yield f"  to prove it  {outcome.remedy}"
    yield f"  at {at(file_of(report, judged.scenario), assertion.line, assertion.column)}"


def value(found: Json) -> str:
    """A value in short."""
    return quote(found, VALUE)


def at(path: str, line: int, column: int) -> str:
    """A place in a file."""
    return ":".join(str(part) for part in (path, line, column) if part)


def lines(texts: Iterable[str]) -> str:
    """Each text on a line of its own."""
    return "".join(f"{clip(one_line(text), 2 * MESSAGE)}\n" for text in texts)


def suite_text(index: int, report: Report, cases: list[Case]) -> str:
    """A suite with its properties, its cases, and a list of all places."""
    name = one_line(report.path).strip() or "agenttest"
    began, took = clock(report)
    counts = Counter(case.element for case in cases)
    head = {
        "name": name,
        "package": str(PurePosixPath(name).parent),
        "id": str(index),
        "tests": str(len(cases)),
        "failures": str(counts["failure"]),
        "errors": str(counts["error"]),
        **({"skipped": str(counts["skipped"])} if counts["skipped"] else {}),  # Ant's older schema has none
        "time": took,
        "timestamp": began,
        "hostname": HOST,
    }
    return "".join(
        [
            f"  <testsuite{attributes(head)}>\n    <properties>\n",
            *(f"      <property{attributes({'name': key, 'value': text})}/>\n" for key, text in properties(report)),
            "    </properties>\n",
            *(case_text(name, case) for case in cases),
            f"    <system-out>{xml(lines(listed(name, case) for case in cases))}</system-out>\n",
            "    <system-err></system-err>\n  </testsuite>\n",
        ]
    )


def case_text(suite: str, case: Case) -> str:
    """One test case."""
    known = {"name": case.name, "classname": suite, "time": case.seconds}
    known |= {"file": file_in(suite, case), "line": str(max(1, case.line))}
    head = f"    <testcase{attributes(known)}"
    if not case.element:
        return f"{head}/>\n"
    said = attributes({"message": clip(case.message, MESSAGE), "type": case.kind})
    return f"{head}>\n      <{case.element}{said}>{xml(case.details)}</{case.element}>\n    </testcase>\n"


def file_in(suite: str, case: Case) -> str:
    """The file of a case: its own, else the suite's."""
    return one_line(case.file).strip() or suite


def listed(suite: str, case: Case) -> str:
    """What came of a case, and where it stands."""
    return f"{(case.element or 'passed').ljust(7)}  {file_in(suite, case)}:{case.line}  {case.name}"


def clock(report: Report) -> tuple[str, str]:
    """When the run began, and how many seconds it took: both are known only of a run that is saved."""
    began = TIME.match(str(report.harness.get("started_at", "")))
    took = report.harness.get("duration_ms")
    return began[0] if began else UNKNOWN_TIME, f"{took / 1000:.3f}" if isinstance(took, int) else "0"


def properties(report: Report) -> Iterator[tuple[str, str]]:
    """What was judged, from what, and what it can be found and checked by."""
    came = report.provenance
    known = {
        "tool": f"agenttest {__version__}",
        "status": report.status,
        "reason": report.verdict.reason,
        "shard": report.shard and str(report.shard),
        "suite-digest": report.suite and report.suite.digest,
        **({"evidence": came.mode} if came and tells_gates(report) else recording(came)),
        **(live(came.endpoint) if came and came.endpoint else {}),
        "trust": came and came.trust,
        "evidence-digest": report.evidence_digest,
        "run-directory": report.directory,
    }
    yield from ((name, one_line(text)) for name, text in known.items() if text)
    if tells_gates(report):
        yield from ((name, one_line(text)) for name, text in gated(report))


def recording(came: Provenance | None) -> dict[str, str]:
    """Which recording was judged."""
    return {"observations": came.path, "observations-digest": came.source_digest} if came else {}


def gated(report: Report) -> Iterator[tuple[str, str]]:
    """Of scenario files: every gate, what is at stake in each scenario, and what is said of those that prove little."""
    for gate in report.verdict.gates:
        yield one_line(f"gate {clip(gate.name, NAME)}"), f"{gate.status}: {clip(gate.message, VALUE)}"
    for judged in report.scenarios:
        scenario = judged.scenario
        known = {"risk": stakes(scenario), "executor": clip(scenario.executor, NAME), "tags": tags(scenario)}
        said = "; ".join(f"{key}: {text}" for key, text in known.items() if text)
        yield one_line(f"scenario {clip(scenario.id, NAME)}"), said
    for number, problem in enumerate(warned(report), 1):
        yield f"warning {number}", clip(str(problem), VALUE)


def live(asked: Endpoint) -> dict[str, str]:
    """Which agent was asked, by its endpoint's class and fingerprint."""
    return {
        "endpoint-class": asked.kind,
        "endpoint-source": asked.source,
        "endpoint-fingerprint": asked.fingerprint,
        "authenticated": "yes" if asked.authenticated else "no",
        "model": clip(asked.model, NAME),
    }


def attributes(values: Mapping[str, str]) -> str:
    """Attributes as they stand in a tag."""
    quoted = {name: xml(text).replace('"', "&quot;") for name, text in values.items()}
    return "".join(f' {name}="{text}"' for name, text in quoted.items())


def xml(text: str) -> str:
    """Text as XML writes it, with no word in it that a workflow's log obeys."""
    return text.translate(ESCAPES).replace("##[", "#&#35;[")
