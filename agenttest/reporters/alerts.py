"""`Report` → SARIF results: each failed or incomplete assertion at its line, under a name that outlives moved lines."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote as percent_encoded

from agenttest.errors import Problem
from agenttest.github.commands import Level
from agenttest.jsontext import compact
from agenttest.model import Assertion, Json, Judged, Outcome, Scenario, Status
from agenttest.quote import clip, one_line, quote
from agenttest.report import Report
from agenttest.reporters.gating import shallow_matters
from agenttest.reporters.rules import SHALLOW, index_of
from agenttest.reporters.standing import file_of, grave, tolerated
from agenttest.reporters.standing import warnings as warned

BASE = "%SRCROOT%"
VALUE = 300
MESSAGE = 500
SCENARIO = 100
LINE_END = re.compile(r"\r\n|\r|\n")
LINKING = re.compile(r"[\[\]\\]")  # what a message's links are made of (SARIF 2.1.0, 3.11.6)


def alerts(report: Report) -> Iterator[tuple[Level, dict[str, Any]]]:
    """A result for each assertion that is not kept, with its level: an error where it breaks the suite's verdict; and
    one for each warning of a scenario that proves little."""
    lines = Lines(report)
    for judged in report.scenarios:
        if judged.status is not Status.PASS:
            prints = fingerprints(report.path, judged)
            for outcome, fingerprint in zip(judged.outcomes, prints, strict=True):
                if outcome.status is not Status.PASS:
                    level = level_of(outcome, judged, report)
                    yield level, alert(report, judged, outcome, lines) | {"level": level, **fingerprint}
    yield from ((level_of_shallow(report), shallow(report, problem)) for problem in warned(report))


def level_of(outcome: Outcome, judged: Judged, report: Report) -> Level:
    """How grave an outcome is."""
    return Level.ERROR if grave(report, judged, outcome) else Level.WARNING


def alert(report: Report, judged: Judged, outcome: Outcome, lines: Lines) -> dict[str, Any]:
    """One outcome: what happened, where it is asked for, and the recording that shows it."""
    assertion, scenario = outcome.assertion, judged.scenario
    seen = recording(report, judged)
    found: dict[str, Any] = {
        "ruleId": assertion.kind,
        "ruleIndex": index_of(assertion.kind),
        "message": {"text": told(scenario.id, outcome) + ("\nSee [the recording](1)." if seen else "")},
        "properties": {
            "scenario": one_line(scenario.id),
            "assertion": one_line(assertion.name),
            "status": outcome.status,
            **({"redacted": True} if assertion.name in judged.redacted else {}),
            **situation(report, judged, assertion),
        },
    }
    file = file_of(report, scenario)
    place = location(file, region(assertion, lines.of(file)))
    if place:
        found["locations"] = [place]
    if seen:
        found["relatedLocations"] = [{"id": 1, **seen, "message": {"text": "The observations that were judged."}}]
    return found


def recording(report: Report, judged: Judged) -> dict[str, Any] | None:
    """Where the recording lies that was judged; a scenario file names its own, or is it."""
    if judged.source is not None:
        return location(judged.source.path)
    came = report.provenance
    return None if came is None or came.path == report.path else location(came.path)


def situation(report: Report, judged: Judged, assertion: Assertion) -> dict[str, Any]:
    """What a scenario file says of its scenario and its oracle; nothing of a contract's."""
    scenario: Scenario = judged.scenario
    if scenario.risk is None:
        return {}
    found: dict[str, Any] = {"risk": scenario.risk, "required": scenario.required, "executor": scenario.executor}
    found["executor"] = one_line(found["executor"])
    found |= {"tags": [one_line(tag) for tag in scenario.tags]} if scenario.tags else {}
    found |= {"oracle": one_line(assertion.label)} if assertion.label else {}
    return found | ({"tolerated": True} if tolerated(report, judged) else {})


def level_of_shallow(report: Report) -> Level:
    """How grave it is that a scenario proves little."""
    return Level.ERROR if shallow_matters(report) else Level.NOTICE


def shallow(report: Report, problem: Problem) -> dict[str, Any]:
    """One warning at its place."""
    found: dict[str, Any] = {
        "ruleId": SHALLOW,
        "ruleIndex": index_of(SHALLOW),
        "message": {"text": inert(clip(f"{problem.message}.", MESSAGE))},
        "level": "error" if shallow_matters(report) else "note",
    }
    at = {"startLine": problem.line, "startColumn": problem.column}
    place = location(problem.path, {key: number for key, number in at.items() if number} or None)
    digest = hashlib.sha256(compact([report.path, problem.path, problem.message]).encode()).hexdigest()[:16]
    prints = {"partialFingerprints": {"primaryLocationLineHash": f"{digest}:1"}}
    return found | ({"locations": [place]} if place else {}) | prints


def told(scenario: str, outcome: Outcome) -> str:
    """The message: a sentence that can stand as a title, then expected and observed, or what would prove it."""
    lines = [f"Scenario {quote(scenario, SCENARIO)}: {clip(outcome.message, MESSAGE)}.", ""]
    if outcome.status is Status.FAIL:
        lines += [
            f"Expected: {quote(outcome.assertion.wanted, VALUE)}",
            f"Observed: {quote(outcome.observed, VALUE)}",
        ]
        lines += [f"They differ at {clip(outcome.difference, VALUE)}"] if outcome.difference else []
    else:
        lines.append("This is not proven, and so it is no pass.")
        lines += [f"To prove it: {clip(outcome.remedy, MESSAGE)}"] if outcome.remedy else []
    return "\n".join(inert(line) for line in lines)


def inert(text: str) -> str:
    """Any text on one line of a message, in which nothing is a link or acts otherwise."""
    return LINKING.sub(r"\\\g<0>", one_line(text))


def location(path: str, place: dict[str, int] | None = None) -> dict[str, Any] | None:
    """A place in a file below the root, the first line where none is given; None where the path is no such file's."""
    if not path or {"", ".", ".."} & set(path.split("/")):
        return None
    uri = percent_encoded(path.encode("utf-8", "surrogatepass"), safe="/")
    return {"physicalLocation": {"artifactLocation": artifact(uri), "region": place or {"startLine": 1}}}


def artifact(uri: str) -> dict[str, str]:
    """The file at an encoded path below the root."""
    return {"uri": uri, "uriBaseId": BASE}


def region(assertion: Assertion, lines: list[int]) -> dict[str, int]:
    """From the assertion's line and column to the line's end, as far as the suite's text is known."""
    line = max(1, assertion.line)
    found = {"startLine": line}
    if assertion.column:
        found["startColumn"] = assertion.column
    if assertion.column and line <= len(lines) and assertion.column <= lines[line - 1]:
        found |= {"endLine": line, "endColumn": lines[line - 1] + 1}
    return found


class Lines:
    """How many characters each line of a file of a suite has; counted when a place in the file is told."""

    def __init__(self, report: Report) -> None:
        self.texts: Mapping[str, str] = texts_of(report)
        self.known: dict[str, list[int]] = {}

    def of(self, path: str) -> list[int]:
        """The lengths of a file's lines."""
        if path not in self.known:
            self.known = {path: [len(line) for line in LINE_END.split(self.texts.get(path, ""))]}
        return self.known[path]


def texts_of(report: Report) -> dict[str, str]:
    """The files of a suite by their paths."""
    if report.suite is None:
        return {}
    if report.suite.files is None:
        return {report.path: report.suite.text}
    return {file.path: file.text for file in report.suite.files}


def fingerprints(path: str, judged: Judged) -> Iterator[dict[str, Any]]:
    """A stable name for each assertion of a scenario, in order; equal ones are told apart by counting them."""
    seen: Counter[str] = Counter()
    for outcome in judged.outcomes:
        key = identity(path, judged.scenario.id, outcome.assertion)
        seen[key] += 1
        digest = hashlib.sha256(f"{key}{seen[key]}".encode()).hexdigest()[:16]
        yield {"partialFingerprints": {"primaryLocationLineHash": f"{digest}:1"}}


def identity(path: str, scenario: str, assertion: Assertion) -> str:
    """What makes an assertion this one: an entry of a list is known by its value, as others may be put before it."""
    expected: Json = assertion.expected if assertion.name.endswith("]") else None
    return compact([path, scenario, assertion.kind, expected])
