"""`Report` → blocks of Markdown, each whole in itself, for the parts of a job summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agenttest.assertions import ASSERTIONS
from agenttest.errors import Problem
from agenttest.model import Json, Outcome, Status
from agenttest.quote import one_line, quote
from agenttest.report import Report
from agenttest.reporters.causes import Cause, causes
from agenttest.reporters.gfm import code, details, fence
from agenttest.reporters.parts import Block

VALUE = 500
PLACES = 10  # shown at once, the others folded
TRUST = {
    "unverified_fixture": "checked from a recording, which does not prove that a running agent produced it",
    "runtime_observed": "observed while the agent ran",
}

Member = tuple[str, Outcome]


def problems(report: Report) -> Iterator[Block]:
    """What has to be corrected before anything can be judged or kept."""
    for problem in report.problems:
        yield Block(f"- {place(problem)}{code(problem.message, VALUE)}\n", (), problem.message)


def place(problem: Problem) -> str:
    """Where a problem is, if anywhere."""
    where = ":".join(str(part) for part in (problem.path, problem.line, problem.column) if part)
    return f"{code(where)} " if where else ""


def violations(report: Report) -> Iterator[Block]:
    """Each cause of failing, with all places that show it."""
    for cause in causes(report.scenarios, Status.FAIL):
        where = members(cause.members, report.path)
        yield Block(f"{title(cause)}\n{fence(contrast(cause))}\n{listing(where)}\n", tuple(where), cause.first.message)


def unproven(report: Report) -> Iterator[Block]:
    """Each cause of not being decided, with what would make it provable; one cause may concern several kinds."""
    same: dict[tuple[str, str | None], dict[str, Outcome]] = {}
    for cause in causes(report.scenarios, Status.INCOMPLETE):
        found = same.setdefault((cause.first.message, cause.first.remedy), {})
        for scenario, outcome in cause.members:
            found.setdefault(scenario, outcome)
    for (message, remedy), found in same.items():
        where = members([*found.items()], report.path)
        said = f"{message}\nto prove it  {one_line(remedy)}" if remedy else message
        text = f"#### Evidence is missing in {many(len(where), 'scenario')}\n\n{fence(said)}\n{listing(where)}\n"
        yield Block(text, tuple(where), message)


def passed(report: Report) -> Iterator[Block]:
    """A line for each scenario that passed."""
    for judged in report.scenarios:
        if judged.status is Status.PASS:
            yield Block(f"- {code(f'{report.path}:{judged.scenario.line}')} {code(judged.scenario.id)}\n")


def sources(report: Report) -> Iterator[Block]:
    """What was judged, from which observations, how far those can be trusted, and the digests of both."""
    if report.suite is None or report.provenance is None:
        return
    suite, came = report.suite, report.provenance
    trust = TRUST.get(came.trust)
    said = f"{code(came.trust)}{f': {trust}' if trust else ''}"
    saved = f"; saved in {code(report.directory)}" if report.directory else ""
    judged = f"{code(report.path)} (SHA-256 {code(suite.digest)})"
    seen = f"{code(came.path)} (SHA-256 {code(came.source_digest)})"
    yield Block(f"- {judged} judged from {seen}, {said}{saved}\n")


def title(cause: Cause) -> str:
    """The kind of assertion, and how often it was violated so."""
    path = ASSERTIONS[cause.first.assertion.kind].path
    return f"#### {code(path)} in {many(len({scenario for scenario, _ in cause.members}), 'scenario')}\n"


def contrast(cause: Cause) -> str:
    """Message, expected and observed of the first that shows a cause."""
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


def members(found: Sequence[Member], path: str) -> list[str]:
    """Where a cause shows: the line in the suite, the scenario, the assertion."""
    return [
        f"{code(f'{path}:{outcome.assertion.line}')} {code(scenario)} {code(outcome.assertion.name)}"
        for scenario, outcome in found
    ]


def listing(where: Sequence[str]) -> str:
    """The places as a list, of which the first are seen at once."""
    shown, rest = bullets(where[:PLACES]), where[PLACES:]
    return shown + (f"\n{details(many(len(rest), 'more place'), bullets(rest))}" if rest else "")


def bullets(entries: Sequence[str]) -> str:
    """A list."""
    return "".join(f"- {entry}\n" for entry in entries)


def many(count: int, word: str) -> str:
    """A count with its word."""
    return f"{count:,} {word}{'s' * (count != 1)}"
