"""A path, or what a saved run holds of a suite → `Suite`: a contract's file, or scenario files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.model import Suite, SuiteFile
from agenttest.settings import CONTRACT_BYTES

CONTRACTS = (".yml", ".yaml")
FILES = (*CONTRACTS, ".json")
SCENARIO, CONTRACT = {"input", "expected"}, {"agent", "scenarios", "version"}


def load(project: Project, path: str) -> Suite:
    """The suite at a path below the root: a folder, even one that is not there, holds scenarios; a file is a contract,
    unless it is a scenario's. InvalidInput where it is neither."""
    if holds_scenarios(project, path):
        from agenttest.suites import harness

        return harness.load(project, path)
    from agenttest.suites import contract

    return contract.load(path, project.read(path, CONTRACT_BYTES))


def holds_scenarios(project: Project, path: str) -> bool:
    """Whether the suite at a path is of scenario files."""
    kind, ending = project.kind(path), path.lower()
    if kind in ("folder", "nothing"):
        return kind == "folder" or not ending.endswith(FILES)
    return kind == "file" and ending.endswith(".json") and scenario_alone(project, path)


def scenario_alone(project: Project, path: str) -> bool:
    """Whether a JSON file is one scenario, and no contract in JSON."""
    try:
        found = json.loads(project.read(path, CONTRACT_BYTES).decode("utf-8-sig"))
    except (InvalidInput, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool(SCENARIO & found.keys()) and not CONTRACT & found.keys()


def saved(suite: Suite) -> dict[str, Any]:
    """What a run keeps of its suite; where that is not what its digest is of, as the token was in it, it says so."""
    kept: dict[str, Any] = {"path": suite.path, "version": suite.version, "digest": suite.digest}
    kept |= {"text": suite.text} if suite.files is None else {"files": list(map(file_document, suite.files))}
    return kept if suite.whole else kept | {"redacted": True}


def file_document(file: SuiteFile) -> dict[str, Any]:
    """One file of a suite."""
    return {"path": file.path} | ({"text": file.text} if file.refused is None else {"refused": file.refused})


def recalled(kept: Mapping[str, Any]) -> Suite:
    """The suite that a run kept, with the digest of what it kept; InvalidInput where that is no suite."""
    path = str(kept.get("path"))
    if "files" not in kept:
        from agenttest.suites import contract

        return contract.load(path, str(kept.get("text")).encode("utf-8", "surrogatepass"))
    from agenttest.suites import harness

    return harness.read(path, [file_of(each) for each in kept["files"]])


def file_of(kept: Any) -> SuiteFile:
    """A file of a suite as a run kept it."""
    found = (kept["path"], kept.get("text", ""), kept.get("refused"))
    if not (isinstance(found[0], str) and isinstance(found[1], str) and isinstance(found[2], str | None)):
        raise InvalidInput(Problem("", 0, 0, "a file of the saved suite has no path or no text"))
    return SuiteFile(*found)


def changed(suite: Suite, change: Callable[[str], str]) -> Suite:
    """The suite with every text of it changed, and with the digest that it had."""
    kept = saved(suite)
    if suite.files is None:
        found = recalled(kept | {"text": change(suite.text)})
    else:
        found = recalled(kept | {"files": [file_document(replace(f, text=change(f.text))) for f in suite.files]})
    return replace(found, digest=suite.digest)
