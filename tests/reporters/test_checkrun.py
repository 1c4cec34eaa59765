"""What a check run shows: annotations at the suites' lines, gravest first, within GitHub's limits."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import Problem
from agenttest.model import Reason
from agenttest.quote import UNSEEN
from agenttest.report import Ending, Report, ending
from agenttest.reporters.checkrun import CheckRun, summary, title
from agenttest.reporters.markdown import Summary
from tests.github import hostile
from tests.reporters.live_markdown import live
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report
from tests.reporters.reports import hostile as hostile_reports


def annotations(*reports: Report) -> list[dict[str, object]]:
    found = CheckRun()
    for each in reports:
        found.add(each)
    return found.annotations()


def summed(*reports: Report) -> str:
    found = Summary()
    for each in reports:
        found.add(each)
    return summary(found, ending(reports[0]))


def test_a_violation_is_a_failure_at_its_line_and_column() -> None:
    found = annotations(report(judged("one", outcome(FAIL, "it is not so", 7, observed="90"))))

    assert [
        {
            "path": "desk.yml",
            "start_line": 7,
            "end_line": 7,
            "start_column": 5,
            "end_column": 5,
            "annotation_level": "failure",
            "title": "one: response.contains[0] violated",
            "message": "it is not so\nexpected: 'safe'\nobserved: '90'",
        }
    ] == found


def test_what_is_not_proven_is_a_warning() -> None:
    (found,) = annotations(report(judged("one", outcome(INCOMPLETE, "none", 7, remedy="record it"))))

    assert ("warning", "none\nto prove it: record it") == (found["annotation_level"], found["message"])


def test_the_details_hold_what_is_too_long_for_the_message() -> None:
    (found,) = annotations(report(judged("one", outcome(FAIL, observed="x" * 3000))))

    assert ("x" * 3000 in str(found["message"]), "x" * 3000 in str(found["raw_details"])) == (False, True)


def test_a_pass_has_none() -> None:
    assert [] == annotations(alike(PASS, 3))


def test_all_are_there_up_to_500_and_the_gravest_first() -> None:
    warnings, failures = replace(alike(INCOMPLETE, 450), path="b.yml"), replace(alike(FAIL, 100), path="a.yml")

    found = annotations(warnings, failures)

    assert ["failure"] * 100 + ["warning"] * 400 == [each["annotation_level"] for each in found]


def test_a_column_is_left_out_where_the_line_is_another() -> None:
    found = CheckRun(lambda path, line: (path, 1))
    found.add(alike(FAIL, 2))

    assert [True, False] == ["start_column" in each for each in found.annotations()]


def test_what_has_no_place_is_in_the_summary_only() -> None:
    found = invalid(Problem("with: suite", 0, 0, "is so"), path="")

    assert [] == annotations(found)
    assert "is so" in summed(found)


def test_a_path_that_the_api_does_not_take_is_in_the_summary_only() -> None:
    found = replace(alike(FAIL, 1), path="😀.yml")

    assert [] == annotations(found)
    assert "`\\U0001f600.yml:1`" in summed(found)


@pytest.mark.parametrize("said", ["x" * 100_000, "漢" * 100_000, "😀" * 100_000, "\x00" * 100_000])
def test_each_text_is_within_its_limit(said: str) -> None:
    (found,) = annotations(report(judged(said, outcome(FAIL, said, observed=said))))

    assert len(str(found["message"]).encode()) <= 64_000
    assert len(str(found["raw_details"]).encode()) <= 64_000
    assert len(str(found["title"])) <= 255


@pytest.mark.parametrize("said", ["x", "漢", "😀"])
def test_the_summary_is_within_its_limit(said: str) -> None:
    scenarios = (judged(f"{said}{n}", outcome(FAIL, f"{said * 300}{n}", observed=said * 300)) for n in range(500))

    found = summed(report(*scenarios))

    assert 20_000 < len(found) <= 65_535
    assert "more cause" in live(found)


def test_a_summary_of_failures_tells_of_a_pass_by_its_verdict() -> None:
    assert "✅ The agent keeps its contract" == summary(Summary(failures_only=True), Ending(PASS, Reason.KEPT))


def test_the_title_is_the_verdict() -> None:
    assert "❌ The agent breaks its contract" == title(Summary(), Ending(FAIL, Reason.VIOLATION))


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_text_holds_what_the_api_does_not_take(texts: list[str]) -> None:
    for each in annotations(*hostile_reports(texts)):
        said = "".join(str(value) for value in each.values())

        assert None is UNSEEN.search(said)
        assert max(said) <= "\uffff"
        assert each["message"]


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_word_of_an_agent_is_more_than_shown(texts: list[str]) -> None:
    found = summed(*hostile_reports([f"{each}forged" for each in texts]))

    assert "forged" not in live(found)
    assert max(found) <= "\uffff"
