"""What becomes of an outcome in a SARIF log: its place, its words, and a name that outlives changes around it."""

import re
from dataclasses import replace
from typing import Any

import pytest

from agenttest.model import Assertion, Json, Outcome, Reason, Suite, Verdict
from agenttest.report import Report
from agenttest.reporters.alerts import alerts, inert, location
from agenttest.suites import contract
from tests import nouns
from tests.reporters.reports import AGENT, FAIL, INCOMPLETE, PASS, judged, outcome, report

TEXT = "version: 1\r\nagent: {}\rscenarios:\n- {id: desk, prompt: Hi, expect: {sources: {required: [😀, b]}}}\r\n"


def results(found: Report) -> list[dict[str, Any]]:
    return [result for _, result in alerts(found)]


def only(found: Report) -> dict[str, Any]:
    (result,) = results(found)
    return result


def place(found: Report) -> dict[str, Any]:
    physical: dict[str, Any] = only(found)["locations"][0]["physicalLocation"]
    return physical


def asked(name: str, expected: Json, line: int = 4, column: int = 43) -> Outcome:
    """A violated assertion at a place of TEXT."""
    return Outcome(Assertion(name, "source_required", expected, line, column), FAIL, "it is not cited")


def of_text(*outcomes: Outcome, path: str = "desk.yml") -> Report:
    found = report(judged("desk", *outcomes), path=path)
    return replace(found, suite=Suite("agent_behavior", 1, path, TEXT, "5" * 64, AGENT, ()))


def prints(*outcomes: Outcome, path: str = "desk.yml") -> list[str]:
    return [each["partialFingerprints"]["primaryLocationLineHash"] for each in results(of_text(*outcomes, path=path))]


def test_what_is_kept_has_no_result() -> None:
    assert [] == results(report(judged("a", outcome(PASS)), judged("b", outcome(PASS))))


def test_each_violation_and_each_gap_is_a_result() -> None:
    found = results(report(judged("a", outcome(FAIL), outcome(PASS), outcome(INCOMPLETE)), judged("b", outcome(FAIL))))

    assert [("a", "fail"), ("a", "incomplete"), ("b", "fail")] == [
        (each["properties"]["scenario"], each["properties"]["status"]) for each in found
    ]


def test_a_violation_is_an_error_and_a_gap_a_warning() -> None:
    found = results(report(judged("a", outcome(FAIL), outcome(INCOMPLETE))))

    assert ["error", "warning"] == [each["level"] for each in found]


def test_a_violation_that_no_gate_counts_is_a_warning() -> None:
    tolerated = replace(report(judged("a", outcome(FAIL))), verdict=Verdict(PASS, Reason.KEPT))

    assert "warning" == only(tolerated)["level"]


def test_a_result_stands_from_its_column_to_the_end_of_its_line() -> None:
    region = {"startLine": 4, "startColumn": 59, "endLine": 4, "endColumn": 64}

    assert region == place(of_text(asked("sources.required[1]", "b", 4, 59)))["region"]


def test_a_contracts_columns_count_characters_and_not_code_units() -> None:
    (scenario,) = contract.load("desk.yml", TEXT.encode()).scenarios

    assert (4, 59) == (scenario.assertions[1].line, scenario.assertions[1].column)


def test_a_result_of_a_text_that_is_not_known_stands_at_its_line() -> None:
    assert {"startLine": 7, "startColumn": 5} == place(report(judged("a", outcome(FAIL))))["region"]


def test_a_path_is_relative_to_the_root_and_encoded() -> None:
    found = place(of_text(asked("sources.required[0]", "a"), path="sub dir/ä#%:[1].yml"))

    assert {"uri": "sub%20dir/%C3%A4%23%25%3A%5B1%5D.yml", "uriBaseId": "%SRCROOT%"} == found["artifactLocation"]


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../a", "a//b", "./a", "a/", "http://127.0.0.1/v1"])
def test_a_path_that_is_no_file_below_the_root_has_no_location(path: str) -> None:
    assert None is location(path)


def test_the_first_sentence_says_what_happened_where() -> None:
    found = only(report(judged("desk", outcome(FAIL, "it is not so", observed="90", difference="$.a"))))

    assert (
        "Scenario 'desk': it is not so.\n\nExpected: 'safe'\nObserved: '90'\nThey differ at $.a\n"
        "See [the recording](1)."
    ) == found["message"]["text"]


def test_a_gap_says_what_would_prove_it() -> None:
    found = only(report(judged("desk", outcome(INCOMPLETE, "none", remedy="record it"))))

    assert (
        "Scenario 'desk': none.\n\nThis is not proven, and so it is no pass.\nTo prove it: record it\n"
        "See [the recording](1)."
    ) == found["message"]["text"]


def test_long_values_are_cut() -> None:
    found = only(report(judged("x" * 5000, outcome(FAIL, "y" * 5000, expected="z" * 5000, observed=["v"] * 5000))))

    assert len(found["message"]["text"]) < 1500


def test_no_link_in_an_agents_words_is_one() -> None:
    assert r"\[forged\](https://forged.example) \\\[1\](1)" == inert("[forged](https://forged.example) \\[1](1)")


def test_an_agents_words_stay_on_their_line() -> None:
    assert r"a\\nb\\u000d\\u202ec\\ud800" == inert("a\nb\r\u202ec\ud800")


def test_the_recording_is_a_related_location() -> None:
    (found,) = only(report(judged("a", outcome(FAIL)), came="seen/a b.json"))["relatedLocations"]

    assert (1, "seen/a%20b.json") == (found["id"], found["physicalLocation"]["artifactLocation"]["uri"])


def test_what_was_observed_at_no_file_has_no_related_location() -> None:
    found = only(report(judged("a", outcome(FAIL)), came="http://127.0.0.1/v1"))

    assert "relatedLocations" not in found
    assert "recording" not in found["message"]["text"]


def test_a_moved_line_keeps_its_name() -> None:
    assert prints(asked("sources.required[0]", "a", 4, 43)) == prints(asked("sources.required[0]", "a", 9, 5))


def test_an_entry_put_before_others_leaves_their_names() -> None:
    before = prints(asked("sources.required[0]", "a"), asked("sources.required[1]", "b"))
    after = prints(
        asked("sources.required[0]", "new"), asked("sources.required[1]", "a"), asked("sources.required[2]", "b")
    )

    assert before == after[1:]


def test_what_is_no_entry_of_a_list_keeps_its_name_with_another_value() -> None:
    assert prints(asked("tools.max_calls", 2)) == prints(asked("tools.max_calls", 3))


def test_equal_entries_are_told_apart() -> None:
    twice = [asked("sources.required[0]", "a"), asked("sources.required[1]", "a")]

    assert 2 == len(set(prints(*twice)))


def test_a_kept_twin_counts_where_equal_entries_are_told_apart() -> None:
    first, second = asked("sources.required[0]", "a"), asked("sources.required[1]", "a")

    assert prints(first, second)[1:] == prints(replace(first, status=PASS), second)


def test_names_differ_between_suites() -> None:
    assert prints(asked("refusal", True)) != prints(asked("refusal", True), path="other.yml")


def test_a_name_is_made_as_code_scanning_makes_its_own() -> None:
    assert re.fullmatch(r"[0-9a-f]{16}:1", prints(asked("refusal", True))[0])


def test_a_live_run_has_no_recording_to_lead_to() -> None:
    found = results(nouns.live_report())

    assert [False] * 3 == ["relatedLocations" in each or "the recording" in each["message"]["text"] for each in found]


def test_a_result_that_was_decided_unseen_says_so() -> None:
    broken = nouns.live_report([replace(nouns.judged(FAIL, FAIL), redacted=("response.contains[1]",))])

    assert [False, True] == [each["properties"].get("redacted", False) for each in results(broken)]
