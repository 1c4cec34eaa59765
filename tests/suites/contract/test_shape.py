"""A valid contract becomes a suite: identifiers trimmed, texts exact, one assertion for each thing asked."""

import pytest

from agenttest.model import Agent, Tool
from tests.suites.contract.contracts import scenario, suite

EVERYTHING = """
    sources: {required: [faq, ' policy ']}
    refusal: false
    tools:
      max_calls: 3
      exact_sequence: [find, ' pay']
      forbidden: [send]
      allowed: [find, pay]
      required: [find, {name: ' pay ', arguments: {sum: 5}}]
    response:
      excludes: [' no ']
      contains: ['  yes', please]
"""


def test_one_assertion_for_each_thing_asked_in_the_reports_order() -> None:
    found = [(each.name, each.kind, each.expected) for each in scenario(EVERYTHING).assertions]

    assert [
        ("response.contains[0]", "response_contains", "  yes"),
        ("response.contains[1]", "response_contains", "please"),
        ("response.excludes[0]", "response_excludes", " no "),
        ("tools.required[0]", "tool_required", {"name": "find"}),
        ("tools.required[1]", "tool_required", {"name": "pay", "arguments": {"sum": 5}}),
        ("tools.allowed", "tools_allowed", ("find", "pay")),
        ("tools.forbidden[0]", "tool_forbidden", "send"),
        ("tools.exact_sequence", "tool_exact_sequence", ("find", "pay")),
        ("tools.max_calls", "tool_max_calls", 3),
        ("refusal", "refusal", False),
        ("sources.required[0]", "source_required", "faq"),
        ("sources.required[1]", "source_required", "policy"),
    ] == found


def test_each_assertion_knows_its_place_in_the_file() -> None:
    places = {each.name: (each.line, each.column) for each in scenario(EVERYTHING).assertions}

    assert {
        "response.contains[0]": (18, 18),
        "response.contains[1]": (18, 27),
        "response.excludes[0]": (17, 18),
        "tools.required[0]": (15, 18),
        "tools.required[1]": (15, 24),
        "tools.allowed": (14, 7),
        "tools.forbidden[0]": (13, 19),
        "tools.exact_sequence": (12, 7),
        "tools.max_calls": (11, 7),
        "refusal": (9, 5),
        "sources.required[0]": (8, 26),
        "sources.required[1]": (8, 31),
    } == places


@pytest.mark.parametrize("empty", ["[]", "null"])
def test_no_call_allowed_and_no_call_in_sequence_are_asked_for_by_an_empty_list(empty: str) -> None:
    found = scenario(f"{{tools: {{allowed: {empty}, exact_sequence: {empty}}}}}").assertions

    assert [("tools.allowed", ()), ("tools.exact_sequence", ())] == [(each.name, each.expected) for each in found]


def test_empty_lists_elsewhere_ask_for_nothing() -> None:
    found = scenario("{refusal: true, response: {contains: []}, tools: {required: null}, sources: null}").assertions

    assert ["refusal"] == [each.name for each in found]


def test_texts_are_exact_and_identifiers_trimmed() -> None:
    found = suite("{refusal: true}", more="system_prompt: ' be kind '").scenarios[0]

    assert ("desk", "Hello", " be kind ") == (found.id, found.prompt, found.system_prompt)


def test_a_scenario_stands_where_its_id_does() -> None:
    assert 4 == scenario("{refusal: true}").line


@pytest.mark.parametrize(
    ("more", "available"),
    [("", None), ("available_tools: null", ()), ("available_tools: []", ()), ("available_tools: [' a']", ("a",))],
)
def test_no_list_of_tools_is_all_of_the_agents_and_null_is_none(more: str, available: tuple[str, ...] | None) -> None:
    agent = "{tools: [{name: a, description: d, parameters: {}}]}"

    assert available == scenario("{refusal: true}", agent=agent, more=more).available_tools


def test_an_empty_agent_has_defaults() -> None:
    assert Agent(None, None, 30.0, (), ()) == suite("{refusal: true}").agent


def test_what_the_contract_says_of_the_agent_is_kept() -> None:
    agent = """
  endpoint: http://localhost/v1
  model: small
  timeout_seconds: 5
  capabilities: [chat, tools]
  tools: [{name: ' find ', description: ' Finds ', parameters: {type: object}}]"""

    tools = (Tool("find", " Finds ", {"type": "object"}),)
    assert (
        Agent("http://localhost/v1", "small", 5.0, ("chat", "tools"), tools)
        == suite("{refusal: true}", agent=agent).agent
    )


def test_scenarios_keep_the_files_order() -> None:
    more = "expect: {refusal: true}\n- id: zebra\n  prompt: x\n  expect: {refusal: true}\n- id: ant\n  prompt: x"

    assert ["desk", "zebra", "ant"] == [each.id for each in suite("{refusal: true}", more=more).scenarios]
