"""A choice and what was read of it → what speaks against its calls being all that the agent made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agenttest.model import ToolCall
from agenttest.sources.endpoint import markup
from agenttest.sources.endpoint.content import Said, thoughts
from agenttest.sources.endpoint.wording import shown

CALLING = ("tool_calls", "function_call")


def of_finish(finish: str | None, seen: Sequence[ToolCall] | None, used: int, max_tokens: int) -> Iterator[str]:
    """What the finish reason says of the calls. Behind `tool_calls` a reply may be cut; a `stop` is believed."""
    if finish in CALLING and not seen:
        yield f"finish_reason is '{finish}', but no call is shown"
    elif finish == "tool_calls" and used >= max_tokens:
        yield f"finish_reason is 'tool_calls', but all {max_tokens:,} tokens were used up, so calls may be cut off"


def of_choices(choices: Sequence[Any]) -> Iterator[str]:
    """Calls outside of the one message that is judged."""
    for at, choice in enumerate(choices):
        if isinstance(choice, dict):
            where = [choice, choice.get("delta"), *([choice.get("message")] if at else [])]
            if any(isinstance(each, dict) and any(map(each.get, CALLING)) for each in where):
                beside = f"choices[{at}]" if at else "choices[0], beside its message,"
                yield f"{beside} holds calls too, and only the message of choices[0] is judged"
                return


def of_text(message: Mapping[str, Any], said: Said, seen: Sequence[ToolCall] | None) -> Iterator[str]:
    """Calls in the content: as parts that tool_calls does not have, or as markup where no call is shown.

    Thoughts are looked at where there is nothing else, as a call may be stuck in them.
    """
    names = Counter(call.name for call in seen or ())
    if more := Counter(name.strip() for name in said.calls) - names:
        yield f"the content holds a call of {shown(min(more))}, and tool_calls does not"
    if not seen:
        text = said.text or ""
        where, opening = "content", markup.opening(text)
        if not text.strip():
            where, opening = "reasoning", markup.opening(thoughts(message))
        if opening:
            yield f"no call is shown, but the {where} holds the begin of one: {opening}"
