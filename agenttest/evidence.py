"""An observation → `Evidence`: each channel known, or `Missing` with the reason and the remedy; decided once, here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.model import Exchange, Observation, Reason, Step, ToolCall
from agenttest.quote import clip, one_line, quote


@dataclass(frozen=True, slots=True)
class Missing:
    """A channel that cannot be proven: why, what would make it provable, and what was seen of it all the same."""

    reason: str
    remedy: str
    seen: Any = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an observation that may be cut short: the flag that says whether it was, the finish reasons that leave
    it whole, and its key among the doubts of an exchange."""

    key: str
    name: str
    flag: str
    finish: tuple[str, ...]


RESPONSE = Part("response", "response", "response_complete", ("stop",))
CALLS = Part("tools", "tool calls", "tool_calls_complete", ("stop", "tool_calls"))
RECORDED = {  # channel: what an observations file has of it
    "response": '"response": the text of the final answer',
    "tools": '"tool_calls": the list of all calls, [] for none',
    "refusal": '"refusal": true or false, as the agent stated it',
    "sources": '"sources": the list of cited ids, [] for none',
}
ANSWERED = {  # channel: what a live agent's message has of it
    "response": '"content": the text of the final answer',
    "tools": '"tool_calls": the list of all calls, [] for none',
    "refusal": '"refusal": the text of a refusal, null for none',
    "sources": '"sources": the list of cited ids, [] for none',
}
FINISHED = {  # finish reason: what would help a live agent's answer to be whole
    "length": "raise --max-tokens, or have the agent answer in fewer words",
    "tool_calls": "expect an answer only where the agent needs no tool for it, as no tool is run",
}
TRACED = {  # the kinds of evidence in a trace, as `input.capture` names them: the channels that need each
    "finalAnswer": ("response",),
    "toolCalls": ("tools", "results", "approvals", "trace"),
    "toolResults": ("results", "trace"),
    "approvals": ("approvals", "trace"),
    "state": ("state",),
    "refusal": ("refusal",),
    "sources": ("sources",),
}
STEPPED = ("results", "approvals", "trace")  # channels that are the steps themselves, as far as they are whole
UNTOLD = {  # channel: what a trace has of it
    "response": '"finalAnswer": the text of the final answer',
    "state": '"finalState": the state that the agent ended in',
    "refusal": '"refusal": true or false, as the agent stated it',
    "sources": '"sources": the list of cited ids, [] for none',
}
TRACE = "judge the scenario by a trace: a script, or a saved one"
NO_STEPS = "only a trace shows tool results, approvals and state, and this is none"
LIVE_ERROR = 400  # characters
AGAIN = "see that the agent answers with a chat completion, then run the same command again"


@dataclass(frozen=True, slots=True)
class Lost:
    """A scenario that was not observed as the run ended early: what ended it, and what is said of each assertion."""

    reason: Reason
    missing: Missing


OUT_OF_TIME = Lost(Reason.BUDGET, Missing("the run's seconds ran out before this scenario", "raise --max-seconds"))

Channel: TypeAlias = (
    "str | bool | tuple[ToolCall, ...] | tuple[str, ...] | tuple[Step, ...] | Mapping[str, str] | Missing"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an observation can prove, channel by channel.

    Of a trace there is the final `state`, and its steps as far as they tell all `results` of calls, all `approvals`, or
    both (`trace`).
    """

    response: str | Missing
    tools: tuple[ToolCall, ...] | Missing
    refusal: bool | Missing
    sources: tuple[str, ...] | Missing
    state: Mapping[str, str] | Missing = Missing(NO_STEPS, TRACE)
    results: tuple[Step, ...] | Missing = Missing(NO_STEPS, TRACE)
    approvals: tuple[Step, ...] | Missing = Missing(NO_STEPS, TRACE)
    trace: tuple[Step, ...] | Missing = Missing(NO_STEPS, TRACE)

    def channel(self, name: str) -> Channel:
        """The channel of this name, as the rows of ASSERTIONS name it."""
        found: Channel = getattr(self, name)
        return found


def weigh(
    seen: Observation | None,
    absent: Missing | None = None,
    exchange: Exchange | None = None,
    partial: tuple[str, ...] = (),
) -> Evidence:
    """What can be proven by the observation; where there is none, `absent` says why, else the `exchange` explains.

    `partial` names the kinds of evidence that the scenario itself says are not seen whole, whatever the source says.
    """
    if seen is None:
        return nothing(absent or Missing("no observation of this scenario", "record an entry with the scenario's id"))
    if seen.error is not None:
        return nothing(unobserved(seen.error, exchange, seen.remedy))
    if seen.steps is not None:
        return traced(seen, partial)
    answer = unproven(seen, RESPONSE, exchange)
    calls = unproven(seen, CALLS, exchange)
    values = {
        "response": known("response", seen.response, answer, exchange),
        "tools": known("tools", seen.tool_calls, calls, exchange),
        "refusal": known("refusal", seen.refusal, answer, exchange),
        "sources": known("sources", seen.sources, answer, exchange),
    }
    return Evidence(**{channel: narrowed(channel, value, partial) for channel, value in values.items()})


def nothing(why: Missing) -> Evidence:
    """Evidence that proves nothing, for one reason."""
    return Evidence(why, why, why, why, why, why, why, why)


def narrowed(channel: str, value: Any, partial: tuple[str, ...]) -> Any:
    """A channel's value, unless it is not seen whole."""
    lacking = [kind for kind in partial if channel in TRACED.get(kind, ())]
    if not lacking or isinstance(value, Missing):
        return value
    what = " and ".join(lacking)
    return Missing(f"the trace may not hold all of {what}", f"record all of {what}, and call it complete", value)


def traced(seen: Observation, partial: tuple[str, ...] = ()) -> Evidence:
    """What a trace can prove: it is the whole of what happened, but for the evidence that it says is partial."""
    values: dict[str, Any] = {
        "response": seen.response,
        "tools": seen.calls,
        "refusal": seen.refusal,
        "sources": seen.sources,
    }
    values |= {"state": seen.state, **dict.fromkeys(STEPPED, seen.steps)}
    lacking = tuple(kind for kind in TRACED if kind in seen.partial or kind in partial)
    return Evidence(**{channel: told(channel, value, lacking) for channel, value in values.items()})


def told(channel: str, value: Any, partial: tuple[str, ...]) -> Any:
    """The channel's value where the trace tells it, and all of it."""
    found = narrowed(channel, value, partial)
    if isinstance(found, Missing):
        return found
    if value is None:
        return Missing(f"the trace has no {field(UNTOLD[channel])}", f"record {UNTOLD[channel]}")
    return value


def unobserved(error: str, exchange: Exchange | None, right: str | None) -> Missing:
    """Why an agent could not be observed: in the words of who was asked or, where these say what is right, in ours."""
    if right is not None:
        return Missing(clip(one_line(error), LIVE_ERROR), right)
    remedy = "record the scenario again, without an error" if exchange is None else exchange.remedy or AGAIN
    told = quote(error) if exchange is None else quote(error, LIVE_ERROR)
    return Missing(f"the agent could not be observed: {told}", remedy)


def unproven(seen: Observation, part: Part, exchange: Exchange | None) -> Missing | None:
    """Why this part of the observation may not be whole, or None where it is; a live reply's doubt says it best."""
    stated, doubt = getattr(seen, part.flag), exchange and exchange.doubts.get(part.key)
    whole = " or ".join(f'"{word}"' for word in part.finish)
    if doubt and stated is not True:
        return Missing(doubt, f"have the agent give a whole reply that finishes with {whole}")
    if seen.finish_reason is not None and seen.finish_reason not in part.finish:
        reason = f"finish_reason is {quote(seen.finish_reason, 60)}, so the {part.name} may not be whole"
        return Missing(reason, unfinished(seen.finish_reason, whole, exchange))
    if stated is None:
        return Missing(
            f"{part.flag} is not stated", f'record "{part.flag}": true where nothing of the {part.name} is missing'
        )
    if not stated:
        return Missing(f"{part.flag} is false", f"record a whole reply, and state {part.flag} true")
    return None


def unfinished(finish: str, whole: str, exchange: Exchange | None) -> str:
    """What would help where the finish reason leaves a part less than `whole`."""
    if exchange is None:
        return f"record a reply that finishes with {whole}"
    return FINISHED.get(finish, f"have the agent give a whole reply that finishes with {whole}")


def known(channel: str, value: Any, why: Missing | None, exchange: Exchange | None) -> Any:
    """The channel's value where it is whole and observed."""
    if why is not None:
        return Missing(why.reason, why.remedy, value)
    if value is not None:
        return value
    if exchange is None:
        return Missing(f"{field(RECORDED[channel])} was not observed", f"record {RECORDED[channel]}")
    doubt = exchange.doubts.get(channel)
    wanted = ANSWERED[channel]
    return Missing(doubt or f"the reply's message has no {field(wanted)}", f"have the agent send {wanted}")


def field(wanted: str) -> str:
    """The name of a field, out of what it should be."""
    return wanted.split(":")[0]
