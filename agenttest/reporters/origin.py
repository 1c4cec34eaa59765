"""Where observations came from, and what was exchanged for them → the words that every format says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agenttest.model import Endpoint, Exchange, Judged, Provenance
from agenttest.quote import clip, many, one_line, quote

SHORT = 12  # digits of a fingerprint that is told in short
MODEL = 80  # characters
COUNTS = 20  # of a provider's counts
COUNT_NAME = 60  # characters
SORTS = {
    "loopback": "a loopback endpoint",
    "isolated": "an isolated endpoint",
    "remote": "a remote endpoint",
}
NAMED = {"invocation": "named by the invocation", "contract": "named by the contract"}
SCRIPTED = "the scenarios script their own traces, which tests the oracles and not an agent"
SCRIPTED_PART = "what is scripted tests the oracles and not an agent"
UNOBSERVED = "no scenario has evidence, so nothing is proven"
EXECUTORS = {"scripted": "scripted", "replay": "replayed", "endpoint": "live"}
MODES = {
    "scripted": "traces scripted in",
    "replayed": "saved traces named in",
    "mixed": "evidence named in",
    "unobserved": "no evidence from",
}
TRUST = {
    "scripted": SCRIPTED,
    "unobserved": UNOBSERVED,
    "mixed": "each scenario judged as its file asks; " + SCRIPTED_PART,
    "unverified_fixture": "checked from a recording, which does not prove that a running agent produced it",
    "runtime_observed": "observed while the agent ran",
}


def origin(came: Provenance) -> str:
    """What the observations are: a file's, by its path, or the answers of an endpoint; no word tells its address."""
    if came.endpoint is None:
        return f"{MODES.get(came.mode, 'observations from')} {came.path}"
    return f"answers of {sort(came.endpoint)}, model {quote(came.endpoint.model, MODEL)}"


def heading(came: Provenance, scenarios: Sequence[Judged]) -> str:
    """Where a suite's evidence came from and how far it can be trusted, in one line."""
    if came.mode == "scripted":
        return f"scripted: {SCRIPTED}"
    if came.mode == "unobserved":
        return f"unobserved: {UNOBSERVED}"
    trust = came.trust.replace("_", " ")
    if came.mode == "replayed":
        return f"replayed: {many(len(scenarios), 'scenario')} from saved traces ({trust})"
    if came.mode == "mixed":
        asked = "" if came.endpoint is None else f"; {origin(came)}"
        return f"mixed: {', '.join(ways(scenarios))}{asked}; {SCRIPTED_PART}"
    return f"{came.mode}: {origin(came)} ({trust})"


def ways(scenarios: Iterable[Judged]) -> Iterator[str]:
    """How many scenarios are judged in which way, as `3 scripted`."""
    found = Counter(judged.scenario.executor for judged in scenarios)
    for executor, word in EXECUTORS.items():
        if found[executor]:
            yield f"{found[executor]:,} {word}"
    others = sum(found.values()) - sum(found[executor] for executor in EXECUTORS)
    if others:
        yield f"{others:,} without a source"


def sort(asked: Endpoint) -> str:
    """An endpoint by its class."""
    return SORTS.get(asked.kind, "an endpoint of no known class")


def named(asked: Endpoint) -> str:
    """Who said where the endpoint is."""
    return NAMED.get(asked.source, "of unknown origin")


def token(asked: Endpoint) -> str:
    """Whether a token was sent."""
    return "a token was sent" if asked.authenticated else "no token was sent"


def limits(asked: Endpoint) -> str:
    """What each request was bound by."""
    return f"at most {asked.timeout_seconds:g} s, {many(asked.max_tokens, 'token')} and {asked.max_bytes:,} bytes each"


def exchanges(scenarios: Iterable[Judged]) -> str:
    """All exchanges in short, such as `3 exchanges, 95–412 ms, 1,204 tokens`; nothing where nobody was asked."""
    asked = [judged for judged in scenarios if judged.exchange is not None]
    return ", ".join(counted([judged.exchange for judged in asked if judged.exchange], unanswered(asked)))


def unanswered(asked: Iterable[Judged]) -> int:
    """How many exchanges brought no answer that shows anything."""
    return sum(judged.unanswered for judged in asked)


def counted(found: list[Exchange], failed: int) -> Iterator[str]:
    """How many exchanges there were, how long the shortest and the longest took, and the tokens of all."""
    if not found:
        return
    yield many(len(found), "exchange") + (f" ({failed:,} failed)" if failed else "")
    first, last = min(each.latency_ms for each in found), max(each.latency_ms for each in found)
    yield f"{first:,} ms" if first == last else f"{first:,}–{last:,} ms"
    spent = sum(tokens(each.usage) for each in found)
    if spent:
        yield many(spent, "token")


def exchange(seen: Exchange) -> Iterator[str]:
    """One exchange in short: the HTTP status, the time, the tokens."""
    yield "no answer" if seen.status is None else f"HTTP {seen.status}"
    yield f"{seen.latency_ms:,} ms"
    if tokens(seen.usage):
        yield many(tokens(seen.usage), "token")


def counts(usage: Mapping[str, int]) -> Iterator[str]:
    """What the provider counted, name by name as it names them."""
    for name, count in [*usage.items()][:COUNTS]:
        yield f"{clip(one_line(name), COUNT_NAME)} {count:,}"


def tokens(usage: Mapping[str, int]) -> int:
    """The tokens of one exchange, as far as they were counted."""
    return usage.get("total_tokens") or usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)


def redacted(scenarios: Iterable[Judged]) -> str:
    """How many assertions were decided on words that are not kept; nothing where there are none."""
    count = sum(len(judged.redacted) for judged in scenarios)
    were = "was" if count == 1 else "were"
    return f"{many(count, 'assertion')} {were} decided on words that are redacted here" if count else ""
