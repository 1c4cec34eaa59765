"""The steps of a trace → short words of each, for the formats that tell it in a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from agenttest.model import Approval, Judged, StateChange, Step, StepKind, ToolCall, ToolResult
from agenttest.quote import clip, many, one_line, quote

TEXT = 120  # characters of a text
NAME = 80
MOST = 40  # steps of a list


def listed(steps: tuple[Step, ...], most: int = MOST) -> Iterator[str]:
    """A line for each step, and how many there are besides."""
    for step in steps[:most]:
        yield f"{step.sequence:>3}  {step.kind}  {told(step)}"
    if len(steps) > most:
        yield f"     and {many(len(steps) - most, 'more step')}"


def outline(steps: tuple[Step, ...], limit: int) -> str:
    """All steps on one line, each by its kind and the tool or key that it is of."""
    return clip(", ".join(short(step) for step in steps[:MOST]), limit)


def counted(judged: Judged) -> str:
    """How many steps there are in the trace of a scenario; nothing where it has none that is told in steps."""
    seen = judged.observation
    return "" if seen is None or seen.steps is None else many(len(seen.steps), "step")


def steps_of(judged: Judged) -> tuple[Step, ...]:
    """The steps of a scenario's trace, as far as there is one."""
    return (judged.observation.steps or ()) if judged.observation else ()


def short(step: Step) -> str:
    """A step in a word or two."""
    return one_line(f"{step.kind} {clip(name_of(step), NAME)}".rstrip())


def name_of(step: Step) -> str:
    """The tool or the key of the state that a step is of."""
    payload = step.payload
    if isinstance(payload, ToolCall | ToolResult):
        return payload.name
    if isinstance(payload, StateChange):
        return payload.key
    return payload.tool if isinstance(payload, Approval) else ""


def told(step: Step) -> str:
    """What a step tells, on one line."""
    return one_line(WORDS[step.kind](step.payload))


def text(said: str) -> str:
    """A message or an answer."""
    return quote(said, TEXT)


def call(seen: ToolCall) -> str:
    """A call, with what is known of it."""
    arguments = f" {clip(seen.written, TEXT)}" if seen.written else ""
    return f"{clip(seen.name, NAME)}{arguments}{bracketed(marks(seen))}"


def marks(seen: ToolCall) -> Iterator[str]:
    """What a call is said to be."""
    if seen.requires_approval:
        yield "needs approval"
    if seen.unsafe:
        yield "unsafe"
    if seen.blocked:
        yield "blocked"


def result(seen: ToolResult) -> str:
    """A result: whether the call succeeded, and what came back."""
    came = seen.output if seen.succeeded else seen.error or seen.output
    said = f": {quote(came, TEXT)}" if came else ""
    return f"{clip(seen.name, NAME)} {'succeeded' if seen.succeeded else 'failed'}{said}"


def change(seen: StateChange) -> str:
    """A change of the state."""
    old = "" if seen.old is None else f"{quote(seen.old, TEXT)} → "
    return f"{clip(seen.key, NAME)}: {old}{quote(seen.new, TEXT)}"


def approval(seen: Approval) -> str:
    """An approval that was asked for or decided, and why."""
    reason = (seen.more or {}).get("reason")
    said = f": {quote(reason, TEXT)}" if isinstance(reason, str) and reason else ""
    return f"{clip(seen.tool, NAME)} {seen.phase}{f', {seen.decision}' if seen.decision else ''}{said}"


def bracketed(words: Iterable[str]) -> str:
    """Remarks behind a name."""
    found = ", ".join(words)
    return f" ({found})" if found else ""


WORDS: dict[StepKind, Callable[[Any], str]] = {
    StepKind.MESSAGE: text,
    StepKind.TOOL_CALL: call,
    StepKind.TOOL_RESULT: result,
    StepKind.STATE_CHANGE: change,
    StepKind.APPROVAL: approval,
    StepKind.FINAL_ANSWER: text,
}
