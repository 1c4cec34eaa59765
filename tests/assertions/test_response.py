"""The answer's text is compared character for character, and a near miss says what stands in the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.assertions import ASSERTIONS, Finding, response
from tests.assertions.findings import finding, message


@given(st.text(), st.text(min_size=1), st.text())
def test_a_text_is_found_wherever_it_stands(before: str, text: str, after: str) -> None:
    assert finding("response_contains", text, before + text + after) is None


@given(st.text(min_size=1, max_size=3), st.text(max_size=6))
def test_contains_and_excludes_never_agree(text: str, response: str) -> None:
    assert (finding("response_contains", text, response) is None) is not (
        finding("response_excludes", text, response) is None
    )


def test_a_missing_text_is_told_with_the_response() -> None:
    said = "the response does not contain 'thirty days'"

    assert Finding(said, "You have 14 days.") == finding("response_contains", "thirty days", "You have 14 days.")


@pytest.mark.parametrize(
    ("text", "response", "what"),
    [
        ("Nine", "at nine", "letter case"),
        ("STRASSE", "straße", "letter case"),
        ("at nine", "at\n nine", "white space"),
        (" nine ", "nine", "white space"),
        ("wordwide", "word\u200bwide", "invisible characters"),
        ("café", "cafe\u0301", "Unicode form (NFC)"),
        ("room １", "room 1", "Unicode form (NFKC)"),
    ],
)
def test_a_near_miss_says_what_would_have_to_be_overlooked(text: str, response: str, what: str) -> None:
    said = message("response_contains", text, response)

    assert said is not None
    assert said.endswith(f"; it does when {what} is overlooked")


@pytest.mark.parametrize(("text", "response"), [("nine", "ten"), (" ", "x"), ("\u200b", "x"), ("nine", "")])
def test_a_text_that_is_nowhere_near_is_just_missing(text: str, response: str) -> None:
    said = message("response_contains", text, response)

    assert said is not None
    assert "overlooked" not in said


def test_long_runs_of_combining_marks_are_not_normalised_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    monkeypatch.setattr("unicodedata.normalize", lambda _, text: sizes.append(len(text)) or text)

    message("response_contains", "x" * 500, "a" + "\u0301\u0323" * 100_000)

    assert max(sizes) <= 200


def test_a_response_is_brought_into_a_form_once_for_all_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    formed: list[str] = []
    monkeypatch.setitem(response.FORMS, "letter case", lambda text: formed.append(text) or text)

    dict(ASSERTIONS["response_contains"].check(["red", "green", "blue"], "grey, as always"))

    assert 1 == formed.count("grey, as always")


def test_a_long_response_is_shown_by_its_beginning() -> None:
    found = finding("response_contains", "x", "y" * 1_000)

    assert found is not None
    assert "y" * 299 + "…" == found.observed


def test_an_excluded_text_is_told_with_what_stands_around_it() -> None:
    found = finding("response_excludes", "secret", "a" * 500 + "secret" + "b" * 500)

    assert Finding("the response contains 'secret'", "…" + "a" * 100 + "secret" + "b" * 100 + "…") == found


def test_a_mark_stands_only_where_something_was_cut() -> None:
    found = finding("response_excludes", "secret", "a" * 101 + "secret" + "b" * 100)

    assert Finding("the response contains 'secret'", "…" + "a" * 100 + "secret" + "b" * 100) == found


def test_an_excluded_text_in_a_short_response_is_told_with_all_of_it() -> None:
    found = finding("response_excludes", "secret", "the secret")

    assert Finding("the response contains 'secret'", "the secret") == found
