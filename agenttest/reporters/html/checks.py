"""A scenario's outcomes → checks, each with the piece of evidence that it belongs to and its difference as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agenttest.assertions import ASSERTIONS, row_of
from agenttest.assertions.matching import match
from agenttest.assertions.tools import serving
from agenttest.model import Assertion, Json, Outcome, Status, ToolCall
from agenttest.quote import clip, quote
from agenttest.reporters.html.difference import Line, Sign, bounded, contrast, listed, named, scrolled, sequence, spread
from agenttest.reporters.standing import named as named_of

ASKED = 160  # characters of what was asked for, on one line
MESSAGE = 1_000  # characters of a message
CHANNELS = ("response", "tools", "refusal", "sources")
CALLS = 200  # calls that are paired with what asked for them
TEXT = 2_000  # characters of a text in a difference

ORDER = (Status.FAIL, Status.INCOMPLETE, Status.PASS)

Place = str | int  # a channel of the evidence, or the number of a call
Differ = Callable[[Json, Json], Iterator[Line]]


@dataclass(frozen=True, slots=True)
class Check:
    """One outcome, or several that say the same: the assertions' names with their lines, and what came of them.

    `observed` is what was seen of one that is kept, where the outcome tells it.
    """

    status: Status
    names: tuple[tuple[str, int], ...]
    asked: str
    message: str
    remedy: str
    difference: str
    lines: tuple[Line, ...]
    more: bool
    observed: str = ""

    @property
    def long(self) -> bool:
        """Whether the lines are so many that they are scrolled."""
        return scrolled(line.text for line in self.lines)

    @property
    def signs(self) -> tuple[Sign, ...]:
        """Whose lines there are, of those that have a sign."""
        found = {line.sign for line in self.lines}
        return tuple(sign for sign in (Sign.EXPECTED, Sign.OBSERVED) if sign in found)


def placed(outcomes: Sequence[Outcome], calls: Sequence[ToolCall]) -> dict[Place, tuple[Check, ...]]:
    """Each place in the evidence with its checks."""
    served = pairing(outcomes, calls)
    found: dict[Place, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(place(outcome, calls, served), []).append(outcome)
    return {where: together(there) for where, there in found.items()}


def together(outcomes: Iterable[Outcome]) -> tuple[Check, ...]:
    """The checks of one place, the gravest first."""
    checks: list[Check] = []
    for outcome in sorted(outcomes, key=lambda each: ORDER.index(each.status)):
        alike = next((at for at, each in enumerate(checks) if says_the_same(each, outcome)), None)
        if alike is None:
            checks.append(check(outcome))
        else:
            checks[alike] = joined(checks[alike], outcome)
    return tuple(checks)


def says_the_same(other: Check, outcome: Outcome) -> bool:
    """Whether an outcome has the reason and the remedy of another, and nothing of its own to show."""
    reason = clip(outcome.message, MESSAGE), outcome.remedy or ""
    plain = outcome.status is Status.INCOMPLETE and outcome.observed is None and not other.lines
    return plain and other.status is outcome.status and (other.message, other.remedy) == reason


def joined(other: Check, outcome: Outcome) -> Check:
    """A check that speaks for one more assertion; of several no one's wish stands alone."""
    names = (*other.names, (named_of(outcome.assertion), outcome.assertion.line))
    return Check(other.status, names, "", other.message, other.remedy, "", (), more=False)


def check(outcome: Outcome) -> Check:
    """What is shown of one outcome."""
    lines, more = bounded(compared(outcome))
    kept = outcome.status is Status.PASS and outcome.observed is not None
    return Check(
        status=outcome.status,
        names=((named_of(outcome.assertion), outcome.assertion.line),),
        asked=clip(quote(outcome.assertion.wanted, ASKED), ASKED),
        message=clip(outcome.message, MESSAGE),
        remedy=outcome.remedy or "",
        difference=outcome.difference or "",
        lines=lines,
        more=more,
        observed=clip(quote(outcome.observed, ASKED), ASKED) if kept else "",
    )


def place(outcome: Outcome, calls: Sequence[ToolCall], served: Mapping[str, int]) -> Place:
    """The channel that decided it or, where one call did, that call."""
    kind, expected = outcome.assertion.kind, outcome.assertion.expected
    channel = channel_of(outcome.assertion)
    if kind == "tool_required":
        at = served.get(outcome.assertion.name)
        return nearest(outcome.observed, calls) if at is None else at
    offending = offences(outcome, calls) if kind in OFFENCES and expected is not None else iter(())
    return next(offending, channel)


def channel_of(assertion: Assertion) -> str:
    """The channel of an assertion; what an observation without a trace shows none of stands with the calls."""
    if assertion.kind in ASSERTIONS:
        return ASSERTIONS[assertion.kind].channel
    channel = row_of(assertion.kind).channel if assertion.fault is None else "tools"
    return channel if channel in CHANNELS else "tools"


def offences(outcome: Outcome, calls: Sequence[ToolCall]) -> Iterator[int]:
    """The calls that by themselves break an assertion, whether or not it can be decided."""
    if outcome.assertion.kind in OFFENCES:
        breaks = OFFENCES[outcome.assertion.kind]
        yield from (at for at, call in enumerate(calls) if breaks(outcome.assertion.expected, at, call))


OFFENCES: dict[str, Callable[[Json, int, ToolCall], bool]] = {
    "tools_allowed": lambda expected, _, call: listed(expected) and call.name not in expected,  # type: ignore[operator]
    "tool_forbidden": lambda expected, _, call: call.name == expected,
    "tool_max_calls": lambda expected, at, _: isinstance(expected, int) and at >= expected,
}


def pairing(outcomes: Iterable[Outcome], calls: Sequence[ToolCall]) -> dict[str, int]:
    """The call that each kept wish for a call has got, as the assertion pairs them."""
    wishes = [each for each in outcomes if each.assertion.kind == "tool_required" and each.status is Status.PASS]
    if len(calls) > CALLS:
        return {}
    expected = [each.assertion.expected for each in wishes]
    served = match([serving(entry, calls) for entry in expected if isinstance(entry, Mapping)])
    return {wishes[wish].assertion.name: call for wish, call in served.items()}


def nearest(observed: Json, calls: Sequence[ToolCall]) -> Place:
    """The call that an outcome tells of, if it tells of one."""
    if isinstance(observed, Mapping):
        for at, call in enumerate(calls):
            if call.name == observed.get("name") and call.arguments == observed.get("arguments"):
                return at
    return "tools"


def compared(outcome: Outcome) -> Iterator[Line]:
    """What was expected beside what was observed, of an outcome that was not kept and has something to compare."""
    differ = DIFFERENCES.get(outcome.assertion.kind, summed)
    if outcome.status is Status.FAIL:
        yield from differ(outcome.assertion.wanted, outcome.observed)


def summed(expected: Json, observed: Json) -> Iterator[Line]:
    """What an oracle expects in a few words, and what was seen, in words as well."""
    for sign, found in ((Sign.EXPECTED, expected), (Sign.OBSERVED, observed)):
        if isinstance(found, str):
            yield from named(sign, clip(found, TEXT).split("\n"))
        elif found is not None:
            yield from spread(found, sign)


def both(expected: Json, observed: Json) -> Iterator[Line]:
    """Two values of any kind."""
    yield from spread(expected, Sign.EXPECTED)
    yield from spread(observed, Sign.OBSERVED)


def text(expected: Json, _: Json) -> Iterator[Line]:
    """A text that should be there; where it should be is shown whole beside it."""
    yield from named(Sign.EXPECTED, clip(str(expected), TEXT).split("\n"))


def unwanted(expected: Json, _: Json) -> Iterator[Line]:
    """A text that is there and should not be."""
    yield from named(Sign.OBSERVED, clip(str(expected), TEXT).split("\n"))


def call(expected: Json, observed: Json) -> Iterator[Line]:
    """The arguments of a call beside those of the nearest one or, where there is none, the call."""
    if isinstance(expected, Mapping) and isinstance(observed, Mapping):
        yield from contrast(expected.get("arguments", {}), observed.get("arguments"))
    elif isinstance(expected, Mapping):
        yield Line(Sign.EXPECTED, str(expected.get("name")))
        if "arguments" in expected:
            yield from spread(expected["arguments"], Sign.EXPECTED)


def order(expected: Json, observed: Json) -> Iterator[Line]:
    """Two sequences of names."""
    if listed(expected) and listed(observed):
        yield from sequence(list(map(str, expected)), list(map(str, observed)))  # type: ignore[arg-type]
    else:
        yield from both(expected, observed)


def count(expected: Json, observed: Json) -> Iterator[Line]:
    """A number of calls and the most that may be."""
    yield Line(Sign.EXPECTED, f"at most {quote(expected, 40)}")
    if listed(observed):
        yield from named(Sign.OBSERVED, map(str, observed))  # type: ignore[arg-type]


def refused(expected: Json, observed: Json) -> Iterator[Line]:
    """Whether the agent refused."""
    words = {True: "the agent refuses", False: "the agent does not refuse"}
    yield Line(Sign.EXPECTED, words[bool(expected)])
    yield Line(Sign.OBSERVED, words[bool(observed)])


def nothing(_: Json, __: Json) -> Iterator[Line]:
    """What the message says already."""
    yield from ()


DIFFERENCES: dict[str, Differ] = {
    "response_contains": text,
    "response_excludes": unwanted,
    "tool_required": call,
    "tools_allowed": nothing,
    "tool_forbidden": nothing,
    "tool_exact_sequence": order,
    "tool_max_calls": count,
    "refusal": refused,
    "source_required": text,
}
