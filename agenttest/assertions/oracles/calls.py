"""Checks of the calls in a trace: tools are named in any case, and a blocked call was attempted too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agenttest.assertions import tools
from agenttest.assertions.finding import Finding
from agenttest.assertions.oracles.letters import fold
from agenttest.assertions.oracles.oracle import Parameters
from agenttest.assertions.subset import differences
from agenttest.model import Status, ToolCall
from agenttest.quote import clip, many, quote, written

SHOWN = 50
EXCERPT = 300
WORD = 100  # characters of a name among many
REMEDY = "record the arguments of every call as a JSON object"


def called(given: Parameters, made: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """The tool was called, with any arguments."""
    name = given["toolName"].strip()
    if named(name, made):
        yield Finding(f"{quote(name)} was called", names(made), status=Status.PASS)
    else:
        yield never(name, made)


def not_called(given: Parameters, made: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """The tool was not even attempted to be called."""
    name = given["toolName"].strip()
    found = named(name, made)
    if not found:
        yield Finding(f"{quote(name)} was not called", 0, status=Status.PASS)
        return
    yield Finding(f"{quote(name)} was called {tools.times(len(found))}{of_these(found)}", len(found))


def of_these(found: Sequence[ToolCall]) -> str:
    """How many of some attempts were blocked, if any."""
    blocked = sum(call.blocked is True for call in found)
    if not blocked:
        return ""
    if len(found) == 1:
        return "; the attempt was blocked"
    return f"; {blocked:,} of these attempts {'was' if blocked == 1 else 'were'} blocked"


def max_calls(given: Parameters, made: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """There are no more calls than the limit, of the tool or, where none is named, of all."""
    name, limit = (given.get("toolName") or "").strip(), given["maxCount"]
    count = len(named(name, made) if name else made)
    said = many(count, "call") + (f" of {quote(name)}" if name else "")
    if count <= limit:
        yield Finding(f"{said}, at most {quote(limit, 40)} may be made", count, status=Status.PASS)
    else:
        yield Finding(f"{said}, and at most {quote(limit, 40)} may be made", count)


def arguments(given: Parameters, made: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """Some call of the tool holds the arguments; where only one that shows none could, it cannot be told."""
    name, wanted = given["toolName"].strip(), given["argumentsSubset"]
    found = named(name, made)
    for call in found:
        if call.arguments is not None and next(differences(wanted, call.arguments), None) is None:
            message = f"a call of {quote(name)} has the arguments"
            yield Finding(message, written(call.arguments, EXCERPT), status=Status.PASS)
            return
    yield without(name, wanted, found) if found else never(name, made)


def without(name: str, wanted: Parameters, found: Sequence[ToolCall]) -> Finding:
    """Why no call of the tool has the arguments: those of one are not shown, or the nearest has others."""
    unseen = next((call for call in found if call.arguments is None), None)
    if unseen is not None:
        why = "were not observed" if not unseen.written else f"are no JSON object: {quote(unseen.written, 80)}"
        message = f"the arguments of a call of {quote(name)} {why}"
        return Finding(message, clip(unseen.written or "", EXCERPT), status=Status.INCOMPLETE, remedy=REMEDY)
    apart = [(list(differences(wanted, call.arguments)), call) for call in found[:SHOWN]]
    places, call = min(apart, key=lambda pair: len(pair[0]))
    message = f"{quote(name)} was called with other arguments: {places[0]}"
    return Finding(message, written(call.arguments, EXCERPT), places[0].path)


def sequence(given: Parameters, made: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """The calls are exactly these, in this order."""
    wanted, seen = [name.strip() for name in given["toolNames"]], [call.name for call in made]
    pairs = zip(map(fold, wanted), map(fold, seen), strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(wanted), len(seen)))
    if at == len(wanted) == len(seen):
        yield Finding("the calls came in exactly this order", names(made), status=Status.PASS)
        return
    what = quote(seen[at]) if at < len(seen) else "missing"
    expected = quote(wanted[at]) if at < len(wanted) else "no further call"
    yield Finding(f"call {at + 1:,} of the sequence is {what}, expected {expected}", names(made), f"$[{at}]")


def allowed(given: Parameters, made: tuple[ToolCall, ...]) -> Iterator[Finding]:
    """Every call is of an allowed tool."""
    fitting = {fold(name.strip()) for name in given["toolNames"]}
    strange = list(dict.fromkeys(call.name for call in made if fold(call.name) not in fitting))
    if strange:
        yield Finding(f"called and not allowed: {tools.listed(strange)}", names(made))
    else:
        yield Finding("every call is allowed" if made else "no call was made", names(made), status=Status.PASS)


def never(name: str, made: Sequence[ToolCall]) -> Finding:
    """That there is no call of the tool, and which is nearest to one."""
    like = tools.alike(name, made) if len(name) <= tools.NAME else None
    near = f"; the nearest call is of {quote(like)}" if like else ""
    return Finding(f"{quote(name)} was never called{near}", names(made))


def named(name: str, made: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls of the tool of this name, in any case."""
    wanted = fold(name)
    return [call for call in made if fold(call.name) == wanted]


def names(made: Sequence[ToolCall]) -> str:
    """The names of the calls in order, the first of them where they are many."""
    return joined([call.name for call in made])


def joined(found: Sequence[str]) -> str:
    """Some words, the first of them where they are many."""
    more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    return ", ".join(clip(word, WORD) for word in found[:SHOWN]) + more
