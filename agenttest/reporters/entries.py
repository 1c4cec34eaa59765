"""`Report` → entries of Markdown, each whole in itself, for the parts of a job summary."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agenttest.assertions import row_of
from agenttest.errors import Problem
from agenttest.model import Endpoint, Json, Judged, Outcome, Provenance, Status
from agenttest.quote import one_line, quote
from agenttest.report import Report
from agenttest.reporters.causes import Cause, causes
from agenttest.reporters.gfm import code, fence
from agenttest.reporters.origin import MODEL, SHORT, TRUST, exchange, exchanges, limits, named, redacted, sort, token
from agenttest.reporters.parts import Entry

VALUE = 500
Name = Callable[[Report, str, Outcome], str]


def problems(report: Report) -> Iterator[Entry]:
    """What has to be corrected before anything can be judged or kept."""
    for problem in report.problems:
        yield Entry(f"- {place(problem)}{code(problem.message, VALUE)}\n", problem.message)


def place(problem: Problem) -> str:
    """Where a problem is, if anywhere."""
    where = ":".join(str(part) for part in (problem.path, problem.line, problem.column) if part)
    return f"{code(where)} " if where else ""


def violations(report: Report, named: Name | None = None) -> Iterator[Entry]:
    """Each cause of failing: what its first outcome says, and the places of all, `named` as they are to be shown."""
    named = named or name
    for cause in causes(report.scenarios, Status.FAIL):
        kind, message = row_of(cause.first.assertion.kind).path, cause.first.message
        names = [named(report, *member) for member in cause.members]
        yield Entry(f"#### {code(kind)}\n\n{fence(contrast(cause))}", message, names, f"{kind}: {message}")


def unproven(report: Report, named: Name | None = None) -> Iterator[Entry]:
    """Each reason why something is not decided, its remedy, and once each scenario that it concerns."""
    named = named or name
    seen: set[tuple[str, str]] = set()
    for cause in causes(report.scenarios, Status.INCOMPLETE):
        message, remedy = cause.first.message, cause.first.remedy
        said = f"{message}\nto prove it  {one_line(remedy)}" if remedy else message
        names = []
        for scenario, outcome in cause.members:
            if (scenario, said) not in seen:
                names.append(named(report, scenario, outcome))
            seen.add((scenario, said))
        if names:
            yield Entry(f"#### Evidence is missing\n\n{fence(said)}", message, names, said)


def passed(report: Report) -> Iterator[Entry]:
    """A line for each scenario that passed."""
    for judged in report.scenarios:
        if judged.status is Status.PASS:
            yield Entry(f"- {code(f'{report.path}:{judged.scenario.line}')} {code(judged.scenario.id)}\n")


def sources(report: Report) -> Iterator[Entry]:
    """What was judged, from which observations, how far those can be trusted, and the digests of both."""
    if report.suite is None or report.provenance is None:
        return
    came = report.provenance
    judged = f"{code(report.path)} (SHA-256 {code(report.suite.digest)})"
    trust = f": {TRUST[came.trust]}" if came.trust in TRUST else ""
    saved = f"; saved in {code(report.directory)}" if report.directory else ""
    head = f"- {judged} judged from {seen(came)}, {code(came.trust)}{trust}{saved}\n"
    yield Entry(head + "".join(f"  - {line}\n" for line in live(report, came.endpoint)))


def seen(came: Provenance) -> str:
    """What the observations are."""
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
            place = f"{code(f'{report.path}:{judged.scenario.line}')} {code(judged.scenario.id)}"
            yield Entry(f"- {place} {', '.join(exchange(judged.exchange))}{unseen(judged)}\n")


def unseen(judged: Judged) -> str:
    """Which assertions were decided on words that are not kept."""
    names = ", ".join(map(code, judged.redacted))
    return f"; decided on words that are redacted here: {names}" if names else ""


def contrast(cause: Cause) -> str:
    """What the first outcome of a cause says, expected and observed beneath each other."""
    first = cause.first
    whose = f"  (in {one_line(cause.members[0][0])})" if len(cause.members) > 1 else ""
    lines = [
        one_line(first.message),
        f"expected  {value(first.assertion.expected)}",
        f"observed  {value(first.observed)}{whose}",
    ]
    return "\n".join([*lines, f"differs   at {one_line(first.difference)}"] if first.difference else lines)


def value(found: Json) -> str:
    """A value on one line."""
    return one_line(quote(found, VALUE))


def name(report: Report, scenario: str, outcome: Outcome) -> str:
    """Where a cause shows: the line in the suite, the scenario, the assertion."""
    place = code(f"{report.path}:{outcome.assertion.line}")
    return f"{place} {code(scenario)} {code(outcome.assertion.name)}"
