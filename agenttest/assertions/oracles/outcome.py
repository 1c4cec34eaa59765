"""Checks of what a trace ends with beside its answer: the state, a refusal, the cited sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agenttest.assertions.finding import Finding
from agenttest.assertions.oracles.calls import joined
from agenttest.assertions.oracles.oracle import Parameters
from agenttest.assertions.response import EXCERPT, FORMS
from agenttest.assertions.tools import NAME, SHOWN
from agenttest.model import Status
from agenttest.quote import clip, quote

MISSING = "missing"


def state(given: Parameters, seen: Mapping[str, str]) -> Iterator[Finding]:
    """The key ends up with the value, character by character."""
    key, wanted = given["stateKey"], given["expectedValue"]
    if key not in seen:
        like = similar(key, seen)
        near = f"; the nearest key is {quote(like)}" if like is not None else ""
        yield Finding(f"the state has no {quote(key)}{near}", MISSING)
    elif seen[key] == wanted:
        yield Finding(f"{quote(key)} is {quote(wanted)}", clip(seen[key], EXCERPT), status=Status.PASS)
    else:
        message = f"{quote(key)} is {quote(seen[key])}, expected {quote(wanted)}{apart(wanted, seen[key])}"
        yield Finding(message, clip(seen[key], EXCERPT))


def similar(key: str, seen: Mapping[str, str]) -> str | None:
    """Of the first keys the one that is most like this one, whatever its case; None where none is."""
    if len(key) > NAME:
        return None
    from difflib import get_close_matches

    keys = {each.strip().casefold(): each for each in list(seen)[:SHOWN] if len(each) <= NAME}
    found = get_close_matches(key.strip().casefold(), keys, n=1, cutoff=0.7)
    return keys[found[0]] if found else None


def apart(wanted: str, seen: str) -> str:
    """The one thing that keeps two texts apart, where it is easily overlooked."""
    what = next((what for what, form in FORMS.items() if form(wanted) == form(seen)), None)
    return f"; they differ in {what} alone" if what else ""


def refusal(given: Parameters, seen: bool) -> Iterator[Finding]:
    """The agent refused, or did not, as it must."""
    said = "the agent refused" if seen else "the agent did not refuse"
    if given["expected"] is seen:
        yield Finding(said, word(seen), status=Status.PASS)
    else:
        yield Finding(said + (", and must not" if seen else ", and must"), word(seen))


def word(refused: bool) -> str:
    """A refusal, or none, in words."""
    return "a refusal" if refused else "no refusal"


def cited(given: Parameters, seen: tuple[str, ...]) -> Iterator[Finding]:
    """The source's id is among the cited ones, character by character."""
    wanted = given["sourceId"].strip()
    if wanted in seen:
        yield Finding(f"the source {quote(wanted)} is cited", joined(seen), status=Status.PASS)
    else:
        yield Finding(f"the source {quote(wanted)} is not cited", joined(seen))
