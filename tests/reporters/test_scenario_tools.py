"""Runs of scenario files as SARIF and as JUnit XML: levels by risk, places in each file, as red as the verdict."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import pytest

from agenttest.gates import Asked
from agenttest.model import Recording, Status
from agenttest.report import Report
from agenttest.reporters import junit, sarif
from tests import scenarios
from tests.reporters.test_junit import SCHEMA
from tests.scenarios import FOLDER, file, says

WHOLE, TOLERATED = scenarios.whole(), scenarios.tolerated()


def log(report: Report) -> dict[str, Any]:
    (run,) = json.loads(sarif.render(report))["runs"]
    return dict(run)


def results(report: Report) -> list[tuple[str, str, str, int]]:
    """The results: rule, level, file, line."""
    found = []
    for each in log(report)["results"]:
        place = each["locations"][0]["physicalLocation"]
        found.append((each["ruleId"], each["level"], place["artifactLocation"]["uri"], place["region"]["startLine"]))
    return found


def cases(report: Report) -> dict[str, ET.Element]:
    return {case.attrib["name"]: case for case in ET.fromstring(junit.render(report)).iter("testcase")}


def test_the_risk_decides_the_level_of_a_result_and_its_file_the_place() -> None:
    assert [
        ("FinalAnswerContains", "error", f"{FOLDER}/critical-breaks.json", 68),
        ("NoUnsafeTool", "error", f"{FOLDER}/critical-breaks.json", 72),
        ("FinalAnswerContains", "error", f"{FOLDER}/low-required.json", 11),
        ("ToolCalled", "warning", f"{FOLDER}/medium-breaks.json", 12),
        ("shallow-scenario", "note", f"{FOLDER}/high-keeps.json", 3),
        ("shallow-scenario", "note", f"{FOLDER}/high-keeps.json", 17),
    ] == results(WHOLE)


def test_a_results_rule_stands_at_its_index() -> None:
    found = log(WHOLE)

    rules = [each["id"] for each in found["tool"]["driver"]["rules"]]
    assert [each["ruleId"] for each in found["results"]] == [rules[each["ruleIndex"]] for each in found["results"]]


def test_a_result_tells_what_is_at_stake() -> None:
    found = {each["properties"]["scenario"]: each["properties"] for each in log(WHOLE)["results"][:4]}

    assert {"risk": "Critical", "required": False, "executor": "scripted", "tags": ["safety"]}.items() <= found[
        "critical-breaks"
    ].items()
    assert {"risk": "Medium", "tolerated": True}.items() <= found["medium-breaks"].items()


def test_a_region_ends_with_the_line_of_its_own_file() -> None:
    (critical, *_) = log(WHOLE)["results"]

    assert {"startLine": 68, "startColumn": 4, "endLine": 68, "endColumn": 5} == critical["locations"][0][
        "physicalLocation"
    ]["region"]


def test_a_replayed_scenario_leads_to_its_recording() -> None:
    judged = replace(WHOLE.scenarios[0], source=Recording("traces/a.trace.json", "a" * 64))

    (first, *_) = log(replace(WHOLE, scenarios=(judged,)))["results"]

    assert "traces/a.trace.json" == first["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]


def test_a_file_that_is_not_valid_is_a_notification_of_what_was_given() -> None:
    (invocation,) = log(WHOLE)["invocations"]

    told = [each["descriptor"]["id"] for each in invocation["toolConfigurationNotifications"]]
    assert (["invalid-input"] * 2, False) == (told, invocation["executionSuccessful"])


def test_a_gate_that_nothing_explains_is_a_notification() -> None:
    (invocation,) = log(scenarios.report())["invocations"]

    (told,) = invocation["toolExecutionNotifications"]
    assert "scenario-discovery: no scenario was found" in told["message"]["text"]


@pytest.mark.parametrize("report", [WHOLE, TOLERATED, scenarios.report()], ids=["whole", "tolerated", "nothing"])
def test_a_junit_file_is_as_its_readers_want_it(report: Report) -> None:
    SCHEMA.validate(junit.render(report))


def test_a_failure_that_no_gate_counts_is_skipped_so_that_the_file_agrees_with_the_exit_code() -> None:
    found = cases(TOLERATED)

    assert [["skipped"], []] == [[each.tag for each in case] for case in found.values()]
    assert "violated, which fails no gate: 'water' was never called" == found["breaks"][0].attrib["message"]


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (TOLERATED, Status.PASS),
        (WHOLE, Status.FAIL),
        (scenarios.report(), Status.FAIL),
        (scenarios.report(file("quiet", {"type": "MaxToolCalls", "maxCount": 0})), Status.FAIL),
        (scenarios.report(file("lost", says("x"), executor="replay")), Status.INCOMPLETE),
        (scenarios.report(file("a", says("a"), scriptedFinalAnswer="a"), asked=Asked(lint="error")), Status.FAIL),
    ],
    ids=["tolerated", "whole", "nothing", "no step", "not proven", "shallow"],
)
def test_a_junit_file_is_as_red_as_the_verdict(report: Report, expected: Status) -> None:
    tags = {child.tag for case in cases(report).values() for child in case}

    red = Status.FAIL if "failure" in tags else Status.INCOMPLETE if "error" in tags else Status.PASS
    assert (expected, expected) == (report.status, red)


def test_a_file_that_is_not_valid_is_a_case_of_its_own_at_its_place() -> None:
    case = cases(WHOLE)[f"invalid-input: {FOLDER}/broken.json"]

    assert (f"{FOLDER}/broken.json", "1", "error") == (case.attrib["file"], case.attrib["line"], case[0].tag)


def test_a_case_tells_the_steps_that_led_to_it() -> None:
    told = cases(WHOLE)["critical-breaks"][0].text or ""

    assert '  2  ToolCall  erase {"bed": 4} (needs approval, unsafe)' in told
