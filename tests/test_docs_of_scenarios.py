"""The page on scenario files: every example comes out as shown; every key, oracle, gate and flag is there, no other."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from agenttest import evaluate, settings
from agenttest.assertions.oracles import ORACLES
from agenttest.cli import parser
from agenttest.documents import schema
from agenttest.evidence import TRACED
from agenttest.files import Project, size
from agenttest.gates import GATES, HARNESS, Asked, Policy
from agenttest.model import EXECUTORS, Filters, Status, SuiteFile
from agenttest.report import Report
from agenttest.reporters import github
from agenttest.run import run
from agenttest.settings import Settings
from agenttest.sources import scripted
from agenttest.suites import harness
from agenttest.suites.harness import lint
from tests import session
from tests.markdown import CODE, ROOT, blocks, settle, table, tables, text_of

PAGE = "docs/scenarios.md"
FILES = session.COMMENTED.findall(text_of(PAGE))
OF = {  # the head of a table of keys: what the schema calls the object
    "key of a file": "scenario",
    "key of a trace": "trace",
    "key of `input`": "input",
    "key of `input.capture`": "capture",
    "key of `input.replay`": "replay",
    "key of `expected`": "expected",
    "key of a step": "step",
    "key of `toolCall`": "tool_call",
    "key of `toolResult`": "tool_result",
    "key of `stateChange`": "state_change",
    "key of `approval`": "approval",
    "key of an oracle": "oracle",
}
WORDS = {"string": "a text", "boolean": "true or false", "integer": "a whole number", "object": "an object"}
LONG = 90  # characters of a value's description, beyond which the page says it elsewhere


def keys_of(name: str) -> Iterator[tuple[str, str, str]]:
    """The rows on a schema, or on an object of that of scenarios: each key, what it takes, what it means."""
    found = schema.load(name if name in schema.SCHEMAS else "scenario")
    part = found if name in schema.SCHEMAS else found["$defs"][name]
    for key, inner in part["properties"].items():
        needed = "; required" if key in part.get("required", ()) else ""
        yield f"`{key}`", taken(inner, found) + needed, inner["description"]


def taken(part: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """What a key takes, in words."""
    target = root["$defs"].get(part["$ref"].rpartition("/")[2], {}) if "$ref" in part else {}
    said = part.get("$comment") or target.get("$comment") or word(part.get("type") or target.get("type"))
    return str(said) if len(str(said)) < LONG else "one of [the types](#oracles)"


def word(kinds: Any) -> str:
    """The name of a type, one that may be null too."""
    return WORDS[kinds[0] if isinstance(kinds, list) else kinds]


@pytest.mark.parametrize("head", OF)
def test_the_page_lists_the_keys_of_the_schema_in_its_words(head: str) -> None:
    shown = table(PAGE, head, "value", "meaning").rows

    settle(PAGE, written(shown), written(keys_of(OF[head])))


def written(rows: Any) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def test_there_is_a_table_for_every_object_of_the_schema() -> None:
    objects = {name for name, part in schema.load("scenario")["$defs"].items() if "properties" in part}

    assert {"scenario", "trace", *objects} == set(OF.values())


def test_the_page_lists_the_oracles_with_their_parameters_and_channels() -> None:
    rows = table(PAGE, "type", "parameters", "channel").rows

    documented = {CODE.findall(row[0])[0]: (tuple(CODE.findall(row[1])), row[2]) for row in rows}
    assert {kind: ((*o.needs, *o.reads), o.row.channel) for kind, o in ORACLES.items()} == documented


@dataclass(frozen=True, slots=True)
class Example:
    """An oracle, evidence, and what the page says comes out of them."""

    place: str
    oracle: dict[str, Any]
    evidence: dict[str, Any]
    said: str = ""

    @property
    def kind(self) -> str:
        """The oracle's type."""
        return str(self.oracle["type"])


def examples() -> list[Example]:
    """Each block of evidence belongs to the oracle above it, each text to what stands above it."""
    oracle: dict[str, Any] = {}
    found: list[Example] = []
    for block in blocks(PAGE):
        value = json.loads(block.text) if block.language == "json" else {}
        if "type" in value:
            oracle = value
        elif oracle and value.keys() and value.keys() <= schema.load("scenario")["$defs"]["input"]["properties"].keys():
            found.append(Example(block.place, oracle, value))
        elif block.language == "text":
            found[-1] = replace(found[-1], said=block.text)
    return found


EXAMPLES = examples()


def outcome(example: Example) -> str:
    """What comes of an example, as the page writes it; of a pass, only what speaks for it."""
    whole = {
        "id": "example",
        "input": {"prompt": "An example.", **example.evidence},
        "expected": {"oracles": [example.oracle]},
    }
    suite = harness.read("example", (SuiteFile("example.json", json.dumps(whole)),))
    assert () == suite.problems
    (scenario,) = suite.scenarios
    (found,) = evaluate.judge(scenario, scripted.observation(scenario)).outcomes
    said = f"{found.status}: {found.message}\n"
    more = f"expected: {found.assertion.wanted}\nactual: {found.observed}\n"
    return said if found.status is Status.PASS else said + more


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e.kind}-{n}" for n, e in enumerate(EXAMPLES)])
def test_an_example_comes_out_as_the_page_says(example: Example) -> None:
    settle(PAGE, f"```text\n{example.said}```", f"```text\n{outcome(example)}```")


def test_every_oracle_has_an_example_that_passes_and_one_that_does_not() -> None:
    shown = {(example.kind, example.said.partition(":")[0]) for example in EXAMPLES}

    assert {(kind, status) for kind in ORACLES for status in ("pass", "fail")} <= shown


def test_every_key_stands_in_an_example() -> None:
    shown = [json.loads(block.text) for block in blocks(PAGE) if block.language == "json"]
    used = {name for value in shown for name in names(value)}

    known = {CODE.findall(row[0])[0] for name in OF.values() if name != "trace" for row in keys_of(name)}
    assert set() == known - used


def names(value: Any) -> Iterator[str]:
    """Every key in a value, at any depth."""
    for inner in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from names(inner)
    yield from value if isinstance(value, dict) else ()


@pytest.mark.parametrize(("name", "text"), FILES)
def test_a_file_of_the_page_is_valid(name: str, text: str) -> None:
    suite = harness.read("page", (SuiteFile(name, text),))

    assert ((), 1) == (suite.problems, len(suite.scenarios))


def test_the_page_says_what_a_partial_kind_of_evidence_leaves_open() -> None:
    rows = table(PAGE, "`capture`", "where it is partial, these cannot be decided").rows
    hit = {
        kind: [f"`{name}`" for name, oracle in ORACLES.items() if oracle.row.channel in channels]
        for kind, channels in TRACED.items()
    }

    settle(PAGE, written(rows), written((f"`{kind}`", ", ".join(found)) for kind, found in hit.items()))


def test_the_page_lists_the_executors() -> None:
    assert [*EXECUTORS] == table(PAGE, "executor", "the evidence").first_column()


def test_the_page_lists_the_gates_in_their_order() -> None:
    policy = Policy(HARNESS, asked=Asked(("*",), Filters(), strict=True, lint="error"))
    found = [rule.decide((), policy).name for rule in GATES[HARNESS] if rule.asked(policy)]

    assert found == table(PAGE, "gate", "asked").first_column()


SAID = {"input": {"prompt": "p", "scriptedFinalAnswer": "done"}}
DONE, ELSE = {"type": "FinalAnswerContains", "text": "done"}, {"type": "FinalAnswerContains", "text": "else"}
OPEN = {"input": {"prompt": "p", "executor": "nobody"}, "expected": {"oracles": [DONE]}}
KEPT, BROKEN = SAID | {"expected": {"oracles": [DONE]}}, SAID | {"expected": {"oracles": [ELSE]}}
REQUIRED = {"requiredForGates": True, "oracles": [ELSE]}
ONE = Settings(("s",), scenarios=("a",), artifacts=False)
GATED: list[tuple[str, str, dict[str, Any], Settings]] = [
    ("scenario-discovery", "fail", {}, ONE),
    ("scenario-discovery", "incomplete", {"a": {"input": 1}}, replace(ONE, scenarios=())),
    ("explicit-oracles", "fail", {"a": SAID | {"expected": {}}}, ONE),
    ("high-risk-pass", "fail", {"a": BROKEN | {"risk": "Critical"}}, ONE),
    ("high-risk-pass", "incomplete", {"a": OPEN | {"risk": "High"}}, ONE),
    ("required-scenarios-pass", "fail", {"a": SAID | {"expected": REQUIRED}}, ONE),
    ("required-scenarios-pass", "incomplete", {"a": OPEN | {"expected": REQUIRED}}, ONE),
    ("trace-presence", "fail", {"a": {"input": {"prompt": "p"}, "expected": {"oracles": [DONE]}}}, ONE),
    ("evidence-complete", "incomplete", {"a": OPEN}, ONE),
    ("selection-complete", "incomplete", {"a": KEPT, "b": KEPT | {"risk": "High"}}, ONE),
    ("all-scenarios-pass", "fail", {"a": BROKEN}, replace(ONE, strict=True)),
    ("no-shallow-scenario", "fail", {"a": KEPT | {"input": {"prompt": ""}}}, replace(ONE, lint="error")),
]


@pytest.mark.parametrize(
    ("gate", "status", "files", "asked"), GATED, ids=[f"{gate}-{status}" for gate, status, *_ in GATED]
)
def test_a_gate_fails_or_is_incomplete_as_the_page_says(
    gate: str, status: str, files: dict[str, Any], asked: Settings, tmp_path: Path
) -> None:
    (tmp_path / "s").mkdir()
    for name, value in files.items():
        (tmp_path / f"s/{name}.json").write_text(json.dumps({"id": name, **value}))

    report = judged(tmp_path, asked)

    assert status == {each.name: each.status for each in report.verdict.gates}[gate]


def judged(folder: Path, asked: Settings) -> Report:
    """The report of a run in a folder."""
    shown: list[Report] = []
    run(Project.at(folder), asked, shown.append)
    (report,) = shown
    return report


def test_the_page_says_of_every_gate_what_becomes_of_it() -> None:
    said = {
        (name, status)
        for row in table(PAGE, "gate", "asked", "fails when", "incomplete when").rows
        for name in CODE.findall(row[0])
        for status, cell in zip(("fail", "incomplete"), row[2:], strict=True)
        if cell
    }

    assert {(gate, status) for gate, status, *_ in GATED} == said


HIGH, SHALLOW = BROKEN | {"risk": "High"}, KEPT | {"input": {"prompt": "", "scriptedFinalAnswer": "done"}}
ANNOTATED: list[tuple[str, dict[str, Any], Settings]] = [
    ("a failing scenario of high or critical risk", HIGH, ONE),
    ("a failing scenario with `requiredForGates`", SAID | {"expected": REQUIRED}, ONE),
    ("any other failing scenario, which fails no gate", BROKEN, ONE),
    ("the same with `strict: true`", BROKEN, replace(ONE, strict=True)),
    ("an oracle that cannot be decided", OPEN, ONE),
    ("a file that is not valid", {"input": 1}, replace(ONE, scenarios=())),
    ("a shallow scenario", SHALLOW, ONE),
    ("the same with `lint: error`", SHALLOW, replace(ONE, lint="error")),
]


@pytest.mark.parametrize(("what", "value", "asked"), ANNOTATED, ids=[what for what, *_ in ANNOTATED])
def test_an_annotation_is_as_grave_as_the_page_says(
    what: str, value: dict[str, Any], asked: Settings, tmp_path: Path
) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s/a.json").write_text(json.dumps({"id": "a", **value}))

    shown = github.render(judged(tmp_path, asked))

    said = dict(table(PAGE, "what", "is annotated as").rows)
    assert said[what].split()[-1] == re.search(r"^::(\w+) file=s/a\.json,", shown, re.M)[1]  # type: ignore[index]


def test_every_annotation_of_the_page_is_tested() -> None:
    assert [what for what, *_ in ANNOTATED] == [row[0] for row in table(PAGE, "what", "is annotated as").rows]


def test_the_exit_codes_are_those_of_the_statuses() -> None:
    rows = table(PAGE, "exit", "status", "when").rows

    assert {str(status.exit_code): f"`{status}`" for status in Status} == {row[0]: row[1] for row in rows}


def test_the_flags_of_the_page_are_those_of_the_command() -> None:
    (choices,) = (action.choices for action in parser()._actions if action.dest == "command")
    assert isinstance(choices, dict)
    told = choices["test"].format_help()
    shown = [*table(PAGE, "flag", "judges only scenarios").rows, *table(PAGE, "flag", "writes", "without a value").rows]

    assert [] == [row[0] for row in shown if not re.search(rf"{re.split(r'[ =[`]', row[0][1:])[0]}\b", told)]


def test_the_default_places_are_those_of_the_code() -> None:
    rows = table(PAGE, "flag", "writes", "without a value").rows

    assert [settings.REPORT_FILE, settings.RESULTS_FILE, settings.TRACES_FOLDER] == [row[2].strip("`") for row in rows]


STEP = re.compile(r"(\w+)|\[(\d+)\]")


def changed(value: Any, paths: list[str], becomes: str) -> Any:
    """A copy of a value in which each path has another value; where the cell says that it goes, none."""
    found = json.loads(json.dumps(value))
    for path, new in zip(paths, CODE.findall(becomes) or ["goes"], strict=True):
        *above, last = [key or int(index) for key, index in STEP.findall(path)]
        part = found
        for key in above:
            part = part[key]
        if becomes == "goes":
            del part[last]
        else:
            part[last] = json.loads(new)
    return found


LINTED = table(PAGE, "of [the first file](#a-first-scenario)", "becomes").rows


@pytest.mark.parametrize("row", LINTED, ids=lambda row: row[0])
def test_a_shallow_scenario_is_told_as_the_page_says(row: tuple[str, ...]) -> None:
    first = json.loads(FILES[0][1])
    value = changed(first, CODE.findall(row[0]), row[1])

    suite = harness.read("page", (SuiteFile("a.json", json.dumps(value)),))

    assert () == suite.problems
    settle(PAGE, written([row]), written([(*row[:2], coded(warning.message for warning in suite.warnings))]))


def coded(messages: Iterable[str]) -> str:
    """Messages as a cell, each once."""
    return ", ".join(f"`{message}`" for message in dict.fromkeys(messages))


def test_every_rule_on_shallow_scenarios_has_a_row() -> None:
    told = {row[2] for row in LINTED}

    assert len([*lint.RULES, *lint.RULES_OF_ORACLES]) == len(told)


@dataclass(frozen=True, slots=True)
class Break:
    """A change of a starter, as a row of the page, without what comes out."""

    file: str
    row: tuple[str, ...]


BREAKS = [
    Break(name, row)
    for table_of in tables(PAGE)
    for name in CODE.findall(table_of.head[0])
    for row in (table_of.rows if table_of.head[1:3] == ("becomes", "what is told") else ())
]


@pytest.fixture(scope="module")
def starters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `agenttest init scenarios` was run."""
    folder = tmp_path_factory.mktemp("starters")
    command = [sys.executable, "-m", "agenttest", "init", "scenarios"]
    subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
    return folder


def broken(each: Break, starters: Path, folder: Path, *, strict: bool = False) -> Report:
    """The report on the starters with one of them changed."""
    shutil.copytree(starters, folder, dirs_exist_ok=True)
    path = folder / settings.SCENARIOS / each.file
    value = changed(json.loads(path.read_text()), CODE.findall(each.row[0]), each.row[1])
    path.write_text(json.dumps(value))
    return judged(folder, Settings((settings.SCENARIOS,), artifacts=False, strict=strict))


@pytest.mark.parametrize("each", BREAKS, ids=lambda each: f"{each.file}-{each.row[0].strip('`')}-{each.row[1]}")
def test_a_starter_breaks_as_the_page_says(each: Break, starters: Path, tmp_path: Path) -> None:
    report = broken(each, starters, tmp_path)
    strict = broken(each, starters, tmp_path, strict=True)

    said = [outcome.message for outcome in report.outcomes if outcome.status is not Status.PASS]
    gates = [f"`{gate.name}` {gate.status}" for gate in report.verdict.gates if gate.status is not Status.PASS]
    came = (
        coded([*said, *(problem.message for problem in report.problems)]),
        ", ".join(gates) or "none",
        str(report.status.exit_code),
        str(strict.status.exit_code),
    )
    settle(PAGE, written([each.row]), written([(*each.row[:2], *came)]))


def test_the_starters_pass_as_they_are(starters: Path) -> None:
    report = judged(starters, Settings((settings.SCENARIOS,), artifacts=False, strict=True, lint="error"))

    assert [] == [gate for gate in report.verdict.gates if gate.status is not Status.PASS]


def test_every_oracle_of_every_starter_is_broken_by_a_row(starters: Path, tmp_path: Path) -> None:
    hit: set[tuple[str, str]] = set()
    for number, each in enumerate(BREAKS):
        for found in broken(each, starters, tmp_path / str(number)).scenarios:
            hit |= {(each.file, o.assertion.name) for o in found.outcomes if o.status is Status.FAIL}

    files = {path.name: json.loads(path.read_text()) for path in (starters / settings.SCENARIOS).iterdir()}
    there = {
        (name, f"expected.oracles[{index}]")
        for name, value in files.items()
        for index in range(len(value["expected"]["oracles"]))
    }
    assert set() == there - hit


def test_the_pages_bounds_are_those_of_the_code() -> None:
    bounds = {
        "size": size(settings.SCENARIO_BYTES),
        "nesting": f"{settings.SCENARIO_DEPTH} levels",
        "values, keys counted": f"{settings.SCENARIO_VALUES:,}",
        "oracles": str(schema.load("scenario")["$defs"]["expected"]["properties"]["oracles"]["maxItems"]),
    }

    assert bounds == {row[0]: row[1] for row in table(PAGE, "of a scenario file", "at most").rows}
    assert f"may have {size(settings.TRACE_BYTES)} and {settings.TRACE_VALUES:,} values" in text_of(PAGE)


def test_the_console_of_the_page_shows_what_really_happens(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "desk/examples")

    session.check(PAGE, tmp_path / "desk")
