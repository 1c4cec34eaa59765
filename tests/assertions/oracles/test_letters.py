"""Letters that differ by case alone are equal, each by itself, and nothing else becomes equal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.assertions.oracles.letters import fold


@pytest.mark.parametrize(
    ("one", "other"), [("read_file", "Read_FILE"), ("straße", "STRAßE"), ("ÄÖÜ", "äöü"), ("ΣΟΦΟΣ", "σοφος"), ("𐐀", "𐐨")]
)
def test_letters_of_another_case_are_equal(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("ß", "ss"), ("ı", "i"), ("İ", "i"), ("ſ", "s"), ("\u212a", "k"), ("ﬁ", "fi"), ("e\u0301", "é"), ("ａ", "a")],
    ids=["sharp-s", "dotless-i", "dotted-I", "long-s", "kelvin", "ligature", "composed", "full-width"],
)
def test_letters_that_look_or_sound_alike_are_not(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text(st.characters()))
def test_every_character_stays_one(text: str) -> None:
    assert len(text) == len(fold(text))


@given(st.text(st.characters()))
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    assert fold(text) == fold(fold(text))
