"""A page stands alone, is there for everybody, stays within its bounds, and nothing in it acts that an agent said."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import Problem
from agenttest.model import ToolCall
from agenttest.quote import UNSEEN
from agenttest.report import Report, ending
from agenttest.reporters import html, reporter
from agenttest.reporters.html import Index, blocks, render
from agenttest.reporters.html.scenario import anchor
from tests import nouns
from tests.github import hostile as words_to_obey
from tests.reporters import reports
from tests.reporters.html import pages
from tests.reporters.html.pages import asked, found, page_of, parsed, shape, words
from tests.reporters.reports import FAIL, PASS, alike, invalid

WISH = ("response.contains[0]", "response_contains", "yes")
UNWISH = ("response.excludes[0]", "response_excludes", "no")
MIXED = page_of(
    asked(WISH, response="yes", name="kept"),
    asked(WISH, response="y", finish_reason="length", response_complete=False, name="missing"),
    asked(WISH, UNWISH, response="no", name="broken"),
)
WRONG = invalid(Problem("desk.yml", 3, 1, "no such key"))
HEADINGS = {"h1", "h2", "h3", "h4"}


def index(*several: Report) -> str:
    made = Index()
    for each in several:
        made.add(each)
    return made.text(ending(several[0]))


PAGES = {"mixed": render(MIXED), "kept": render(alike(PASS, 2)), "wrong": render(WRONG), "index": index(MIXED, WRONG)}
EACH = pytest.mark.parametrize("text", PAGES.values(), ids=PAGES)


def test_a_report_can_be_had_as_html() -> None:
    assert PAGES["mixed"] == reporter("html")(MIXED)


@EACH
def test_the_same_report_is_the_same_page(text: str) -> None:
    assert text in {render(MIXED), render(alike(PASS, 2)), render(WRONG), index(MIXED, WRONG)}


@EACH
def test_a_page_says_its_language_and_fits_its_window(text: str) -> None:
    elements = parsed(text)

    assert "<!DOCTYPE html>\n" == text[:16]
    assert ("html", {"lang": "en"}) == (elements[0].tag, elements[0].attributes)
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in [
        each.attributes for each in elements if each.tag == "meta"
    ]


@EACH
def test_the_policy_comes_before_anything_that_it_is_for(text: str) -> None:
    tags = [each.tag for each in parsed(text)]
    policy = next(each for each in parsed(text) if each.attributes.get("http-equiv") == "Content-Security-Policy")

    assert policy.attributes["content"].startswith("default-src 'none'; ")
    assert ["html", "head", "meta", "meta"] == tags[:4]
    assert "default-src" in parsed(text)[3].attributes["content"]


@EACH
def test_a_page_asks_for_nothing(text: str) -> None:
    links = [each.attributes["href"] for each in parsed(text) if "href" in each.attributes]

    assert [] == [each for each in parsed(text) if {"src", "srcset", "action", "style", "data"} & set(each.attributes)]
    assert [] == [link for link in links if not re.fullmatch(r"([\w-]+/report\.html)?(#[\w-]+)?", link)]


@EACH
def test_no_browser_is_to_make_links_of_what_looks_like_an_address(text: str) -> None:
    (told,) = (each.attributes["content"] for each in parsed(text) if each.attributes.get("name") == "format-detection")

    assert {"telephone=no", "address=no", "email=no", "url=no"} <= set(told.split(", "))


@EACH
def test_every_link_within_the_page_leads_somewhere(text: str) -> None:
    ids = [each.attributes["id"] for each in parsed(text) if "id" in each.attributes]
    links = {each.attributes["href"][1:] for each in found(text, "a") if each.attributes["href"].startswith("#")}

    assert sorted(set(ids)) == sorted(ids)
    assert links <= set(ids)


@EACH
def test_a_page_has_its_landmarks_and_its_headings_in_order(text: str) -> None:
    tags = [each.tag for each in parsed(text)]
    levels = [int(tag[1]) for tag in tags if tag in HEADINGS]

    assert [1, 1, 1] == [tags.count(tag) for tag in ("header", "main", "footer")]
    assert (1, 1) == (levels[0], levels.count(1))
    assert [] == [(a, b) for a, b in pairwise(levels) if b > a + 1]


def test_what_was_not_kept_comes_first_and_is_open() -> None:
    opened = ["open" in each.attributes for each in found(PAGES["mixed"], "details")]
    names = [each.words for each in found(PAGES["mixed"], "bdi", "id")]

    assert [("broken", True), ("missing", True), ("kept", False)] == list(zip(names, opened, strict=True))


def test_only_the_first_of_many_are_open() -> None:
    text = render(alike(FAIL, 20))

    assert html.OPEN == sum("open" in each.attributes for each in found(text, "details"))


def test_a_status_is_a_word_and_not_only_a_colour() -> None:
    assert ["✗ failed", "? incomplete", "✓ passed"] == [
        each.split(" broken")[0].split(" missing")[0].split(" kept")[0] for each in words(PAGES["mixed"], "h3")
    ]


def test_each_scenario_can_be_linked_to() -> None:
    ids = [each.attributes.get("id") for each in found(PAGES["mixed"], "div", "inside")]

    assert [anchor(name) for name in ("broken", "missing", "kept")] == ids


def test_a_check_says_what_came_of_it_and_where_it_is_asked_for() -> None:
    checks = words(PAGES["mixed"], "li", "check")

    said = "✗ violated response.contains[0] line 10 the response does not contain 'yes' −expected: yes − expected"
    assert said == checks[0]
    assert "✓ kept response.contains[0] 'yes' line 10" == checks[-1]


def test_what_breaks_the_contract_is_marked_in_the_answer() -> None:
    assert ["no"] == words(PAGES["mixed"], "mark", "broken")


def test_what_is_missing_comes_with_its_remedy() -> None:
    assert 'To prove it: record a reply that finishes with "stop"' in words(PAGES["mixed"], "p", "remedy")


def test_problems_are_all_that_an_invalid_suite_has() -> None:
    assert ["Problems", "Where this comes from"] == words(PAGES["wrong"], "h2")
    assert ["desk.yml:3:1: no such key"] == words(PAGES["wrong"], "code")[:1]


def test_a_filter_offers_what_there_is() -> None:
    radios = [each for each in found(render(alike(FAIL, 2)), "input") if each.attributes["type"] == "radio"]

    assert ["all", "fail"] == [each.attributes["value"] for each in radios if "disabled" not in each.attributes]


def test_what_needs_the_script_is_hidden_without_it() -> None:
    assert ["hidden" in each.attributes for each in found(PAGES["mixed"], "div", "search")] == [True]


def test_when_room_runs_out_what_failed_is_shown_first_and_the_rest_have_a_line() -> None:
    kept = asked(WISH, response="yes" + "x" * 5000, name="kept")
    broken = asked(WISH, response="x" * 5000, name="broken")

    first, second = blocks(page_of(kept, broken), 12_000)

    assert ("details", "div") == (parsed(first)[1].tag, parsed(second)[1].tag)
    assert [anchor("broken")] == [each.attributes["id"] for each in parsed(first) if "id" in each.attributes]
    assert "✓ passed kept 1 assertion kept; behavior-results.json holds the rest" == parsed(second)[1].words


def test_every_scenario_has_at_least_its_line() -> None:
    assert 100 == len(blocks(alike(FAIL, 100), 0))


def test_a_page_is_bounded_whatever_an_agent_said() -> None:
    deep = {"<" * 300: ["&" * 5000] * 300}
    wishes = [("tools.required[0]", "tool_required", {"name": "send", "arguments": {"a": 1}})]
    calls = tuple(ToolCall("send", deep) for _ in range(100))
    scenarios = [asked(*wishes, WISH, name=f"s{n}", response="\u202e" * 100_000, tool_calls=calls) for n in range(30)]

    assert len(render(page_of(*scenarios)).encode()) < html.MOST


@given(st.lists(words_to_obey.texts.map("a{}".format), min_size=10, max_size=10))
def test_no_word_of_an_agents_changes_the_page(texts: list[str]) -> None:
    harmless = [re.sub(r"[^\n]", "x", text) + str(texts.index(text)) for text in texts]

    assert shape(render(pages.hostile(harmless))) == shape(render(pages.hostile(texts)))


@given(st.lists(words_to_obey.texts.map("a{}".format), min_size=10, max_size=10))
def test_nor_the_index(texts: list[str]) -> None:
    harmless = [re.sub(r"[^\n]", "x", text) + str(texts.index(text)) for text in texts]

    assert shape(index(pages.hostile(harmless))) == shape(index(pages.hostile(texts)))


@given(st.lists(words_to_obey.texts, min_size=7, max_size=7))
def test_no_unseen_character_and_no_foreign_element_is_in_a_page(texts: list[str]) -> None:
    several = reports.hostile(texts)
    made = [*map(render, several), index(*several)]

    assert [] == [text for text in made if UNSEEN.search(text)]
    assert {"script", "style"}.isdisjoint(each.tag for text in made for each in parsed(text)[12:-1])


@given(words_to_obey.texts)
def test_no_attribute_holds_a_word_of_an_agents(text: str) -> None:
    said = f"forged{text}forged"
    page = render(pages.hostile([said] * 10)) + index(pages.hostile([said] * 10))

    assert [] == [each for each in parsed(page) if any("forged" in value for value in each.attributes.values())]


def test_what_was_decided_unseen_is_marked_at_its_check() -> None:
    kept = [each for each in words(render(nouns.live_report()), "p") if each.startswith("✓ kept")]

    assert ["✓ kept response.contains[0] 'sk-1' line 10 (decided on words that are redacted here)"] == kept


def test_a_live_runs_page_ends_in_both_commands() -> None:
    assert [
        "agenttest replay agent-test-runs/1",
        "agenttest test desk.yml --observations agent-test-runs/1/observations.json",
    ] == words(render(nouns.live_report()), "p", "command")
