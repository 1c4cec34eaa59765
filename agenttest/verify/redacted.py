"""What a saved run says was decided on words that are not kept → its outcomes as they were saved, where that may be.

Whoever changes a run must not be able to turn a violation into a pass by such a claim. So it holds only in a live run,
for assertions whose evidence is whole, and where a mark stands in the very words that decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agenttest.model import Judged, Outcome, Provenance, Status
from agenttest.quote import quote
from agenttest.redaction import inputs, marked
from agenttest.redaction.redactor import WORD
from agenttest.report import FILES
from agenttest.savedrun import Damaged, Issue
from agenttest.verify.live import DIGEST, came_of


def redacted_suite(state: Mapping[str, Any]) -> bool:
    """Whether the saved suite may differ from the original, by the token that the run sent."""
    raw, asked = state["suite"], came_of(state).endpoint
    return bool(
        raw["redacted"] is True
        and asked is not None
        and asked.authenticated
        and any(WORD in text for text in texts_of(raw))
        and isinstance(raw.get("digest"), str)
        and DIGEST.fullmatch(raw["digest"])
    )


def texts_of(raw: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a saved suite: its own, or that of each of its files."""
    yield from [raw["text"]] if "text" in raw else [file.get("text", "") for file in raw["files"]]


@dataclass(frozen=True, slots=True)
class Claims:
    """By scenario, the assertions that were decided on words that are not kept; and each outcome as the report has it,
    by scenario and assertion."""

    names: Mapping[str, tuple[str, ...]]
    saved: Mapping[str, Mapping[str, Any]]

    def granted(self, judged: Judged) -> Judged:
        """The scenario with the saved outcomes in place of those that cannot be made anew."""
        names = self.names.get(judged.scenario.id)
        if names is None:
            return judged
        right = set(granted(judged, names))
        outcomes = tuple(
            self.outcome(judged, each) if each.assertion.name in right else each for each in judged.outcomes
        )
        return replace(judged, outcomes=outcomes, redacted=names)

    def outcome(self, judged: Judged, anew: Outcome) -> Outcome:
        """An outcome as it was saved; where none was, the report's other checks tell."""
        found = self.saved.get(judged.scenario.id, {}).get(anew.assertion.name)
        if found is None:
            return anew
        words = [found["message"], found.get("difference"), found.get("remedy")]
        if not isinstance(words[0], str) or not all(isinstance(each, str | None) for each in words):
            raise TypeError(words)
        return Outcome(anew.assertion, Status(found["status"]), words[0], found["observed"], words[1], words[2])

    def issues(self, scenarios: Sequence[Judged]) -> Iterator[Issue]:
        """Each claim that cannot be."""
        for judged in scenarios:
            right = set(granted(judged, judged.redacted))
            for name in judged.redacted:
                if name not in right:
                    which = f"scenario {quote(judged.scenario.id)} {quote(name)}"
                    yield Issue("redacted", f"{which} is said to be decided on words that are not kept, and is not")


def granted(judged: Judged, names: Sequence[str]) -> Iterator[str]:
    """The names of the assertions in whose deciding words something was taken out."""
    for assertion in judged.scenario.assertions:
        if assertion.name in names and marked(inputs(judged.scenario, assertion, judged.observation)):
            yield assertion.name


def claims_of(told: Sequence[Mapping[str, Any]], results: Mapping[str, Any], came: Provenance) -> Claims:
    """What the journal claims, which only that of a live run may."""
    names: dict[str, tuple[str, ...]] = {}
    for event in told:
        if "redacted" not in event:
            continue
        listed = event["redacted"]
        if came.endpoint is None or event["event"] != "observation" or not some_names(listed):
            which = quote(event.get("scenario"), 120)
            said = f"scenario {which} has redacted outcomes as no {came.mode} run has them"
            raise Damaged(Issue("redacted", f"{FILES['events']}: {said}"))
        names[event["scenario"]] = tuple(listed)
    saved = {
        each["id"]: {outcome["assertion"]: outcome for outcome in each["assertions"]} for each in results["scenarios"]
    }
    return Claims(names, saved)


def some_names(value: Any) -> bool:
    """Whether this is a list of names, each once."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(name, str) for name in value)
        and len(set(value)) == len(value)
    )
