"""A YAML contract's bytes → `Suite`, or all of its problems at once."""

from __future__ import annotations

import hashlib
from typing import Any

from agenttest.documents import Document, decode, schema, yamlfile
from agenttest.errors import InvalidInput, Problem
from agenttest.model import Suite
from agenttest.settings import CONTRACT_DEPTH, CONTRACT_STRING, CONTRACT_VALUES
from agenttest.suites.contract import rules, shape

BOUNDS = yamlfile.Bounds(CONTRACT_DEPTH, CONTRACT_VALUES, CONTRACT_STRING)


def load(name: str, data: bytes) -> Suite:
    """The suite of a contract file `name`; raises InvalidInput with every problem, in the file's order."""
    text = decode(name, data)
    document, found = yamlfile.read(name, text, BOUNDS)
    check(document, found)
    return shape.suite(document, text, hashlib.sha256(data).hexdigest())


def check(document: Document, found: list[Problem]) -> None:
    """Raise all problems of a document: those of its YAML, its shape and its rules; where YAML fails, only that."""
    if document.value is None and not found:
        found = [document.problem((), "the file is empty; write a contract, or let `agenttest init` write one")]
        raise InvalidInput(found)
    told = {(problem.line, problem.column) for problem in found}
    more = [*schema.problems(document, "contract"), *rules.problems(document)]
    found = [*found, *(problem for problem in more if (problem.line, problem.column) not in told)]
    if found and (other := other_thing(document.value)):
        found = [document.problem((), other)]
    if found:
        raise InvalidInput(sorted(set(found)))


OTHERS = {  # what a file is by keys that only it has, and what would be right
    ("scenarioId", "steps"): "the file holds a trace; name the scenario file that is judged by it, or its folder",
    ("input", "expected"): "the file holds a scenario; give it a name that ends in .json, or name its folder",
}


def other_thing(value: Any) -> str | None:
    """What is said of a file that is no contract at all, but something else of ours."""
    if holds_observations(value):
        return "the file holds observations; name the contract, and this with --observations"
    keys = value.keys() if isinstance(value, dict) else ()
    return next((said for marks, said in OTHERS.items() if set(marks) <= set(keys)), None)


def holds_observations(value: Any) -> bool:
    """Whether this is no contract at all, but what was observed of one."""
    return schema.accepts("observations")(value) and any(len(entry) > 1 for entry in value["scenarios"])
