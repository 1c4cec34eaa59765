"""An oracle's outcome → the step of a trace that decided it, as far as that can be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from agenttest.model import Approval, Outcome, StateChange, Status, Step, StepKind, ToolCall, ToolResult

Given: TypeAlias = Mapping[str, Any]
Find: TypeAlias = Callable[[Given, Sequence[Step]], int | None]


def deciding(outcome: Outcome, steps: Sequence[Step]) -> int | None:
    """The index of the step; None where it is the trace as a whole that decided, or what is not in it."""
    expected, kind = outcome.assertion.expected, outcome.assertion.kind
    find = FINDERS.get((kind, outcome.status)) or FINDERS.get((kind, None))
    if find is None or not isinstance(expected, Mapping) or outcome.assertion.fault is not None:
        return None
    return find(expected, steps)


def nth(found: Iterable[int], number: int = 0) -> int | None:
    """The first of some indexes, or that of another number."""
    return next(islice(found, max(0, number), None), None)


def same(name: str, given: Given) -> bool:
    """Whether a tool is the one that an oracle is about, which may be any."""
    wanted = str(given.get("toolName") or "").strip()
    return not wanted or name.casefold() == wanted.casefold()


def calls(given: Given, steps: Sequence[Step]) -> Iterable[int]:
    """The calls of the tool that an oracle is about."""
    return (
        at for at, each in enumerate(steps) if isinstance(each.payload, ToolCall) and same(each.payload.name, given)
    )


def called(given: Given, steps: Sequence[Step]) -> int | None:
    """The first call of the tool."""
    return nth(calls(given, steps))


def beyond(given: Given, steps: Sequence[Step]) -> int | None:
    """The first call that is one too many."""
    most = given.get("maxCount")
    return nth(calls(given, steps), most) if isinstance(most, int) else None


def unlisted(given: Given, steps: Sequence[Step]) -> int | None:
    """The first call of a tool that is not in the list."""
    names = given.get("toolNames")
    listed = {str(name).strip().casefold() for name in names} if isinstance(names, Sequence) else set()
    return nth(at for at in calls({}, steps) if name_at(steps, at).casefold() not in listed)


def name_at(steps: Sequence[Step], at: int) -> str:
    """The tool of a call."""
    payload = steps[at].payload
    return payload.name if isinstance(payload, ToolCall) else ""


def unsafe(_: Given, steps: Sequence[Step]) -> int | None:
    """The first unsafe call that was not blocked."""
    found = (at for at, each in enumerate(steps) if isinstance(each.payload, ToolCall) and each.payload.unsafe)
    return nth(at for at in found if not getattr(steps[at].payload, "blocked", False))


def needing(given: Given, steps: Sequence[Step]) -> int | None:
    """The first call of the tool that needs approval, or the first that asks for it."""
    for at, each in enumerate(steps):
        payload = each.payload
        if isinstance(payload, ToolCall) and payload.requires_approval and same(payload.name, given):
            return at
        if isinstance(payload, Approval) and payload.phase == "requested" and same(payload.tool, given):
            return at
    return None


@dataclass(frozen=True, slots=True)
class Resolved:
    """The first approval of the tool with a decision, or else the first of any."""

    decision: str

    def __call__(self, given: Given, steps: Sequence[Step]) -> int | None:
        """Its index."""
        found = [at for at, e in enumerate(steps) if isinstance(e.payload, Approval) and same(e.payload.tool, given)]
        decided = [at for at in found if getattr(steps[at].payload, "decision", None) == self.decision]
        return nth(decided or found)


def result(given: Given, steps: Sequence[Step]) -> int | None:
    """The first result of the tool."""
    found = (at for at, each in enumerate(steps) if isinstance(each.payload, ToolResult))
    return nth(at for at in found if same(getattr(steps[at].payload, "name", ""), given))


def changed(given: Given, steps: Sequence[Step]) -> int | None:
    """The last change of the key."""
    found = [at for at, each in enumerate(steps) if isinstance(each.payload, StateChange)]
    return nth(at for at in reversed(found) if getattr(steps[at].payload, "key", None) == given.get("stateKey"))


def answer(_: Given, steps: Sequence[Step]) -> int | None:
    """The last answer, which is the final one."""
    return nth(at for at in reversed(range(len(steps))) if steps[at].kind is StepKind.FINAL_ANSWER)


FINDERS: dict[tuple[str, Status | None], Find] = {
    ("ToolCalled", Status.PASS): called,
    ("ToolNotCalled", Status.FAIL): called,
    ("ToolNotCalled", Status.INCOMPLETE): called,
    ("ToolArguments", None): called,
    ("MaxToolCalls", Status.FAIL): beyond,
    ("MaxToolCalls", Status.INCOMPLETE): beyond,
    ("ToolsAllowed", Status.FAIL): unlisted,
    ("ToolsAllowed", Status.INCOMPLETE): unlisted,
    ("NoUnsafeTool", Status.FAIL): unsafe,
    ("NoUnsafeTool", Status.INCOMPLETE): unsafe,
    ("ApprovalRequired", Status.PASS): needing,
    ("ApprovalRequired", Status.FAIL): called,
    ("ApprovalGranted", None): Resolved("approved"),
    ("ApprovalDenied", None): Resolved("denied"),
    ("ToolResultSucceeded", None): result,
    ("StateEquals", None): changed,
    ("FinalAnswerContains", None): answer,
    ("FinalAnswerExcludes", None): answer,
}
"""By an oracle's type, and what came of it or in any case, what finds the step."""
