"""The report as JSON: its document, one line a key and a scenario, the same each time and readable everywhere."""

import json

from hypothesis import given
from hypothesis import strategies as st

from agenttest.quote import UNSEEN
from agenttest.report import to_document
from agenttest.reporters.json import render
from tests.github import hostile
from tests.reporters.reports import FAIL, PASS, judged, outcome, report
from tests.reporters.reports import hostile as hostile_reports

FOUND = report(judged("a", outcome(PASS)), judged("b", outcome(FAIL, observed={"b": [1], "a": None})))


def test_the_text_holds_the_document() -> None:
    assert json.loads(json.dumps(to_document(FOUND))) == json.loads(render(FOUND))


def test_each_scenario_has_a_line_of_its_own() -> None:
    shown = render(FOUND).splitlines()

    assert ["a", "b"] == [json.loads(line.strip().rstrip(","))["id"] for line in shown if '"assertions"' in line]


def test_keys_are_sorted_so_that_two_reports_can_be_compared() -> None:
    def pairs(found: list[tuple[str, object]]) -> dict[str, object]:
        assert sorted(key for key, _ in found) == [key for key, _ in found]
        return dict(found)

    json.loads(render(FOUND), object_pairs_hook=pairs)


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_word_of_an_agent_acts_and_none_is_lost(words: list[str]) -> None:
    for found in hostile_reports(words):
        shown = render(found)

        assert not UNSEEN.search(shown)
        assert json.loads(shown) == json.loads(json.dumps(to_document(found)))
        assert shown.encode()
