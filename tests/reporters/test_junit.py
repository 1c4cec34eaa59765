"""The report as JUnit XML: valid, read by what reads such files, and nothing in it that is green without proof."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped

from agenttest import __version__
from agenttest.errors import Problem
from agenttest.model import Gate, Reason, Shard, Verdict
from agenttest.quote import UNSEEN
from agenttest.report import Report, ending
from agenttest.reporters.junit import Results, render
from tests import nouns
from tests.github import hostile
from tests.github.runner_grammar import commands
from tests.reporters.cases import CASES, file_of, reports_of
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, invalid, judged, outcome, report
from tests.reporters.reports import hostile as hostile_reports

SCHEMA = xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd"))
MIXED = report(
    judged("kept", outcome(PASS)),
    judged("broken", outcome(INCOMPLETE, "none"), outcome(FAIL, "it is not so", 8, observed="90", difference="$.a")),
    judged("unknown", outcome(INCOMPLETE, "nothing was seen", remedy="record it")),
)


def suite(found: Report) -> ET.Element:
    (only,) = ET.fromstring(render(found))
    return only


def case(found: Report) -> tuple[str, dict[str, str], str]:
    """The element of the only test case that has one, its attributes and its text."""
    (only,) = [element for each in suite(found).iter("testcase") for element in each]
    return only.tag, only.attrib, only.text or ""


def test_a_scenario_is_a_test_case_of_its_suites_class() -> None:
    found = [(each.get("classname"), each.get("name")) for each in suite(MIXED).iter("testcase")]

    assert [("desk.yml", "kept"), ("desk.yml", "broken"), ("desk.yml", "unknown")] == found


def test_a_violation_is_a_failure_with_the_first_cause_as_its_message() -> None:
    tag, head, _ = case(report(MIXED.scenarios[1]))

    assert ("failure", {"message": "it is not so", "type": "response_contains"}) == (tag, head)


def test_a_failure_tells_all_causes_with_their_places_violations_first() -> None:
    assert case(report(MIXED.scenarios[1]))[2] == (
        "response.contains[0] violated: it is not so\n"
        "  expected  'safe'\n"
        "  observed  '90'\n"
        "  differs   at $.a\n"
        "  at desk.yml:8:5\n"
        "response.contains[0] not proven: none\n"
        "  at desk.yml:7:5\n"
    )


def test_what_is_not_proven_is_an_error_with_its_remedy() -> None:
    tag, head, text = case(report(MIXED.scenarios[2]))

    assert ("error", "missing-evidence") == (tag, head["type"])
    assert "nothing was seen; to prove it: record it" == head["message"]
    assert "response.contains[0] not proven: nothing was seen\n  to prove it  record it\n  at desk.yml:7:5\n" == text


def test_a_scenario_that_asks_for_nothing_is_an_error() -> None:
    assert "error" == case(report(judged("empty")))[0]


def test_a_violation_that_no_gate_counts_is_skipped() -> None:
    tolerated = replace(report(judged("a", outcome(FAIL))), verdict=Verdict(PASS, Reason.KEPT))

    tag, head, _ = case(tolerated)

    assert ("skipped", "violated, which does not break the suite's verdict: it is so") == (tag, head["message"])
    assert "1" == suite(tolerated).get("skipped")


def test_the_suite_counts_its_cases() -> None:
    head = suite(MIXED).attrib

    assert ("3", "1", "1") == (head["tests"], head["failures"], head["errors"])


def test_a_suite_that_could_not_begin_is_an_error_with_all_its_problems() -> None:
    tag, head, text = case(invalid(Problem("desk.yml", 3, 4, "x"), Problem("desk.json", 0, 0, "y")))

    assert ("error", {"message": "desk.yml:3:4: x", "type": "invalid-input"}) == (tag, head)
    assert "- desk.yml:3:4: x\n- desk.json: y\n" == text


def test_what_could_not_be_saved_is_an_error_beside_the_scenarios() -> None:
    unsaved = replace(report(judged("a", outcome(PASS))), problems=(Problem("runs", 0, 0, "full"),))

    assert ("error", "not-saved") == (case(unsaved)[0], case(unsaved)[1]["type"])
    assert "2" == suite(unsaved).get("tests")


@pytest.mark.parametrize(("status", "element"), [(FAIL, "failure"), (INCOMPLETE, "error")])
def test_a_verdict_that_no_scenario_explains_is_a_case_of_its_own(status: object, element: str) -> None:
    verdict = Verdict(status, Reason.MISSING_EVIDENCE, (Gate("discovery", FAIL),))

    tag, _, text = case(replace(report(judged("a", outcome(PASS))), verdict=verdict))

    assert (element, f"{status}: missing-evidence\ndiscovery\n") == (tag, text)


def test_every_case_is_listed_with_its_line() -> None:
    expected = "passed   desk.yml:3  kept\nfailure  desk.yml:3  broken\nerror    desk.yml:3  unknown\n"

    assert expected == suite(MIXED).findtext("system-out")


def test_the_evidence_can_be_found_from_the_suites_properties() -> None:
    found = replace(MIXED, evidence_digest="e" * 64, shard=Shard(2, 3))

    assert {
        "tool": f"agenttest {__version__}",
        "status": "fail",
        "reason": "violation",
        "shard": "2/3",
        "suite-digest": "5" * 64,
        "observations": "desk.observations.json",
        "observations-digest": "a" * 64,
        "trust": "unverified_fixture",
        "evidence-digest": "e" * 64,
        "run-directory": "agent-test-runs/1",
    } == {each.get("name"): each.get("value") for each in suite(found).iter("property")}


def test_a_saved_run_has_its_time() -> None:
    harness = {"started_at": "2026-03-01T10:20:30.456Z", "duration_ms": 1234}

    head = suite(replace(MIXED, harness=harness)).attrib

    assert ("2026-03-01T10:20:30", "1.234") == (head["timestamp"], head["time"])


def test_several_suites_are_one_file() -> None:
    results = Results()
    results.add(MIXED)
    results.add(report(judged("a", outcome(PASS)), path="sub/other.yml"))

    found = ET.fromstring(results.text(ending(MIXED)))

    assert [("0", ".", "desk.yml"), ("1", "sub", "sub/other.yml")] == [
        (each.get("id"), each.get("package"), each.get("name")) for each in found
    ]


def test_details_are_left_out_where_there_is_no_room() -> None:
    results = Results(room=150)
    results.add(report(*(judged(name, outcome(FAIL)) for name in "abc")))

    told = [each.text for each in ET.fromstring(results.text(ending(MIXED))).iter("failure")]

    assert [False, True, True] == ["no room for more" in str(text) for text in told]


def test_a_real_reader_finds_what_came_of_each_case() -> None:
    (found,) = JUnitXml.fromstring(render(MIXED).encode())

    assert [[], [Failure], [Error]] == [[type(result) for result in each.result] for each in found]
    assert (3, 1, 1) == (found.tests, found.failures, found.errors)


def test_a_real_reader_finds_what_is_skipped() -> None:
    tolerated = replace(report(judged("a", outcome(FAIL))), verdict=Verdict(PASS, Reason.KEPT))

    ((only,),) = JUnitXml.fromstring(render(tolerated).encode())

    assert [Skipped] == [type(result) for result in only.result]


@pytest.mark.parametrize("name", CASES)
def test_every_case_of_the_program_is_valid(name: str, tmp_path: Path) -> None:
    for reports in reports_of(name, tmp_path / "desk"):
        SCHEMA.validate(file_of(reports, "xml"))


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_word_of_an_agent_acts(words: list[str]) -> None:
    for found in hostile_reports(words):
        shown = render(found)

        assert not UNSEEN.search(shown)
        assert [] == commands(shown)
        assert len(found.scenarios) + bool(found.problems) == len(list(suite(found).iter("testcase")))


@pytest.mark.parametrize("text", ["\ufffe", "\uffff", "\x00", "\ud800", "]]>", "<!--", "&lt;", "\"'", "\r"])
def test_what_xml_cannot_hold_or_would_obey_is_shown(text: str) -> None:
    found = render(report(judged(f"a{text}b", outcome(FAIL, f"a{text}b", observed=f"a{text}b"))))

    SCHEMA.validate(found)
    assert "<!" not in found


def test_an_exchange_gives_its_time_to_its_case() -> None:
    times = [each.get("time") for each in suite(nouns.live_report()).iter("testcase")]

    assert ["0.095", "0.412", "0.095", "30.012"] == times


def test_an_agent_that_gave_no_answer_is_told_from_missing_evidence() -> None:
    types = [each.get("type") for each in suite(nouns.live_report()).iter("error")]

    assert ["missing-evidence", "endpoint"] == types


def test_a_live_run_has_the_endpoint_among_its_properties_and_no_recording() -> None:
    found = {each.get("name"): each.get("value") for each in suite(nouns.live_report()).iter("property")}

    assert {
        "endpoint-class": "loopback",
        "endpoint-source": "invocation",
        "endpoint-fingerprint": "0123456789abcdef" * 4,
        "authenticated": "no",
        "model": "desk-assistant",
    } == {name: text for name, text in found.items() if name in {"authenticated", "model"} or "endpoint" in str(name)}
    assert not any("observations" in str(name) for name in found)


def test_a_live_runs_file_is_valid() -> None:
    SCHEMA.validate(render(nouns.live_report()))
