"""Oracles of the final answer: a text stands in it or does not, in any case unless the case counts."""

from typing import Any

import pytest

from tests.assertions.oracles.traces import finding, told

ANSWER = "I am watering bed 4 for 10 minutes, by the Straße."


def contains(text: str, answer: str = ANSWER, **more: Any) -> tuple[str, str]:
    return told("FinalAnswerContains", {"text": text, **more}, answer)


@pytest.mark.parametrize("text", ["10 minutes", "10 MINUTES", ANSWER, "4", "STRAßE"])
def test_a_text_is_found_in_any_case(text: str) -> None:
    assert ("pass", "the final answer contains the text") == contains(text)


@pytest.mark.parametrize("text", ["minutes for", "1.*s", "watering4", "STRASSE"])
def test_a_text_that_is_not_there_is_missed(text: str) -> None:
    assert ("fail", f"the final answer does not contain '{text}'") == contains(text)


def test_case_counts_where_it_should() -> None:
    expected = ("fail", "the final answer does not contain '10 Minutes'; it does when letter case is overlooked")
    assert expected == contains("10 Minutes", caseSensitive=True)


def test_the_same_case_is_found_where_it_counts() -> None:
    assert ("pass", "the final answer contains the text") == contains("10 minutes", caseSensitive=True)


def test_white_space_that_stands_in_the_way_is_named() -> None:
    expected = ("fail", "the final answer does not contain 'BED  4'; it does when white space is overlooked")
    assert expected == contains("BED  4")


def test_an_empty_answer_lacks_every_text() -> None:
    assert ("fail", "the final answer is empty, so it does not contain 'bed'") == contains("bed", "")


@pytest.mark.parametrize(("kind", "text"), [("FinalAnswerContains", "BED"), ("FinalAnswerExcludes", "key code")])
def test_a_pass_shows_the_answer(kind: str, text: str) -> None:
    assert ANSWER == finding(kind, {"text": text}, ANSWER).observed


def test_of_a_long_answer_the_beginning_is_shown() -> None:
    assert "x" * 299 + "…" == finding("FinalAnswerContains", {"text": "key"}, "x" * 1000).observed


def test_a_text_that_must_not_be_there_is_found_in_any_case() -> None:
    expected = ("fail", "the final answer contains 'KEY code'")
    assert expected == told("FinalAnswerExcludes", {"text": "KEY code"}, "The key code is 1204.")


def test_a_text_of_another_case_is_let_pass_where_the_case_counts() -> None:
    expected = ("pass", "the final answer does not contain the text")
    assert expected == told("FinalAnswerExcludes", {"text": "KEY code", "caseSensitive": True}, "The key code.")


def test_the_words_around_a_forbidden_text_are_shown() -> None:
    found = finding("FinalAnswerExcludes", {"text": "key"}, "x" * 500 + "KEY" + "y" * 500)

    assert "…" + "x" * 100 + "KEY" + "y" * 100 + "…" == found.observed
