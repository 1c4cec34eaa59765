"""This process, or one of its own, in the place of a step: what goes in and what is left behind."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from agenttest import action
from agenttest.github.context import variable
from tests.github.runner_grammar import Command, commands, outputs

ROOT = Path(__file__).parents[2]
FOLDS = {"group", "endgroup"}


@dataclass(frozen=True, slots=True)
class Done:
    """What a step left behind."""

    exit_code: int
    log: str
    outputs: dict[str, str]
    summary: str

    @property
    def commands(self) -> list[Command]:
        """All that the runner obeys but for what folds the log."""
        return [each for each in commands(self.log) if each.name not in FOLDS]

    @property
    def folds(self) -> list[Command]:
        return [each for each in commands(self.log) if each.name in FOLDS]

    @property
    def places(self) -> list[tuple[str, str | None, str | None]]:
        return [(each.name, each.properties.get("file"), each.properties.get("line")) for each in self.commands]


@dataclass(frozen=True, slots=True)
class Job:
    """A workspace, the runner's files beside it, and this process in the runner's place."""

    workspace: Path
    side: Path
    monkeypatch: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]

    def run(self, inputs: dict[str, str] | None = None, **environment: str) -> Done:
        """Run the action in this process."""
        self.monkeypatch.setattr(os, "environ", {**self.environment(inputs or {}), **environment})
        self.monkeypatch.chdir(self.workspace)
        exit_code = action.main()
        captured = self.capture.readouterr()
        return self.done(exit_code, captured.out + captured.err)

    def start(self, inputs: dict[str, str], out: int = subprocess.PIPE, **environment: str) -> subprocess.Popen[str]:
        """Start the action as a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "agenttest.action"],
            cwd=self.workspace,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **self.environment(inputs), **environment},
            stdout=out,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )

    def environment(self, inputs: dict[str, str]) -> dict[str, str]:
        for name in ("output", "summary"):
            (self.side / name).touch()
        return {
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_OUTPUT": str(self.side / "output"),
            "GITHUB_STEP_SUMMARY": str(self.side / "summary"),
            **{variable(name): value for name, value in inputs.items()},
        }

    def done(self, exit_code: int, log: str) -> Done:
        """What was left, and empty files for the next step."""
        output, summary = ((self.side / name).read_text() for name in ("output", "summary"))
        for name in ("output", "summary"):
            (self.side / name).write_text("")
        return Done(exit_code, log, outputs(output), summary)
