"""A report → the report as it may stand: within its bounds, and no pass where the evidence could not be kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import sub
from typing import Any

from agenttest.errors import Problem
from agenttest.files import size
from agenttest.jsontext import spread
from agenttest.model import Json, Judged, Reason, Status
from agenttest.quote import SHOWN, written
from agenttest.report import FILES, Report, to_document
from agenttest.settings import REPORT_BYTES, SCENARIOS_BYTES


def bounded(report: Report) -> tuple[Report, dict[str, Any], str]:
    """The report, its document and that as text; beyond its limit observations, then long values are left out.

    Observed values that are beyond it by themselves are cut at once, as the observations hold them too.
    """
    most = limit(report)
    if any(room < 0 for room in accumulate(sizes(report), sub, initial=most)):
        report = replace(report, scenarios=tuple(map(shortened, report.scenarios)))
    document = to_document(report)
    text = spread(document)
    if length(text) > most:
        report = replace(unsaved(report, too_large(text, most)), directory=report.directory, observations_kept=False)
        document = to_document(report)
        text = spread(document)
    if length(text) > most:
        report = replace(report, scenarios=tuple(map(shortened, report.scenarios)))
        document = to_document(report)
        text = spread(document)
    return replace(report, evidence_digest=document["evidence_digest"]), document, text


def limit(report: Report) -> int:
    """The most bytes that a report may have: a contract's as the seed of its format caps it."""
    return REPORT_BYTES if report.suite is None or report.suite.files is None else SCENARIOS_BYTES


def length(text: str) -> int:
    """The bytes of a JSON text with every character beyond ASCII escaped, as the tools that pass a report on may write
    it: what is within the limit here is so everywhere."""
    if text.isascii():
        return len(text)
    plain, units = len(text.encode("ascii", "ignore")), len(text.encode("utf-16-le", "surrogatepass")) // 2
    return plain + len(r"\u0000") * (units - plain)


def sizes(report: Report) -> Iterator[int]:
    """The length of every text in the outcomes' observed values, and 1 for every other value: what is seen once in an
    observation may be told by each outcome, and all of it together would not fit into memory."""
    rest: list[Json] = [outcome.observed for outcome in report.outcomes]
    while rest:
        value = rest.pop()
        yield len(value) if isinstance(value, str) else 1
        if isinstance(value, Mapping):
            rest += [*value, *value.values()]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            rest += value


def too_large(text: str, most: int) -> Problem:
    """The problem of a report that is larger than one may be."""
    large = size(length(text))
    said = f"would be {large} large, at most {size(most)} may be, so the observations are left out of it"
    return Problem(FILES["behavior_results"], 0, 0, f"{said}; split the suite")


def shortened(judged: Judged) -> Judged:
    """The scenario with long observed values of its outcomes cut to the beginning of their text."""
    return replace(judged, outcomes=tuple(replace(each, observed=short(each.observed)) for each in judged.outcomes))


def short(value: Json) -> Json:
    """A value, or the beginning of its text where it is long."""
    return value if len(written(value, SHOWN + 1)) <= SHOWN else written(value)


def unsaved(report: Report, problem: Problem) -> Report:
    """The report of a run whose evidence could not be kept: a pass becomes incomplete, a violation stays one."""
    verdict = report.verdict
    if verdict.status is Status.PASS:
        verdict = replace(verdict, status=Status.INCOMPLETE, reason=Reason.NOT_SAVED)
    problems = (*report.problems, problem)
    return replace(report, verdict=verdict, directory=None, problems=problems, evidence_digest=None)
