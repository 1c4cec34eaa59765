"""`Report` → text for people: a line for each scenario, what failed or is not proven by cause, and the gates."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from agenttest.model import Gate, Json, Judged, Merged, Outcome, Status
from agenttest.quote import clip, many, one_line, quote
from agenttest.report import Report, tally
from agenttest.reporters.causes import Cause, all_causes
from agenttest.reporters.gating import remedy
from agenttest.reporters.origin import exchanges, heading, redacted
from agenttest.reporters.standing import (
    FREE,
    named,
    place_of,
    spared,
    stakes,
    tags,
    tells_gates,
    tolerated,
    unkept,
    unread,
    warnings,
)
from agenttest.reporters.trace import counted, outline, steps_of

PLACES = 8
VALUE = 400
MESSAGE = 600
WARNINGS = 100
RISK = len("Critical, required")
LABELS = {Status.PASS: "pass", Status.FAIL: "FAIL", Status.INCOMPLETE: "incomplete"}
COLOURS = {"pass": "32", "FAIL": "1;31", "incomplete": "33", "faint": "2", "bold": "1"}

Paint = Callable[[str, str], str]


def plain(_: str, text: str) -> str:
    """No colour."""
    return text


def colour(style: str, text: str) -> str:
    """The text in the terminal's colour for a style of COLOURS."""
    return f"\033[{COLOURS[style]}m{text}\033[0m"


@dataclass(frozen=True, slots=True)
class Look:
    """How the text is shown: its colours, and the project root as seen from where the reader stands."""

    paint: Paint = plain
    prefix: str = ""


def render(report: Report, look: Look | None = None) -> str:
    """The report as text that ends in the verdict and the next command."""
    look = look or Look()
    if report.suite is None:
        return "\n".join(invalid(report, look)) + "\n"
    parts = (head, scenario_lines, cause_lines, gate_lines, warning_lines, foot)
    return "".join(f"{line}\n" for part in parts for line in part(report, look))


def folded(report: Report) -> tuple[str, str, str]:
    """The same text in three: a title, what may be folded away behind it, and what is to be seen in any case."""
    if report.suite is None:
        return "", "", render(report)
    title, *rest = [*head(report, Look()), *scenario_lines(report, Look())]
    seen = (problem_lines, cause_lines, gate_lines, warning_lines, foot)
    return title, "\n".join(rest), "".join(f"{line}\n" for part in seen for line in part(report, Look()))


def invalid(report: Report, look: Look) -> Iterator[str]:
    """All problems of a run that could not begin."""
    yield from (one_line(str(problem)) for problem in report.problems)
    count = len(report.problems)
    yield ""
    yield f"{verdict(report, look)}: {count} problem{'s' * (count != 1)} to correct, then run the same command again"


def head(report: Report, look: Look) -> Iterator[str]:
    """What was judged, and from what."""
    scenarios, assertions = len(report.scenarios), len(report.outcomes)
    counts = f"{many(scenarios, 'scenario')}, {many(assertions, 'assertion')}"
    yield f"{look.paint('bold', one_line(report.path))}  {counts}"
    if report.provenance:
        source = heading(report.provenance, report.scenarios)
        yield from (look.paint("faint", one_line(line)) for line in (source, exchanges(report.scenarios)) if line)
    if report.shard and not report.scenarios:
        yield f"shard {report.shard}: none of the suite's scenarios falls into it; all shards together decide"
    elif report.shard:
        yield look.paint("faint", f"shard {report.shard} of the suite; all shards together decide")
    elif report.merged:
        yield look.paint("faint", merged(report.merged))
    if report.scenarios:
        yield ""


def merged(of: Merged) -> str:
    """What a run was merged from."""
    if not of.missing:
        return f"merged from {many(of.count, 'shard')}"
    there = of.count - len(of.missing)
    return f"merged from {there:,} of {many(of.count, 'shard')}; missing: {', '.join(map(str, of.missing))}"


def scenario_lines(report: Report, look: Look) -> Iterator[str]:
    """One line for each scenario."""
    names = [one_line(judged.scenario.id) for judged in report.scenarios]
    wide = min(60, max(map(len, names), default=0))
    for name, judged in zip(names, report.scenarios, strict=True):
        label = LABELS[judged.status]
        found = told(tally(outcome.status for outcome in judged.outcomes))
        more = look.paint("faint", beside(report, judged)) if tells_gates(report) else ""
        risk = f"{stakes(judged.scenario).ljust(RISK)}  " if tells_gates(report) else ""
        yield f"  {look.paint(label, label.ljust(10))}  {name.ljust(wide)}  {risk}{found}{more}"


def beside(report: Report, judged: Judged) -> str:
    """What else a line says of a scenario of a file: its steps, that it fails no gate, its tags."""
    steps, listed = counted(judged), one_line(tags(judged.scenario))
    said = [f" in {steps}"] if steps else []
    said += [f", which {FREE}"] if tolerated(report, judged) else []
    return "".join([*said, f"  [{listed}]"] if listed else said)


def told(found: dict[Status, int]) -> str:
    """How many assertions there are, or how many of them are not kept."""
    total = sum(found.values())
    words = {Status.FAIL: "violated", Status.INCOMPLETE: "not provable"}
    parts = [f"{found[status]} {word}" for status, word in words.items() if found[status]]
    return f"{', '.join(parts)} of {many(total, 'assertion')}" if parts else f"{many(total, 'assertion')} kept"


def problem_lines(report: Report, _: Look) -> Iterator[str]:
    """The files that are no valid scenario, each with everything that is wrong with it."""
    for problem in unread(report):
        yield f"not valid: {one_line(str(problem))}"


def cause_lines(report: Report, look: Look) -> Iterator[str]:
    """Every cause, violations first."""
    for cause in all_causes(report):
        yield ""
        yield from opened(cause, report, look)


def opened(cause: Cause, report: Report, look: Look) -> Iterator[str]:
    """One cause: what it is, expected and observed, where it shows, and what would prove it."""
    label = LABELS[cause.status]
    free = f" ({FREE})" if cause.tolerated else ""
    yield f"{look.paint(label, label)}{free}  {one_line(cause.first.message)}"
    if cause.status is Status.FAIL:
        yield from compared(cause.first)
        yield from traced(cause)
    yield from placed(cause, report, look)
    if cause.first.remedy:
        yield f"  to prove it  {one_line(cause.first.remedy)}"


def compared(outcome: Outcome) -> Iterator[str]:
    """What was expected and what was observed, and where they first differ."""
    yield f"  expected  {value(outcome.assertion.wanted)}"
    yield f"  observed  {value(outcome.observed)}"
    if outcome.difference:
        yield f"  differs   at {one_line(outcome.difference)}"


def value(found: Json) -> str:
    """A value on one line."""
    return one_line(quote(found, VALUE))


def traced(cause: Cause) -> Iterator[str]:
    """What happened in the scenario of a cause that is of this one alone, where that is told in steps."""
    steps = steps_of(cause.scenario) if len(cause.members) == 1 else ()
    if steps:
        yield f"  steps     {outline(steps, VALUE)}"


def placed(cause: Cause, report: Report, look: Look) -> Iterator[str]:
    """Where the cause shows: each place with its scenario, the first of them where they are many."""
    for judged, outcome in cause.members[:PLACES]:
        place = f"{look.prefix}{place_of(report, judged.scenario, outcome.assertion.line)}"
        said = f"{place}  {judged.scenario.id}  {named(outcome.assertion)}"
        yield f"  {look.paint('faint', 'at')} {one_line(said)}"
    more = len(cause.members) - PLACES
    if more > 0:
        yield f"  and at {many(more, 'more place')}"


def gate_lines(report: Report, look: Look) -> Iterator[str]:
    """Every gate of scenario files; a contract's are in its verdict."""
    gates = report.verdict.gates if tells_gates(report) else ()
    wide = max((len(one_line(gate.name)) for gate in gates), default=0)
    if gates:
        yield ""
        yield "gates"
    for gate in gates:
        yield from gate_line(gate, wide, look)


def gate_line(gate: Gate, wide: int, look: Look) -> Iterator[str]:
    """One gate with its message and, where it does not hold, what would make it hold."""
    label = LABELS[gate.status]
    said = f"{one_line(gate.name).ljust(wide)}  {one_line(clip(gate.message, MESSAGE))}"
    yield f"  {look.paint(label, label.ljust(10))}  {said}"
    if remedy(gate):
        yield f"  {'':10}  {'':{wide}}  to hold it: {remedy(gate)}"


def warning_lines(report: Report, look: Look) -> Iterator[str]:
    """What is said of scenarios that prove little, the first of it where it is much."""
    found = warnings(report)
    if found:
        yield ""
        yield "warnings"
    for problem in found[:WARNINGS]:
        yield f"  {one_line(look.prefix + str(problem))}"
    if len(found) > WARNINGS:
        yield f"  and {many(len(found) - WARNINGS, 'more warning')}"


def foot(report: Report, look: Look) -> Iterator[str]:
    """The closing counts, the verdict, and the command that comes next."""
    scenarios = tally(judged.status for judged in report.scenarios)
    assertions = tally(outcome.status for outcome in report.outcomes)
    yield ""
    for problem in unkept(report):
        yield f"not saved: {one_line(str(problem))}"
    if redacted(report.scenarios):
        yield redacted(report.scenarios)
    counts = f"{sums(scenarios, ('passed', 'failed', 'incomplete'))} of {many(sum(scenarios.values()), 'scenario')}"
    counts += f" ({sums(assertions, ('kept', 'violated', 'not provable'))})"
    parts = [counts if report.scenarios else "no scenario was judged", spared(report), invalid_files(report)]
    yield f"{verdict(report, look)}: {'; '.join(filter(None, parts))}"
    if report.directory is not None:
        run = look.prefix + report.directory
        yield f"saved in {one_line(run)}"
        yield f"replay: agenttest replay {one_line(shlex.quote(run))}"


def invalid_files(report: Report) -> str:
    """How many files are no valid scenario; nothing where there are none."""
    count = len({problem.path for problem in unread(report)})
    return f"{many(count, 'file')} {'is' if count == 1 else 'are'} not valid" if count else ""


def sums(found: dict[Status, int], words: Iterable[str]) -> str:
    """`3 passed, 1 failed`: what there is of each status."""
    named = zip((Status.PASS, Status.FAIL, Status.INCOMPLETE), words, strict=True)
    return ", ".join(f"{found[status]} {word}" for status, word in named if found[status]) or "nothing"


def verdict(report: Report, look: Look) -> str:
    """The status with its reason and exit code."""
    label = LABELS[report.status]
    return f"{look.paint(label, label)} ({report.verdict.reason}, exit {report.status.exit_code})"
