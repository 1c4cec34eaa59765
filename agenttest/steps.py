"""A step of a trace ↔ its JSON record, in the words of a trace file: each direction, side by side."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from agenttest.model import Approval, Json, StateChange, Step, StepKind, ToolCall, ToolResult

PAYLOADS = {
    StepKind.MESSAGE: "message",
    StepKind.TOOL_CALL: "toolCall",
    StepKind.TOOL_RESULT: "toolResult",
    StepKind.STATE_CHANGE: "stateChange",
    StepKind.APPROVAL: "approval",
    StepKind.FINAL_ANSWER: "finalAnswer",
}
"""By the kind of a step the key of what it tells."""
KINDS = {kind.lower(): kind for kind in StepKind}
APPROVAL_KEYS = ("toolName", "phase", "decision", "callId")
NOTE = "x-"  # how a key of somebody's own begins, which is read by nobody


def finite(word: str) -> float:
    """A number that a double can hold; ValueError for any other, as for NaN."""
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(word)
    return number


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; ValueError where a key stands twice in it, as nobody knows which of its values was meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


DECODER = json.JSONDecoder(object_pairs_hook=once, parse_float=finite, parse_constant=finite)


def ordered(raw: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
    """The steps of valid records in the order of their sequences; a record without a positive one has its place."""
    steps = [step(record, place) for place, record in enumerate(raw, 1)]
    return tuple(sorted(steps, key=lambda each: each.sequence))


def step(raw: Mapping[str, Any], place: int) -> Step:
    """The step of a valid record, the `place`th of its list."""
    kind = kind_of(raw)
    given = raw.get("sequence")
    sequence = given if type(given) is int and given > 0 else place
    return Step(kind, sequence, READ[kind](raw.get(PAYLOADS[kind])), raw.get("timestampUtc"))


def kind_of(raw: Mapping[str, Any]) -> StepKind:
    """The kind that a record states, in any case or, where it states none, that of the one payload it has."""
    if raw.get("kind") is not None:
        return KINDS[raw["kind"].strip().lower()]
    return next((kind for kind, key in PAYLOADS.items() if raw.get(key) is not None), StepKind.MESSAGE)


def call(raw: Mapping[str, Any]) -> ToolCall:
    """A call; arguments that are no JSON object were not observed as values."""
    written = raw.get("argumentsJson")
    return ToolCall(
        raw["toolName"].strip(),
        arguments_of(written),
        raw.get("callId"),
        written,
        raw.get("requiresApproval", False) or False,
        raw.get("isUnsafe", False) or False,
        raw.get("wasBlocked", False) or False,
    )


def arguments_of(written: str | None) -> Mapping[str, Json] | None:
    """The value of a call's arguments, where their text is a JSON object."""
    try:
        found = DECODER.decode(written) if written else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def result(raw: Mapping[str, Any]) -> ToolResult:
    """A result; one that does not say so has not succeeded."""
    succeeded = raw.get("succeeded", False) or False
    return ToolResult(raw["toolName"].strip(), succeeded, raw.get("callId"), raw.get("output"), raw.get("errorMessage"))


def change(raw: Mapping[str, Any]) -> StateChange:
    """A change of state."""
    return StateChange(raw["key"], raw["newValue"], raw.get("oldValue"))


def approval(raw: Mapping[str, Any]) -> Approval:
    """An approval that was asked for or decided."""
    decision = raw.get("decision")
    more = {key: value for key, value in raw.items() if key not in APPROVAL_KEYS and not key.startswith(NOTE)}
    return Approval(
        raw["toolName"].strip(),
        raw["phase"].strip().lower(),
        decision.strip().lower() if decision else None,
        raw.get("callId"),
        more or None,
    )


READ: dict[StepKind, Any] = {
    StepKind.MESSAGE: lambda raw: raw or "",
    StepKind.TOOL_CALL: call,
    StepKind.TOOL_RESULT: result,
    StepKind.STATE_CHANGE: change,
    StepKind.APPROVAL: approval,
    StepKind.FINAL_ANSWER: lambda raw: raw or "",
}


def record(told: Step) -> dict[str, Any]:
    """The record of a step, as a trace file holds it."""
    stamp = {} if told.timestamp is None else {"timestampUtc": told.timestamp}
    payload = told.payload
    written = payload if isinstance(payload, str) else kept(WRITE[told.kind](payload))
    return {"kind": str(told.kind), "sequence": told.sequence, **stamp, PAYLOADS[told.kind]: written}


def call_record(seen: ToolCall) -> dict[str, Any]:
    """A call as a trace file holds it."""
    return {
        "toolName": seen.name,
        "callId": seen.id,
        "argumentsJson": seen.written,
        "requiresApproval": seen.requires_approval,
        "isUnsafe": seen.unsafe,
        "wasBlocked": seen.blocked,
    }


def result_record(seen: ToolResult) -> dict[str, Any]:
    """A result as a trace file holds it."""
    return {
        "toolName": seen.name,
        "callId": seen.call,
        "succeeded": seen.succeeded,
        "output": seen.output,
        "errorMessage": seen.error,
    }


def change_record(seen: StateChange) -> dict[str, Any]:
    """A change of state as a trace file holds it."""
    return {"key": seen.key, "oldValue": seen.old, "newValue": seen.new}


def approval_record(seen: Approval) -> dict[str, Any]:
    """An approval as a trace file holds it."""
    own = {"toolName": seen.tool, "callId": seen.call, "phase": seen.phase, "decision": seen.decision}
    return own | dict(seen.more or {})


WRITE: dict[StepKind, Any] = {
    StepKind.TOOL_CALL: call_record,
    StepKind.TOOL_RESULT: result_record,
    StepKind.STATE_CHANGE: change_record,
    StepKind.APPROVAL: approval_record,
}


def kept(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that there is something of."""
    return {name: field for name, field in fields.items() if field is not None}
