"""What was judged → the same without a secret: the token in every form it may come back in, and the endpoint's URL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, TypeVar

from agenttest.assertions import row_of
from agenttest.errors import InvalidInput, Problem
from agenttest.evaluate import judge
from agenttest.jsontext import compact
from agenttest.model import (
    Exchange,
    Json,
    Judged,
    Observation,
    Outcome,
    Payload,
    Scenario,
    Status,
    Step,
    Suite,
    ToolCall,
)
from agenttest.redaction.inputs import inputs
from agenttest.redaction.redactor import Redactor, marked
from agenttest.steps import arguments_of

FINISHES = ("stop", "tool_calls", "length", "content_filter", "function_call")
OWN = ("phase", "decision")  # fields whose words are those of a trace
SHOWN = 50  # calls or sources, and 6 characters of a response for each
Change = Callable[[Suite, Callable[[str], str]], Suite]
Written = Callable[[Scenario], Observation | None]
Item = TypeVar("Item")

__all__ = ["Redaction", "Redactor", "inputs", "marked"]


@dataclass(frozen=True, slots=True)
class Redaction:
    """One suite's: `suite` is the suite as it may be saved, which differs only where its text holds the token, and
    `scenarios` are its own by their ids.

    `written` gives the observation of a scenario that follows from its own file, and so from what is saved of that.
    """

    suite: Suite
    redactor: Redactor
    scenarios: Mapping[str, Scenario]
    written: Written

    @classmethod
    def of(
        cls, suite: Suite, token: str | None, addresses: Iterable[str], change: Change, written: Written | None = None
    ) -> Redaction:
        """The redaction of a run that sends this token; InvalidInput where the suite cannot be saved without it."""
        redactor = shared(token, tuple(addresses))
        kept = suite if redactor.short else shadow(suite, redactor, change)
        return cls(kept, redactor, {each.id: each for each in kept.scenarios}, written or nowhere)

    def leaks(self, text: str) -> bool:
        """Whether the token is in what is about to be written; a short one may be there by chance."""
        return not self.redactor.short and self.redactor.leaks(text)

    def redact(self, judged: Judged) -> Judged:
        """What may be kept of what was judged, with the names of the outcomes whose own inputs were changed."""
        judged = self.sourced(judged)
        scenario = self.kept(judged.scenario)
        seen = self.seen(judged, scenario)
        exchange = None if judged.exchange is None else self.exchange(judged.exchange)
        if scenario is judged.scenario and seen is judged.observation:
            outcomes = unless_same(judged.outcomes, self.worded)
            untouched = exchange is judged.exchange and outcomes is judged.outcomes
            return judged if untouched else replace(judged, outcomes=outcomes, exchange=exchange)
        again = judged.outcomes if seen is None else judge(scenario, seen, None, exchange).outcomes
        both = zip(scenario.assertions, judged.outcomes, again, strict=True)
        outcomes = tuple(replace(self.outcome(old, new, seen), assertion=asked) for asked, old, new in both)
        return Judged(scenario, seen, outcomes, exchange, tuple(changed(judged, scenario, seen)), judged.source)

    def sourced(self, judged: Judged) -> Judged:
        """What was judged with the path of its recording as the saved suite names it; the very same where that is
        alike."""
        source = judged.source
        path = self.redactor.worded(source.path) if source is not None and not self.redactor.short else None
        if source is None or path is None or path == source.path:
            return judged
        return replace(judged, source=replace(source, path=path))

    def seen(self, judged: Judged, kept: Scenario) -> Observation | None:
        """What may be kept of what was observed; of what the suite itself says, what the saved one does."""
        own = None if judged.observation is None else self.written(judged.scenario)
        if own is None:
            return self.observation(judged.observation)
        return judged.observation if kept is judged.scenario else self.written(kept)

    def kept(self, scenario: Scenario) -> Scenario:
        """The scenario as the saved suite has it; the very same where that does not differ."""
        found = self.scenarios[scenario.id]
        return scenario if found == scenario else found

    def observation(self, seen: Observation | None) -> Observation | None:
        """What may be kept of an observation; the very same where that is all."""
        if seen is None:
            return None
        finish = seen.finish_reason
        fields: dict[str, Any] = {
            "response": self.redactor.value(seen.response),
            "finish_reason": finish if finish in FINISHES else self.redactor.value(finish),
            "tool_calls": seen.tool_calls and unless_same(seen.tool_calls, self.call),
            "sources": seen.sources and unless_same(seen.sources, self.redactor.text),
            "error": self.redactor.value(seen.error),
            "steps": seen.steps and unless_same(seen.steps, self.step),
            "state": self.redactor.value(seen.state),
            "remedy": self.redactor.value(seen.remedy),
        }
        return seen if all(fields[name] is getattr(seen, name) for name in fields) else replace(seen, **fields)

    def step(self, step: Step) -> Step:
        """One step of a trace."""
        payload = step.payload
        told = self.call(payload) if isinstance(payload, ToolCall) else self.payload(payload)
        stamp = None if step.timestamp is None else self.redactor.text(step.timestamp)
        same = told is payload and stamp is step.timestamp
        return step if same else replace(step, payload=told, timestamp=stamp)

    def payload(self, payload: Payload) -> Payload:
        """What a step tells, but for words that are of a trace's own."""
        if isinstance(payload, str):
            return self.redactor.text(payload)
        names = [each.name for each in fields(payload) if each.name not in OWN]
        found: dict[str, Any] = {name: self.redactor.value(getattr(payload, name)) for name in names}
        same = all(value is getattr(payload, name) for name, value in found.items())
        return payload if same else replace(payload, **found)

    def call(self, call: ToolCall) -> ToolCall:
        """One call; what its arguments are follows from their text, where that was seen."""
        found = self.payload(call)
        if not isinstance(found, ToolCall) or found is call or found.written is None:
            return call if not isinstance(found, ToolCall) else found
        return replace(found, arguments=arguments_of(found.written))

    def exchange(self, exchange: Exchange) -> Exchange:
        """The facts of the exchange; of the counted tokens only those that are no secret."""
        usage = {name: count for name, count in exchange.usage.items() if self.clean(name, count)}
        doubts = {channel: self.redactor.text(doubt) for channel, doubt in exchange.doubts.items()}
        remedy = exchange.remedy and self.redactor.text(exchange.remedy)
        found = replace(exchange, usage=usage, doubts=doubts, remedy=remedy)
        return exchange if found == exchange else found

    def clean(self, *values: Json) -> bool:
        """Whether there is nothing to take out of any value."""
        return all(self.redactor.value(value) is value for value in values)

    def outcome(self, old: Outcome, new: Outcome, seen: Observation | None) -> Outcome:
        """The outcome as it was decided, in the words of what is kept: an excerpt of the rest may begin or end inside
        the secret, where nothing could tell it."""
        if new.status is old.status:
            return self.worded(new)
        observed = None if old.status is Status.PASS else shown(old, seen)
        return self.worded(replace(old, observed=observed))

    def worded(self, outcome: Outcome) -> Outcome:
        """The outcome's own words; the very same where there is nothing to take out."""
        fields: dict[str, Any] = {
            name: self.redactor.value(getattr(outcome, name))
            for name in ("message", "observed", "difference", "remedy")
        }
        untouched = all(value is getattr(outcome, name) for name, value in fields.items())
        return outcome if untouched else replace(outcome, **fields)


def nowhere(_: Scenario) -> None:
    """What follows of a contract's scenario from the contract: no observation."""


@lru_cache(maxsize=1)
def shared(token: str | None, addresses: tuple[str, ...]) -> Redactor:
    """The redactor of all suites of a call, as the forms of a long token take their time to be made."""
    return Redactor(token, addresses)


def unless_same(values: tuple[Item, ...], change: Callable[[Item], Item]) -> tuple[Item, ...]:
    """Each value changed; the very same tuple where no value is."""
    found = tuple(map(change, values))
    return values if all(new is old for new, old in zip(found, values, strict=True)) else found


def shown(outcome: Outcome, seen: Observation | None) -> Json:
    """What is kept of an observation, as far as an outcome may have been decided on it."""
    if seen is None:
        return None
    channel = row_of(outcome.assertion.kind).channel
    if channel == "response":
        return (seen.response or "")[: 6 * SHOWN]
    if channel in ("tools", "trace"):
        return [call.name for call in (seen.calls or ())[:SHOWN]]
    return list((seen.sources or ())[:SHOWN]) if channel == "sources" else None


def changed(judged: Judged, scenario: Scenario, seen: Observation | None) -> Iterator[str]:
    """The assertions that were decided on something that is not kept."""
    for old, new in zip(judged.scenario.assertions, scenario.assertions, strict=True):
        if inputs(judged.scenario, old, judged.observation) != inputs(scenario, new, seen):
            yield new.name


def shadow(suite: Suite, redactor: Redactor, change: Change) -> Suite:
    """The suite with a word in the token's place, and all else as it was; InvalidInput where that is not possible."""
    touched = any(redactor.worded(text) is not text for text in texts(suite))
    found = worded(suite, redactor, change) if touched else suite
    leaks = any(map(redactor.leaks, (compact(asdict(found)), *texts(found))))
    if structure(found) != structure(suite) or leaks:
        raise stuck(suite, redactor)
    return found


def texts(suite: Suite) -> list[str]:
    """Every text that a suite was read from."""
    return [suite.text] if suite.files is None else [file.text for file in suite.files]


def worded(suite: Suite, redactor: Redactor, change: Change) -> Suite:
    """The suite of other texts, still by the digest of what lies on disk."""
    try:
        return change(suite, redactor.worded)
    except InvalidInput:
        raise stuck(suite, redactor) from None


def structure(suite: Suite) -> list[Any]:
    """What two suites have in common that differ in some words: scenarios, tools, and every assertion in its place."""
    scenarios = [
        (each.id, each.line, each.available_tools, [(check.name, check.kind, check.line) for check in each.assertions])
        for each in suite.scenarios
    ]
    return [suite.kind, suite.version, suite.path, [tool.name for tool in suite.agent.tools], scenarios]


def stuck(suite: Suite, redactor: Redactor) -> InvalidInput:
    """What is said of a suite that cannot be saved."""
    said = "holds the token where it cannot be left out of what is saved; take it out of the contract"
    return InvalidInput(Problem(redactor.text(suite.path), 0, 0, said))
