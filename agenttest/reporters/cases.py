"""`Report` → the test cases of a JUnit file: one for each scenario, and one for all else that keeps it from passing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from agenttest.errors import Problem
from agenttest.model import Exchange, Json, Judged, Outcome, Reason, Status
from agenttest.quote import clip, one_line, quote
from agenttest.report import Report
from agenttest.reporters.gating import problem_of, unexplained
from agenttest.reporters.standing import FREE, counts, file_of, named, tolerated, unkept, unread
from agenttest.reporters.trace import listed, steps_of

VALUE = 500
NAME = 200
MESSAGE = 1000
UNCOUNTED = "violated, which does not break the suite's verdict"
TOLERATED = f"violated, which {FREE}"
WORDS = {Status.FAIL: "violated", Status.INCOMPLETE: "not proven"}


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
    return lines(["steps:", *(f"  {line}" for line in listed(steps))]) if steps else ""


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
