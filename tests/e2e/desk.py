"""A small contract of a help desk's agent, and recordings in which it is kept, broken and cut short."""

import json
from pathlib import Path
from typing import Any

CONTRACT = """\
version: 1

agent: {}

scenarios:
  - id: refund-window
    prompt: For how long can I return a shirt?
    expect:
      response:
        contains:
          - 30 days
      tools:
        required:
          - name: find_policy
            arguments: {topic: returns}
        forbidden:
          - pay_refund
"""
CONTAINS_LINE = 11
FORBIDDEN_LINE = 17

KEPT: dict[str, Any] = {
    "id": "refund-window",
    "response": "You can return it within 30 days.",
    "response_complete": True,
    "finish_reason": "stop",
    "tool_calls": [{"name": "find_policy", "arguments": {"topic": "returns"}}],
    "tool_calls_complete": True,
}
BROKEN = {
    **KEPT,
    "response": "You can return it within 90 days.",
    "tool_calls": [*KEPT["tool_calls"], {"name": "pay_refund", "arguments": {"amount": 30}}],
}
CUT_SHORT = {**KEPT, "finish_reason": "length", "response_complete": False, "tool_calls_complete": False}


def lay(folder: Path, observed: dict[str, Any], stem: str = "desk") -> None:
    """Write the contract and, beside it, a recording of its one scenario."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{stem}.yml").write_text(CONTRACT)
    recording = {"version": 1, "scenarios": [observed]}
    (folder / f"{stem}.observations.json").write_text(json.dumps(recording))
