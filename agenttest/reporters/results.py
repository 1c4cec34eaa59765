"""Reports → the results of a test run in JSON, for other programs: the same for the same evidence, with no clock in it.

Results are packed as they come, so that a document of many takes little memory.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from agenttest import __version__, traces
from agenttest.jsontext import SPACED, compact, entries, inert
from agenttest.model import Json, Judged, Outcome, Scenario, Status, Suite
from agenttest.report import Ending, Report, coverage, ending, gate_document, problem_document, provenance, summary

SCHEMA = "agenttest.results/1"
QUICKLY = 1  # how zlib packs
PART = re.compile(r"[^.\[\]]+")
COUNTS = {
    "scenarios": "scenario_count",
    "passed": "passed_scenarios",
    "failed": "failed_scenarios",
    "incomplete": "incomplete_scenarios",
    "oracles": "assertion_count",
    "oraclesPassed": "passed_assertions",
    "oraclesFailed": "failed_assertions",
    "oraclesIncomplete": "incomplete_assertions",
}


def render(report: Report) -> str:
    """The results of one suite."""
    document = Document()
    document.add(report)
    return document.text(ending(report))


class Packed:
    """Keeps bytes until they are wanted, in less room than they take."""

    def __init__(self) -> None:
        self.packer, self.packed, self.count = zlib.compressobj(QUICKLY), list[bytes](), 0

    def add(self, data: bytes) -> None:
        """Keep some more."""
        self.packed.append(self.packer.compress(data))
        self.count += 1

    def pieces(self) -> Iterator[bytes]:
        """All that was kept, in order, as often as it is wanted."""
        unpacker = zlib.decompressobj()
        for piece in (*self.packed, self.packer.copy().flush()):
            yield unpacker.decompress(piece)


class Document:
    """Takes reports one by one, for one document."""

    def __init__(self) -> None:
        self.rows = Packed()
        self.counts: Counter[str] = Counter()
        self.coverage: dict[str, Counter[str]] = {}
        self.modes: set[str] = set()
        self.suites: list[dict[str, Any]] = []
        self.gates: list[dict[str, Any]] = []
        self.told: dict[str, list[dict[str, Any]]] = {"problems": [], "warnings": []}

    def add(self, report: Report) -> None:
        """Note one suite's report."""
        self.told["problems"] += map(problem_document, report.problems)
        self.gates += ({**gate_document(g), **passed(g.status), "suite": report.path} for g in report.verdict.gates)
        if report.suite is None:
            return
        self.told["warnings"] += map(problem_document, report.suite.warnings)
        self.suites.append(suite_document(report, report.suite))
        self.modes.add(report.mode)
        self.counts.update({name: summary(report)[key] for name, key in COUNTS.items()})
        for kind, found in coverage(report)["by_assertion"].items():
            self.coverage.setdefault(kind, Counter()).update(found)
        self.write(report, report.suite)

    def write(self, report: Report, suite: Suite) -> None:
        """Keep the results of a suite's scenarios."""
        files, digests = {file.path: file for file in suite.files or ()}, digests_of(suite)
        places = {each.id: number for number, each in enumerate(suite.scenarios)}
        for judged in report.scenarios:
            name, file = judged.scenario.id, files.get(judged.scenario.path or "")
            source = {
                "path": file.path if file else suite.path,
                "sha256": file.digest if file else suite.digest,
                "line": judged.scenario.line,
                "pointer": "" if file else f"/scenarios/{places[name]}/expect",
            }
            trace = traces.document(judged, digests[name])
            row = result(judged, report, file.text if file else None, trace, source)
            self.rows.add(f"{',' * bool(self.rows.count)}\n    {inert(SPACED.encode(row))}".encode())

    def text(self, ending: Ending) -> str:
        """The document."""
        return b"".join(self.pieces(ending)).decode()

    def pieces(self, ending: Ending) -> Iterator[bytes]:
        """The document bit by bit: what sums it up comes first."""
        head = [f"  {SPACED.encode(key)}: {entries(value)},\n" for key, value in self.head(ending).items()]
        yield inert("{\n" + "".join(head) + '  "results": [').encode()
        yield from self.rows.pieces()
        yield b"\n  ]\n}\n" if self.rows.count else b"]\n}\n"

    def head(self, ending: Ending) -> dict[str, Any]:
        """Everything but the scenarios' results."""
        return {
            "schema": SCHEMA,
            "tool": {"name": "agenttest", "version": __version__},
            **passed(ending.status),
            "status": str(ending.status),
            "reason": str(ending.reason),
            "exitCode": ending.status.exit_code,
            "summary": {"suites": len(self.suites), **{name: self.counts[name] for name in COUNTS}},
            "coverage": {kind: dict(found) for kind, found in sorted(self.coverage.items())},
            "provenance": {"mode": mode_of(self.modes)},
            "selection": whole_selection([suite["selection"] for suite in self.suites]),
            "suites": self.suites,
            "gates": self.gates,
            **self.told,
        }


def passed(status: Status) -> dict[str, bool]:
    """Whether a status is a pass, for readers that know no more than that."""
    return {"passed": status is Status.PASS}


def suite_document(report: Report, suite: Suite) -> dict[str, Any]:
    """One suite with what became of it."""
    return {
        "path": suite.path,
        "kind": suite.kind,
        "version": suite.version,
        "sha256": suite.digest,
        **passed(report.status),
        "status": str(report.status),
        "reason": str(report.verdict.reason),
        "mode": report.mode,
        "provenance": provenance(report),
        "selection": selection(report),
    }


def mode_of(modes: Collection[str]) -> str | None:
    """How the agent was judged in all suites together; None where nothing was judged."""
    return "mixed" if len(modes) > 1 else next(iter(modes), None)


def selection(report: Report) -> dict[str, Any] | None:
    """Which scenarios were asked for, and which were left out; None where all were judged."""
    asked = report.selection
    if asked is None:
        return None
    same = {key: asked.get(key) for key in ("asked", "tags", "risk", "partial")}
    return {**same, "minRisk": asked.get("min_risk"), "leftOut": asked.get("left_out", [])}


def whole_selection(found: Sequence[dict[str, Any] | None]) -> dict[str, Any] | None:
    """The selection of a whole call, which asks for the same in every suite."""
    given = [each for each in found if each is not None]
    return {**given[0], "leftOut": [name for each in given for name in each["leftOut"]]} if given else None


def digests_of(suite: Suite) -> Mapping[str, str]:
    """By its id the digest that a scenario's trace is named for: of its file or, in a contract, of that and the id."""
    files = {file.path: file.digest for file in suite.files or ()}
    return {each.id: files.get(each.path or "") or digest_in(suite, each.id) for each in suite.scenarios}


def digest_in(suite: Suite, name: str) -> str:
    """A digest for a scenario that has no file of its own."""
    return hashlib.sha256(f"{suite.digest}\n{suite.path}\n{name}".encode("utf-8", "surrogatepass")).hexdigest()


def result(
    judged: Judged, report: Report, text: str | None, trace: Mapping[str, Any], source: Mapping[str, Any]
) -> dict[str, Any]:
    """One scenario as it is written, what was seen in it, and what became of each oracle."""
    scenario, written = judged.scenario, report.traces.get(judged.scenario.id)
    return {
        "suite": report.path,
        "scenario": written_as(scenario, text),
        "source": source,
        "trace": trace,
        "tracePath": written.path if written else None,
        "traceSha256": written.sha256 if written else None,
        "oracleResults": [oracle(outcome, source["pointer"]) for outcome in judged.outcomes],
        "status": str(judged.status),
        **passed(judged.status),
    }


def written_as(scenario: Scenario, text: str | None) -> Any:
    """The whole scenario as the text of its file has it; one of a contract in the same form."""
    if text is not None:
        return json.loads(text.removeprefix("\ufeff"))
    oracles = [{"type": each.kind, "name": each.name, "expected": each.expected} for each in scenario.assertions]
    return {"id": scenario.id, "input": {"prompt": scenario.prompt}, "expected": {"oracles": oracles}}


def oracle(outcome: Outcome, at: str) -> dict[str, Any]:
    """One oracle's result; `pointer` leads to it in the file, `code` says that it cannot be judged as it is written."""
    asked = outcome.assertion
    found = {
        "oracleName": asked.label or (asked.kind if asked.summary is not None else asked.name),
        "type": asked.kind,
        **passed(outcome.status),
        "status": str(outcome.status),
        "message": outcome.message,
        "expected": said(asked.wanted),
        "actual": said(outcome.observed),
        "pointer": at + "".join(f"/{part}" for part in parts(asked.name)),
        "line": asked.line,
        "column": asked.column,
    }
    more = {"remedy": outcome.remedy, "code": "misconfigured" if asked.fault else None}
    return found | {key: value for key, value in more.items() if value is not None}


def said(value: Json) -> str | None:
    """A value as text."""
    return value if value is None or isinstance(value, str) else compact(value)


def parts(name: str) -> Iterator[str]:
    """The parts of an assertion's path, such as `tools`, `forbidden` and `0`."""
    yield from PART.findall(name)
