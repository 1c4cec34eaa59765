"""Reports → JUnit XML, which CI tools show: a test case for each scenario.

The elements are those that Ant's schema and Jenkins's xUnit plugin both take; the plugin refuses a file with any other.
Neither has a file or a line on a test case: the class name is the suite's path, and the texts name its lines. Nor has a
test case properties there: what is at stake in a scenario of a file stands in the suite's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from agenttest import __version__
from agenttest.model import Endpoint, Provenance
from agenttest.quote import clip, one_line
from agenttest.report import Ending, Report, ending
from agenttest.reporters.cases import MESSAGE, NAME, VALUE, Case, all_cases, lines
from agenttest.reporters.standing import stakes, tags, tells_gates
from agenttest.reporters.standing import warnings as warned

MOST = 16 << 20  # characters of details in a file; some tools refuse one beyond 30 MB
LATER = "\nThe details stand in the run directory, as this file has no room for more.\n"
UNKNOWN_TIME = "1970-01-01T00:00:00"  # Ant's schema demands one
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
HOST = "localhost"  # what Ant's schema asks for where none is known; no report names a machine
# What XML means by itself, and what it cannot hold beyond what `one_line` escapes. (xml.sax imports an HTTP client.)
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\ufffe": "\\ufffe", "\uffff": "\\uffff"})


def render(report: Report) -> str:
    """One report as a file of its own."""
    results = Results()
    results.add(report)
    return results.text(ending(report))


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
