"""What the files of a live run say of its endpoint and its exchanges → the values, or what no run writes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from agenttest.jsontext import compact
from agenttest.model import Endpoint, Exchange, Provenance, Suite
from agenttest.observations import exchange_from_document, provenance_from_document
from agenttest.quote import quote
from agenttest.recording import RECORDED, recording, written
from agenttest.report import FILES, Report
from agenttest.savedrun import Damaged, Issue, SavedRun
from agenttest.sources import ORIGINS
from agenttest.sources.origins import asks

KINDS = ("loopback", "isolated", "remote")  # from the most trusted to the least
SOURCES = ("contract", "invocation")
DIGEST = re.compile(r"[0-9a-f]{64}")
CHANNELS = {"response", "tools", "refusal", "sources", "arguments"}
NAMES = 64  # of counted tokens in one exchange
WORDS = 100_000  # characters of a doubt or a remedy
NUMBER = 2**53


def came_of(state: Mapping[str, Any]) -> Provenance:
    """Where the run says that its observations came from."""
    came = provenance_from_document(state["provenance"])
    if (came.kind, came.trust) != ORIGINS[came.mode]:
        said = f"state.json gives the observations a kind or trust that no {came.mode} run has"
        raise Damaged(Issue("provenance", said))
    wrong = next(wrong_parts(came.endpoint), None) if came.endpoint else None
    if wrong is not None:
        raise Damaged(Issue("provenance", f"state.json says of the endpoint what no run writes: its {wrong}"))
    return came


def wrong_parts(asked: Endpoint) -> Iterator[str]:
    """Each part of what is known of an endpoint that is not of its form."""
    right = {
        "source": asked.source in SOURCES,
        "fingerprint": isinstance(asked.fingerprint, str) and DIGEST.fullmatch(asked.fingerprint) is not None,
        "kind": asked.kind in KINDS,
        "authenticated": isinstance(asked.authenticated, bool),
        "model": isinstance(asked.model, str),
        "timeout_seconds": type(asked.timeout_seconds) in (int, float) and math.isfinite(asked.timeout_seconds),
        "max_tokens": counted(asked.max_tokens),
        "max_bytes": counted(asked.max_bytes),
    }
    yield from (each.name for each in fields(asked) if not right[each.name])


def exchanges_of(told: Sequence[Mapping[str, Any]], suite: Suite, came: Provenance) -> dict[str, Exchange]:
    """The facts of each exchange by scenario, which a live run has of each that an agent was asked for and answered,
    and no other run has."""
    found: dict[str, Exchange] = {}
    asked = {each.id for each in suite.scenarios if suite.files is None or asks([each])} if came.endpoint else set()
    for event in told:
        raw = event.get("exchange")
        name = quote(event.get("scenario"), 120)
        if (raw is not None) is not (event.get("scenario") in asked and event.get("observation") is not None):
            said = "has an exchange, and was not asked" if raw is not None else "was observed without an exchange"
            raise Damaged(Issue("exchange", f"{FILES['events']}: scenario {name} {said}"))
        if raw is None:
            continue
        if not exchanged(raw):
            raise Damaged(Issue("exchange", f"{FILES['events']}: the exchange of scenario {name} is none of ours"))
        found[event["scenario"]] = exchange_from_document(raw) or Exchange(None, 0)
    return found


def exchanged(raw: Any) -> bool:
    """Whether a value has the form of the facts of an exchange."""
    if not isinstance(raw, dict) or not raw.keys() <= {"status", "latency_ms", "usage", "doubts", "remedy"}:
        return False
    if "status" not in raw or not (raw["status"] is None or (counted(raw["status"]) and 100 <= raw["status"] <= 999)):
        return False
    usage, doubts = raw.get("usage", {"": 0}), raw.get("doubts", {"tools": " "})
    return (
        counted(raw.get("latency_ms"))
        and isinstance(usage, dict)
        and 0 < len(usage) <= NAMES
        and all(map(counted, usage.values()))
        and isinstance(doubts, dict)
        and set() < doubts.keys() <= CHANNELS
        and all(
            isinstance(words, str) and 0 < len(words) <= WORDS for words in (*doubts.values(), raw.get("remedy", " "))
        )
    )


def counted(value: Any) -> bool:
    """Whether this is a whole number that something was counted to."""
    return type(value) is int and 0 <= value <= NUMBER


def recording_issues(run: SavedRun, summary: Mapping[str, Any], report: Report) -> Iterator[Issue]:
    """The observations file of a live run holds what was observed; where traces may, or nothing was asked, there is
    none."""
    if report.mode != "live" or report.suite is None or report.suite.files is not None:
        if RECORDED in summary["files"]:
            yield Issue("recording", f"{FILES['summary']} lists {RECORDED}, which no such run writes")
        return
    seen = recording(judged.observation for judged in report.scenarios)
    if RECORDED in summary["files"]:
        if compact(run.json(RECORDED)) != compact(seen):
            yield Issue("recording", f"{RECORDED} holds other observations than {FILES['events']}")
    elif written(seen):
        yield Issue("recording", f"{FILES['summary']} does not list {RECORDED}, which a live run writes")
