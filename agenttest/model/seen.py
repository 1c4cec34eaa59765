"""What was seen and where it came from: `Observation`, `Exchange`, `Provenance`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agenttest.model.steps import Step, ToolCall


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen in one scenario: None is not observed (or not stated), an empty value is observed and empty.

    Of a trace there are `steps`, in order, in place of calls, the final `state`, and in `partial` the kinds of evidence
    (keys of TRACED) of which the trace may not hold all; of all others it does. Where nothing could be observed,
    `error` says why and, of a source that a scenario file names, `remedy` what would be right.
    """

    id: str
    response: str | None = None
    response_complete: bool | None = None
    finish_reason: str | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    tool_calls_complete: bool | None = None
    refusal: bool | None = None
    sources: tuple[str, ...] | None = None
    error: str | None = None
    steps: tuple[Step, ...] | None = None
    state: Mapping[str, str] | None = None
    partial: tuple[str, ...] = ()
    timed_out: bool = False
    remedy: str | None = None

    @property
    def calls(self) -> tuple[ToolCall, ...] | None:
        """All calls in order, wherever they are told."""
        if self.steps is None:
            return self.tool_calls
        return tuple(step.payload for step in self.steps if isinstance(step.payload, ToolCall))


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
class Recording:
    """The file that one scenario's observation was read from: its path below the root, the SHA-256 of its bytes in
    hex."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What a source has of one scenario; `exchange` where it was asked for just now, `source` where it was read from a
    file of its own.

    `transport` names the failure of an exchange that brought no answer, the same for the same failure.
    """

    observation: Observation | None
    exchange: Exchange | None = None
    transport: str | None = None
    source: Recording | None = None


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
        """How the agent was judged: `live`, `offline` by a recording, `scripted` by what its suite says of it,
        `replayed` by saved traces, in several of these ways (`mixed`), or in none (`unobserved`)."""
        return MODES.get(self.kind, "offline")


EXECUTORS = {"scripted": "scripted", "replay": "replayed", "endpoint": "live"}
"""What a scenario file may name as the source of its evidence, each with the mode that it stands for."""
MODES = {
    "endpoint": "live",
    "observation_file": "offline",
    "scenario_files": "scripted",
    "trace_files": "replayed",
    "several": "mixed",
    "nothing": "unobserved",
}


@dataclass(frozen=True, slots=True)
class Observed:
    """What a recording holds: observations by scenario id, and where they came from."""

    observations: Mapping[str, Observation]
    provenance: Provenance
