"""The steps of a trace → each attempted call with its results, and how its approval stood when each of them came.

A result with a call's id is of that call: of the last such call before it, one of the same tool first, or of the next
one where none is before it. A result that no id ties is of the first call of its tool before it that was not blocked
and has no result yet, else of the last one before it, else of the next: none is lost where its tool was called; one
with an id looks among calls without one first. An approval is of the call of its tool that has its id; without an id,
of every call of its tool; with one that no call of its tool has, of the calls of its tool that have none.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agenttest.assertions.finding import Check, Finding, GroupCheck, each
from agenttest.assertions.oracles.letters import fold
from agenttest.model import Approval, Step, ToolCall, ToolResult

REQUESTED, RESOLVED, APPROVED, REFUSED = "requested", "resolved", "approved", ("denied", "expired")


@dataclass(frozen=True, slots=True)
class Standing:
    """How approval stands at some point, `requested` or as it was decided: of this very call (`own`), and the last that
    holds for it (`last`), which may be of its tool."""

    own: str | None
    last: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """A result of a call, and how the call's approval stood when it came."""

    step: Step
    succeeded: bool
    standing: Standing


@dataclass(frozen=True, slots=True)
class Attempt:
    """A call with its results in order, how its approval stood in the end, and whether any was `asked` for."""

    step: Step
    call: ToolCall
    answers: tuple[Answer, ...]
    end: Standing
    asked: bool

    @property
    def contradiction(self) -> Step | None:
        """The first result that succeeded, though the call was blocked."""
        return next((each.step for each in self.answers if each.succeeded and self.call.blocked), None)

    @property
    def approved(self) -> bool:
        """Whether it was approved before its first result or, where it has none, in the end."""
        standing = self.answers[0].standing if self.answers else self.end
        return standing.last == APPROVED


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of a trace, and the calls among them."""

    steps: Sequence[Step]
    attempts: tuple[Attempt, ...]

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls alone."""
        return tuple(each.call for each in self.attempts)


def by_trace(check: Check) -> GroupCheck:
    """A check of one expectation by a trace, applied to every one of its kind; the steps are gone through once."""

    def group(expectations: Sequence[Any], steps: Sequence[Step]) -> Iterator[tuple[int, Finding]]:
        yield from each(check)(expectations, trace(steps))

    return group


def trace(steps: Sequence[Step]) -> Trace:
    """The steps with what they tell of each call."""
    ledger = Ledger(steps)
    for place, step in enumerate(steps):
        ledger.enter(place, step)
    return Trace(steps, ledger.attempts())


Book = dict[Hashable, tuple[int, str]]  # for a call's place or a tool: where approval was last told of, and what


@dataclass(slots=True)
class Ledger:
    """What is known of each call, by its place among the steps, up to some step."""

    steps: Sequence[Step]
    calls: dict[int, ToolCall] = field(default_factory=dict)
    ahead: dict[Hashable, int] = field(default_factory=dict)
    behind: dict[Hashable, int] = field(default_factory=dict)
    open: defaultdict[Hashable, deque[int]] = field(default_factory=lambda: defaultdict(deque))
    answers: dict[int, list[Answer]] = field(default_factory=dict)
    stood: Book = field(default_factory=dict)
    asked: set[Hashable] = field(default_factory=set)

    def __post_init__(self) -> None:
        for place, step in enumerate(self.steps):
            if isinstance(step.payload, ToolCall):
                self.calls[place], self.answers[place] = step.payload, []
                for key in (*by_id(step.payload.id, step.payload.name), loose(None, step.payload.name)):
                    self.ahead.setdefault(key, place)

    def enter(self, place: int, step: Step) -> None:
        """Take the next step in."""
        told = step.payload
        if isinstance(told, ToolCall):
            self.behind |= dict.fromkeys((*by_id(told.id, told.name), *tools(told)), place)
            for key in () if told.blocked else tools(told):
                self.open[key].append(place)
        elif isinstance(told, ToolResult):
            found = self.answered(told)
            if found is not None:
                self.answers[found].append(Answer(step, told.succeeded, self.standing(found)))
        elif isinstance(told, Approval):
            self.approve(place, told)

    def answered(self, told: ToolResult) -> int | None:
        """The call that a result is of: by its id, else one of its tool without an id, else any of its tool."""
        found = self.of(by_id(told.call, told.name))
        for key in (loose(told.call, told.name), loose(None, told.name)):
            found = self.answering(key) if found is None else found
        return found

    def of(self, keys: Sequence[Hashable]) -> int | None:
        """The call that is found by one of these keys, the closest first."""
        return next((book[key] for book in (self.behind, self.ahead) for key in keys if key in book), None)

    def answering(self, tool: Hashable) -> int | None:
        """The call of a tool that a result without its id is of."""
        waiting = self.open[tool]
        while waiting and self.answers[waiting[0]]:
            waiting.popleft()
        return waiting[0] if waiting else self.of((tool,))

    def approve(self, place: int, told: Approval) -> None:
        """Note how approval stands from here on."""
        of = self.of(by_id(told.call, told.tool)[:1])
        key = loose(told.call, told.tool) if of is None else of
        self.stood[key] = (place, told.decision or RESOLVED) if told.phase == RESOLVED else (place, REQUESTED)
        if told.phase == REQUESTED:
            self.asked.add(key)

    def standing(self, place: int) -> Standing:
        """How approval of the call at this place stands now."""
        own = self.stood.get(place)
        told = [self.stood[key] for key in self.keys(place) if key in self.stood]
        return Standing(own and own[1], max(told)[1] if told else None)

    def keys(self, place: int) -> tuple[Hashable, ...]:
        """Everything that an approval of the call at this place may be noted under."""
        return (place, *tools(self.calls[place]))

    def attempts(self) -> tuple[Attempt, ...]:
        """All calls, once every step is taken in."""
        return tuple(self.attempt(place, answers) for place, answers in self.answers.items())

    def attempt(self, place: int, answers: Sequence[Answer]) -> Attempt:
        """The call at this place."""
        asked = not self.asked.isdisjoint(self.keys(place))
        return Attempt(self.steps[place], self.calls[place], tuple(answers), self.standing(place), asked)


def by_id(call: str | None, tool: str) -> tuple[Hashable, ...]:
    """What a call of this id is found by, the closest first; nothing where there is no id."""
    return (("id", call, fold(tool)), ("id", call)) if call else ()


def tools(call: ToolCall) -> tuple[Hashable, ...]:
    """What a call is found by through its tool: by steps without an id and, if it has none either, by all others."""
    return (loose(None, call.name),) if call.id else (loose(None, call.name), loose("?", call.name))


def loose(call: str | None, tool: str) -> Hashable:
    """What a step that no id ties to a call looks for: a step with an id finds no call that has another one."""
    return ("tool", fold(tool), bool(call))
