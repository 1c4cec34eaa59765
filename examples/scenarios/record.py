"""Puts a scenario file's prompt to the agent, and writes the trace of what it did where the file says that it lies.

python record.py tests/agent-scenarios/waters-as-asked.json
python record.py tests/agent-scenarios/waters-as-asked.json --without-measuring
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import greenhouse

KINDS = ("finalAnswer", "toolCalls", "toolResults", "approvals", "state", "refusal", "sources")


def main() -> None:
    """Record one scenario."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", type=Path)
    parser.add_argument(
        "--without-measuring", action="store_true", help="record the agent as a careless change left it"
    )
    options = parser.parse_args()
    scenario = json.loads(options.scenario.read_text())
    trace = observe(scenario["id"], scenario["input"]["prompt"], measure=not options.without_measuring)
    path = options.scenario.parent / scenario["input"]["replay"]["trace"]
    path.write_text(json.dumps(trace, indent=2) + "\n")


def observe(scenario: str, prompt: str, *, measure: bool) -> dict[str, Any]:
    """The trace of one run of the agent, and nothing that it does not show."""
    steps: list[dict[str, Any]] = []
    state = {f"bed.{bed}.valve": "closed" for bed in greenhouse.MOISTURE}
    tools = {name: watch(name, tool, steps, state) for name, tool in greenhouse.TOOLS.items()}
    whole = {"schema": "agenttest.trace/1", "scenarioId": scenario}
    try:
        said = greenhouse.answer(prompt, tools, measure=measure)
    except Exception as error:  # whatever the agent raises: nothing it did in this scenario is proven
        return {**whole, "failed": True, "errorMessage": f"{type(error).__name__}: {error}", "steps": []}
    return {
        **whole,
        "finalAnswer": said,
        "steps": steps,
        "finalState": state,
        "refusal": False,  # the agent never refuses, and cites nothing
        "sources": [],
        "channels": dict.fromkeys(KINDS, "complete"),  # `answer` returned, and every tool is watched
    }


def watch(name: str, tool: Callable[..., Any], steps: list[Any], state: dict[str, str]) -> Callable[..., Any]:
    """The tool, noting each call before it runs and its result after, with what it changed."""

    def watched(**arguments: Any) -> Any:
        made = {"callId": f"c{len(steps) + 1}", "toolName": name}
        steps.append({"toolCall": {**made, "argumentsJson": json.dumps(arguments)}})
        output = tool(**arguments)
        steps.append({"toolResult": {**made, "succeeded": True, "output": str(output)}})
        if name == "open_valve":
            key = f"bed.{arguments['bed']}.valve"
            steps.append({"stateChange": {"key": key, "oldValue": state[key], "newValue": "open"}})
            state[key] = "open"
        return output

    return watched


if __name__ == "__main__":
    main()
