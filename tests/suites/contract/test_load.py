"""A contract file becomes a suite, or all that is wrong with it is told at once."""

import copy
import hashlib
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import InvalidInput, Problem
from agenttest.model import Suite
from agenttest.suites import contract
from tests.suites.contract.contracts import told

MINIMAL = """\
version: 1
agent: {}
scenarios:
- id: desk
  prompt: Hello
  expect:
    refusal: false
"""
MISTAKES = """\
version: "1"
agent:
  modle: small
  timeout_seconds: 0
  tools:
    - name: find book
      description: Finds
      parameters: {1: x}
    - name: pay
      parameters: {}
scenarios:
  - id: desk
    promt: When?
    expect:
      contains: [nine]
      response:
        contains: [yes, 12:30, Status: open]
        excludes: nine
      tools:
        required: [pay]
        forbidden: [pay]
        max_calls: -1
  - id: 2025-11-30
    prompt: When?
    expect: {}
  - id: desk
    prompt: *when
    expect:
      refusal: "true"
      tools:
        exact_sequence: [fly]
        exact_sequence: [pay]
"""
MISTAKES_TOLD = """\
1:10: version is the text '1'; should be the integer 1, without quotes
3:3: unknown key 'modle' in agent; did you mean 'model'?
4:20: agent.timeout_seconds is 0; should be above 0
6:13: agent.tools[0].name is the text 'find book'; should be a tool name: 1 to 64 letters, digits, _ and -
8:20: the key 1 is read as the number 1; quote it: "1"
9:7: agent.tools[1] lacks the key 'description'; add it: what the tool is for
13:5: unknown key 'promt' in scenarios[0]; did you mean 'prompt'?
15:7: unknown key 'contains' in expect; it belongs in response
17:20: response.contains[0] is yes, which YAML reads as the boolean true; quote it: "yes"
17:25: response.contains[1] is 12:30, which YAML reads as the number 750; quote it: "12:30"
17:32: response.contains[2] is a mapping; should be a text that is not blank (quote a text that holds ': ' \
or begins with '{')
18:19: response.excludes is the text 'nine'; should be a list of texts
21:21: tools.forbidden[0] is 'pay', which is in required too; remove one of the two
22:20: tools.max_calls is -1; should be at least 0
23:9: 2025-11-30 is a date in YAML, and no JSON value; quote it: "2025-11-30"
25:13: expect asks for nothing; add an assertion, such as response: {contains: [a text]}
26:9: id is 'desk' again (first on line 12); give each its own
27:13: the alias *when stands here; write the value out, or quote the text
29:16: refusal is the text 'true'; should be true or false, without quotes
31:26: tools.exact_sequence[0] is 'fly', which this scenario does not offer; add it to agent.tools
32:9: the key 'exact_sequence' stands twice (first on line 31); keep one
"""


def test_all_problems_are_told_at_once_in_the_files_order() -> None:
    assert MISTAKES_TOLD.splitlines() == told(MISTAKES)


def test_the_same_problems_stand_on_the_same_lines_however_lines_end() -> None:
    assert MISTAKES_TOLD.splitlines() == told(MISTAKES.replace("\n", "\r\n"))
    assert MISTAKES_TOLD.splitlines() == told(MISTAKES.replace("\n", "\r"))


def test_a_byte_order_mark_moves_no_place() -> None:
    assert MISTAKES_TOLD.splitlines() == told("\ufeff" + MISTAKES)


def test_a_contract_may_be_written_in_json() -> None:
    text = (
        '{\n\t"version": 1, "agent": {},\n\t"scenarios": [{"id": "a", "prompt": "p", "expect": {"refusal": true}}]\n}'
    )

    assert [] == told(text)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "1:1: the file is empty; write a contract, or let `agenttest init` write one"),
        (b"# nothing yet\n", "1:1: the file is empty; write a contract, or let `agenttest init` write one"),
        (b"null", "1:1: the file is empty; write a contract, or let `agenttest init` write one"),
        (b"- a\n", "1:1: the file is a list; should be a mapping"),
        (b"hello\n", "1:1: the file is the text 'hello'; should be a mapping"),
        (b"\x00\x01", "1:1: the character U+0000 stands here, which YAML does not allow; remove it"),
        (b"\x89PNG\r\n", "1:1: the file holds the byte 0x89, which is not UTF-8; save it as UTF-8"),
        (MINIMAL.encode("utf-16"), "1:1: the file is UTF-16; save it as UTF-8"),
        (b"[" * 9_000, "1:1001: the value nests too deep; flatten it"),
    ],
)
def test_a_file_that_is_no_contract_is_told_as_what_it_is(data: bytes, problem: str) -> None:
    assert [problem] == told(data)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"scenarioId": "a", "steps": []}', "the file holds a trace; name the scenario file that is judged by it"),
        ("id: a\ninput: {}\nexpected: {}\n", "the file holds a scenario; give it a name that ends in .json"),
    ],
)
def test_another_file_of_ours_in_a_contracts_place_is_told_as_such(text: str, said: str) -> None:
    (problem,) = told(text)

    assert said in problem


def test_observations_in_a_contracts_place_are_told_as_such() -> None:
    text = '{"version": 1, "scenarios": [{"id": "desk", "response": "Yes."}]}'

    assert ["1:1: the file holds observations; name the contract, and this with --observations"] == told(text)


def test_a_contract_that_was_only_begun_is_not_taken_for_observations() -> None:
    assert "1:1: the file lacks the key 'agent'; add it: the agent under test; {} is enough offline" in told(
        "version: 1\nscenarios:\n- id: desk\n"
    )


def test_a_deep_value_is_refused_before_it_is_judged() -> None:
    deep = MINIMAL.replace("agent: {}", "agent: {tools: " + "[" * 40 + "]" * 40 + "}")

    assert ["2:46: the value nests deeper than 32 levels; flatten it"] == told(deep)


def test_too_many_values_are_refused() -> None:
    many = MINIMAL + "    response: {contains: [" + "x, " * 20_000 + "]}\n"

    assert ["this is value number 20,001 of the file (keys count); at most 20,000 may be, split it"] == [
        problem.split(": ", 1)[1] for problem in told(many)
    ]


def test_a_text_beyond_100_000_characters_is_refused_once() -> None:
    long = MINIMAL.replace("Hello", "x" * 100_001)

    assert ["5:11: the text has 100,001 characters; at most 100,000 may be, shorten it"] == told(long)


@pytest.mark.parametrize(
    "data", [MINIMAL.encode(), MINIMAL.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + MINIMAL.encode()]
)
def test_the_digest_is_of_the_bytes_as_they_lie_on_disk(data: bytes) -> None:
    assert hashlib.sha256(data).hexdigest() == contract.load("c.yml", data).digest


def test_the_text_is_kept_as_it_was() -> None:
    assert "\ufeff" + MINIMAL == contract.load("c.yml", ("\ufeff" + MINIMAL).encode()).text


def test_the_path_and_version_are_kept() -> None:
    suite = contract.load("folder/c.yml", MINIMAL.encode())

    assert ("agent_behavior", 1, "folder/c.yml") == (suite.kind, suite.version, suite.path)


WHOLE: dict[str, Any] = {
    "version": 1,
    "agent": {"model": "m", "tools": [{"name": "find", "description": "d", "parameters": {"a": {"b": [1]}}}]},
    "scenarios": [
        {
            "id": "desk",
            "prompt": "p",
            "available_tools": ["find"],
            "expect": {
                "response": {"contains": ["x"], "excludes": ["y"]},
                "tools": {"required": [{"name": "find", "arguments": {"a": 1}}], "allowed": ["find"], "max_calls": 1},
                "refusal": True,
                "sources": {"required": ["s"]},
            },
        }
    ],
}
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from(["", " ", "find", "desk", "x", "2020-01-01", "é\u202e"])
)
JUNK = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(LEAVES, inner, max_size=2), max_leaves=4
)


def holders(value: Any) -> list[Any]:
    """Every mapping and list in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if isinstance(value, dict | list) else []), *(found for part in inner for found in holders(part))]


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A whole contract with some of its parts replaced by junk."""
    document = copy.deepcopy(WHOLE)
    for _ in range(draw(st.integers(1, 4))):
        holder = draw(st.sampled_from(holders(document)))
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if keys:
            holder[draw(st.sampled_from(keys))] = draw(JUNK)
    return document


FLOW = st.sampled_from([True, False, None])


def loaded_or_told(text: str) -> list[Problem] | Suite:
    try:
        return contract.load("c.yml", text.encode())
    except InvalidInput as invalid:
        return list(invalid.problems)


@given(damaged(), FLOW)
def test_a_damaged_contract_is_loaded_or_told(document: Any, flow: bool | None) -> None:
    assert [] != loaded_or_told(yaml.safe_dump(document, default_flow_style=flow))


@given(damaged(), FLOW)
def test_problems_are_told_once_in_the_files_order(document: Any, flow: bool | None) -> None:
    found = loaded_or_told(yaml.safe_dump(document, default_flow_style=flow))

    assert isinstance(found, Suite) or sorted(set(found)) == found


@given(damaged(), FLOW)
def test_problems_are_told_within_the_file(document: Any, flow: bool | None) -> None:
    lines = yaml.safe_dump(document, default_flow_style=flow).split("\n")
    found = loaded_or_told("\n".join(lines))

    for problem in [] if isinstance(found, Suite) else found:
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1


@given(st.binary(max_size=40))
def test_any_bytes_are_loaded_or_told(data: bytes) -> None:
    assert told(data)
