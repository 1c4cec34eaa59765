"""The steps of a trace, as an agent's harness tells them: frozen values, and `StepKind` with what each kind holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


class StepKind(StrEnum):
    """What a step tells of, in the words of a trace file."""

    MESSAGE = "Message"
    TOOL_CALL = "ToolCall"
    TOOL_RESULT = "ToolResult"
    STATE_CHANGE = "StateChange"
    APPROVAL = "Approval"
    FINAL_ANSWER = "FinalAnswer"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that was seen, attempted at least; `arguments` is None where they were not observed.

    The rest is known of a call in a trace: its `id`, `written`, its arguments as the text that was seen, and whether it
    needs approval, is unsafe, was blocked; None where that was not observed.
    """

    name: str
    arguments: Mapping[str, Json] | None
    id: str | None = None
    written: str | None = None
    requires_approval: bool | None = None
    unsafe: bool | None = None
    blocked: bool | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came back of a call: `call` is the id of that call where it is known."""

    name: str
    succeeded: bool
    call: str | None = None
    output: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class StateChange:
    """A value of the agent's state that became another."""

    key: str
    new: str
    old: str | None = None


@dataclass(frozen=True, slots=True)
class Approval:
    """Approval of a tool's call that was asked for (`phase` is `requested`) or decided (`resolved`, with a `decision`:
    `approved`, `denied` or `expired`); `more` holds who, why and how long, by the keys of a trace file."""

    tool: str
    phase: str
    decision: str | None = None
    call: str | None = None
    more: Mapping[str, Json] | None = None


Payload: TypeAlias = str | ToolCall | ToolResult | StateChange | Approval


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a trace: its place in the order of all, and what it tells; a text of a message or an answer."""

    kind: StepKind
    sequence: int
    payload: Payload
    timestamp: str | None = None
