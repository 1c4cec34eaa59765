"""The words of a saved report → whether they are words: no decision depends on them, but whoever shows them does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agenttest.report import FILES
from agenttest.savedrun import Issue

OPTIONAL = ("difference", "remedy")
PROBLEM = {"path": str, "line": int, "column": int, "message": str}


def word_issues(results: Mapping[str, Any]) -> Iterator[Issue]:
    """What no run writes in place of a message."""
    told = {
        "a gate": all(isinstance(gate.get("message"), str) for gate in results["gates"]),
        "an assertion": all(map(is_told, (each for one in results["scenarios"] for each in one["assertions"]))),
        "a problem": all(map(is_problem, (*results.get("issues", ()), *results.get("warnings", ())))),
    }
    for what, right in told.items():
        if not right:
            yield Issue("malformed", f"{FILES['behavior_results']} says of {what} what no run writes")


def is_told(outcome: Mapping[str, Any]) -> bool:
    """Whether an assertion's result has its words, and the value that was observed, if only that there is none."""
    optional = all(isinstance(outcome.get(key, ""), str) for key in OPTIONAL)
    return isinstance(outcome.get("message"), str) and "observed" in outcome and optional


def is_problem(raw: Any) -> bool:
    """Whether a value is a problem with its place."""
    return isinstance(raw, dict) and all(type(raw.get(key)) is kind for key, kind in PROBLEM.items())
