"""The check of what came back of a tool's calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agenttest.assertions.finding import Finding
from agenttest.assertions.oracles.attempts import Trace
from agenttest.assertions.oracles.calls import joined, named, never
from agenttest.assertions.oracles.letters import fold
from agenttest.assertions.oracles.oracle import Parameters
from agenttest.model import Status, Step, ToolResult
from agenttest.quote import many, quote


def succeeded(given: Parameters, trace: Trace) -> Iterator[Finding]:
    """A result of the tool succeeded, one at least; one of a blocked call contradicts that, and proves nothing."""
    name = given["toolName"].strip()
    found = [step for step in trace.steps if isinstance(step.payload, ToolResult) and of(name, step.payload)]
    good = [step for step in found if is_good(step)]
    blocked = {id(each.step): call.step for call in trace.attempts if call.call.blocked for each in call.answers}
    shown = joined([word(step) for step in found])
    if not found:
        yield silent(name, trace)
    elif not good:
        yield Finding(f"no result of {quote(name)} succeeded{why(found)}", shown)
    elif any(id(step) not in blocked for step in good):
        yield Finding(f"a result of {quote(name)} succeeded", shown, status=Status.PASS)
    else:
        at = blocked[id(good[0])].sequence
        yield Finding(f"{quote(name)} was blocked at step {at}, yet succeeded at step {good[0].sequence}", shown)


def of(name: str, result: ToolResult) -> bool:
    """Whether a result is of the tool of this name."""
    return fold(result.name) == fold(name)


def is_good(step: Step) -> bool:
    """Whether a step is a result that succeeded."""
    return isinstance(step.payload, ToolResult) and step.payload.succeeded


def word(step: Step) -> str:
    """A result in a word."""
    return "succeeded" if is_good(step) else "failed"


def why(found: Sequence[Step]) -> str:
    """What the last failed result says of itself."""
    last = found[-1].payload
    error = last.error if isinstance(last, ToolResult) else None
    return f"; the last of {many(len(found), 'result')} says {quote(error, 120)}" if error else ""


def silent(name: str, trace: Trace) -> Finding:
    """Why there is no result of the tool."""
    if named(name, trace.calls):
        return Finding(f"{quote(name)} was called, and has no result", "")
    return never(name, trace.calls)
