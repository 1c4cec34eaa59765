"""Replies of an endpoint in few words, and what is seen in them, live and once it was recorded."""

import json
from typing import Any

from agenttest.evaluate import judge
from agenttest.model import Observation, Scenario, Seen, Status
from agenttest.observations import to_document
from agenttest.sources import normalized
from agenttest.sources.endpoint import reply
from agenttest.sources.endpoint.transport import Answer

MAX_TOKENS = 100


def completion(finish: Any = "stop", **message: Any) -> dict[str, Any]:
    """A completion with this message, which says nothing that it is not told to."""
    return {"choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}]}


def call(name: Any, arguments: Any = "{}") -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}


def seen(value: Any, status: int = 200) -> Seen:
    """What is seen in a reply: bytes as they are, all else as JSON."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode("utf-8", "surrogatepass")
    return reply.seen("desk", Answer(status, data), MAX_TOKENS, 7)


def observed(value: Any) -> Observation:
    """The observation of a reply that is one."""
    found = seen(value).observation
    assert found is not None
    assert found.error is None
    return found


def error(value: Any, status: int = 200) -> str:
    """Why nothing was observed."""
    found = seen(value, status).observation
    assert found is not None
    assert found.error is not None
    return found.error


def doubt(value: Any, channel: str) -> str:
    """Why a channel tells nothing, or not all; empty where it tells all."""
    exchange = seen(value).exchange
    assert exchange is not None
    return exchange.doubts.get(channel, "")


def recorded(found: Observation) -> Observation:
    """The observation as an observations file gives it back."""
    document = {"version": 1, "scenarios": [to_document(found)]}
    data = json.dumps(document).encode()
    return normalized.load("seen.json", data, [found.id]).observations[found.id]


def statuses(scenario: Scenario, found: Seen) -> list[Status]:
    """What the scenario's assertions come to."""
    return [each.status for each in judge(scenario, found.observation, None, found.exchange).outcomes]
