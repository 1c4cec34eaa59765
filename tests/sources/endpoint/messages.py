"""Messages of a live agent in few words, what is seen in them, and how that is judged."""

import json
from typing import Any

from agenttest.evaluate import judge
from agenttest.jsontext import spread
from agenttest.model import Observation, Seen, Status
from agenttest.observations import to_document
from agenttest.sources import normalized
from agenttest.sources.endpoint import reply
from agenttest.sources.endpoint.transport import Answer
from tests.nouns import scenario

MAX_TOKENS = 100
ASKED = scenario(  # one thing of each kind, of which the calls and the texts below keep some and break some
    ("response.contains[0]", "response_contains", "30 days"),
    ("response.excludes[0]", "response_excludes", "90 days"),
    ("tools.required[0]", "tool_required", {"name": "find"}),
    ("tools.required[1]", "tool_required", {"name": "find", "arguments": {"a": 1}}),
    ("tools.allowed", "tools_allowed", ("find",)),
    ("tools.forbidden[0]", "tool_forbidden", "wipe"),
    ("tools.exact_sequence", "tool_exact_sequence", ()),
    ("tools.max_calls", "tool_max_calls", 1),
    ("refusal", "refusal", True),
    ("sources.required[0]", "source_required", "faq"),
)


def seen(value: Any, status: int = 200) -> Seen:
    """What is seen in a JSON value, or in bytes as they are."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return reply.seen("desk", Answer(status, data), MAX_TOKENS, 7)


def completion(message: Any, finish: Any = "stop", **more: Any) -> dict[str, Any]:
    """A completion of one choice."""
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}


def observed(finish: Any = "stop", /, **message: Any) -> Observation:
    """What is observed of a message with these fields alone."""
    found = seen(completion(message, finish)).observation
    assert found is not None
    return found


def doubts(finish: Any = "stop", /, **message: Any) -> dict[str, str]:
    """What is doubted of it."""
    exchange = seen(completion(message, finish)).exchange
    assert exchange is not None
    return dict(exchange.doubts)


def error(value: Any, status: int = 200) -> str | None:
    """Why nothing is observed."""
    found = seen(value, status).observation
    return found.error if found else None


def recorded(observation: Observation) -> Observation:
    """The observation, written to an observations file and read from it again."""
    text = spread({"version": 1, "scenarios": [to_document(observation)]})
    return normalized.load("o.json", text.encode(), {"desk"}).observations["desk"]


def live(found: Seen) -> list[Status]:
    """How what is seen is judged, thing by thing."""
    return [outcome.status for outcome in judge(ASKED, found.observation, None, found.exchange).outcomes]


def offline(found: Seen) -> list[Status]:
    """How it is judged once it was recorded."""
    assert found.observation is not None
    return [outcome.status for outcome in judge(ASKED, recorded(found.observation)).outcomes]
