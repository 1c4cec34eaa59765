"""A message's content → `Said`: the text that a user would see, whether it refuses, and what it holds besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenttest.sources.endpoint.wording import shown

LONGEST = 200_000  # characters of a response
TEXTS = (None, "text", "output_text")
THOUGHTS = (
    "thinking",
    "redacted_thinking",
    "thought",
    "reasoning",
    "reasoning_content",
    "reasoning_text",
    "redacted_reasoning",
)
CALLING = ("tool", "function", "call")  # in the kind of a part that is no text
ANSWERED = ("result", "response", "output")  # a call's result, which is no call


@dataclass(frozen=True, slots=True)
class Said:
    """`text` is None where there is none, `doubt` says why it may not be whole; `refusal` is None where no part of it
    states one; `calls` are the names of the calls among its parts."""

    text: str | None = None
    doubt: str | None = None
    refusal: bool | None = None
    calls: tuple[str, ...] = ()


def said(content: Any) -> Said:
    """What the content says; of parts, the texts are joined, and thoughts are none of it."""
    found = parts(content) if isinstance(content, list) else Said()
    if isinstance(content, str):
        found = Said(content)
    elif content is not None and not isinstance(content, list):
        found = Said(doubt=f"content is {shown(content)}, no text")
    if found.text is not None and len(found.text) > LONGEST:
        doubt = f"content has {len(found.text):,} characters, and at most {LONGEST:,} are judged"
        return Said(None, doubt, found.refusal, found.calls)
    return found


def parts(content: Sequence[Any]) -> Said:
    """The parts together. Of those that are not understood the first is told."""
    texts = [text for part in content if (text := text_of(part)) is not None]
    refusals = [refused for part in content if (refused := refusal_of(part)) is not None]
    return Said(
        text=paired("".join(texts)) if texts else None,
        doubt=next((doubt for at, part in enumerate(content) if (doubt := doubt_of(at, part))), None),
        refusal=any(refusals) if refusals else None,
        calls=tuple(str(part.get("name") or "") for part in content if is_call(part)),
    )


def text_of(part: Any) -> str | None:
    """The text of a part that is one."""
    if not isinstance(part, dict) or part.get("type") not in TEXTS or part.get("thought"):
        return None
    text = part.get("text")
    return text if isinstance(text, str) else None


def refusal_of(part: Any) -> bool | None:
    """Whether a part refuses: it does where it is a refusal whose text is not blank."""
    if not isinstance(part, dict) or part.get("type") != "refusal":
        return None
    text = part.get("refusal", part.get("text"))
    return bool(text.strip()) if isinstance(text, str) else None


def is_call(part: Any) -> bool:
    """Whether a part is a call by its kind, such as tool_use."""
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str) or any(word in kind for word in ANSWERED):
        return False
    return any(word in kind for word in CALLING)


def doubt_of(at: int, part: Any) -> str | None:
    """Why a part leaves the text less than whole; None for texts, refusals and thoughts."""
    if text_of(part) is not None or refusal_of(part) is not None:
        return None
    if not isinstance(part, dict):
        return f"content[{at}] is {shown(part)}, no part with a type"
    kind = part.get("type")
    if kind in THOUGHTS or (kind in TEXTS and part.get("thought")):
        return None
    if kind in TEXTS or kind == "refusal":
        return f"content[{at}] is of the type {shown(kind)}, but holds no text"
    return f"content[{at}] is of the type {shown(kind)}, which is not understood"


def paired(text: str) -> str:
    """The text with its surrogates as JSON would read them, should two halves have come together by joining."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def thoughts(message: Mapping[str, Any]) -> str:
    """The reasoning beside the content, as far as it is text."""
    return next((found for name in THOUGHTS if (found := message.get(name)) and isinstance(found, str)), "")
