"""The SARIF log: a run for each suite, problems as notifications, and bounds that are kept."""

import json
import re
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import Problem
from agenttest.model import Gate, Reason, Shard, Status, Verdict
from agenttest.quote import UNSEEN
from agenttest.report import Ending, Report
from agenttest.report import invalid as refused
from agenttest.reporters import sarif
from agenttest.reporters.sarif import Log, render
from tests import nouns
from tests.github import hostile
from tests.github.runner_grammar import commands
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report
from tests.reporters.reports import hostile as hostile_reports

ENDING = Ending(Status.FAIL, Reason.VIOLATION, None, "e" * 64)
LINK = re.compile(r"(?<!\\)(?:\\\\)*\[(?:\\.|[^\]\\])*\]\(([^)]*)\)")


def runs(*reports: Report) -> list[dict[str, Any]]:
    log = Log()
    for each in reports:
        log.add(each)
    found: list[dict[str, Any]] = json.loads(log.text(ENDING))["runs"]
    return found


def run(found: Report) -> dict[str, Any]:
    (only,) = json.loads(render(found))["runs"]
    return dict(only)


def told(found: dict[str, Any], key: str) -> list[str]:
    return [each["message"]["text"] for each in found["invocations"][0][key]]


def categories(found: list[dict[str, Any]]) -> list[str]:
    return [each["automationDetails"]["id"] for each in found]


def test_a_log_says_what_it_is() -> None:
    found = json.loads(render(alike(FAIL, 1)))

    assert ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json") == (found["version"], found["$schema"])


def test_a_result_leads_to_its_rule() -> None:
    found = run(report(judged("a", outcome(FAIL, kind="tool_max_calls"))))
    result = found["results"][0]

    assert result["ruleId"] == found["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "tool_max_calls"


def test_columns_are_counted_in_characters() -> None:
    assert "unicodeCodePoints" == run(alike(FAIL, 1))["columnKind"]


def test_each_suite_has_a_run_of_its_own() -> None:
    found = runs(report(judged("a", outcome(FAIL)), path="a/b.yml"), alike(FAIL, 2))

    assert [("agent-test/a/b.yml/", 1), ("agent-test/desk.yml/", 2)] == [
        (each["automationDetails"]["id"], len(each["results"])) for each in found
    ]


def test_a_shard_is_told_from_its_suites_others() -> None:
    shards = [replace(alike(FAIL, 1), shard=Shard(index, 3)) for index in (2, 3)]

    assert ["agent-test/desk.yml/2of3/", "agent-test/desk.yml/3of3/"] == categories(runs(*shards))


def test_what_belongs_to_no_suite_is_one_run() -> None:
    found = runs(alike(PASS, 1), invalid(Problem("", 0, 0, "x"), path=""), invalid(Problem("", 0, 0, "y"), path=""))

    assert ["agent-test/desk.yml/", "agent-test/"] == categories(found)
    assert ["x.", "y."] == told(found[1], "toolConfigurationNotifications")


def test_so_many_suites_as_github_takes_have_runs_of_their_own() -> None:
    assert 20 == len(runs(*(report(judged("a", outcome(FAIL)), path=f"{n}.yml") for n in range(20))))


def test_more_suites_are_one_run() -> None:
    (found,) = runs(*(report(judged("a", outcome(FAIL)), path=f"{n}.yml") for n in range(25)))

    assert ("agent-test/", 25) == (found["automationDetails"]["id"], len(found["results"]))
    assert {"evidenceDigest": "e" * 64} == found["properties"]


def test_more_suites_of_a_shard_are_one_run_of_that_shard() -> None:
    (found,) = runs(*(replace(report(path=f"{n}.yml"), shard=Shard(1, 2)) for n in range(25)))

    assert "agent-test/1of2/" == found["automationDetails"]["id"]


def test_no_more_results_are_kept_than_are_shown_violations_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST", 5)

    first, second = runs(alike(INCOMPLETE, 4), report(*alike(FAIL, 4).scenarios, path="other.yml"))

    assert (1, 4) == (len(first["results"]), len(second["results"]))
    assert ["3 more results are left out; they stand in the run directory."] == told(
        first, "toolExecutionNotifications"
    )
    assert [] == told(second, "toolExecutionNotifications")


def test_no_more_texts_of_results_are_held_than_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST", 5)
    log = Log()

    for _ in range(3):
        log.add(alike(FAIL, 5))

    assert 5 == sum(map(len, log.kept.values()))


def test_a_run_that_judged_was_successful_whatever_it_found() -> None:
    assert [True, True, True] == [
        run(alike(status, 1))["invocations"][0]["executionSuccessful"] for status in (PASS, FAIL, INCOMPLETE)
    ]


def test_a_suite_that_could_not_begin_was_not_successful() -> None:
    (found,) = run(invalid(Problem("desk.yml", 3, 4, "x")))["invocations"]

    assert (False, 2) == (found["executionSuccessful"], found["exitCode"])


def test_a_problem_with_the_input_is_a_notification_at_its_place() -> None:
    (found,) = run(invalid(Problem("desk.yml", 3, 4, "x")))["invocations"][0]["toolConfigurationNotifications"]

    assert ("desk.yml:3:4: x.", "error", "invalid-input") == (
        found["message"]["text"],
        found["level"],
        found["descriptor"]["id"],
    )
    assert {"startLine": 3, "startColumn": 4} == found["locations"][0]["physicalLocation"]["region"]


def test_a_problem_that_is_in_no_file_has_no_location() -> None:
    (found,) = run(invalid(Problem("--max-seconds", 0, 0, "is 0")))["invocations"][0]["toolConfigurationNotifications"]

    assert "locations" not in found


@pytest.mark.parametrize("reason", [Reason.INTERRUPTED, Reason.INTERNAL, Reason.NOT_SAVED])
def test_a_problem_of_the_run_itself_is_a_notification_of_its_execution(reason: Reason) -> None:
    found = run(refused("desk.yml", [Problem("", 0, 0, "x")], reason))

    assert ([], ["x."]) == (
        told(found, "toolConfigurationNotifications"),
        told(found, "toolExecutionNotifications"),
    )


def test_what_could_not_be_saved_is_told() -> None:
    unsaved = replace(report(judged("a", outcome(PASS))), problems=(Problem("runs", 0, 0, "full"),))

    (found,) = run(unsaved)["invocations"][0]["toolExecutionNotifications"]

    assert ("not-saved", "runs: full.") == (found["descriptor"]["id"], found["message"]["text"])


def test_a_verdict_that_no_result_explains_is_told() -> None:
    unexplained = replace(alike(PASS, 1), verdict=Verdict(FAIL, Reason.VIOLATION, (Gate("discovery", FAIL),)))

    assert ["The suite is fail: violation, gates that do not hold: discovery."] == told(
        run(unexplained), "toolExecutionNotifications"
    )


def test_many_problems_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_NOTICES", 2)

    found = told(run(invalid(*(Problem("a.yml", n, 0, "x") for n in range(1, 6)))), "toolConfigurationNotifications")

    assert ["a.yml:1: x.", "a.yml:2: x.", "3 more problems like these; they stand in the report."] == found


def test_the_evidence_can_be_found_and_checked() -> None:
    found = run(replace(alike(FAIL, 1), evidence_digest="f" * 64))

    assert {
        "evidenceDigest": "f" * 64,
        "runDirectory": "agent-test-runs/1",
        "status": "fail",
        "reason": "violation",
    } == found["properties"]
    assert {"desk.yml": "5" * 64, "desk.observations.json": "a" * 64} == {
        each["location"]["uri"]: each["hashes"]["sha-256"] for each in found["artifacts"]
    }


def test_a_call_without_reports_is_a_log_of_one_empty_run() -> None:
    (found,) = runs()

    assert [] == found["results"]


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_word_of_an_agent_acts(words: list[str]) -> None:
    for found in hostile_reports(words):
        shown = render(found)
        (only,) = json.loads(shown)["runs"]

        assert not UNSEEN.search(shown)
        assert [] == commands(shown)
        for text in [each["message"]["text"] for each in only["results"]] + told(
            only, "toolConfigurationNotifications"
        ):
            assert not UNSEEN.search(text)
            assert {"1"} >= set(LINK.findall(text))


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_every_location_is_a_plain_path_below_the_root(words: list[str]) -> None:
    for result in run(hostile_reports(words)[0])["results"]:
        for place in result.get("locations", []) + result.get("relatedLocations", []):
            uri = place["physicalLocation"]["artifactLocation"]["uri"]

            assert re.fullmatch(r"[\w.~%-]+(/[\w.~%-]+)*", uri, re.ASCII)
            assert not {"", ".", ".."} & set(unquote(uri).split("/"))


def test_a_live_run_names_the_endpoint_by_its_class_and_fingerprint() -> None:
    found = run(nouns.live_report(kind="remote"))["properties"]

    assert ("remote", "0123456789abcdef" * 4) == (found["endpointClass"], found["endpointFingerprint"])


def test_a_live_run_has_no_recording_among_its_files() -> None:
    assert ["desk.yml"] == [each["location"]["uri"] for each in run(nouns.live_report())["artifacts"]]


@pytest.mark.parametrize("reason", [Reason.ENDPOINT, Reason.BUDGET, Reason.INTERRUPTED])
def test_what_ended_a_run_early_is_a_notification_beside_what_it_left_open(reason: Reason) -> None:
    found = run(replace(nouns.live_report([nouns.judged(INCOMPLETE)]), verdict=Verdict(INCOMPLETE, reason)))

    assert [f"The suite is incomplete: {reason}."] == told(found, "toolExecutionNotifications")
    assert (1, False) == (len(found["results"]), found["invocations"][0]["executionSuccessful"])
