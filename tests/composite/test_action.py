"""The action without Docker: to its users it is the action itself."""

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
COMPOSITE: dict[str, Any] = yaml.safe_load((ROOT / "composite" / "action.yml").read_text())
STEPS: list[dict[str, Any]] = COMPOSITE["runs"]["steps"]


def test_inputs_are_those_of_the_action() -> None:
    assert ACTION["inputs"] == COMPOSITE["inputs"]


def test_outputs_are_those_of_the_action() -> None:
    described = {name: {"description": row["description"]} for name, row in COMPOSITE["outputs"].items()}

    assert ACTION["outputs"] == described


@pytest.mark.parametrize("name", COMPOSITE["outputs"])
def test_every_output_has_a_step_that_gives_it(name: str) -> None:
    giver = "upload" if name in ("artifact-id", "artifact-url", "artifact-digest") else "judge"

    assert f"steps.{giver}.outputs.{name}" in COMPOSITE["outputs"][name]["value"]


@pytest.mark.parametrize("step", [step for step in STEPS if "run" in step], ids=lambda step: str(step["name"]))
def test_no_value_is_pasted_into_a_script(step: dict[str, Any]) -> None:
    assert "${{" not in step["run"]
