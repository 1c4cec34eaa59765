"""A command → what its whole process takes: wall time and peak memory."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

LAUNCH = str(Path(__file__).with_name("launch.py"))
OUTPUT = ".output"
UNIT = 1 if sys.platform == "darwin" else 1024  # of getrusage's peak memory, in bytes

# Installing leaves bytecode; where the engine is run from its sources, the run that warms up has to.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class NotMeasured(Exception):
    """A command did not do what was to be measured."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One process: its wall time in seconds, its peak memory in bytes."""

    seconds: float
    peak: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Several samples of one command, summed up: seconds, and bytes of peak memory."""

    fastest: float
    middle: float
    peak: int


def measure(command: Sequence[str], folder: Path) -> Sample:
    """Run a command in a folder, and remove what it saved in hidden folders; NotMeasured where it does not exit 0."""
    launcher = [sys.executable, "-I", "-S", LAUNCH, OUTPUT, *command]
    done = subprocess.run(launcher, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotMeasured(f"{command[0]} cannot be started: {done.stderr.strip().rpartition(chr(10))[2]}")
    seconds, peak, code = json.loads(done.stdout)
    if code:
        said = folder.joinpath(OUTPUT).read_text("utf-8", "replace").strip()[-600:]
        raise NotMeasured(f"exit code {code} instead of 0 from {' '.join(command[:4])} …, which said:\n{said}")
    for entry in folder.iterdir():
        if entry.name.startswith(".") and entry.is_dir():
            shutil.rmtree(entry)
    return Sample(seconds, peak * UNIT)


def figures(samples: Sequence[Sample]) -> Figures:
    """The least and the median time, and the median peak."""
    times = [sample.seconds for sample in samples]
    return Figures(min(times), median(times), int(median(sample.peak for sample in samples)))
