"""The response is the text that a user would see: no thoughts, and never less than was said without a word of it."""

from typing import Any

import pytest

from tests.sources.endpoint.messages import doubts, observed

TEXT = {"type": "text", "text": "Refunds: "}
MORE = {"type": "output_text", "text": "30 days."}


@pytest.mark.parametrize(
    ("content", "response"),
    [
        ("", ""),
        (" a\n", " a\n"),
        ("<think>b</think>a", "<think>b</think>a"),
        ("x" * 200_000, "x" * 200_000),
        ([TEXT, MORE], "Refunds: 30 days."),
        ([{"text": "a"}, {"type": None, "text": "b"}], "ab"),
        ([{"type": "text", "text": ""}], ""),
        ([TEXT, {"type": "refusal", "refusal": "No."}], "Refunds: "),
        ([{"type": "text", "text": "\ud83e"}, {"type": "text", "text": "\udd89"}], "🦉"),
        (None, None),
        ([], None),
        ([{"type": "refusal", "refusal": "No."}], None),
    ],
)
def test_texts_are_the_response_and_parts_are_joined(content: Any, response: str | None) -> None:
    found = observed(content=content)

    assert (response, True) == (found.response, found.response_complete)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "thinking", "thinking": [{"type": "text", "text": "90 days?"}]},
        {"type": "thinking", "text": "90 days?"},
        {"type": "redacted_thinking", "data": "eA=="},
        {"type": "reasoning", "text": "90 days?"},
        {"type": "reasoning_content", "reasoning_content": "90 days?"},
        {"text": "90 days?", "thought": True},
    ],
)
def test_thoughts_are_no_part_of_the_response(part: Any) -> None:
    found = observed(content=[part, TEXT])

    assert ("Refunds: ", True) == (found.response, found.response_complete)


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content", "thinking"])
def test_thoughts_beside_no_content_are_no_response(name: str) -> None:
    assert None is observed(content=None, **{name: "It is Oslo."}).response


@pytest.mark.parametrize(
    ("content", "response", "doubt"),
    [
        (9, None, "content is a number, no text"),
        ({"text": "a"}, None, "content is an object, no text"),
        (True, None, "content is true, no text"),
        ("x" * 200_001, None, "content has 200,001 characters, and at most 200,000 are judged"),
        (
            [{"text": "x" * 200_000}, {"text": "y"}],
            None,
            "content has 200,001 characters, and at most 200,000 are judged",
        ),
        (["a", TEXT], "Refunds: ", "content[0] is 'a', no part with a type"),
        ([TEXT, None], "Refunds: ", "content[1] is null, no part with a type"),
        ([TEXT, {"type": "image_url"}], "Refunds: ", "content[1] is of the type 'image_url', which is not understood"),
        ([TEXT, {"type": 5}], "Refunds: ", "content[1] is of the type a number, which is not understood"),
        ([{"type": ["text"], "text": "a"}], None, "content[0] is of the type a list, which is not understood"),
        ([{"type": "text", "text": {"value": "a"}}], None, "content[0] is of the type 'text', but holds no text"),
        ([{"type": "text"}, {"type": "audio"}], None, "content[0] is of the type 'text', but holds no text"),
        ([{"type": "refusal"}], None, "content[0] is of the type 'refusal', but holds no text"),
    ],
)
def test_what_is_not_understood_leaves_the_response_incomplete(content: Any, response: str | None, doubt: str) -> None:
    found = observed(content=content)

    assert (response, False, doubt) == (found.response, found.response_complete, doubts(content=content)["response"])
