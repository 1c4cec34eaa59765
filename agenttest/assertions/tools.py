"""Checks of the tool calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agenttest.assertions.finding import Finding
from agenttest.assertions.matching import match
from agenttest.assertions.subset import Difference, differences
from agenttest.model import Status, ToolCall
from agenttest.quote import quote

SHOWN = 50
NAME = 64  # characters of a tool's name in a contract; a longer name is like none


def required(expectations: Sequence[Mapping[str, Any]], calls: tuple[ToolCall, ...]) -> Iterator[tuple[int, Finding]]:
    """Each entry, `{name, arguments?}`, gets a call of its own; they are paired so that most entries are served."""
    served = match([serving(entry, calls) for entry in expectations])
    used = set(served.values())
    free = [call for index, call in enumerate(calls) if index not in used]
    for index, entry in enumerate(expectations):
        if index not in served:
            yield index, unserved(entry, calls, free)


def serving(entry: Mapping[str, Any], calls: Sequence[ToolCall]) -> list[int]:
    """The calls that would serve an entry; those with unobserved arguments last, as another entry may hinge on them."""
    fitting = [index for index, call in enumerate(calls) if serves(entry, call)]
    return sorted(fitting, key=lambda index: calls[index].arguments is None)


def serves(entry: Mapping[str, Any], call: ToolCall) -> bool:
    """Whether the call has the name and, where arguments are expected, holds them."""
    if entry["name"] != call.name or "arguments" not in entry:
        return bool(entry["name"] == call.name)
    return call.arguments is not None and next(differences(entry["arguments"], call.arguments), None) is None


def unserved(entry: Mapping[str, Any], calls: Sequence[ToolCall], free: Sequence[ToolCall]) -> Finding:
    """Why an entry got no call: never called, called by another's wish, other arguments, or arguments not observed."""
    name = quote(entry["name"])
    if not any(call.name == entry["name"] for call in calls):
        like = alike(entry["name"], calls)
        return Finding(f"{name} was not called" + (f"; the nearest call is of {like!r}" if like else ""), names(calls))
    left = [call for call in free if call.name == entry["name"]]
    if "arguments" in entry and any(call.arguments is None for call in left):
        said = f"{name} was called, but the arguments of the call were not observed"
        return Finding(said, names(calls), None, Status.INCOMPLETE, 'record the "arguments" of every call')
    near = nearest(entry.get("arguments", {}), left or [call for call in calls if call.name == entry["name"]])
    if near is None:
        count = sum(call.name == entry["name"] for call in calls)
        return Finding(f"{name} was called {times(count)}, and other entries need each of these calls", names(calls))
    call, difference = near
    observed = {"name": call.name, "arguments": call.arguments}
    return Finding(f"{name} was called with other arguments: {difference}", observed, difference.path)


def alike(name: str, calls: Sequence[ToolCall]) -> str | None:
    """Of the first called names the one that is most like this one, whatever its case; None where none is."""
    from difflib import get_close_matches

    called = {call.name.casefold(): call.name for call in calls[:SHOWN] if len(call.name) <= NAME}
    found = get_close_matches(name.casefold(), called, n=1, cutoff=0.7)
    return called[found[0]] if found else None


def nearest(expected: Mapping[str, Any], calls: Sequence[ToolCall]) -> tuple[ToolCall, Difference] | None:
    """Of the first calls the one that differs in the fewest places, with the first of them; None where none differs."""
    seen = [call for call in calls if call.arguments is not None][:SHOWN]
    found = [(call, list(differences(expected, call.arguments))) for call in seen]
    differing = [(call, places) for call, places in found if places]
    if not differing:
        return None
    call, places = min(differing, key=lambda pair: len(pair[1]))
    return call, places[0]


def allowed(expected: Sequence[str], calls: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """Every call is of an allowed tool."""
    strange = list(dict.fromkeys(call.name for call in calls if call.name not in expected))
    if strange:
        yield Finding(f"called and not allowed: {listed(strange)}", names(calls))  # an agent's word stands never first


def forbidden(expected: str, calls: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """The tool was not called."""
    count = sum(call.name == expected for call in calls)
    if count:
        yield Finding(f"the forbidden {quote(expected)} was called {times(count)}", names(calls))


def exact_sequence(expected: Sequence[str], calls: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """The names of all calls are exactly these, in this order."""
    observed = [call.name for call in calls]
    if observed == list(expected):
        return
    at = next(
        (i for i, (a, b) in enumerate(zip(expected, observed, strict=False)) if a != b),
        min(len(expected), len(observed)),
    )
    seen = quote(observed[at]) if at < len(observed) else "missing"
    wanted = quote(expected[at]) if at < len(expected) else "no further call"
    yield Finding(f"call {at + 1} of the sequence is {seen}, expected {wanted}", names(calls), f"$[{at}]")


def max_calls(expected: int, calls: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """No more calls than the limit."""
    if len(calls) > expected:
        yield Finding(
            f"the agent made {len(calls)} call{'s' * (len(calls) != 1)}, and at most {quote(expected, 40)} may be made",
            names(calls),
        )


def names(calls: Sequence[ToolCall]) -> list[str]:
    """The called names in order, the first of them where they are many."""
    return [call.name for call in calls[:SHOWN]]


def listed(found: Sequence[str]) -> str:
    """Some names in words."""
    return ", ".join(quote(name, 80) for name in found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")


def times(count: int) -> str:
    """How often."""
    return "once" if count == 1 else f"{count} times"
