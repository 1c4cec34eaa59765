"""Scenario files and contracts in few words."""

import json
from pathlib import Path
from typing import Any

CALLED = {"type": "ToolCalled", "toolName": "read_file"}
BROKEN = {"type": "ToolCalled", "toolName": "pay"}
PARTIAL = {"capture": {"toolCalls": "partial"}}
SCENARIOS = "tests/agent-scenarios"


def scenario(name: str, *oracles: dict[str, Any], risk: str = "Low", tags: tuple[str, ...] = (), **input_: Any) -> str:
    """A scenario file in which `read_file` is called; by default that is all it asks for."""
    trace = {"scriptedTrace": [{"toolCall": {"toolName": "read_file"}}], "scriptedFinalAnswer": "read"}
    return json.dumps(
        {
            "id": name,
            "risk": risk,
            "tags": tags,
            "input": {"prompt": "Read it.", **trace, **input_},
            "expected": {"oracles": oracles or (CALLED,)},
        },
        indent=1,
    )


def lay(folder: Path, **files: str) -> Path:
    """A project whose scenarios, these files by their stems, are opted in."""
    place = folder / SCENARIOS
    place.mkdir(parents=True, exist_ok=True)
    (folder / "pytest.ini").write_text(f"[pytest]\nagenttest_paths = {SCENARIOS}\nfilterwarnings = error\n")
    for stem, text in files.items():
        (place / f"{stem}.json").write_text(text)
    return place
