"""`Report` → SARIF results: each failed or incomplete assertion at its line, under a name that outlives moved lines."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote as percent_encoded

from agenttest.assertions import ASSERTIONS
from agenttest.github.commands import Level
from agenttest.jsontext import compact
from agenttest.model import Assertion, Json, Judged, Outcome, Status
from agenttest.quote import clip, one_line, quote
from agenttest.report import Report

BASE = "%SRCROOT%"
VALUE = 300
MESSAGE = 500
SCENARIO = 100
RULES = {kind: index for index, kind in enumerate(ASSERTIONS)}
LINE_END = re.compile(r"\r\n|\r|\n")
LINKING = re.compile(r"[\[\]\\]")  # what a message's links are made of (SARIF 2.1.0, 3.11.6)


def alerts(report: Report) -> Iterator[tuple[Level, dict[str, Any]]]:
    """A result for each assertion that is not kept, with its level: an error where it breaks the suite's verdict."""
    lines: list[int] = []
    for judged in report.scenarios:
        if judged.status is not Status.PASS:
            lines = lines or line_lengths(report)
            prints = fingerprints(report.path, judged)
            for outcome, fingerprint in zip(judged.outcomes, prints, strict=True):
                if outcome.status is not Status.PASS:
                    level = level_of(outcome, report)
                    yield level, alert(report, judged, outcome, lines) | {"level": level, **fingerprint}


def level_of(outcome: Outcome, report: Report) -> Level:
    """How grave an outcome is."""
    return Level.ERROR if Status.FAIL is outcome.status is report.status else Level.WARNING


def alert(report: Report, judged: Judged, outcome: Outcome, lines: list[int]) -> dict[str, Any]:
    """One outcome: what happened, where it is asked for, and the recording that shows it."""
    assertion, scenario = outcome.assertion, judged.scenario
    seen = location(report.provenance.path) if report.provenance else None
    found: dict[str, Any] = {
        "ruleId": assertion.kind,
        "ruleIndex": RULES[assertion.kind],
        "message": {"text": told(scenario.id, outcome) + ("\nSee [the recording](1)." if seen else "")},
        "properties": {
            "scenario": one_line(scenario.id),
            "assertion": one_line(assertion.name),
            "status": outcome.status,
            **({"redacted": True} if assertion.name in judged.redacted else {}),
        },
    }
    place = location(report.path, region(assertion, lines))
    if place:
        found["locations"] = [place]
    if seen:
        found["relatedLocations"] = [{"id": 1, **seen, "message": {"text": "The observations that were judged."}}]
    return found


def told(scenario: str, outcome: Outcome) -> str:
    """The message: a sentence that can stand as a title, then expected and observed, or what would prove it."""
    lines = [f"Scenario {quote(scenario, SCENARIO)}: {clip(outcome.message, MESSAGE)}.", ""]
    if outcome.status is Status.FAIL:
        lines += [
            f"Expected: {quote(outcome.assertion.expected, VALUE)}",
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


def line_lengths(report: Report) -> list[int]:
    """How many characters each line of the suite has."""
    text = report.suite.text if report.suite else ""
    return [len(line) for line in LINE_END.split(text)]


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
