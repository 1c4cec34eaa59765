"""A judged scenario → its view: the steps of what happened, each with the checks that it decided."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from agenttest.evidence import Missing, weigh
from agenttest.model import Exchange, Judged, Observation, Status, ToolCall
from agenttest.quote import clip, many, quote
from agenttest.report import FILES, Report, tally
from agenttest.reporters import standing
from agenttest.reporters.html.checks import Check, Place, offences, placed, together
from agenttest.reporters.html.difference import bounded, spread
from agenttest.reporters.html.shown import Step
from agenttest.reporters.html.timeline import timeline
from agenttest.reporters.html.words import Mark, Part, parts
from agenttest.reporters.origin import counts
from agenttest.reporters.text import told

ANSWER = 12_000  # characters of an answer
PROMPT = 4_000  # characters of a prompt
CALLS = 30  # calls beside those that decided something
NAME = 300  # characters of a name
SOURCES = 100
TOOLS = 30
TAG, TAGS = 60, 20  # characters of a tag, and tags of a scenario
UNSEEN = "not observed"
STATED = {True: "true", False: "false", None: "not stated"}


@dataclass(frozen=True, slots=True)
class View:
    """One scenario as it is shown, opened or as its line alone."""

    anchor: str
    id: str
    status: Status
    told: str
    path: str
    line: int
    redacted: tuple[str, ...]
    stakes: str = ""
    tags: tuple[str, ...] = ()
    free: str = ""
    steps: tuple[Step, ...] = ()


def view(judged: Judged, report: Report) -> View:
    """The scenario with its steps."""
    return View(**head(judged, report), steps=tuple(steps(judged, report)))


def line(judged: Judged, report: Report) -> View:
    """The scenario's line alone."""
    return View(**head(judged, report))


def head(judged: Judged, report: Report) -> dict[str, Any]:
    """What both have."""
    scenario = judged.scenario
    return {
        "anchor": anchor(judged.scenario.id),
        "id": clip(judged.scenario.id, NAME),
        "status": judged.status,
        "told": told(tally(outcome.status for outcome in judged.outcomes)),
        "path": clip(standing.file_of(report, scenario), NAME),
        "line": scenario.line,
        "redacted": tuple(redacted(judged)),
        "stakes": standing.stakes(scenario),
        "tags": tuple(clip(tag, TAG) for tag in scenario.tags[:TAGS]),
        "free": standing.FREE if standing.tolerated(report, judged) else "",
    }


def redacted(judged: Judged) -> Iterator[str]:
    """The assertions that were decided on words that are not kept, as they are shown."""
    known = {assertion.name: standing.named(assertion) for assertion in judged.scenario.assertions}
    yield from (known.get(name, name) for name in judged.redacted)


def anchor(scenario: str) -> str:
    """The scenario's place in the page: the same in every run, and nothing in it that somebody else has written."""
    return "scenario-" + hashlib.sha256(scenario.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def steps(judged: Judged, report: Report) -> Iterator[Step]:
    """What happened, in order; what was not observed is a step where something hinges on it."""
    yield from asked(judged, report)
    seen = judged.observation if report.observations_kept else None
    if seen is None or seen.error is not None:
        yield unseen(seen, report, together(judged.outcomes))
    if seen is not None and seen.error is None and seen.steps is not None:
        yield from timeline(seen, judged)
    elif seen is not None and seen.error is None:
        yield from happened(seen, judged, placed(judged.outcomes, seen.tool_calls or ()))
    elif seen is not None:
        yield from (step for step in happened(seen, judged, {}) if step.tells)
    if judged.exchange is not None:
        yield Step("Exchange", items=tuple(exchanged(judged.exchange)))


def asked(judged: Judged, report: Report) -> Iterator[Step]:
    """The prompts, and the tools that the agent had; of a scenario in a file first what it is about."""
    scenario = judged.scenario
    if scenario.risk is not None:
        yield about(judged)
    if scenario.system_prompt:
        yield Step("System prompt", parts=tuple(parts(scenario.system_prompt, PROMPT)))
    names = scenario.available_tools
    if names is None and report.suite is not None:
        names = tuple(tool.name for tool in report.suite.agent.tools)
    more = f" and {len(names) - TOOLS:,} more" if names and len(names) > TOOLS else ""
    tools = f"tools: {', '.join(clip(name, NAME) for name in names[:TOOLS])}{more}" if names else ""
    yield Step("Prompt", parts=tuple(parts(scenario.prompt, PROMPT)), note=tools)


def about(judged: Judged) -> Step:
    """What a file says of its scenario: its name and description, the risk, and where its evidence comes from."""
    scenario, source = judged.scenario, judged.source
    more = ["required for the gates"] if scenario.required else []
    more += [f"evidence {clip(source.path, NAME)}"] if source else []
    items = (f"risk {scenario.risk}", f"executor {clip(scenario.executor, TAG)}", *more)
    return Step("Scenario", clip(scenario.title, NAME), tuple(parts(scenario.description, PROMPT)), items=items)


def unseen(seen: Observation | None, report: Report, checks: tuple[Check, ...]) -> Step:
    """Why there is nothing to be judged, or nothing to be shown; all checks stand here."""
    if seen is not None and seen.error is not None:
        return Step("Error", parts=tuple(parts(seen.error, PROMPT)), checks=checks)
    if not report.observations_kept:
        said = f"left out, as the report would have grown too large; {FILES['events']} in the run directory holds it"
        return Step("Observation", note=said, checks=checks)
    return Step("Observation", note="nothing was observed", checks=checks)


def happened(seen: Observation, judged: Judged, checks: Mapping[Place, tuple[Check, ...]]) -> Iterator[Step]:
    """The calls, the answer, the refusal, the sources, the end."""
    evidence = weigh(seen, None, judged.exchange, judged.scenario.partial)
    yield from called(seen, judged, checks, evidence.tools)
    yield answered(seen, judged, checks.get("response", ()), evidence.response)
    if seen.refusal or "refusal" in checks:
        yield refused(seen, checks.get("refusal", ()), evidence.refusal)
    if seen.sources or "sources" in checks:
        yield cited(seen, checks.get("sources", ()), evidence.sources)
    yield Step("End", items=tuple(ended(seen)))


def doubt(channel: object, checks: Iterable[Check]) -> str:
    """Why what was seen of a channel may not be all, where no check says so already."""
    if not isinstance(channel, Missing) or channel.seen is None:
        return ""
    return "" if any(check.message.startswith(channel.reason) for check in checks) else channel.reason


def called(
    seen: Observation, judged: Judged, checks: Mapping[Place, tuple[Check, ...]], channel: object
) -> Iterator[Step]:
    """The calls as a whole, then one by one: the first of them, and whatever others decided something."""
    calls = seen.tool_calls or ()
    said = UNSEEN if seen.tool_calls is None else many(len(calls), "call") if calls else "no call"
    offending = {at for outcome in judged.outcomes if outcome.status is Status.FAIL for at in offences(outcome, calls)}
    others = list(islice((at for at in range(CALLS, len(calls)) if at in checks or at in offending), CALLS))
    shown = [*range(min(CALLS, len(calls))), *others]
    if len(shown) < len(calls):
        said += f", of which {len(shown):,} are shown"
    hidden = [check for at, found in checks.items() if isinstance(at, int) and at not in shown for check in found]
    whole = (*checks.get("tools", ()), *hidden)
    yield Step("Calls", note=said, warning=doubt(channel, whole), checks=whole)
    for at in shown:
        yield one_call(at, calls[at], checks.get(at, ()), at in offending)


def one_call(at: int, call: ToolCall, checks: tuple[Check, ...], offending: bool) -> Step:
    """One call with its arguments."""
    lines, more = bounded(spread(call.arguments)) if call.arguments is not None else ((), False)
    return Step(
        label=f"Call {at + 1:,}",
        name=clip(call.name, NAME),
        lines=lines,
        note="its arguments were not observed" if call.arguments is None else "",
        more=more,
        checks=checks,
        offending=offending,
    )


def answered(seen: Observation, judged: Judged, checks: tuple[Check, ...], channel: object) -> Step:
    """The answer, in which every text that decided something is marked."""
    note = UNSEEN if seen.response is None else "" if seen.response else "an empty text"
    text = tuple(marked(seen.response or "", judged))
    return Step("Answer", parts=text, note=note, warning=doubt(channel, checks), checks=checks)


def marked(text: str, judged: Judged) -> Iterator[Part]:
    """A text with the marks of a scenario's outcomes."""
    needles = [
        (outcome.assertion.expected, MARKS[outcome.assertion.kind, outcome.status])
        for outcome in judged.outcomes
        if (outcome.assertion.kind, outcome.status) in MARKS
    ]
    yield from parts(text, ANSWER, [(needle, mark) for needle, mark in needles if isinstance(needle, str)])


MARKS = {
    ("response_contains", Status.PASS): Mark.KEPT,
    ("response_excludes", Status.FAIL): Mark.BROKEN,
    ("response_excludes", Status.INCOMPLETE): Mark.BROKEN,
}


def refused(seen: Observation, checks: tuple[Check, ...], channel: object) -> Step:
    """Whether the agent refused."""
    words = {True: "the agent refused", False: "the agent did not refuse", None: UNSEEN}
    return Step("Refusal", note=words[seen.refusal], warning=doubt(channel, checks), checks=checks)


def cited(seen: Observation, checks: tuple[Check, ...], channel: object) -> Step:
    """The sources."""
    listed = seen.sources or ()
    note = UNSEEN if seen.sources is None else "" if listed else "none cited"
    if len(listed) > SOURCES:
        note = f"{len(listed):,} sources, of which {SOURCES} are shown"
    items = tuple(clip(source, NAME) for source in listed[:SOURCES])
    return Step("Sources", items=items, note=note, warning=doubt(channel, checks), checks=checks)


def ended(seen: Observation) -> Iterator[str]:
    """How the reply ended, and what is stated of its completeness."""
    yield f"finish_reason {'not stated' if seen.finish_reason is None else quote(seen.finish_reason)}"
    yield f"response_complete {STATED[seen.response_complete]}"
    yield f"tool_calls_complete {STATED[seen.tool_calls_complete]}"


def exchanged(seen: Exchange) -> Iterator[str]:
    """The facts of the exchange that the answer came in: its HTTP status, its time, what the provider counted."""
    yield "no answer" if seen.status is None else f"HTTP {seen.status}"
    yield f"{seen.latency_ms:,} ms"
    yield from counts(seen.usage)
