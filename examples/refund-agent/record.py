"""Puts each of the contract's prompts to the agent, and writes what was seen as an observations file.

python record.py refund-agent.observations.json
python record.py regressed.observations.json --without-review
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import agent

from agenttest.suites import contract

CONTRACT = Path(__file__).with_name("refund-agent.yml")
NO_LIMIT = 1_000_000


def main() -> None:
    """Record every scenario of the contract."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--without-review", action="store_true", help="record the agent as a careless change left it")
    options = parser.parse_args()
    review_above = NO_LIMIT if options.without_review else agent.REVIEW_ABOVE
    suite = contract.load(CONTRACT.name, CONTRACT.read_bytes())
    seen = [observe(scenario.id, scenario.prompt, review_above) for scenario in suite.scenarios]
    options.output.write_text(json.dumps({"version": 1, "scenarios": seen}, indent=2) + "\n")


def observe(scenario: str, prompt: str, review_above: int) -> dict[str, Any]:
    """One entry of the file: what this one run of the agent shows, and nothing that it does not show."""
    calls: list[dict[str, Any]] = []
    watched = {name: watch(name, tool, calls) for name, tool in agent.TOOLS.items()}
    try:
        reply = agent.answer(prompt, watched, review_above)
    except Exception as error:  # whatever the agent raises: nothing it did in this scenario is proven
        return {"id": scenario, "error": f"{type(error).__name__}: {error}"}
    return {
        "id": scenario,
        "finish_reason": "stop",  # the agent returned by itself; with a model, its own finish reason belongs here
        "response": reply.text,
        "response_complete": True,  # true, as `answer` returns whole texts only
        "tool_calls": calls,
        "tool_calls_complete": True,  # true, as the agent has no tool but the watched ones
        "refusal": reply.refused,  # the agent's own word for it, not a guess from its text
        "sources": list(reply.sources),
    }


def watch(name: str, tool: Callable[..., Any], calls: list[dict[str, Any]]) -> Callable[..., Any]:
    """The tool, noting each call before it runs."""

    def watched(**arguments: Any) -> Any:
        calls.append({"name": name, "arguments": arguments})
        return tool(**arguments)

    return watched


if __name__ == "__main__":
    main()
