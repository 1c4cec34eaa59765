"""Small scenario files in few words, and what is told of them."""

import json
from typing import Any

from agenttest.model import Scenario, Suite, SuiteFile
from agenttest.suites import harness

CALLED = {"type": "ToolCalled", "toolName": "read"}


def text(*oracles: Any, name: str = "desk", steps: Any = None, more: Any = None, **fields: Any) -> str:
    """A scenario with these oracles and steps, `more` in its input, and these fields at the top, on one line."""
    given = {"prompt": "Hello", **({} if steps is None else {"scriptedTrace": steps}), **(more or {})}
    return json.dumps({"id": name, "input": given, "expected": {"oracles": [*oracles] or [CALLED]}, **fields})


def suite(*texts: str | bytes) -> Suite:
    """The suite of files 0.json, 1.json and so on, with these texts."""
    decoded = [data.decode("utf-8", "surrogateescape") if isinstance(data, bytes) else data for data in texts]
    return harness.read("s", [SuiteFile(f"{index}.json", each) for index, each in enumerate(decoded)])


def scenario(data: str) -> Scenario:
    """The one scenario of a text in which nothing is wrong."""
    (only,) = suite(data).scenarios
    return only


def told(*texts: str | bytes) -> list[str]:
    """What is wrong with files of these texts, a problem a line, without the file's name where it is but one."""
    problems = map(str, suite(*texts).problems)
    return [problem.removeprefix("0.json:" if len(texts) == 1 else "") for problem in problems]


def said(*texts: str | bytes) -> list[str]:
    """The same without the places."""
    return [problem.message for problem in suite(*texts).problems]


def warned(data: str) -> list[str]:
    """The warnings about a text in which nothing is wrong, with their places."""
    found = suite(data)
    assert () == found.problems
    return [str(problem).removeprefix("0.json:") for problem in found.warnings]
