"""`Report` → its JSON document, with the digest of its evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from agenttest.assertions import ASSERTIONS
from agenttest.errors import Problem
from agenttest.jsontext import compact
from agenttest.model import Endpoint, Gate, Judged, Outcome, Scenario, Status, Suite
from agenttest.observations import exchange_to_document as exchange_document
from agenttest.observations import to_document as observation_document
from agenttest.report.found import Report, tally

SCHEMA_VERSION = 1
KIND = "agent_behavior"
FILES = {
    "run_dir": ".",
    "events": "events.jsonl",
    "state": "state.json",
    "behavior_results": "behavior-results.json",
    "summary": "summary.json",
}
NOT_EVIDENCE = ("evidence_digest", "harness", "issues", "warnings", "error")


def to_document(report: Report) -> dict[str, Any]:
    """The report as JSON types, evidence digest included; of a run that could not begin, only what is known."""
    document = core(report, report.suite) if report.suite else shell(report)
    document["evidence_digest"] = evidence_digest(document)
    if report.harness:
        document["harness"] = dict(report.harness)
    if report.suite and report.suite.warnings:
        document["warnings"] = [problem_document(problem) for problem in report.suite.warnings]
    if report.problems:
        document["issues"] = [problem_document(problem) for problem in report.problems]
        document["error"] = str(report.problems[0])
    return document


def shell(report: Report) -> dict[str, Any]:
    """What every report has."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": report.suite.kind if report.suite else KIND,
        "status": str(report.status),
        "reason": str(report.verdict.reason),
        "scenarios": [scenario_document(judged, report.observations_kept) for judged in report.scenarios],
    }


def core(report: Report, suite: Suite) -> dict[str, Any]:
    """The evidence: all that the digest covers. No clock and no absolute path is in it."""
    return {
        **shell(report),
        "mode": report.mode,
        "gates": [gate_document(gate) for gate in report.verdict.gates],
        "contract": {"version": suite.version, "path": suite.path, "digest": suite.digest},
        "summary": summary(report),
        "coverage": coverage(report),
        "provenance": provenance(report),
        "artifacts": FILES if report.directory else {},
        **parts(report),
    }


def gate_document(gate: Gate) -> dict[str, str]:
    """One gate."""
    return {"name": gate.name, "status": str(gate.status), "message": gate.message}


def parts(report: Report) -> dict[str, Any]:
    """Of a part of a suite which part it is; of a merged run the parts that were not there, if any."""
    document: dict[str, Any] = {"shard": str(report.shard)} if report.shard else {}
    if report.selection is not None:
        document["selection"] = dict(report.selection)
    missing = report.merged.missing if report.merged else ()
    return document | ({"missing_shards": [str(shard) for shard in missing]} if missing else {})


def summary(report: Report) -> dict[str, int]:
    """Counts of scenarios and assertions by status."""
    scenarios = tally(judged.status for judged in report.scenarios)
    assertions = tally(outcome.status for outcome in report.outcomes)
    return {
        "scenario_count": len(report.scenarios),
        "passed_scenarios": scenarios[Status.PASS],
        "failed_scenarios": scenarios[Status.FAIL],
        "incomplete_scenarios": scenarios[Status.INCOMPLETE],
        "assertion_count": len(report.outcomes),
        "passed_assertions": assertions[Status.PASS],
        "failed_assertions": assertions[Status.FAIL],
        "incomplete_assertions": assertions[Status.INCOMPLETE],
    }


def coverage(report: Report) -> dict[str, Any]:
    """What was asked and what could be decided, also by kind of assertion."""
    tallies = {kind: tally(()) for kind in (*ASSERTIONS, *{each.assertion.kind for each in report.outcomes})}
    for outcome in report.outcomes:
        tallies[outcome.assertion.kind][outcome.status] += 1
    kinds = {
        kind: {
            "requested": sum(found.values()),
            "passed": found[Status.PASS],
            "failed": found[Status.FAIL],
            "incomplete": found[Status.INCOMPLETE],
        }
        for kind, found in tallies.items()
        if any(found.values())
    }
    requested = sum(kind["requested"] for kind in kinds.values())
    incomplete = sum(kind["incomplete"] for kind in kinds.values())
    return {
        "requested": requested,
        "completed": requested - incomplete,
        "incomplete": incomplete,
        "by_assertion": kinds,
    }


def provenance(report: Report) -> dict[str, Any]:
    """Where the observations came from, with the digest of those that were judged."""
    if report.provenance is None:
        return {}
    came = report.provenance
    selected = [observation_document(j.observation) for j in report.scenarios if j.observation is not None]
    source = live_source(came.endpoint) if came.endpoint else {"path": came.path, "source_digest": came.source_digest}
    return {
        "kind": came.kind,
        "trust": came.trust,
        **source,
        "selected_digest": digest_of(selected),
        "schema_version": 1,
    }


def live_source(asked: Endpoint) -> dict[str, Any]:
    """Which endpoint was asked, and within which bounds; never its address."""
    return {
        "endpoint_source": asked.source,
        "endpoint_fingerprint": asked.fingerprint,
        "endpoint_class": asked.kind,
        "authenticated": asked.authenticated,
        "model": asked.model,
        "request_limits": {
            "timeout_seconds": asked.timeout_seconds,
            "max_tokens": asked.max_tokens,
            "max_bytes": asked.max_bytes,
        },
    }


def scenario_document(judged: Judged, with_observation: bool) -> dict[str, Any]:
    """One scenario with its outcomes and, unless the report grew too large, its observation."""
    document: dict[str, Any] = {
        "id": judged.scenario.id,
        "status": str(judged.status),
        "line": judged.scenario.line,
        **situation(judged.scenario),
        "assertions": [outcome_document(outcome) for outcome in judged.outcomes],
    }
    if judged.exchange is not None:
        document["exchange"] = exchange_document(judged.exchange)
    if judged.source is not None:
        document["source"] = asdict(judged.source)
    if judged.redacted:
        document["redacted"] = list(judged.redacted)
    if with_observation:
        document["observation"] = None if judged.observation is None else observation_document(judged.observation)
    return document


def situation(scenario: Scenario) -> dict[str, Any]:
    """What a scenario file says of its scenario beside what is asked; nothing of a contract's."""
    if scenario.input is None:
        return {}
    found: dict[str, Any] = {"path": scenario.path, "executor": scenario.executor, "risk": str(scenario.risk)}
    found |= {"tags": list(scenario.tags), "required": scenario.required}
    return found | {key: text for key, text in (("title", scenario.title),) if text}


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """One assertion's result; `difference` and `remedy` only where there is one."""
    assertion = outcome.assertion
    document: dict[str, Any] = {
        "assertion": assertion.name,
        "kind": assertion.kind,
        "status": str(outcome.status),
        "message": outcome.message,
        "expected": assertion.wanted,
        "observed": outcome.observed,
        "line": assertion.line,
        "column": assertion.column,
    }
    more = {"difference": outcome.difference, "remedy": outcome.remedy, "label": assertion.label}
    return document | {key: value for key, value in more.items() if value is not None}


def problem_document(problem: Problem) -> dict[str, Any]:
    """A problem with its place."""
    return {"path": problem.path, "line": problem.line, "column": problem.column, "message": problem.message}


def evidence_digest(document: Mapping[str, Any]) -> str:
    """SHA-256 in hex of the evidence in a report document."""
    return digest_of({key: value for key, value in document.items() if key not in NOT_EVIDENCE})


def digest_of(value: Any) -> str:
    """SHA-256 in hex of a value's compact JSON."""
    return hashlib.sha256(compact(value).encode()).hexdigest()
