"""A token is hidden from the log in every form that it may come back in, and no word of the log with it."""

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest

from agenttest.github.masks import masks
from tests.github.runner_grammar import commands

TOKEN = 'sk-live/"abc"+def==~?>9'


def hidden(text: str, token: str = TOKEN) -> str:
    """The text as the runner shows it after our commands."""
    values = [each.data for each in commands("\n".join(masks(token)))]
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, "***")
    return text


@pytest.mark.parametrize("form", [str, quote, json.dumps], ids=["literal", "in a URL", "in JSON"])
def test_a_form_of_the_token_is_hidden(form: object) -> None:
    assert callable(form)
    assert "sk-live" not in hidden(f"before {form(TOKEN)} after")


@pytest.mark.parametrize("before", range(7))
@pytest.mark.parametrize("after", range(4))
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
def test_base64_with_the_token_anywhere_in_it_is_hidden(encode: object, before: int, after: int) -> None:
    assert callable(encode)
    text = encode(b"<" * before + TOKEN.encode() + b">" * after).decode()

    shown = hidden(text)
    assert "***" in shown
    assert len(shown) - len("***") <= len(text) - (8 * len(TOKEN) // 6 - 2)


@pytest.mark.parametrize("token", ["", "abc", "1234567"])
def test_a_token_that_looks_like_a_word_is_left_alone(token: str) -> None:
    assert "token: abc 1234567" == hidden("token: abc 1234567", token)


def test_no_form_is_masked_twice() -> None:
    found = masks("plain-letters-1")

    assert len(found) == len(set(found))
