"""A run of pytest that has nothing to do with agents, without the plugin and with it → what the plugin adds.

    make bench                                        after the other tables
    .venv/bin/python benchmarks/pytest_plugin.py      this table alone

Each round runs both, in turns the one and the other first; the median of their differences counts, so that what else
the machine does falls on both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import measure
from measure import NotMeasured
from run import machine

ROUNDS = 25
BAR = 10.0  # milliseconds that the plugin may add
NAME = "agenttest"
METADATA = "Metadata-Version: 2.1\nName: agent-test-action\nVersion: 0\n"
ENTRY = f"[pytest11]\n{NAME} = agenttest.pytest_plugin\n"
TEST = "def test_nothing():\n    assert True\n"
COLUMNS = "{:<24}{:>12}{:>12}{:>10}{:>10}{:>8}"


@dataclass(frozen=True, slots=True)
class Pair:
    """One round: seconds without the plugin and with it."""

    without: float
    plugged: float


def main() -> int:
    """Measure; exit 0, or 1 where it could not be measured."""
    options = parser().parse_args()
    try:
        with TemporaryDirectory() as folder:
            found = measured(Path(folder), options.rounds)
    except NotMeasured as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return 1
    sys.stdout.write(as_json(found) if options.json else "".join(f"{line}\n" for line in as_text(found)))
    return 0


def parser() -> argparse.ArgumentParser:
    """The flags."""
    flags = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    flags.add_argument("--rounds", metavar="N", type=int, default=ROUNDS, help=f"of both (default: {ROUNDS})")
    flags.add_argument("--json", action="store_true", help="print everything that was measured as JSON")
    return flags


def measured(folder: Path, rounds: int) -> list[Pair]:
    """Both commands once to warm up, then in so many rounds."""
    project = lay(folder)
    plain = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    without, plugged = [*plain, "-p", f"no:{NAME}"], plain
    for command in (without, plugged):
        measure.measure(command, project)
    return [pair(without, plugged, project, swapped=bool(turn % 2)) for turn in range(rounds)]


def lay(folder: Path) -> Path:
    """A project with one test; beside it the plugin as an installation makes it known, if it is not installed."""
    about = folder / "installation/agent_test_action-0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(METADATA)
    (about / "entry_points.txt").write_text(ENTRY)
    places = (str(about.parent), str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", ""))
    measure.ENVIRONMENT["PYTHONPATH"] = os.pathsep.join(filter(None, places))
    project = folder / "project"
    project.mkdir()
    (project / "test_nothing.py").write_text(TEST)
    return project


def pair(without: Sequence[str], plugged: Sequence[str], project: Path, *, swapped: bool) -> Pair:
    """One round."""
    if swapped:
        second = measure.measure(plugged, project).seconds
        return Pair(measure.measure(without, project).seconds, second)
    return Pair(measure.measure(without, project).seconds, measure.measure(plugged, project).seconds)


def as_text(found: Sequence[Pair]) -> Iterator[str]:
    """The table."""
    yield machine()
    yield ""
    yield COLUMNS.format("pytest, one test", "without ms", "with ms", "ratio", "added ms", "bar")
    without, plugged = median(each.without for each in found), median(each.plugged for each in found)
    figures = f"{1000 * without:.1f}", f"{1000 * plugged:.1f}", f"{ratio(found):.3f}", f"{added(found):.1f}"
    yield COLUMNS.format(f"{len(found)} rounds", *figures, f"{BAR:.0f}")


def added(found: Sequence[Pair]) -> float:
    """The milliseconds that the plugin adds, in the median round."""
    return 1000 * median(each.plugged - each.without for each in found)


def ratio(found: Sequence[Pair]) -> float:
    """How many times as long a run takes with the plugin, in the median round."""
    return median(each.plugged / each.without for each in found)


def as_json(found: Sequence[Pair]) -> str:
    """Everything measured, in seconds."""
    rounds = [[each.without, each.plugged] for each in found]
    return json.dumps({"python": sys.version, "added_ms": added(found), "ratio": ratio(found), "rounds": rounds}) + "\n"


if __name__ == "__main__":
    sys.exit(main())
