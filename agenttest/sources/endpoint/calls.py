"""A message → `Calls`: every call that it shows, in whatever shape, and why it may not show all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from agenttest.documents.measure import measure
from agenttest.jsontext import compact
from agenttest.model import ToolCall
from agenttest.sources.endpoint import body
from agenttest.sources.endpoint.wording import shown

MOST = 250  # calls of one reply
FLAT = ("arguments", "args", "input", "parameters")


@dataclass(frozen=True, slots=True)
class Calls:
    """`seen` is None where nothing says whether there were calls, `()` where there were none; `doubts` say why there
    may be more."""

    seen: tuple[ToolCall, ...] | None = None
    doubts: tuple[str, ...] = ()


def calls(message: Mapping[str, Any]) -> Calls:
    """The calls of tool_calls, and that of a legacy function_call where it is not one of them."""
    listed, legacy = message.get("tool_calls"), message.get("function_call")
    if "tool_calls" not in message and legacy is None:
        return Calls()
    if listed is not None and not isinstance(listed, list):
        found, doubts = None, [f"tool_calls is {shown(listed)}, no list"]
    else:
        entries = listed or []
        shapes = [shaped(entry) for entry in entries[:MOST]]
        found = [call for call in shapes if call is not None]
        doubts = list(odd(entries, shapes))
    if legacy is not None:
        call = function(legacy)
        if call is None:
            doubts.append("function_call is no call with a name")
        elif all(key(call) != key(other) for other in found or ()):
            found = [*(found or ()), call]
    if found is not None and len(found) > MOST:
        found, doubts = found[:MOST], [*doubts, f"there are more than {MOST} calls"]
    return Calls(None if found is None else tuple(found), tuple(doubts))


def shaped(entry: Any) -> ToolCall | None:
    """The call of an entry of tool_calls: a function, a custom tool, or in a shape that has neither."""
    if not isinstance(entry, dict):
        return None
    if isinstance(entry.get("function"), dict):
        return function(entry["function"])
    if isinstance(entry.get("custom"), dict):
        return named(entry["custom"].get("name"), None)
    given = next((entry[name] for name in FLAT if name in entry), None)
    return named(entry.get("name") or entry.get("function"), given)


def function(value: Any) -> ToolCall | None:
    """The call of a function object."""
    return named(value.get("name"), value.get("arguments")) if isinstance(value, dict) else None


def named(name: Any, given: Any) -> ToolCall | None:
    """A call by any name that is not blank."""
    if not isinstance(name, str) or not name.strip():
        return None
    return ToolCall(name.strip(), arguments(given))


def arguments(given: Any) -> Mapping[str, Any] | None:
    """An object, or the one that a text holds; a blank text is no arguments. None where they cannot be known."""
    if isinstance(given, str):
        try:
            given = body.parse(given) if given.strip() else {}
        except body.Unread:
            return None
    return given if isinstance(given, dict) and finite(given) else None


def finite(value: Any) -> bool:
    """Whether a double can hold every number in a value."""
    level = [value]
    while level:
        if any(isinstance(item, float) and not isfinite(item) for item in level):
            return False
        level = list(inner(level))
    return True


def inner(level: Iterable[Any]) -> Iterator[Any]:
    """What the containers among these values hold."""
    for item in level:
        if isinstance(item, dict):
            yield from item.values()
        elif isinstance(item, list):
            yield from item


def odd(entries: Sequence[Any], shapes: Sequence[ToolCall | None]) -> Iterator[str]:
    """Why the entries of tool_calls may not be all calls: the first that is malformed, and too many of them."""
    for at, (entry, call) in enumerate(zip(entries, shapes, strict=False)):
        if call is None or not any(isinstance(entry.get(name), dict) for name in ("function", "custom")):
            yield f"tool_calls[{at}] is no call with a {'name' if call is None else 'function object'}"
            break
    if len(entries) > MOST:
        yield f"tool_calls holds {len(entries):,} calls, and at most {MOST} are judged"


def key(call: ToolCall) -> str:
    """What two calls that are the same have in common."""
    return compact([call.name, call.arguments])


def fitting(seen: tuple[ToolCall, ...], room: int) -> tuple[ToolCall, ...]:
    """The calls without those arguments that go beyond so many values in all."""
    kept = []
    for call in seen:
        size = measure(call.arguments)[1] + 1 if call.arguments is not None else 0
        kept.append(call if size <= room else ToolCall(call.name, None))
        room -= size if size <= room else 0
    return tuple(kept)
