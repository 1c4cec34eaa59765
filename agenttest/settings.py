"""Every knob of a run, with its default and its bounds, each written once."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from agenttest.errors import InvalidInput, Problem
from agenttest.model import NO_FILTERS, Filters, Shard
from agenttest.quote import quote

CONTRACT_BYTES = 262_144
CONTRACT_DEPTH = 32
CONTRACT_STRING = 100_000
CONTRACT_VALUES = 20_000
CONTRACT_ASSERTIONS = 250

OBSERVATIONS_BYTES = 64 * 1024 * 1024
OBSERVATIONS_DEPTH = 64 + 5  # a call's arguments may nest as deep as in a live reply, inside the file's own five levels
OBSERVATION_VALUES = 20_000  # for each scenario of the file
VALUES_WITH_PLACES = 500_000  # of a file that is not right, as places and problems take a multiple of its memory

SCENARIO_BYTES = 8 * 1024 * 1024  # of one scenario file
SCENARIO_DEPTH = 64
SCENARIO_VALUES = 200_000
SCENARIO_ORACLES = 250
TRACE_BYTES = 64 * 1024 * 1024  # of a saved trace that a scenario is judged by
TRACE_VALUES = 1_000_000

REPLY_BYTES = 2_097_152  # of a live reply, as declared, as sent and as unpacked
REPLY_DEPTH = 64
REPLY_VALUES = 50_000

REPORT_BYTES = 5_000_000  # of a version 1 contract, as the seed caps it
SCENARIOS_BYTES = 64 * 1024 * 1024  # of the report on a folder of scenarios

SHARDS = 1000

FLAG = "--{}"  # how the command line writes a name

RUN_DIRECTORY = ".agenttest/runs"
SCENARIOS = "tests/agent-scenarios"
DISCOVERED = (".agenttest/agent-test.yml", ".skylos/agent-test.yml")

REPORT_FILE = "docs/testing/test-run-report.md"
RESULTS_FILE = "artifacts/testing/test-run-results.json"
TRACES_FOLDER = "artifacts/testing/traces"
LINT = ("warn", "error")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use: scenarios (1 to 1000, or None), seconds (above 0, to 3600), reply tokens (1 to 32768)."""

    max_scenarios: int | None = None
    max_seconds: float = 300.0
    max_tokens: int = 1024

    def problems(self, flag: str = FLAG) -> Iterator[Problem]:
        """Every limit that is out of its bounds; `flag` is how a name is written, with hyphens."""
        if self.max_scenarios is not None and not 1 <= self.max_scenarios <= 1000:
            said = f"is {self.max_scenarios}; give a number from 1 to 1000"
            yield Problem(flag.format("max-scenarios"), 0, 0, said)
        if not (math.isfinite(self.max_seconds) and 0 < self.max_seconds <= 3600):
            said = f"is {self.max_seconds}; give a number above 0, at most 3600"
            yield Problem(flag.format("max-seconds"), 0, 0, said)
        if not 1 <= self.max_tokens <= 32768:
            yield Problem(flag.format("max-tokens"), 0, 0, f"is {self.max_tokens}; give a number from 1 to 32768")


@dataclass(frozen=True, slots=True)
class Live:
    """Whom a live run may ask, and how. Only the invocation says so, never a suite.

    `endpoint` is a URL as it was given; without one the contract's own is asked, where `contract_endpoint` allows that.
    `token` goes into the Authorization header. `timeout_seconds` (above 0, to 300) and `model` stand in place of the
    contract's; `concurrency` is the number of requests at a time (1 to 64); `wait_seconds` (0 to 3600), how long to
    wait until a connection to the endpoint can be made.
    """

    endpoint: str | None = None
    contract_endpoint: bool = False
    isolated: bool = False
    remote: bool = False
    token: str | None = field(default=None, repr=False)
    ca_file: str | None = None
    model: str | None = None
    timeout_seconds: float | None = None
    concurrency: int = 1
    wait_seconds: float = 0.0

    def problems(self, flag: str = FLAG) -> Iterator[Problem]:
        """Every bound that is not kept; `flag` is how a name is written, with hyphens."""
        given = self.timeout_seconds
        if given is not None and not (math.isfinite(given) and 0 < given <= 300):
            yield Problem(flag.format("timeout-seconds"), 0, 0, f"is {given}; give a number above 0, at most 300")
        if not 1 <= self.concurrency <= 64:
            yield Problem(flag.format("concurrency"), 0, 0, f"is {self.concurrency}; give a number from 1 to 64")
        if not (math.isfinite(self.wait_seconds) and 0 <= self.wait_seconds <= 3600):
            said = f"is {self.wait_seconds}; give a number from 0 to 3600"
            yield Problem(flag.format("wait-for-endpoint"), 0, 0, said)


@dataclass(frozen=True, slots=True)
class Settings:
    """One call: what to judge, with which observations, and what to leave behind. Paths are as they were given."""

    suites: tuple[str, ...]
    observations: str | None = None
    scenarios: tuple[str, ...] = ()
    filters: Filters = NO_FILTERS
    strict: bool = False
    lint: str = "warn"
    limits: Limits = field(default_factory=Limits)
    artifacts: bool = True
    run_directory: str = RUN_DIRECTORY
    views: tuple[str, ...] = ()
    shard: Shard | None = None
    live: Live | None = None
    run_name: str | None = (
        None  # of the new folder in run_directory, which may then be empty for the root; None makes one up
    )


def shard(given: str, name: str = "--shard") -> Shard | None:
    """The part that is asked for, such as `2/3`; the one part of one is the whole. `name` is what it was given as."""
    found = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", given.strip())
    index, count = map(int, found.groups()) if found else (0, 0)
    if not 1 <= index <= count <= SHARDS:
        said = f"is {quote(given)}; give the part and how many there are, from 1/1 to {SHARDS}/{SHARDS}, such as 2/3"
        raise InvalidInput(Problem(name, 0, 0, said))
    return Shard(index, count) if count > 1 else None
