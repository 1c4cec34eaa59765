"""Folders of scenario files, timed and weighed → a table with the milliseconds that each file adds to starting up.

    make bench                                              after the other tables
    .venv/bin/python benchmarks/scenarios.py --only 1000    one folder alone

Runs are interleaved, and the least times count, as in run.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Figures, NotMeasured
from run import installed, interleaved, machine, mebibytes, words

ROUNDS = 3
FOLDERS = 50  # that the files lie in
SIZES = (1, 1000, 10_000)
BAR = 1.0  # milliseconds that each file may add
COLUMNS = "{:<30}{:>9}{:>9}{:>12}{:>7}{:>8}"


def main() -> int:
    """Measure the folders asked for; exit 0, or 1 where one could not be measured."""
    options = parser().parse_args()
    try:
        found = measured(options)
    except NotMeasured as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return 1
    sys.stdout.write(as_json(found) if options.json else "".join(f"{line}\n" for line in as_text(found)))
    return 0


def parser() -> argparse.ArgumentParser:
    """The flags."""
    flags = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    flags.add_argument("--engine", metavar="CMD", default=installed(), type=words, help="the agenttest to measure")
    flags.add_argument("--rounds", metavar="N", type=int, default=ROUNDS, help=f"of each command (default: {ROUNDS})")
    flags.add_argument("--only", type=int, choices=SIZES, help="the folder with so many files, beside that with one")
    flags.add_argument("--json", action="store_true", help="print everything that was measured as JSON")
    return flags


def measured(options: argparse.Namespace) -> dict[int, Figures]:
    """The figures of each folder, by how many files are in it."""
    sizes = [size for size in SIZES if options.only in (None, size) or size == 1]
    with TemporaryDirectory() as folder:
        for size in sizes:
            write(Path(folder, str(size)), size)
        commands = {str(size): [*options.engine, "test", str(size), "--max-seconds", "3600"] for size in sizes}
        found = interleaved(commands, options.rounds, Path(folder))
    return {size: found[str(size)] for size in sizes}


def write(folder: Path, count: int) -> None:
    """So many scenario files, each with a call, an answer and two oracles."""
    for at in range(count):
        place = folder / f"{at % FOLDERS:02d}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"scenario-{at:05d}.json").write_text(json.dumps(scenario(at), indent=2))


def scenario(at: int) -> Mapping[str, object]:
    """The file's value."""
    call = {"toolName": "find_slot", "argumentsJson": json.dumps({"doctor": "Amsel", "week": at % 52})}
    asked = [{"type": "ToolCalled", "toolName": "find_slot"}, {"type": "FinalAnswerContains", "text": "9:00"}]
    told = {"scriptedTrace": [{"kind": "ToolCall", "toolCall": call}], "scriptedFinalAnswer": "Monday, 9:00."}
    return {
        "id": f"scenario-{at:05d}",
        "risk": "Low",
        "tags": ["tools"],
        "input": {"prompt": "When can I come?", "executor": "scripted", **told},
        "expected": {"oracles": asked},
    }


def as_text(found: Mapping[int, Figures]) -> Iterator[str]:
    """The table."""
    yield machine()
    yield ""
    yield COLUMNS.format("a folder of scenario files", "min s", "median", "ms a file", "bar", "MiB")
    yield from (line(found, size) for size in found)


def line(found: Mapping[int, Figures], size: int) -> str:
    """One row of the table."""
    figures, more = found[size], added(found, size)
    cells = f"{more:.2f}" if more is not None else "-", f"{BAR:.0f}" if more is not None else "-"
    title = f"{size:,} file{'s' * (size != 1)}"
    return COLUMNS.format(title, f"{figures.fastest:.2f}", f"{figures.middle:.2f}", *cells, mebibytes(figures.peak))


def added(found: Mapping[int, Figures], size: int) -> float | None:
    """The milliseconds that each file but the first adds to the run of one."""
    return 1000 * (found[size].fastest - found[1].fastest) / (size - 1) if size > 1 else None


def as_json(found: Mapping[int, Figures]) -> str:
    """Everything measured: seconds, and bytes."""
    rows: Sequence[object] = [
        {"files": size, "added_ms": added(found, size), "engine": asdict(found[size])} for size in found
    ]
    return json.dumps({"python": sys.version, "rows": rows}, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(main())
