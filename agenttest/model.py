"""The nouns that every stage passes on: frozen values, and `Status` with its one ranking."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


class Status(StrEnum):
    """What is known of an assertion, a scenario or a run."""

    PASS = "pass"  # noqa: S105 (no password)
    FAIL = "fail"
    INCOMPLETE = "incomplete"

    @property
    def exit_code(self) -> int:
        """The process's exit code: 0 pass, 1 fail, 2 incomplete."""
        return {Status.PASS: 0, Status.FAIL: 1, Status.INCOMPLETE: 2}[self]

    @classmethod
    def worst(cls, statuses: Iterable[Status]) -> Status:
        """Fail over incomplete over pass; of nothing at all nothing is proven, so incomplete."""
        found = set(statuses)
        if cls.FAIL in found:
            return cls.FAIL
        return cls.PASS if found == {cls.PASS} else cls.INCOMPLETE


class Reason(StrEnum):
    """Why a run ended with its status."""

    KEPT = "kept"
    VIOLATION = "violation"
    MISSING_EVIDENCE = "missing-evidence"
    INVALID_INPUT = "invalid-input"
    ENDPOINT = "endpoint"
    BUDGET = "budget"
    NOT_SAVED = "not-saved"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the agent is said to have; `parameters` is its JSON Schema as written."""

    name: str
    description: str
    parameters: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Agent:
    """What a contract says of the agent; only a live run uses it."""

    endpoint: str | None
    model: str | None
    timeout_seconds: float
    capabilities: tuple[str, ...]
    tools: tuple[Tool, ...]


@dataclass(frozen=True, slots=True)
class Assertion:
    """One check of a scenario: `name` is its path in the suite (`tools.forbidden[0]`), `kind` its row in ASSERTIONS."""

    name: str
    kind: str
    expected: Json
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """A situation with what is asked of the agent in it; `available_tools` is None where the agent's own tools hold."""

    id: str
    prompt: str
    system_prompt: str | None
    available_tools: tuple[str, ...] | None
    assertions: tuple[Assertion, ...]
    line: int


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """One part of the scenarios, the `index`th (from 1) of `count`; written `2/3`."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


@dataclass(frozen=True, slots=True)
class Merged:
    """What a run was merged from: how many shards there should be, and those of them that were not there."""

    count: int
    missing: tuple[Shard, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """What was loaded: `text` as it lay on disk, and `digest`, the SHA-256 of those bytes in hex."""

    kind: str
    version: int
    path: str
    text: str
    digest: str
    agent: Agent
    scenarios: tuple[Scenario, ...]

    @property
    def whole(self) -> bool:
        """Whether the text is what the digest is of, and not without a secret that stood in it."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest() == self.digest


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that was seen; `arguments` is None where they were not observed."""

    name: str
    arguments: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen in one scenario: None is not observed (or not stated), an empty value is observed and empty."""

    id: str
    response: str | None = None
    response_complete: bool | None = None
    finish_reason: str | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    tool_calls_complete: bool | None = None
    refusal: bool | None = None
    sources: tuple[str, ...] | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """Facts of one request to a live agent, which lie beside its observation and decide nothing.

    `status` is the HTTP status, None where no answer came; `usage`, the tokens that the provider counted; `doubts`, in
    words, why a channel (`response`, `tools`, `refusal`, `sources`) or `arguments` tells nothing, or not all; `remedy`,
    what would help where nothing could be observed.
    """

    status: int | None
    latency_ms: int
    usage: Mapping[str, int] = field(default_factory=dict)
    doubts: Mapping[str, str] = field(default_factory=dict)
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a source has of one scenario; `exchange` where it was asked for just now.

    `transport` names the failure of an exchange that brought no answer, the same for the same failure.
    """

    observation: Observation | None
    exchange: Exchange | None = None
    transport: str | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A live agent as evidence names it: who said where it is (`invocation` or `contract`), the SHA-256 of its
    canonical URL in hex, its class (`loopback`, `isolated` or `remote`), and what each request was bound by."""

    source: str
    fingerprint: str
    kind: str
    authenticated: bool
    model: str
    timeout_seconds: float
    max_tokens: int
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where observations came from: a file, whose bytes have the SHA-256 `source_digest` in hex, or an endpoint."""

    kind: str
    trust: str
    path: str = ""
    source_digest: str = ""
    endpoint: Endpoint | None = None

    @property
    def mode(self) -> str:
        """How the agent was judged: `live`, or `offline` by a recording."""
        return "live" if self.endpoint else "offline"


@dataclass(frozen=True, slots=True)
class Observed:
    """What a recording holds: observations by scenario id, and where they came from."""

    observations: Mapping[str, Observation]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Outcome:
    """One assertion's result: `message` names the cause alone, `difference` is the first JSON path that differs."""

    assertion: Assertion
    status: Status
    message: str
    observed: Json = None
    difference: str | None = None
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A scenario with what was observed in it and one outcome for each of its assertions.

    `redacted` names the assertions that were decided on words which are not kept, as they hold a secret.
    """

    scenario: Scenario
    observation: Observation | None
    outcomes: tuple[Outcome, ...]
    exchange: Exchange | None = None
    redacted: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """The worst of its outcomes."""
        return Status.worst(outcome.status for outcome in self.outcomes)

    @property
    def unanswered(self) -> bool:
        """Whether an agent was asked, and no answer came that shows anything."""
        return self.exchange is not None and self.observation is not None and self.observation.error is not None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What policy makes of an evaluation, and which gates did not hold."""

    status: Status
    reason: Reason
    gates: tuple[str, ...] = ()
