"""The answer of an endpoint → `Seen`: what it shows as an observation, and no more than it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from agenttest.documents.measure import measure
from agenttest.evidence import CALLS, RESPONSE, Part
from agenttest.model import Exchange, Observation, Seen
from agenttest.observations import to_document
from agenttest.settings import OBSERVATION_VALUES
from agenttest.sources.endpoint import body, contradictions, provider, stated
from agenttest.sources.endpoint.body import Unread
from agenttest.sources.endpoint.calls import calls, fitting
from agenttest.sources.endpoint.content import said
from agenttest.sources.endpoint.transport import Answer
from agenttest.sources.endpoint.wording import shown

AROUND = 20  # values of an observations file that stand around its one observation
OF_THE_REQUEST = (400, 409, 413, 415, 422, 424, 451)  # statuses that say nothing of what another request would get
REMEDIES = {
    401: "see that --auth-env names the token that the endpoint asks for",
    403: "see that --auth-env names the token that the endpoint asks for",
    404: "see that the endpoint's path is that of its chat completions, such as /v1/chat/completions, and that it has "
    "the model",
    405: "see that the endpoint's path is that of its chat completions, such as /v1/chat/completions",
    413: "make the scenario's prompt shorter",
    429: "lower --concurrency, or run the same command again later",
}


def seen(scenario_id: str, answer: Answer, max_tokens: int, latency_ms: int) -> Seen:
    """What the answer shows of the scenario; an answer that is no completion is an observation with an error."""
    facts = Exchange(answer.status, latency_ms)
    if not 200 <= answer.status <= 299:
        return refused(scenario_id, answer, facts)
    try:
        reply = body.read(answer.body)
        choices = chosen(reply)
    except Unread as unread:
        return Seen(Observation(scenario_id, error=f"the reply {unread}"), facts)
    observation, doubts = observed(scenario_id, choices, stated.usage(reply), max_tokens)
    return Seen(observation, replace(facts, usage=stated.usage(reply), doubts=doubts))


def refused(scenario_id: str, answer: Answer, facts: Exchange) -> Seen:
    """An answer with a status that is no success, with the provider's words for it."""
    status = f"status {answer.status}"
    lasting = None if answer.status in OF_THE_REQUEST else f"{status}{phrase(answer.status)}"
    if 300 <= answer.status <= 399:
        error, remedy = f"{status}: a redirect, which is not followed", "name the address that it leads to yourself"
    else:
        told = explained(answer.body)
        error = f"{status}: {told}" if told else f"{status}{phrase(answer.status)}"
        remedy = REMEDIES.get(answer.status, "see in the agent's log why it failed, then run the same command again")
    return Seen(Observation(scenario_id, error=error), replace(facts, remedy=remedy), lasting)


def phrase(status: int) -> str:
    """What a status is called."""
    return f" ({HTTPStatus(status).phrase})" if status in set(HTTPStatus) else ""


def explained(data: bytes) -> str:
    """The provider's words: those of its JSON, or a plain text."""
    try:
        return provider.words(body.read(data))
    except Unread:
        text = data[:1000].decode("utf-8", "replace").strip()
        return "" if not text or text.startswith(("<", "{", "[")) else shown(text)


def chosen(reply: Any) -> Sequence[Any]:
    """The choices of a completion, of which the first has a message; Unread where it is none, or tells of an error."""
    if not isinstance(reply, dict):
        told = provider.words(reply) if isinstance(reply, list) else ""
        raise Unread(f"is {shown(reply)}, no object{'; it says ' * bool(told)}{told}")
    if reply.get("error"):
        raise Unread(f"is an error: {provider.words(reply) or 'without words'}")
    choices = reply.get("choices")
    if not isinstance(choices, list) or not choices:
        told = provider.words(reply)
        raise Unread(f"holds no choice{'; it says ' * bool(told)}{told}")
    first = choices[0]
    if not isinstance(first, dict):
        raise Unread(f"has {shown(first)} as choices[0], no object")
    message = first.get("message")
    for holder in (first, message):
        if isinstance(holder, dict) and holder.get("error"):
            raise Unread(f"has an error in choices[0]: {provider.words(holder) or 'without words'}")
    if not isinstance(message, dict):
        streamed = ", but a delta, as if it were streamed" if "delta" in first else ""
        raise Unread(f"has no message in choices[0]{streamed}")
    return choices


def observed(
    scenario_id: str, choices: Sequence[Any], usage: Mapping[str, int], max_tokens: int
) -> tuple[Observation, dict[str, str]]:
    """The observation of the first choice, and for each channel that is not whole, why."""
    choice, message = choices[0], choices[0]["message"]
    text, found = said(message.get("content")), calls(message)
    finish = stated.finish(choice, bool(found.seen))
    against = [
        *found.doubts,
        *contradictions.of_finish(finish, found.seen, usage.get("completion_tokens", 0), max_tokens),
        *contradictions.of_choices(choices),
        *contradictions.of_text(message, text, found.seen),
    ]
    observation = Observation(
        scenario_id,
        response=text.text,
        response_complete=complete(RESPONSE, finish, text.doubt is not None),
        finish_reason=finish,
        tool_calls=found.seen,
        tool_calls_complete=complete(CALLS, finish, bool(against)),
        refusal=stated.refusal(message, text.refusal),
        sources=stated.sources(message),
    )
    doubts = {"response": text.doubt or "", "tools": "; ".join(against), **unstated(observation, message)}
    if finish is None:
        doubts |= {
            name: told or stated.unfinished(choice) for name, told in doubts.items() if name in ("response", "tools")
        }
    kept = within_bounds(observation)
    if kept != observation:
        doubts["arguments"] = f"arguments that go beyond {OBSERVATION_VALUES:,} values in all are not observed"
    return kept, {name: told for name, told in doubts.items() if told}


def complete(part: Part, finish: str | None, doubtful: bool) -> bool | None:
    """Whether a part of the reply is whole; None where nothing says so."""
    if doubtful:
        return False
    return None if finish is None else finish in part.finish


def unstated(observation: Observation, message: Mapping[str, Any]) -> dict[str, str]:
    """Why a value that the message has tells nothing."""
    doubts = {}
    if observation.refusal is None and "refusal" in message:
        doubts["refusal"] = f"refusal is {shown(message['refusal'])}, no boolean, text or null"
    if observation.sources is None and "sources" in message:
        doubts["sources"] = stated.no_sources(message["sources"])
    return doubts


def within_bounds(observation: Observation) -> Observation:
    """The observation as an observations file may hold it: of very large arguments nothing is observed."""
    found = observation.tool_calls
    if not found:
        return observation
    bare = replace(observation, tool_calls=tuple(replace(call, arguments=None) for call in found))
    room = OBSERVATION_VALUES - AROUND - measure(to_document(bare))[1]
    return replace(observation, tool_calls=fitting(found, room))
