"""A scenario → the body of the one request that asks an agent for it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from agenttest.jsontext import inert
from agenttest.model import Agent, Json, Scenario, Tool

ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def body(scenario: Scenario, agent: Agent, model: str, max_tokens: int) -> bytes:
    """A Chat Completions request that is not streamed, as UTF-8 JSON.

    Texts are sent as they were written, but for escapes where JSON may have them: a lone surrogate is no UTF-8.
    """
    asked: dict[str, Json] = {
        "model": model,
        "messages": list(messages(scenario)),
        "stream": False,
        "max_tokens": max_tokens,
    }
    if tools := [offer(tool) for tool in offered(scenario, agent)]:
        asked["tools"] = tools
    return inert(ENCODER.encode(asked)).encode()


def messages(scenario: Scenario) -> Iterator[Json]:
    """The system prompt, if there is one, and the prompt."""
    if scenario.system_prompt is not None:
        yield {"role": "system", "content": scenario.system_prompt}
    yield {"role": "user", "content": scenario.prompt}


def offered(scenario: Scenario, agent: Agent) -> Iterator[Tool]:
    """The tools that the scenario names, in its order, or all of the agent's."""
    if scenario.available_tools is None:
        yield from agent.tools
    else:
        known = {tool.name: tool for tool in agent.tools}
        yield from (known[name] for name in scenario.available_tools)


def offer(tool: Tool) -> Json:
    """A tool as a request holds it; the keys of its parameters stay in their order, as models read it."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }
