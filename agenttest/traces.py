"""A judged scenario ↔ its trace document: what was observed of it, as a file of its own; both directions."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agenttest.evidence import TRACED, Missing, weigh
from agenttest.jsontext import compact, spread
from agenttest.model import EXECUTORS, Judged, Observation, StateChange, Step, StepKind, ToolCall
from agenttest.observations import to_document as observation_document
from agenttest.quote import UNSEEN, quote
from agenttest.steps import ordered, record

SCHEMA = "agenttest.trace/1"
ENDING = ".trace.json"
UNUSABLE = re.compile(r'[<>:"/\\|?*\s]')  # in a name of a file, on some system
NAME_BYTES = 180  # of the id in a file's name, which systems hold to 255 in all


def document(judged: Judged, digest: str) -> dict[str, Any]:
    """The trace of a scenario whose file has the SHA-256 `digest`; the same whenever the same was observed.

    Which kinds of evidence are whole is said in `channels`. There is no clock in it: when the run began and ended is
    told as far as steps do.
    """
    seen = told(judged)
    stamps = [step.timestamp for step in seen.steps or () if step.timestamp is not None]
    return {
        "schema": SCHEMA,
        "runId": run_id(judged, digest),
        "scenarioId": judged.scenario.id,
        "executor": judged.scenario.executor,
        "provenance": provenance(judged),
        "startedAtUtc": stamps[0] if stamps else None,
        "completedAtUtc": stamps[-1] if stamps else None,
        "finalAnswer": seen.response,
        "timedOut": seen.timed_out,
        "failed": seen.error is not None,
        "errorMessage": seen.error,
        "remedy": seen.remedy,
        "steps": [record(step) for step in seen.steps or ()],
        "finalState": None if seen.state is None else dict(seen.state),
        "refusal": seen.refusal,
        "sources": None if seen.sources is None else list(seen.sources),
        "channels": {kind: "partial" if kind in seen.partial else "complete" for kind in TRACED},
    }


def text(trace: dict[str, Any]) -> str:
    """A trace document as the text of its file."""
    return spread(trace)


def file_name(judged: Judged, digest: str) -> str:
    """What the trace's file is called: the id as far as every system allows it, and the run's id, which tells apart
    what is then alike."""
    name = UNSEEN.sub("-", UNUSABLE.sub("-", judged.scenario.id)).encode()[:NAME_BYTES].decode(errors="ignore")
    return f"{name}-{run_id(judged, digest)}{ENDING}"


def run_id(judged: Judged, digest: str) -> str:
    """32 hex digits of what the trace follows from: the scenario's file, the form of a trace and, where the evidence
    is not in that file, what it was. So it stays the same from one version of the program to the next."""
    parts = [digest, SCHEMA]
    if judged.source is not None:
        parts.append(judged.source.sha256)
    elif judged.exchange is not None and judged.observation is not None:
        parts.append(compact(observation_document(judged.observation)))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def provenance(judged: Judged) -> dict[str, str]:
    """How the scenario was observed, and from which file where it has one of its own."""
    found = {"mode": EXECUTORS.get(judged.scenario.executor, "none")}
    source = judged.source
    return found if source is None else {**found, "path": source.path, "sha256": source.sha256}


def told(judged: Judged) -> Observation:
    """What was observed, as the observation of a trace."""
    seen = judged.observation
    if seen is None:
        why = judged.outcomes[0] if judged.outcomes else None
        unseen = why.message if why else "the scenario was not observed"
        return Observation(judged.scenario.id, error=unseen, remedy=why.remedy if why else None, partial=tuple(TRACED))
    if seen.error is not None:
        return replace(seen, partial=tuple(TRACED))
    return seen if seen.steps is not None else stepwise(judged, seen)


def stepwise(judged: Judged, seen: Observation) -> Observation:
    """The same of what no trace told: calls and answer are steps, and no more is whole than was proven to be."""
    calls = [replace(call, written=written(call)) for call in seen.tool_calls or ()]
    payloads: list[tuple[StepKind, ToolCall | str]] = [(StepKind.TOOL_CALL, call) for call in calls]
    payloads += [(StepKind.FINAL_ANSWER, seen.response)] if seen.response is not None else []
    steps = tuple(Step(kind, place, payload) for place, (kind, payload) in enumerate(payloads, 1))
    return replace(seen, steps=steps, partial=tuple(unproven(judged)))


def written(call: ToolCall) -> str | None:
    """A call's arguments as a text that holds JSON."""
    return None if call.arguments is None else json.dumps(call.arguments)


def unproven(judged: Judged) -> Iterator[str]:
    """The kinds of evidence that were not proven to be whole; of results, approvals and state nothing was."""
    evidence = weigh(judged.observation, None, judged.exchange, judged.scenario.partial)
    whole = {"finalAnswer": "response", "toolCalls": "tools", "refusal": "refusal", "sources": "sources"}
    for kind in TRACED:
        if kind not in whole or isinstance(evidence.channel(whole[kind]), Missing):
            yield kind


def observation(trace: Mapping[str, Any]) -> Observation:
    """What a valid trace document tells, ours or that of another program: a run that failed shows nothing."""
    name = trace["scenarioId"].strip()
    if trace.get("failed"):
        said = trace.get("errorMessage") or "the trace says that the run failed, and not why"
        return Observation(name, error=said, remedy=trace.get("remedy"))
    steps, sources = ordered(trace["steps"]), trace.get("sources")
    return Observation(
        id=name,
        response=final_answer(trace, steps),
        refusal=trace.get("refusal"),
        sources=None if sources is None else tuple(source.strip() for source in sources),
        steps=steps,
        state=final_state(trace, steps),
        partial=tuple(partial(trace)),
        timed_out=bool(trace.get("timedOut")),
    )


def contradiction(trace: Mapping[str, Any]) -> str | None:
    """Why a valid trace document proves nothing: it is of another form than it can be read as, or tells one thing in
    two ways."""
    form, steps = trace.get("schema"), ordered(trace["steps"])
    if form is not None and form != SCHEMA:
        return (
            f"schema is {quote(form, 60)}; this version reads {SCHEMA}, and traces of other programs, which name none"
        )
    if not trace.get("failed") and (trace.get("errorMessage") or "").strip():
        return "errorMessage is given, and failed is not true; a run that failed shows nothing, so say which it is"
    answers = [step.payload for step in steps if step.kind is StepKind.FINAL_ANSWER]
    given = trace.get("finalAnswer")
    if given is not None and answers and given != answers[-1]:
        return f"finalAnswer is {quote(given, 60)}, and the last step that is one says {quote(str(answers[-1]), 60)}"
    for key, value in changed(steps).items():
        if (trace.get("finalState") or {}).get(key, value) != value:
            return f"finalState has another value for {quote(key, 60)} than its last change, {quote(value, 60)}"
    return None


def final_answer(trace: Mapping[str, Any], steps: Sequence[Step]) -> str | None:
    """The final answer as the trace names it, else that of its last step that is one."""
    answers = [step.payload for step in steps if step.kind is StepKind.FINAL_ANSWER and isinstance(step.payload, str)]
    given: str | None = trace.get("finalAnswer")
    return given if given is not None or not answers else answers[-1]


def final_state(trace: Mapping[str, Any], steps: Sequence[Step]) -> Mapping[str, str] | None:
    """The final state as the trace names it, over what its steps changed; None where it names none."""
    given: Mapping[str, str] | None = trace.get("finalState")
    if given is None:
        return None
    return {**changed(steps), **given}


def changed(steps: Sequence[Step]) -> dict[str, str]:
    """The last value of each key that a step changed."""
    return {step.payload.key: step.payload.new for step in steps if isinstance(step.payload, StateChange)}


def partial(trace: Mapping[str, Any]) -> Iterator[str]:
    """The kinds of evidence that may not be whole: as the trace says or, of those that it does not name, all where it
    did not come to its end."""
    ended = trace.get("completedAtUtc") is not None and not trace.get("timedOut") and trace.get("schema") != SCHEMA
    channels = trace.get("channels") or {}
    for kind in TRACED:
        if channels.get(kind, "complete" if ended else "partial") != "complete":
            yield kind
