"""`Report` → entries of Markdown, each whole in itself, for the parts of a job summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agenttest.errors import Problem
from agenttest.model import Endpoint, Json, Judged, Outcome, Provenance, Scenario, Status
from agenttest.quote import one_line, quote
from agenttest.report import Report
from agenttest.reporters import trace
from agenttest.reporters.causes import Cause, causes
from agenttest.reporters.causes import violations as violated
from agenttest.reporters.gfm import code, fence
from agenttest.reporters.origin import (
    MODEL,
    MODES,
    SHORT,
    TRUST,
    exchange,
    exchanges,
    limits,
    named,
    redacted,
    sort,
    token,
    ways,
)
from agenttest.reporters.parts import Entry
from agenttest.reporters.standing import named as asserted
from agenttest.reporters.standing import place_of, stakes, tags, titled

VALUE = 500
Name = Callable[[Report, Scenario, Outcome], str]


def problems(report: Report) -> Iterator[Entry]:
    """What has to be corrected before anything can be judged or kept."""
    for problem in report.problems:
        yield Entry(f"- {place(problem)}{code(problem.message, VALUE)}\n", problem.message)


def place(problem: Problem) -> str:
    """Where a problem is, if anywhere."""
    where = ":".join(str(part) for part in (problem.path, problem.line, problem.column) if part)
    return f"{code(where)} " if where else ""


def violations(report: Report, named: Name | None = None) -> Iterator[Entry]:
    """Each cause of failing a gate: what its first outcome says, and the places of all, `named` as they are shown."""
    yield from (violation(report, cause, named or name) for cause in violated(report) if not cause.tolerated)


def violation(report: Report, cause: Cause, named: Name) -> Entry:
    """One cause of failing."""
    kind, message = titled(cause.first.assertion), cause.first.message
    names = [named(report, judged.scenario, outcome) for judged, outcome in cause.members]
    return Entry(f"#### {code(kind)}\n\n{fence(contrast(cause))}", message, names, f"{kind}: {message}")


def unproven(report: Report, named: Name | None = None) -> Iterator[Entry]:
    """Each reason why something is not decided, its remedy, and once each scenario that it concerns."""
    named = named or name
    seen: set[tuple[str, str]] = set()
    for cause in causes(report.scenarios, Status.INCOMPLETE):
        message, remedy = cause.first.message, cause.first.remedy
        said = f"{message}\nto prove it  {one_line(remedy)}" if remedy else message
        names = []
        for judged, outcome in cause.members:
            if (judged.scenario.id, said) not in seen:
                names.append(named(report, judged.scenario, outcome))
            seen.add((judged.scenario.id, said))
        if names:
            yield Entry(f"#### Evidence is missing\n\n{fence(said)}", message, names, said)


def passed(report: Report) -> Iterator[Entry]:
    """A line for each scenario that passed."""
    for judged in report.scenarios:
        if judged.status is Status.PASS:
            yield Entry(f"- {situated(report, judged)}\n")


def situated(report: Report, judged: Judged) -> str:
    """A scenario with its place and, where its file says so, what is at stake in it and its tags."""
    scenario = judged.scenario
    found = f"{code(place_of(report, scenario, scenario.line))} {code(scenario.id)}"
    if scenario.risk is None:
        return found
    more = [stakes(scenario), *filter(None, (trace.counted(judged),))]
    listed = f" {code(tags(scenario))}" if scenario.tags else ""
    return f"{found} {', '.join(more)}{listed}"


def sources(report: Report) -> Iterator[Entry]:
    """What was judged, from which observations, how far those can be trusted, and the digests of both."""
    if report.suite is None or report.provenance is None:
        return
    came = report.provenance
    judged = f"{code(report.path)} (SHA-256 {code(report.suite.digest)})"
    trust = f": {TRUST[came.trust]}" if came.trust in TRUST else ""
    saved = f"; saved in {code(report.directory)}" if report.directory else ""
    how = f" ({', '.join(ways(report.scenarios))})" if came.mode in MODES else ""
    head = f"- {judged} judged from {seen(came)}{how}, {code(came.trust)}{trust}{saved}\n"
    yield Entry(head + "".join(f"  - {line}\n" for line in live(report, came.endpoint)))


def seen(came: Provenance) -> str:
    """What the observations are."""
    if came.mode in MODES:
        return f"{MODES[came.mode]} {code(came.path)}"
    if came.endpoint is not None:
        return f"the answers of {sort(came.endpoint)}"
    return f"{code(came.path)} (SHA-256 {code(came.source_digest)})"


def live(report: Report, asked: Endpoint | None) -> Iterator[str]:
    """Of a live run: which endpoint was asked, by whose word and how; what was exchanged; what is not kept."""
    if asked is not None:
        fingerprint = code(asked.fingerprint[:SHORT])
        yield f"endpoint {named(asked)}, fingerprint {fingerprint}; {token(asked)}; model {code(asked.model, MODEL)}"
        yield "; ".join(filter(None, (exchanges(report.scenarios), limits(asked))))
    if redacted(report.scenarios):
        yield redacted(report.scenarios)


def exchanged(report: Report) -> Iterator[Entry]:
    """A line for each scenario in which an agent was asked: what the exchange was, and what was decided unseen."""
    for judged in report.scenarios:
        if judged.exchange is not None:
            yield Entry(f"- {situated(report, judged)} {', '.join(exchange(judged.exchange))}{unseen(judged)}\n")


def unseen(judged: Judged) -> str:
    """Which assertions were decided on words that are not kept."""
    names = ", ".join(map(code, judged.redacted))
    return f"; decided on words that are redacted here: {names}" if names else ""


def contrast(cause: Cause) -> str:
    """What the first outcome of a cause says, expected and observed beneath each other."""
    first = cause.first
    whose = f"  (in {one_line(cause.scenario.scenario.id)})" if len(cause.members) > 1 else ""
    lines = [
        one_line(first.message),
        f"expected  {value(first.assertion.wanted)}",
        f"observed  {value(first.observed)}{whose}",
    ]
    return "\n".join([*lines, f"differs   at {one_line(first.difference)}"] if first.difference else lines)


def value(found: Json) -> str:
    """A value on one line."""
    return one_line(quote(found, VALUE))


def name(report: Report, scenario: Scenario, outcome: Outcome) -> str:
    """Where a cause shows: the line in the suite, the scenario, the assertion."""
    place = code(place_of(report, scenario, outcome.assertion.line))
    return f"{place} {code(scenario.id)} {code(asserted(outcome.assertion))}"
