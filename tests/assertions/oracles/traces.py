"""Steps of a trace in few words, and what an oracle says of them."""

from typing import Any

from agenttest.assertions.finding import Finding
from agenttest.assertions.oracles import ORACLES
from agenttest.model import Approval, Payload, Step, StepKind, ToolCall, ToolResult

KINDS = {
    str: StepKind.MESSAGE,
    ToolCall: StepKind.TOOL_CALL,
    ToolResult: StepKind.TOOL_RESULT,
    Approval: StepKind.APPROVAL,
}


def call(name: str, flags: str = "", key: str | None = None) -> ToolCall:
    """A call in a trace; its flags: `a` needs approval, `u` unsafe, `b` blocked."""
    return ToolCall(name, None, key, None, "a" in flags, "u" in flags, "b" in flags)


def result(name: str, succeeded: bool = True, key: str | None = None) -> ToolResult:
    """What came back of a call."""
    return ToolResult(name, succeeded, key)


def asked(name: str, key: str | None = None) -> Approval:
    """Approval that was asked for."""
    return Approval(name, "requested", None, key)


def decided(name: str, decision: str | None, key: str | None = None) -> Approval:
    """Approval that was decided."""
    return Approval(name, "resolved", decision, key)


def steps(*payloads: Payload) -> tuple[Step, ...]:
    """Steps of these payloads, numbered from 1."""
    return tuple(Step(KINDS[type(payload)], place, payload) for place, payload in enumerate(payloads, 1))


def finding(kind: str, given: dict[str, Any], seen: Any) -> Finding:
    """What an oracle finds in its channel: one thing, always."""
    ((_, found),) = ORACLES[kind].row.check([given], seen)
    return found


def told(kind: str, given: dict[str, Any], seen: Any) -> tuple[str, str]:
    """The status and the message alone."""
    found = finding(kind, given, seen)
    return str(found.status), found.message


def status(kind: str, *payloads: Payload, **given: Any) -> str:
    """The status alone, of an oracle that looks at steps."""
    return str(finding(kind, given, steps(*payloads)).status)
