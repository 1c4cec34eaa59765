"""A scenario is asked for by one request that is not streamed and says no more than the contract."""

import json
from typing import Any

from agenttest.model import Agent, Scenario, Tool
from agenttest.sources.endpoint.request import body

TOOLS = tuple(
    Tool(name, f"To {name}.", {"type": "object", "properties": {"z": {}, "a": {}}}) for name in ("look", "erase")
)


def asked(
    prompt: str = "Hello", system: str | None = None, available: tuple[str, ...] | None = None, *tools: Tool
) -> Any:
    scenario = Scenario("desk", prompt, system, available, (), 1)
    return json.loads(body(scenario, Agent(None, "other", 30, (), tools), "desk-model", 77))


def test_the_request_is_a_completion_that_is_not_streamed() -> None:
    assert {
        "model": "desk-model",
        "messages": [{"role": "user", "content": "Hello"}],
        "stream": False,
        "max_tokens": 77,
    } == asked()


def test_the_system_prompt_comes_first() -> None:
    assert [("system", "Be kind."), ("user", "Hello")] == [
        (message["role"], message["content"]) for message in asked(system="Be kind.")["messages"]
    ]


def test_texts_are_sent_as_they_were_written() -> None:
    assert " é 漢\n\u202e\x7f😀 " == asked(" é 漢\n\u202e\x7f😀 ")["messages"][0]["content"]


def test_a_lone_surrogate_is_sent_as_an_escape() -> None:
    scenario = Scenario("desk", "\ud800", None, None, (), 1)

    assert b"\\ud800" in body(scenario, Agent(None, None, 30, (), ()), "m", 1)


def test_all_tools_are_offered_where_the_scenario_names_none() -> None:
    offered = asked("Hello", None, None, *TOOLS)["tools"]

    assert ["look", "erase"] == [tool["function"]["name"] for tool in offered]
    assert {
        "type": "function",
        "function": {"name": "look", "description": "To look.", "parameters": TOOLS[0].parameters},
    } == offered[0]


def test_the_tools_of_the_scenario_are_offered_in_its_order() -> None:
    offered = asked("Hello", None, ("erase", "look"), *TOOLS)["tools"]

    assert ["erase", "look"] == [tool["function"]["name"] for tool in offered]


def test_no_tools_are_offered_where_there_are_none() -> None:
    assert "tools" not in asked()
    assert "tools" not in asked("Hello", None, (), *TOOLS)


def test_the_keys_of_parameters_stay_in_their_order() -> None:
    offered = asked("Hello", None, None, *TOOLS)["tools"]

    assert ["z", "a"] == list(offered[0]["function"]["parameters"]["properties"])
