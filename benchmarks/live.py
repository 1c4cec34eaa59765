"""Live runs, timed and weighed → a table of ratios to the time that the agent itself takes and, if named, to a peer.

    make bench                                              after the other tables, the engine alone
    .venv/bin/python benchmarks/live.py --peer 'CMD'        beside another command that asks one after another

The agent is a process of its own on loopback. Runs are interleaved, and ratios are of the fastest, as in run.py.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from agent import serving
from inputs import Case, block, contract
from measure import Figures, NotMeasured
from run import installed, interleaved, machine, mebibytes, words

ROUNDS = 3
CONTRACT = "live.yml"
BARS = {16: 1.25, 1: 1.05}  # requests at a time, and how many times the agent's own time the run may take
COLUMNS = "{:<42}{:>10}{:>9}{:>9}{:>9}{:>9}{:>7}{:>8}"
PEER_COLUMNS = "{:>11}{:>9}{:>8}{:>9}"


@dataclass(frozen=True, slots=True)
class Job:
    """So many scenarios of one assertion each, asked of an agent whose replies take so long and are so large."""

    name: str
    scenarios: int
    seconds: float
    size: int = 1000
    barred: bool = False

    @property
    def title(self) -> str:
        """The job in words."""
        late = f"{self.seconds * 1000:.0f} ms" if self.seconds else "no time"
        return f"{self.scenarios} scenarios, {late} and {self.size / 1000:.0f} kB each"

    def ideal(self, concurrency: int) -> float:
        """The seconds that the agent takes for all."""
        return math.ceil(self.scenarios / concurrency) * self.seconds


JOBS = (
    Job("4", 4, 0.01),  # hardly more than starting up
    Job("25", 25, 0.1),
    Job("200", 200, 0.1, barred=True),
    Job("large", 250, 0.0, size=100_000),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One job at one concurrency; `peer` where one was measured, which asks for one scenario after another."""

    name: str
    title: str
    concurrency: int
    ideal: float
    bar: float | None
    engine: Figures
    peer: Figures | None


def main() -> int:
    """Measure the jobs asked for; exit 0, or 1 where one could not be measured."""
    options = parser().parse_args()
    rows: list[Row] = []
    try:
        for job in JOBS:
            if options.only in (None, job.name):
                rows += measure_job(job, options)
    except NotMeasured as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return 1
    sys.stdout.write(as_json(rows) if options.json else "".join(f"{line}\n" for line in as_text(rows)))
    return 0


def parser() -> argparse.ArgumentParser:
    """The flags."""
    flags = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    flags.add_argument("--engine", metavar="CMD", default=installed(), type=words, help="the agenttest to measure")
    flags.add_argument("--peer", metavar="CMD", type=words, help="takes CONTRACT --endpoint URL in the same way")
    flags.add_argument("--rounds", metavar="N", type=int, default=ROUNDS, help=f"of each command (default: {ROUNDS})")
    flags.add_argument("--only", choices=[job.name for job in JOBS], help="this job alone")
    flags.add_argument("--json", action="store_true", help="print everything that was measured as JSON")
    return flags


def measure_job(job: Job, options: argparse.Namespace) -> Iterator[Row]:
    """The rows of a job, all asking one agent."""
    with TemporaryDirectory() as folder, serving(job.seconds, job.size) as url:
        Path(folder, CONTRACT).write_text("\n".join(block(contract(Case(job.name, job.scenarios, 1), "live"))) + "\n")
        asked = [CONTRACT, "--endpoint", url, "--max-scenarios", "1000", "--max-seconds", "3600"]
        commands = {str(many): [*options.engine, "test", *asked, "--concurrency", str(many)] for many in BARS}
        if options.peer:
            commands["peer"] = [*options.peer, *asked]
        found = interleaved(commands, options.rounds, Path(folder))
    for many, bar in BARS.items():
        limit = bar if job.barred else None
        yield Row(job.name, job.title, many, job.ideal(many), limit, found[str(many)], found.get("peer"))


def as_text(rows: Sequence[Row]) -> Iterator[str]:
    """The table, and how memory grows."""
    yield machine()
    yield ""
    head = COLUMNS.format("a live run", "at a time", "ideal s", "min s", "median", "x ideal", "bar", "MiB")
    peers = any(row.peer for row in rows)
    yield head + (PEER_COLUMNS.format("peer min s", "of peer", "MiB", "of peer") if peers else "")
    yield from map(line, rows)
    yield ""
    for many in BARS:
        grown = growth(rows, many)
        if grown is not None:
            yield f"200 scenarios, {many} at a time, take {grown:.2f} times the memory of 25"


def line(row: Row) -> str:
    """One row of the table."""
    engine, peer = row.engine, row.peer
    cells = (
        f"{row.ideal:.2f}" if row.ideal else "-",
        f"{engine.fastest:.2f}",
        f"{engine.middle:.2f}",
        f"{engine.fastest / row.ideal:.2f}" if row.ideal else "-",
        row.bar or "-",
        mebibytes(engine.peak),
    )
    told = COLUMNS.format(row.title, row.concurrency, *cells)
    if peer is None:
        return told
    times = f"{peer.fastest:.2f}", f"{engine.fastest / peer.fastest:.3f}"
    return told + PEER_COLUMNS.format(*times, mebibytes(peer.peak), f"{engine.peak / peer.peak:.2f}")


def growth(rows: Sequence[Row], concurrency: int) -> float | None:
    """How much more memory eight times the scenarios take, where both were measured."""
    peaks = {row.name: row.engine.peak for row in rows if row.concurrency == concurrency}
    return peaks["200"] / peaks["25"] if {"200", "25"} <= peaks.keys() else None


def as_json(rows: Sequence[Row]) -> str:
    """Everything measured: seconds, and bytes."""
    grown = {str(many): growth(rows, many) for many in BARS}
    return json.dumps({"python": sys.version, "rows": [asdict(row) for row in rows], "growth": grown}, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(main())
