"""The results in JSON: the names that other programs read, everything that was seen, and the same each time."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agenttest.errors import Problem
from agenttest.model import Reason, Status
from agenttest.report import Ending, Report, TraceFile, ending
from agenttest.reporters.results import Document, render
from agenttest.settings import Settings
from tests import folders, projects
from tests.reporters.reports import invalid


@pytest.fixture
def harness(tmp_path: Path) -> Report:
    """A folder with a scenario that is kept, and one that is not."""
    folders.lay(
        tmp_path,
        folders.scenario("kept", risk="High", tags=["t"]),
        folders.scenario("broken", folders.scripted(folders.BROKEN), description="why"),
    )
    (found,) = projects.judge(tmp_path, folders.FOLDER, artifacts=False)[1]
    return found


def document(*reports: Report, status: Status = Status.FAIL) -> dict[str, Any]:
    found = Document()
    for each in reports:
        found.add(each)
    value: dict[str, Any] = json.loads(found.text(Ending(status, Reason.VIOLATION)))
    return value


def test_a_reader_of_scenario_harnesses_finds_its_names(harness: Report) -> None:
    found = document(harness)

    assert {"results", "gates", "passed"} <= found.keys()
    assert {"scenario", "trace", "oracleResults", "passed", "tracePath"} <= found["results"][0].keys()
    assert {"oracleName", "passed", "message", "expected", "actual"} <= found["results"][0]["oracleResults"][0].keys()
    assert {"name", "passed", "message"} <= found["gates"][0].keys()


def test_what_sums_it_up_comes_first(harness: Report) -> None:
    assert ["schema", "tool", "passed", "status", "reason", "exitCode", "summary"] == list(document(harness))[:7]


def test_the_whole_scenario_is_told_as_its_file_has_it(harness: Report) -> None:
    found = document(harness)["results"][0]

    assert folders.scenario("broken", folders.scripted(folders.BROKEN), description="why") == found["scenario"]


def test_each_oracle_says_where_it_stands(harness: Report) -> None:
    found = document(harness)["results"][0]

    assert f"{folders.FOLDER}/001.json" == found["source"]["path"]
    assert ["/expected/oracles/0", "/expected/oracles/1"] == [each["pointer"] for each in found["oracleResults"]]


def test_the_trace_is_that_of_the_trace_file(harness: Report) -> None:
    found = document(harness)["results"][1]

    assert ("kept", ["ToolCall", "FinalAnswer"]) == (
        found["trace"]["scenarioId"],
        [step["kind"] for step in found["trace"]["steps"]],
    )


def test_a_trace_that_was_written_is_named_with_its_digest(harness: Report) -> None:
    written = replace(harness, traces={"kept": TraceFile("t/kept.trace.json", "a" * 64)})

    found = [(each["tracePath"], each["traceSha256"]) for each in document(written)["results"]]

    assert [(None, None), ("t/kept.trace.json", "a" * 64)] == found


def test_statuses_and_counts_agree(harness: Report) -> None:
    found = document(harness)

    assert (False, "fail", 1) == (found["passed"], found["status"], found["exitCode"])
    assert [False, True] == [each["passed"] for each in found["results"]]
    assert (2, 1, 1, 4, 3) == tuple(
        found["summary"][key] for key in ("scenarios", "passed", "failed", "oracles", "oraclesPassed")
    )
    assert {"requested": 2, "passed": 1, "failed": 1, "incomplete": 0} == found["coverage"]["FinalAnswerContains"]


def test_an_oracle_that_cannot_be_judged_as_written_says_so(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("a", None, {"type": "ToolCalled"}))
    (found,) = projects.judge(tmp_path, folders.FOLDER, artifacts=False)[1]

    (oracle,) = document(found)["results"][0]["oracleResults"]

    assert ("misconfigured", "toolName", "missing") == (oracle["code"], oracle["expected"], oracle["actual"])


def test_a_contract_is_told_in_the_same_form(tmp_path: Path) -> None:
    projects.lay(tmp_path, greets=projects.KEPT, leaves=projects.BROKEN)
    (found,) = projects.judge(tmp_path, artifacts=False)[1]

    result = document(found)["results"][1]

    assert ("leaves", "Greet me") == (result["scenario"]["id"], result["scenario"]["input"]["prompt"])
    assert "/scenarios/1/expect/response/contains/0" == result["oracleResults"][0]["pointer"]
    assert ("hello", "good day") == (result["oracleResults"][0]["expected"], result["oracleResults"][0]["actual"])


def test_several_suites_share_one_document(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("kept"))
    projects.lay(tmp_path, greets=projects.KEPT)
    reports = projects.judge(tmp_path, folders.FOLDER, "desk.yml", artifacts=False)[1]

    found = document(*reports)

    assert [folders.FOLDER, "desk.yml"] == [each["suite"] for each in found["results"]]
    assert [folders.FOLDER, "desk.yml"] == list(dict.fromkeys(each["suite"] for each in found["gates"]))
    assert (2, "mixed") == (found["summary"]["suites"], found["provenance"]["mode"])


def test_the_selection_of_all_suites_is_told_at_the_top(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("a", tags=["x"]), folders.scenario("b"))
    (found,) = projects.judge(
        tmp_path, folders.FOLDER, artifacts=False, filters=replace(Settings(()).filters, tags=(("x",),))
    )[1]

    selection = document(found)["selection"]

    assert ([["x"]], ["b"], False) == (selection["tags"], selection["leftOut"], selection["partial"])


def test_what_could_not_begin_has_problems_and_no_results() -> None:
    report = invalid(Problem("desk.yml", 3, 1, "is wrong"))

    found = json.loads(render(report))

    assert ([], "incomplete", 2) == (found["results"], found["status"], found["exitCode"])
    assert [{"path": "desk.yml", "line": 3, "column": 1, "message": "is wrong"}] == found["problems"]


def test_a_document_can_be_written_twice(harness: Report) -> None:
    found = Document()
    found.add(harness)

    assert found.text(ending(harness)) == found.text(ending(harness))


def test_no_word_in_it_acts(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("a", folders.scripted("\u202e \x1b[31m \ud800")))
    (found,) = projects.judge(tmp_path, folders.FOLDER, artifacts=False)[1]

    assert not {"\u202e", "\x1b", "\ud800"} & set(render(found))
