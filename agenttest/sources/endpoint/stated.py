"""What a reply states as values: why it ended, whether the agent refuses, what it cites, and the tokens it took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agenttest.sources.endpoint.wording import shown

REASON = 64  # characters
SOURCES = 1000
COUNTED = ("prompt_tokens", "completion_tokens", "total_tokens")
EXACT = 2**53  # what every reader of JSON can hold


def finish(choice: Mapping[str, Any], called: bool) -> str | None:
    """Why the choice ended. The legacy `function_call` is `tool_calls` where a call is shown."""
    reason = choice.get("finish_reason")
    if not isinstance(reason, str) or not 0 < len(reason.strip()) <= REASON:
        return None
    return "tool_calls" if reason.strip() == "function_call" and called else reason.strip()


def unfinished(choice: Mapping[str, Any]) -> str:
    """What is said of a choice that does not tell why it ended."""
    reason = choice.get("finish_reason")
    said = "the reply has no finish_reason" if reason is None else f"finish_reason is {shown(reason)}, no short text"
    return f"{said}, so it may not be whole"


def refusal(message: Mapping[str, Any], part: bool | None) -> bool | None:
    """Whether the agent refuses: as a value, by a text that is not blank, or by a part of its content."""
    said = message.get("refusal")
    if isinstance(said, str):
        return bool(said.strip()) or bool(part)
    if isinstance(said, bool) or (said is None and "refusal" in message):
        return bool(said) or bool(part)
    return part if "refusal" not in message or part else None


def sources(message: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The ids of the cited sources, where it is a list of such and of nothing else."""
    listed = message.get("sources")
    if not isinstance(listed, list) or len(listed) > SOURCES:
        return None
    found = [source(entry) for entry in listed]
    return tuple(found) if all(found) else None


def source(entry: Any) -> str:
    """The id of a source, trimmed; empty where it has none."""
    if isinstance(entry, dict):
        named = entry.get("id")
        entry = entry.get("source") if named in (None, "") else named
    return entry.strip() if isinstance(entry, str) else ""


def no_sources(value: Any) -> str:
    """What is said of sources that are no list of ids."""
    if not isinstance(value, list):
        return f"sources is {shown(value)}, no list"
    if len(value) > SOURCES:
        return f"sources holds {len(value):,} entries, and at most {SOURCES:,} are judged"
    return f"sources[{[bool(source(entry)) for entry in value].index(False)}] names no source"


def usage(reply: Mapping[str, Any]) -> dict[str, int]:
    """The tokens that the provider counted."""
    found = reply.get("usage")
    counted = {name: found.get(name) for name in COUNTED} if isinstance(found, dict) else {}
    return {name: count for name, count in counted.items() if type(count) is int and 0 <= count <= EXACT}
