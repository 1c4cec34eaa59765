"""What a check says of one expectation."""

from typing import Any

from agenttest.assertions import ASSERTIONS, Finding
from agenttest.model import ToolCall


def finding(kind: str, expected: Any, seen: Any) -> Finding | None:
    """What speaks against one expectation of a kind, if anything does."""
    found = dict(ASSERTIONS[kind].check([expected], seen))
    return found.get(0)


def message(kind: str, expected: Any, seen: Any) -> str | None:
    """The message alone."""
    found = finding(kind, expected, seen)
    return found.message if found else None


def calls(*names: str) -> tuple[ToolCall, ...]:
    """Calls of these tools, without arguments."""
    return tuple(ToolCall(name, {}) for name in names)
