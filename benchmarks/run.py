"""Whole processes, timed and weighed → a table of ratios to the bare interpreter and, if one is named, to a peer.

    make bench                                              the engine alone
    .venv/bin/python benchmarks/run.py --peer 'CMD'         beside another command that takes the same files

Runs are interleaved, so that what else the machine does falls on all alike. Ratios are of the fastest runs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from inputs import CASES, OBSERVATIONS, Case, write
from measure import Figures, NotMeasured, Sample, figures, measure

ROUNDS = 7
ROUNDS_OF_MANY = 2  # for a case of many contracts, which takes long and varies little
COLUMNS = "{:<38}{:<6}{:>10}{:>10}{:>8}{:>8}{:>8}"
PEER_COLUMNS = "{:>11}{:>9}{:>8}{:>9}"


@dataclass(frozen=True, slots=True)
class Row:
    """One case, with or without a run directory; `peer` where one was measured."""

    name: str
    title: str
    saved: bool
    bare: Figures
    engine: Figures
    peer: Figures | None


def main() -> int:
    """Measure the cases asked for; exit 0, or 1 where one could not be measured."""
    options = parser().parse_args()
    rows: list[Row] = []
    try:
        for case in CASES:
            if options.only in (None, case.name):
                rows += measure_case(case, options)
    except NotMeasured as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return 1
    sys.stdout.write(as_json(rows) if options.json else "".join(f"{line}\n" for line in as_text(rows)))
    return 0


def parser() -> argparse.ArgumentParser:
    """The flags."""
    flags = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    flags.add_argument("--engine", metavar="CMD", default=installed(), type=words, help="the agenttest to measure")
    flags.add_argument(
        "--peer", metavar="CMD", type=words, help="takes CONTRACT --observations F [--no-artifacts] in the same way"
    )
    flags.add_argument("--rounds", metavar="N", type=int, default=ROUNDS, help=f"of each command (default: {ROUNDS})")
    flags.add_argument("--only", choices=[case.name for case in CASES], help="this case alone")
    flags.add_argument("--json", action="store_true", help="print everything that was measured as JSON")
    return flags


def installed() -> list[str]:
    """The agenttest beside this interpreter, else the one that it can import."""
    beside = Path(sys.executable).with_name("agenttest")
    return [str(beside)] if beside.exists() else [sys.executable, "-m", "agenttest"]


def words(command: str) -> list[str]:
    """A command in the words that a shell makes of it; a program given by its path may be used in any folder."""
    program, *rest = shlex.split(command)
    return [os.path.abspath(program) if os.sep in program else program, *rest]


def measure_case(case: Case, options: argparse.Namespace) -> Iterator[Row]:
    """The rows of a case, on files of their own."""
    with TemporaryDirectory() as folder:
        names = write(case, Path(folder))
        for saved in (True, False):
            commands = {
                "bare": [interpreter(options.engine), "-c", "pass"],
                "engine": [*options.engine, "test", *arguments(case, names, saved)],
            }
            if options.peer and case.contracts == 1:
                commands["peer"] = [*options.peer, *arguments(case, names, saved)]
            found = interleaved(commands, rounds(case, options.rounds), Path(folder))
            yield Row(case.name, case.title, saved, found["bare"], found["engine"], found.get("peer"))


def interpreter(engine: Sequence[str]) -> str:
    """The Python that runs the engine: the one beside it, else this one."""
    beside = Path(engine[0]).with_name("python")
    return str(beside if beside.exists() else sys.executable)


def arguments(case: Case, names: list[str], saved: bool) -> list[str]:
    """What a command is given; of one contract the observations are named, of many they are found beside each."""
    observed = ["--observations", names[0].removesuffix(".yml") + OBSERVATIONS] if case.contracts == 1 else []
    limits = ["--max-scenarios", "1000", "--max-seconds", "3600"]
    return [*names, *observed, *limits, *([] if saved else ["--no-artifacts"])]


def rounds(case: Case, asked: int) -> int:
    """How often each command of a case is run."""
    return asked if case.contracts == 1 else min(asked, ROUNDS_OF_MANY)


def interleaved(commands: dict[str, list[str]], count: int, folder: Path) -> dict[str, Figures]:
    """Each command's figures: once all to warm up, then so many rounds of all in turn."""
    samples: dict[str, list[Sample]] = {name: [] for name in commands}
    for turn in range(count + 1):
        for name, command in commands.items():
            sample = measure(command, folder)
            if turn:
                samples[name].append(sample)
    return {name: figures(each) for name, each in samples.items()}


def as_text(rows: Sequence[Row]) -> Iterator[str]:
    """The table, and what doubling the work costs."""
    bare = least(row.bare for row in rows)
    yield machine()
    yield f"a bare interpreter takes {milliseconds(bare.fastest)} ms and {mebibytes(bare.peak)} MiB"
    yield ""
    head = COLUMNS.format("scenarios x assertions of each", "saved", "min ms", "median", "x bare", "MiB", "x bare")
    peers = any(row.peer for row in rows)
    yield head + (PEER_COLUMNS.format("peer min", "of peer", "MiB", "of peer") if peers else "")
    for row in rows:
        yield line(row, bare)
    doubled = doubling(rows)
    if doubled is not None:
        yield ""
        yield f"250 scenarios take {doubled:.2f} times as long as 125 (one assertion each, saved)"


def machine() -> str:
    """What all was measured on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python} on {platform.machine()}, {os.cpu_count()} CPUs"


def least(found: Iterable[Figures]) -> Figures:
    """The figures of the fastest run."""
    return min(found, key=lambda each: each.fastest)


def line(row: Row, bare: Figures) -> str:
    """One row of the table."""
    engine, peer = row.engine, row.peer
    cells = (
        milliseconds(engine.fastest),
        milliseconds(engine.middle),
        f"{engine.fastest / bare.fastest:.1f}",
        mebibytes(engine.peak),
        f"{engine.peak / bare.peak:.1f}",
    )
    told = COLUMNS.format(row.title, "yes" if row.saved else "no", *cells)
    if peer is None:
        return told
    times = milliseconds(peer.fastest), f"{engine.fastest / peer.fastest:.3f}"
    return told + PEER_COLUMNS.format(*times, mebibytes(peer.peak), f"{engine.peak / peer.peak:.2f}")


def milliseconds(seconds: float) -> str:
    """A time."""
    return f"{seconds * 1000:,.1f}"


def mebibytes(count: int) -> str:
    """A size."""
    return f"{count / (1 << 20):.1f}"


def doubling(rows: Iterable[Row]) -> float | None:
    """How much longer twice the scenarios take, where both were measured."""
    saved = {row.name: row.engine.fastest for row in rows if row.saved}
    return saved["250"] / saved["half"] if {"250", "half"} <= saved.keys() else None


def as_json(rows: Sequence[Row]) -> str:
    """Everything measured: seconds, and bytes."""
    document = {"python": sys.version, "rows": [asdict(row) for row in rows], "doubling": doubling(rows)}
    return json.dumps(document, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(main())
