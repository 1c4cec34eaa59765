"""A provider's own words are found in whatever it sends in place of a completion."""

from typing import Any

import pytest

from agenttest.sources.endpoint import provider


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"error": {"message": "Too many.", "code": "rate_limit", "type": "x"}}, "'Too many.' (rate_limit)"),
        ({"error": {"message": "No.", "code": None, "type": "server_error"}}, "'No.' (server_error)"),
        ({"error": {"message": "Provider returned error", "code": 429}}, "'Provider returned error' (429)"),
        ({"error": {"code": "overloaded"}}, "(overloaded)"),
        ({"error": "no such model"}, "'no such model'"),
        ({"detail": "Not Found"}, "'Not Found'"),
        ({"detail": [{"loc": ["body"], "msg": "Field required", "type": "missing"}]}, "'Field required' (missing)"),
        ({"object": "error", "message": "Bad model", "code": 404}, "'Bad model' (404)"),
        ([{"error": {"code": 400, "message": "Invalid", "status": "INVALID"}}], "'Invalid' (400)"),
        ({"errors": [{"code": 1000, "message": "Blocked"}]}, "'Blocked' (1000)"),
        ({"error": {"error": {"message": "Inner"}}}, "'Inner'"),
        ({"error": {"message": " a\n\tb ", "code": " "}}, "'a b'"),
        ({"error": True, "message": "So"}, "'So'"),
        ({"error": {"message": " "}}, ""),
        ({"error": {}}, ""),
        ({"error": {"code": True}}, ""),
        ({}, ""),
        ([], ""),
        (None, ""),
        (5, ""),
        ("no such model", "'no such model'"),
    ],
)
def test_the_words_stand_in_quotes_and_the_code_behind_them(value: Any, words: str) -> None:
    assert words == provider.words(value)


def test_a_long_message_ends_with_a_whole_word() -> None:
    assert f"'{'word ' * 47}word …'" == provider.words({"error": "word " * 1000})


def test_of_a_word_that_is_too_long_nothing_is_shown() -> None:
    assert "'…' (…)" == provider.words({"error": {"message": "s" * 300, "code": "s" * 300}})
