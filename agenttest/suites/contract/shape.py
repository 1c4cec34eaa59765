"""A valid contract document → `Suite`: names trimmed, texts exact, one assertion a thing asked, in report order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agenttest.documents import Document, Path, dotted
from agenttest.model import Agent, Assertion, Json, Scenario, Suite, Tool

KIND = "agent_behavior"
TIMEOUT_SECONDS = 30.0


def suite(document: Document, text: str, digest: str) -> Suite:
    """The suite of a document that the schema and the rules allow."""
    raw = document.value
    scenarios = tuple(scenario(document, index) for index in range(len(raw["scenarios"])))
    return Suite(KIND, raw["version"], document.name, text, digest, agent(raw["agent"]), scenarios)


def agent(raw: dict[str, Any]) -> Agent:
    """What the contract says of the agent."""
    tools = tuple(Tool(t["name"].strip(), t["description"], t["parameters"]) for t in raw.get("tools") or ())
    timeout = float(raw.get("timeout_seconds", TIMEOUT_SECONDS))
    return Agent(raw.get("endpoint"), raw.get("model"), timeout, tuple(raw.get("capabilities") or ()), tools)


def scenario(document: Document, index: int) -> Scenario:
    """One scenario, with its assertions."""
    path: Path = ("scenarios", index)
    raw = document.value["scenarios"][index]
    available = names(raw["available_tools"]) if "available_tools" in raw else None
    checks = tuple(
        Assertion(dotted(where), kind, expected, *place(document, (*path, "expect", *where)))
        for where, kind, expected in asked(raw["expect"])
    )
    line, _ = place(document, (*path, "id"))
    return Scenario(raw["id"].strip(), raw["prompt"], raw.get("system_prompt"), available, checks, line)


def asked(expect: dict[str, Any]) -> Iterator[tuple[Path, str, Json]]:
    """Where each assertion stands below `expect`, its kind, and what it expects."""
    response, tools, sources = ((expect.get(name) or {}) for name in ("response", "tools", "sources"))
    yield from each(("response", "contains"), "response_contains", response.get("contains"))
    yield from each(("response", "excludes"), "response_excludes", response.get("excludes"))
    yield from each(("tools", "required"), "tool_required", [call(entry) for entry in tools.get("required") or ()])
    if "allowed" in tools:
        yield ("tools", "allowed"), "tools_allowed", names(tools["allowed"])
    yield from each(("tools", "forbidden"), "tool_forbidden", names(tools.get("forbidden")))
    if "exact_sequence" in tools:
        yield ("tools", "exact_sequence"), "tool_exact_sequence", names(tools["exact_sequence"])
    if "max_calls" in tools:
        yield ("tools", "max_calls"), "tool_max_calls", tools["max_calls"]
    if "refusal" in expect:
        yield ("refusal",), "refusal", expect["refusal"]
    yield from each(("sources", "required"), "source_required", names(sources.get("required")))


def each(path: Path, kind: str, expected: Any) -> Iterator[tuple[Path, str, Json]]:
    """One assertion for each entry of a list."""
    for index, item in enumerate(expected or ()):
        yield (*path, index), kind, item


def call(entry: str | dict[str, Any]) -> Json:
    """An entry of tools.required in its long form."""
    if isinstance(entry, str):
        return {"name": entry.strip()}
    return {**entry, "name": entry["name"].strip()}


def names(raw: list[str] | None) -> tuple[str, ...]:
    """A list of identifiers without surrounding space; null is an empty one."""
    return tuple(name.strip() for name in raw or ())


def place(document: Document, path: Path) -> tuple[int, int]:
    """Where an assertion stands: a list's entry at the entry, everything else at its key."""
    mark = document.mark(path)
    return (mark.key_line, mark.key_column) if mark.key_line else (mark.line, mark.column)
