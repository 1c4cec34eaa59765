"""A trace → the steps of its page in their order, each oracle beside the one that decided it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agenttest.assertions import row_of
from agenttest.model import Approval, Judged, Observation, Outcome, StateChange, Status, StepKind, ToolCall, ToolResult
from agenttest.model import Step as Told
from agenttest.quote import clip, many
from agenttest.reporters.html.checks import Check, together
from agenttest.reporters.html.deciding import deciding
from agenttest.reporters.html.difference import bounded, spread
from agenttest.reporters.html.shown import Step
from agenttest.reporters.html.words import Mark, Part, parts
from agenttest.reporters.trace import marks

ANSWER = 12_000  # characters of an answer
TEXT = 4_000  # of any other text
NAME = 300
STEPS = 200  # steps beside those that decided something
SOURCES = 100
BARE = "ExplicitOracles"
AT_THE_END = ("state", "refusal", "sources")
WHOLE = "trace"
MARKS = {
    ("FinalAnswerContains", Status.PASS): Mark.KEPT,
    ("FinalAnswerExcludes", Status.FAIL): Mark.BROKEN,
    ("FinalAnswerExcludes", Status.INCOMPLETE): Mark.BROKEN,
}

Place = str | int  # a channel that is told at the end, the trace as a whole, or the index of a step


def timeline(seen: Observation, judged: Judged) -> Iterator[Step]:
    """The trace as a whole, its steps, the state that is left, the refusal, the sources, how it ended."""
    steps = seen.steps or ()
    checks = placed(judged.outcomes, steps)
    shown = [at for at in range(len(steps)) if at < STEPS or at in checks]
    left_out = f", of which {len(shown):,} are shown" if len(shown) < len(steps) else ""
    yield Step("Trace", note=f"{many(len(steps), 'step')}{left_out}", checks=checks.get(WHOLE, ()))
    for at in shown:
        yield replace(one(steps[at], judged), checks=checks.get(at, ()))
    if seen.state or "state" in checks:
        yield state(seen, checks.get("state", ()))
    if seen.refusal or "refusal" in checks:
        yield Step("Refusal", note=REFUSED[seen.refusal], checks=checks.get("refusal", ()))
    if seen.sources or "sources" in checks:
        yield cited(seen, checks.get("sources", ()))
    if seen.timed_out or seen.partial:
        yield Step("End", items=tuple(ended(seen)))


REFUSED = {True: "the agent refused", False: "the agent did not refuse", None: "not observed"}


def placed(outcomes: Sequence[Outcome], steps: Sequence[Told]) -> dict[Place, tuple[Check, ...]]:
    """Each place in the trace with its checks."""
    found: dict[Place, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(place(outcome, steps), []).append(outcome)
    return {where: together(there) for where, there in found.items()}


def place(outcome: Outcome, steps: Sequence[Told]) -> Place:
    """The step that decided an outcome, else what is told at the end, else the trace as a whole."""
    at = deciding(outcome, steps)
    if at is not None:
        return at
    kind, fault = outcome.assertion.kind, outcome.assertion.fault
    channel = WHOLE if kind == BARE or fault is not None else row_of(kind).channel
    return channel if channel in AT_THE_END else WHOLE


def one(told: Told, judged: Judged) -> Step:
    """One step of a trace; those whose answer is the final one have it marked."""
    step = SHOWN[told.kind](told.payload)
    if told.kind is StepKind.FINAL_ANSWER:
        step = replace(step, parts=tuple(marked(str(told.payload), judged)))
    label = f"{told.sequence:,} {step.label}"
    stamp = clip(told.timestamp or "", NAME)
    return replace(step, label=label, note="; ".join(filter(None, (step.note, stamp))))


def message(said: str) -> Step:
    """Something that was said."""
    return Step("Message", parts=tuple(parts(said, TEXT)), note="" if said else "an empty text")


def call(seen: ToolCall) -> Step:
    """A call with its arguments, and what is known of it."""
    lines, more = bounded(spread(seen.arguments)) if seen.arguments is not None else ((), False)
    unread = seen.arguments is None and seen.written
    return Step(
        label="Call",
        name=clip(seen.name, NAME),
        parts=tuple(parts(seen.written or "", TEXT)) if unread else (),
        lines=lines,
        more=more,
        items=(*marks(seen), *ids(seen.id)),
        note="its arguments are no JSON object" if unread else "",
    )


def result(seen: ToolResult) -> Step:
    """What came back of a call."""
    texts = [text for text in (seen.output, seen.error) if text]
    items = ("succeeded" if seen.succeeded else "failed", *ids(seen.call))
    return Step("Result", clip(seen.name, NAME), tuple(parts("\n".join(texts), TEXT)), items=items)


def change(seen: StateChange) -> Step:
    """A value of the state that became another."""
    known = {"from": seen.old} if seen.old is not None else {}
    lines, more = bounded(spread({**known, "to": seen.new}))
    return Step("State", clip(seen.key, NAME), lines=lines, more=more)


def approval(seen: Approval) -> Step:
    """An approval that was asked for or decided, with who, why and how long."""
    lines, more = bounded(spread(dict(seen.more))) if seen.more else ((), False)
    items = (clip(seen.phase, NAME), *([clip(seen.decision, NAME)] if seen.decision else []), *ids(seen.call))
    return Step("Approval", clip(seen.tool, NAME), lines=lines, more=more, items=items)


def answer(said: str) -> Step:
    """An answer, whose text is marked later."""
    return Step("Answer", note="" if said else "an empty text")


SHOWN: dict[StepKind, Callable[[Any], Step]] = {
    StepKind.MESSAGE: message,
    StepKind.TOOL_CALL: call,
    StepKind.TOOL_RESULT: result,
    StepKind.STATE_CHANGE: change,
    StepKind.APPROVAL: approval,
    StepKind.FINAL_ANSWER: answer,
}


def ids(call: str | None) -> tuple[str, ...]:
    """The id of a call, where there is one."""
    return (f"call {clip(call, NAME)}",) if call else ()


def state(seen: Observation, checks: tuple[Check, ...]) -> Step:
    """The state that was left at the end."""
    lines, more = bounded(spread(dict(seen.state))) if seen.state else ((), False)
    return Step("Final state", lines=lines, more=more, note="" if lines else "empty", checks=checks)


def cited(seen: Observation, checks: tuple[Check, ...]) -> Step:
    """The sources."""
    listed = seen.sources or ()
    more = f"{len(listed):,} sources, of which {SOURCES} are shown" if len(listed) > SOURCES else ""
    items = tuple(clip(source, NAME) for source in listed[:SOURCES])
    return Step("Sources", items=items, note=more or ("" if listed else "none cited"), checks=checks)


def ended(seen: Observation) -> Iterator[str]:
    """How the trace ended, and what of it may not be all."""
    if seen.timed_out:
        yield "timed out"
    yield from (f"partial: {clip(kind, NAME)}" for kind in seen.partial)


def marked(text: str, judged: Judged) -> Iterator[Part]:
    """An answer in which the texts that decided something are marked."""
    known = ((MARKS.get((each.assertion.kind, each.status)), each.assertion.expected) for each in judged.outcomes)
    needles = [(needle(text, given), mark) for mark, given in known if mark and isinstance(given, Mapping)]
    yield from parts(text, ANSWER, [(found, mark) for found, mark in needles if found])


def needle(text: str, given: Mapping[str, Any]) -> str:
    """What an oracle looks for as it stands in the text, whose letters may be of another case."""
    wanted = str(given.get("text") or "")
    low = text.lower()
    if given.get("caseSensitive") or wanted in text or len(low) != len(text):
        return wanted
    at = low.find(wanted.lower())
    return text[at : at + len(wanted)] if at >= 0 else wanted
