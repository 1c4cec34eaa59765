"""An observation → `Evidence`: each channel known, or `Missing` with the reason and the remedy; decided once, here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.model import Observation, ToolCall
from agenttest.quote import quote


@dataclass(frozen=True, slots=True)
class Missing:
    """A channel that cannot be proven: why, what would make it provable, and what was seen of it all the same."""

    reason: str
    remedy: str
    seen: Any = None


Channel: TypeAlias = "str | bool | tuple[ToolCall, ...] | tuple[str, ...] | Missing"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an observation can prove, channel by channel."""

    response: str | Missing
    tools: tuple[ToolCall, ...] | Missing
    refusal: bool | Missing
    sources: tuple[str, ...] | Missing

    def channel(self, name: str) -> Channel:
        """The channel of this name, as the rows of ASSERTIONS name it."""
        found: Channel = getattr(self, name)
        return found


def weigh(seen: Observation | None, absent: Missing | None = None) -> Evidence:
    """What can be proven by the observation; where there is none, `absent` says why."""
    if seen is None:
        return nothing(absent or Missing("no observation of this scenario", "record an entry with the scenario's id"))
    if seen.error is not None:
        reason = f"the agent could not be observed: {quote(seen.error)}"
        return nothing(Missing(reason, "record the scenario again, without an error"))
    answer = unproven(seen, "response", "response_complete", ("stop",))
    calls = unproven(seen, "tool calls", "tool_calls_complete", ("stop", "tool_calls"))
    return Evidence(
        response=known(seen.response, answer, '"response": the text of the final answer'),
        tools=known(seen.tool_calls, calls, '"tool_calls": the list of all calls, [] for none'),
        refusal=known(seen.refusal, answer, '"refusal": true or false, as the agent stated it'),
        sources=known(seen.sources, answer, '"sources": the list of cited ids, [] for none'),
    )


def nothing(why: Missing) -> Evidence:
    """Evidence that proves nothing, for one reason."""
    return Evidence(why, why, why, why)


def unproven(seen: Observation, what: str, flag: str, complete: tuple[str, ...]) -> Missing | None:
    """Why this part of the observation may not be whole, or None where it is."""
    stated = getattr(seen, flag)
    whole = " or ".join(f'"{word}"' for word in complete)
    if seen.finish_reason is not None and seen.finish_reason not in complete:
        reason = f"finish_reason is {quote(seen.finish_reason, 60)}, so the {what} may not be whole"
        return Missing(reason, f"record a reply that finishes with {whole}")
    if stated is None:
        return Missing(f"{flag} is not stated", f'record "{flag}": true where nothing of the {what} is missing')
    if not stated:
        return Missing(f"{flag} is false", f"record a whole reply, and state {flag} true")
    return None


def known(value: Any, why: Missing | None, record: str) -> Any:
    """The channel's value where it is whole and observed."""
    if why is not None:
        return Missing(why.reason, why.remedy, value)
    if value is None:
        return Missing(f"{record.split(':')[0]} was not observed", f"record {record}")
    return value
