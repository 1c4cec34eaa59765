"""Annotations at the suites' lines, as many as GitHub shows."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import Problem
from agenttest.report import Report
from agenttest.reporters.github import Annotations, plain, render
from tests.github import hostile
from tests.github.runner_grammar import MESSAGE_MOST, Command, commands
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report
from tests.reporters.reports import hostile as hostile_reports


def annotations(*reports: Report) -> list[Command]:
    found = Annotations()
    for each in reports:
        found.add(each)
    return commands(found.text())


def places(found: list[Command]) -> list[tuple[str, str | None, str | None]]:
    return [(each.name, each.properties.get("file"), each.properties.get("line")) for each in found]


def test_a_violation_is_an_error_at_its_line_and_column() -> None:
    (found,) = annotations(report(judged("one", outcome(FAIL, "it is not so", 7, observed="90"))))

    expected = {"file": "desk.yml", "line": "7", "col": "5", "title": "one: response.contains[0] violated"}
    assert Command("error", expected, "it is not so\nexpected: 'safe'\nobserved: '90'") == found


def test_what_is_not_proven_is_a_warning_with_its_remedy() -> None:
    (found,) = annotations(report(judged("one", outcome(INCOMPLETE, "none", 7, remedy="record it"))))

    assert ("warning", "none\nto prove it: record it") == (found.name, found.data)


def test_a_scenario_that_lacks_one_thing_for_several_kinds_is_one_warning() -> None:
    lacks = [outcome(INCOMPLETE, "none", 7), outcome(INCOMPLETE, "none", 8, kind="tool_max_calls")]

    assert [("warning", "desk.yml", "7")] == places(annotations(report(judged("one", *lacks))))


def test_a_pass_has_none() -> None:
    assert [] == annotations(alike(PASS, 3))


@pytest.mark.parametrize(("status", "level"), [(FAIL, "error"), (INCOMPLETE, "warning")])
def test_the_tenth_says_how_many_there_are_besides(status: object, level: str) -> None:
    found = annotations(alike(status, 30))  # type: ignore[arg-type]

    assert [(level, "desk.yml", str(n + 1)) for n in range(9)] == places(found)[:9]
    assert Command(level, {}, "21 more like these; see the job summary and the run directory") == found[9]
    assert 10 == len(found)


def test_each_cause_is_shown_before_any_is_shown_twice() -> None:
    scenarios = [judged(f"s{n}", outcome(FAIL, "the same", n + 1)) for n in range(20)]
    rare = judged("rare", outcome(FAIL, "another", 99))

    found = annotations(report(*scenarios), report(rare, path="other.yml"))

    assert ("error", "other.yml", "99") in places(found)
    assert {"error": 10} == Counter(each.name for each in found)


def test_a_problem_is_an_error_at_its_place() -> None:
    found = annotations(invalid(Problem("desk.yml", 3, 4, "x"), Problem("desk.json", 0, 0, "y")))

    assert [("error", "desk.yml", "3"), ("error", "desk.json", "1")] == places(found)


@pytest.mark.parametrize("path", ["--max-seconds", "with: suite", "", "/etc/x", "../x", "./x", "a//b", "a\\b", "a\nb"])
def test_a_problem_that_is_in_no_file_has_no_file(path: str) -> None:
    (found,) = annotations(invalid(Problem(path, 0, 0, "is so")))

    assert "file" not in found.properties
    assert "is so" in found.data


@pytest.mark.parametrize("path", ["a.yml", "sub dir/a.yml", "ä,=:%.yml"])
def test_a_plain_path_arrives_as_it_is(path: str) -> None:
    (found,) = annotations(invalid(Problem(path, 2, 1, "x")))

    assert path == found.properties["file"]


def test_a_place_that_github_could_not_show_is_left_out() -> None:
    found = Annotations(locate=lambda path, line: None)
    found.add(alike(FAIL, 1))

    (only,) = commands(found.text())
    assert ({"title": "s000: response.contains[0] violated"}, True) == (
        only.properties,
        only.data.startswith("desk.yml: "),
    )


def test_a_column_is_left_out_where_the_line_is_another() -> None:
    found = Annotations(locate=lambda path, line: (path, 1))
    found.add(alike(FAIL, 3))

    assert ["5", None, None] == [each.properties.get("col") for each in commands(found.text())]


def test_what_breaks_no_verdict_is_only_a_warning() -> None:
    from dataclasses import replace

    from agenttest.model import Reason, Verdict

    tolerated = replace(alike(FAIL, 1), verdict=Verdict(PASS, Reason.KEPT))

    assert ["warning"] == [found.name for found in annotations(tolerated)]


def test_a_line_is_at_least_1() -> None:
    assert ("a", 1) == plain("a", 0)


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_word_of_an_agent_is_obeyed_or_stands_in_a_property(texts: list[str]) -> None:
    message, expected, observed, difference, remedy, _, _ = (f"{text}forged" for text in texts)
    reports = hostile_reports([message, expected, observed, difference, remedy, "one", "desk.yml"])[:1]

    found = annotations(*reports)

    assert {each.name for each in found} <= {"error", "warning"}
    assert all(MESSAGE_MOST >= len(each.data) for each in found)
    assert {each.properties["file"] for each in found} == {"desk.yml"}


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_strangers_path_or_name_is_obeyed(texts: list[str]) -> None:
    found = annotations(*hostile_reports(texts))

    assert {each.name for each in found} <= {"error", "warning"}
    assert {key for each in found for key in each.properties} <= {"file", "line", "col", "title"}


def test_a_report_alone_has_its_annotations() -> None:
    assert annotations(alike(FAIL, 2)) == commands(render(alike(FAIL, 2)))
