"""Folders of scenario files, and the traces that they may be judged by, in few words."""

import hashlib
import json
from pathlib import Path
from typing import Any

FOLDER = "tests/agent-scenarios"
CALLED = {"type": "ToolCalled", "toolName": "read_file"}
SAYS = {"type": "FinalAnswerContains", "text": "hello"}
KEPT, BROKEN = "well, hello", "good day"


def call(name: str = "read_file", **more: Any) -> dict[str, Any]:
    """The record of a call."""
    return {"kind": "ToolCall", "toolCall": {"toolName": name, **more}}


def scripted(answer: str | None = KEPT, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The input of a scenario that scripts a call and an answer, or these steps."""
    return {"prompt": "Read it", "scriptedTrace": [*(steps or [call()])], "scriptedFinalAnswer": answer, **more}


def replay(trace: str, **more: Any) -> dict[str, Any]:
    """The input of a scenario that is judged by a file."""
    return {"prompt": "Read it", "executor": "replay", "replay": {"trace": trace, **more}}


def asking(prompt: str = "Read it", **more: Any) -> dict[str, Any]:
    """The input of a scenario that is judged by an agent's answer."""
    return {"prompt": prompt, "executor": "endpoint", **more}


def scenario(name: str, given: dict[str, Any] | None = None, *oracles: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A scenario file's value: scripted and kept unless told otherwise."""
    expected = {"oracles": [*(oracles or (CALLED, SAYS))], **more.pop("expected", {})}
    return {"id": name, "input": scripted() if given is None else given, "expected": expected, **more}


def lay(root: Path, *scenarios: dict[str, Any], **texts: str) -> str:
    """Write the scenarios, each into its file, and other files by their names; the folder's path."""
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for place, each in enumerate(scenarios):
        folder.joinpath(f"{place:03d}.json").write_text(json.dumps(each))
    for name, text in texts.items():
        folder.joinpath(f"{name}.json").write_text(text)
    return FOLDER


def trace(name: str, answer: str | None = KEPT, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The trace of a run that came to its end, as another program writes it: with a call, or these steps."""
    nothing = {"message": None, "toolResult": None, "stateChange": None, "finalAnswer": None, "toolCall": None}
    listed = [{**nothing, "sequence": place, **step} for place, step in enumerate(steps or (call(),), 1)]
    return {
        "runId": "0" * 32,
        "scenarioId": name,
        "startedAtUtc": "2026-01-01T00:00:00+00:00",
        "completedAtUtc": "2026-01-01T00:00:01+00:00",
        "finalAnswer": answer,
        "timedOut": False,
        "failed": False,
        "errorMessage": None,
        "steps": listed,
        "finalState": {},
        **more,
    }


def put(root: Path, name: str, value: Any) -> str:
    """Write a JSON file below the root; the SHA-256 of its bytes in hex."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()
