"""A step's environment → `Context`: the workspace, the files that the runner reads afterwards, and the inputs."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path

INPUT = "INPUT_"
PRIVATE_PREFIX, PRIVATE_PART = "ACTIONS_", "TOKEN"


@dataclass(frozen=True, slots=True)
class Context:
    """What the runner says of a step. Paths are as given; where a file is None the runner reads none.

    It is read before the secrets are forgotten and keeps them, so nothing of it is ever printed as a whole.
    """

    workspace: Path
    output: str | None
    step_summary: str | None
    debug: bool
    inputs: Mapping[str, str] = field(repr=False)
    variables: Mapping[str, str] = field(repr=False)

    def value(self, name: str) -> str:
        """A variable that the runner set, such as GITHUB_SHA or ACTIONS_RUNTIME_TOKEN; empty where it set none."""
        return self.variables.get(name, "")

    def input(self, name: str) -> str | None:
        """An input by its name in action.yml; an empty one is not given, as the runner sends all that are declared."""
        return self.inputs.get(variable(name)) or None


def read(environment: Mapping[str, str], here: Path) -> Context:
    """The context of this step; outside a job the workspace is `here`."""
    return Context(
        workspace=Path(environment.get("GITHUB_WORKSPACE") or here),
        output=environment.get("GITHUB_OUTPUT") or None,
        step_summary=environment.get("GITHUB_STEP_SUMMARY") or None,
        debug=environment.get("RUNNER_DEBUG") == "1",
        inputs={name: value for name, value in environment.items() if name.startswith(INPUT)},
        variables={name: value for name, value in environment.items() if not name.startswith(INPUT)},
    )


def variable(name: str) -> str:
    """The variable of an input, as Handler.cs in actions/runner names it: hyphens and dots stay."""
    return INPUT + name.replace(" ", "_").upper()


def forget_secrets(environment: MutableMapping[str, str], more: str | None = None) -> None:
    """Remove the job's tokens, the addresses that go with them, and one `more`: whoever needs one has it from the
    `Context`."""
    for name in [*environment]:
        if name.startswith(PRIVATE_PREFIX) or PRIVATE_PART in name.upper() or name == more:
            del environment[name]
