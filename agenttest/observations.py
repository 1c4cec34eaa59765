"""An observation, where it came from and how ↔ their JSON documents: each direction, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from agenttest.model import Endpoint, Exchange, Observation, Provenance, ToolCall
from agenttest.steps import ordered, record


def from_document(raw: Mapping[str, Any]) -> Observation:
    """One valid entry: identifiers trimmed, texts exact; null calls and sources are none."""
    finish = raw.get("finish_reason")
    return Observation(
        id=raw["id"].strip(),
        response=raw.get("response"),
        response_complete=raw.get("response_complete"),
        finish_reason=finish.strip() if finish is not None else None,
        tool_calls=tuple(map(call, raw["tool_calls"] or ())) if "tool_calls" in raw else None,
        tool_calls_complete=raw.get("tool_calls_complete"),
        refusal=raw.get("refusal"),
        sources=tuple(map(source_id, raw["sources"] or ())) if "sources" in raw else None,
        error=raw.get("error"),
        steps=ordered(raw["steps"]) if "steps" in raw else None,
        state=raw.get("state"),
        partial=tuple(raw.get("partial") or ()),
        timed_out=raw.get("timed_out", False),
        remedy=raw.get("remedy"),
    )


def call(raw: Mapping[str, Any]) -> ToolCall:
    """One call that was seen."""
    return ToolCall(raw["name"].strip(), raw.get("arguments"))


def source_id(raw: str | Mapping[str, str | None]) -> str:
    """The id of a source in either of its forms; id comes before source."""
    if isinstance(raw, str):
        return raw.strip()
    return (raw.get("id") or raw.get("source") or "").strip()


def to_document(seen: Observation) -> dict[str, Any]:
    """The entry of an observations file that says the same; what was not observed is left out."""
    fields: dict[str, Any] = {
        "id": seen.id,
        "response": seen.response,
        "response_complete": seen.response_complete,
        "finish_reason": seen.finish_reason,
        "tool_calls": None if seen.tool_calls is None else [call_document(item) for item in seen.tool_calls],
        "tool_calls_complete": seen.tool_calls_complete,
        "refusal": seen.refusal,
        "sources": None if seen.sources is None else list(seen.sources),
        "error": seen.error,
        "steps": None if seen.steps is None else [record(step) for step in seen.steps],
        "state": None if seen.state is None else dict(seen.state),
        "partial": list(seen.partial) or None,
        "timed_out": seen.timed_out or None,
        "remedy": seen.remedy,
    }
    return {name: field for name, field in fields.items() if field is not None}


def call_document(seen: ToolCall) -> dict[str, Any]:
    """One call as an observations file holds it."""
    return {"name": seen.name} if seen.arguments is None else {"name": seen.name, "arguments": seen.arguments}


def provenance_from_document(raw: Mapping[str, Any]) -> Provenance:
    """Where observations came from, as a run's inputs hold it."""
    endpoint = raw.get("endpoint")
    return Provenance(**{**raw, "endpoint": Endpoint(**endpoint) if endpoint else None})


def provenance_to_document(came: Provenance) -> dict[str, Any]:
    """The same as JSON types, without what there is nothing of."""
    return {name: field for name, field in asdict(came).items() if field}


def exchange_from_document(raw: Mapping[str, Any] | None) -> Exchange | None:
    """The facts of an exchange; None where there was none."""
    if raw is None:
        return None
    return Exchange(raw["status"], raw["latency_ms"], raw.get("usage", {}), raw.get("doubts", {}), raw.get("remedy"))


def exchange_to_document(seen: Exchange) -> dict[str, Any]:
    """The same as JSON types; what there is nothing of is left out, but for the status."""
    more = {"usage": dict(seen.usage), "doubts": dict(seen.doubts), "remedy": seen.remedy}
    return {
        "status": seen.status,
        "latency_ms": seen.latency_ms,
        **{name: field for name, field in more.items() if field},
    }
