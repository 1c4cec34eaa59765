"""Small contracts in few words, and what is told of them."""

from agenttest.errors import InvalidInput
from agenttest.model import Scenario, Suite
from agenttest.suites import contract

FIND_AND_PAY = "{tools: [{name: find, description: d, parameters: {}}, {name: pay, description: d, parameters: {}}]}"


def text(expect: str, *, agent: str = "{}", more: str = "") -> str:
    """A contract of one scenario that asks for this, from line 7 on; `more` are lines of the scenario."""
    return f"version: 1\nagent: {agent}\nscenarios:\n- id: desk\n  prompt: Hello\n  {more}\n  expect: {expect}\n"


def suite(expect: str, *, agent: str = "{}", more: str = "") -> Suite:
    return contract.load("c.yml", text(expect, agent=agent, more=more).encode())


def scenario(expect: str, *, agent: str = "{}", more: str = "") -> Scenario:
    (only,) = suite(expect, agent=agent, more=more).scenarios
    return only


def told(data: str | bytes) -> list[str]:
    """What is told of a contract's text, a problem a line; nothing of a valid one."""
    try:
        contract.load("c.yml", data.encode() if isinstance(data, str) else data)
    except InvalidInput as invalid:
        return [str(problem).removeprefix("c.yml:") for problem in invalid.problems]
    return []


def marked(text: str) -> tuple[str, str]:
    """A text without the mark `^` in it, and the place of what stood behind the mark."""
    before, after = text.split("^")
    return before + after, f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
