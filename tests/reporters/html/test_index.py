"""Several suites have one index: the verdict on all, a row for each with a link to its page, the causes across them."""

from dataclasses import replace

from agenttest.errors import Problem
from agenttest.model import Reason, Status
from agenttest.report import Ending, Report
from agenttest.reporters.html import Index, index
from agenttest.reporters.html.page import CAUSES
from agenttest.reporters.html.scenario import anchor
from tests.reporters.html.pages import found, parsed, words
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report

BROKEN = replace(alike(FAIL, 2), path="broken.yml", directory="runs/1/0001-broken")
KEPT = replace(alike(PASS, 3), path="kept.yml", directory="runs/1/0002-kept")
WRONG = invalid(Problem("wrong.yml", 3, 1, "no such key"), path="wrong.yml")


def text(*reports: Report, **ending: object) -> str:
    made = Index()
    for each in reports:
        made.add(each)
    status = Status.worst(each.status for each in reports)
    reason = next(each.verdict.reason for each in reports if each.status is status)
    return made.text(replace(Ending(status, reason), **ending))  # type: ignore[arg-type]


def test_the_verdict_is_that_of_the_call() -> None:
    assert ["✗ The agent breaks its contract"] == words(text(KEPT, BROKEN), "h1")


def test_suites_and_scenarios_are_counted() -> None:
    said = "1 failed · 1 incomplete · 1 passed of 3 suites (5 scenarios: 2 failed, 3 passed)"

    assert [said] == words(text(KEPT, WRONG, BROKEN), "p", "counts")


def test_each_suite_has_a_row_the_gravest_first() -> None:
    rows = words(text(KEPT, WRONG, BROKEN), "tr", "item")

    assert [
        "✗ failed broken.yml 2 failed",
        "? incomplete wrong.yml wrong.yml:3:1: no such key invalid-input",
        "✓ passed kept.yml 3 passed",
    ] == rows


def test_a_row_links_to_the_page_of_its_suite_where_it_has_one() -> None:
    page = text(KEPT, WRONG, BROKEN)

    addresses = [each.attributes["href"] for each in found(page, "a") if "#" not in each.attributes["href"]]

    assert ["0001-broken/report.html", "0002-kept/report.html"] == addresses


def test_a_folder_with_a_strange_name_is_not_linked_to() -> None:
    page = text(replace(BROKEN, directory="runs/1/a:b"), replace(BROKEN, directory="runs/.."))

    assert [] == [each for each in found(page, "a") if not each.attributes["href"].startswith("#")]


def test_a_cause_links_into_the_pages_of_its_suites() -> None:
    page = text(BROKEN, replace(BROKEN, path="other.yml", directory="runs/1/0003-other"))

    assert ["✗ violated response.contains it is so in s000, s001, s000, s001"] == words(page, "li", "cause")
    assert f"0003-other/report.html#{anchor('s001')}" in {each.attributes.get("href") for each in parsed(page)}


def test_a_cause_of_a_suite_that_is_not_saved_names_its_scenarios() -> None:
    page = text(replace(BROKEN, directory=None))

    assert ["✗ violated response.contains it is so in s000, s001"] == words(page, "li", "cause")
    assert [] == [each for each in found(page, "a") if anchor("s000") in each.attributes["href"]]


def test_causes_beyond_a_number_are_counted() -> None:
    many = report(*(judged(f"s{n}", outcome(FAIL, f"{n}")) for n in range(index.KEPT + 3)))

    page = text(many)

    assert CAUSES == len(found(page, "li", "cause"))
    assert f"{index.KEPT + 3 - CAUSES} more causes stand at their scenarios." in words(page, "p", "faint")


def test_suites_beyond_a_number_are_counted() -> None:
    page = text(*[KEPT] * (index.SUITES + 2))

    assert index.SUITES == page.count('<tr role="row" class="item')
    assert "2 more suites stand in summary.json." in page


def test_all_problems_are_shown() -> None:
    assert ["wrong.yml:3:1: no such key"] == words(text(KEPT, WRONG), "code")[:1]


def test_a_problem_of_the_whole_call_is_no_suite() -> None:
    page = text(KEPT, invalid(Problem("", 0, 0, "interrupted"), path=""))

    assert ["✓ passed kept.yml 3 passed"] == words(page, "tr", "item")
    assert "interrupted" in words(page, "code")


def test_a_call_without_a_suite_has_a_page_too() -> None:
    page = text(invalid(Problem("", 0, 0, "no suite was found"), path=""))

    assert [] == found(page, "table")
    assert ["no suite was found"] == words(page, "code")[:1]


def test_the_digest_and_the_next_command_are_those_of_the_call() -> None:
    page = text(BROKEN, KEPT, directory="runs/1", evidence_digest="d" * 64, reason=Reason.VIOLATION)

    assert {"agenttest replay runs/1", "d" * 64} <= set(words(page, "code"))


def test_what_is_incomplete_is_under_its_own_title() -> None:
    assert "What could not be proven" in words(text(alike(INCOMPLETE, 1)), "h2")
