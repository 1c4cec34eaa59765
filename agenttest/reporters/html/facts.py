"""`Report` → the facts at the end of its page: what was judged and by what, with the digests that prove it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agenttest import __version__
from agenttest.model import Endpoint, Provenance
from agenttest.quote import clip
from agenttest.report import FILES, Ending, Report
from agenttest.reporters.html.scenario import NAME
from agenttest.reporters.origin import MODES, TRUST, exchanges, limits, named, redacted, token, ways
from agenttest.reporters.standing import tells_gates


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to know of the run: its name, its value as it is written, and what that means."""

    name: str
    value: str = ""
    note: str = ""


def facts(report: Report) -> Iterator[Fact]:
    """What was judged and by what, with the digests that prove it."""
    if report.suite is not None:
        yield Fact("Scenario files" if tells_gates(report) else "Contract", report.path)
        yield Fact("its SHA-256", report.suite.digest, "of a line for each file" if report.suite.files else "")
        yield Fact("Scenarios", note=selection(report))
    if report.provenance is not None:
        came = report.provenance
        if came.mode in MODES:
            yield Fact("Evidence", came.mode, ", ".join(ways(report.scenarios)))
        if came.endpoint:
            yield from live_facts(report, came.endpoint)
        elif came.mode not in MODES:
            yield from recorded_facts(came)
        yield Fact("Trust", came.trust, TRUST.get(came.trust, ""))
    if redacted(report.scenarios):
        yield Fact("Redacted", note=redacted(report.scenarios))
    yield Fact("Verdict", f"{report.status} ({report.verdict.reason}), exit code {report.status.exit_code}")
    if report.verdict.unheld and not tells_gates(report):
        yield Fact("Gates not held", ", ".join(report.verdict.unheld))
    if report.evidence_digest:
        yield Fact("Evidence digest", report.evidence_digest, "the same files judged again have the same digest")
    yield from run_facts(report)
    yield Fact("Tool", f"agenttest {__version__}")


def recorded_facts(came: Provenance) -> Iterator[Fact]:
    """Which recording was judged."""
    yield Fact("Observations", came.path)
    yield Fact("their SHA-256", came.source_digest)


def live_facts(report: Report, asked: Endpoint) -> Iterator[Fact]:
    """Which agent was asked, by whose word and how, and what the exchanges were."""
    yield Fact("Endpoint", asked.kind, f"{named(asked)}; {token(asked)}")
    yield Fact("its fingerprint", asked.fingerprint, "the SHA-256 of its address, which is not kept")
    yield Fact("Model", clip(asked.model, NAME))
    yield Fact("Exchanges", note="; ".join(filter(None, (exchanges(report.scenarios), limits(asked)))))


def selection(report: Report) -> str:
    """How many of the suite's scenarios were judged."""
    count, whole = len(report.scenarios), len(report.suite.scenarios) if report.suite else 0
    part = f"; shard {report.shard}" if report.shard else ""
    if tells_gates(report):
        return f"all {whole:,} of the files" if count == whole > 1 else f"{count:,} of {whole:,}{part}"
    return f"all {whole:,} of the contract" if count == whole > 1 else f"{count:,} of the contract's {whole:,}{part}"


def run_facts(report: Report) -> Iterator[Fact]:
    """Where the run is saved, and what is known of it there."""
    if report.directory:
        yield Fact("Run directory", report.directory)
    else:
        yield Fact("Run directory", note="none: this run is not saved")
    if "started_at" in report.harness:
        took = f"in {report.harness['duration_ms']} ms" if "duration_ms" in report.harness else ""
        yield Fact("Run at", str(report.harness["started_at"]), took)
    if not report.observations_kept:
        said = f"too large for {FILES['behavior_results']}; {FILES['events']} holds each of them"
        yield Fact("Observations left out", note=said)


def ending_facts(ending: Ending) -> Iterator[Fact]:
    """What is known of a run of several suites."""
    yield Fact("Verdict", f"{ending.status} ({ending.reason}), exit code {ending.status.exit_code}")
    if ending.evidence_digest:
        yield Fact("Evidence digest", ending.evidence_digest, "made of the digests of all suites, in order")
    yield Fact("Run directory", ending.directory or "", "" if ending.directory else "none: this run is not saved")
    yield Fact("Tool", f"agenttest {__version__}")
