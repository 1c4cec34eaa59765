"""JSON is written the same every time, can be read back by anyone, and nothing in it acts on a terminal."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.jsontext import compact, spread
from agenttest.quote import UNSEEN

TEXTS = st.text(st.characters() | st.sampled_from("\x1b\x7f\x85\u200b\u202e\u2028\ufeff\ud800"), max_size=6)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(TEXTS, JSON | st.lists(st.dictionaries(TEXTS, JSON, max_size=2), max_size=2), max_size=3)


@given(JSON)
def test_a_value_is_read_back_as_it_was(value: Any) -> None:
    assert value == json.loads(compact(value))


@given(DOCUMENTS)
def test_a_document_is_read_back_as_it_was(document: dict[str, Any]) -> None:
    assert document == json.loads(spread(document))


@given(DOCUMENTS)
def test_nothing_in_it_acts_and_all_of_it_is_utf_8(document: dict[str, Any]) -> None:
    text = spread(document) + compact(document)

    assert UNSEEN.search(text) is None
    assert text.encode()


@given(DOCUMENTS)
def test_the_order_of_keys_does_not_matter(document: dict[str, Any]) -> None:
    turned = dict(reversed(document.items()))

    assert (compact(document), spread(document)) == (compact(turned), spread(turned))


def test_the_compact_form_has_no_spaces() -> None:
    assert '{"a":[1,2.5,"é\\u200b"],"b":null}' == compact({"b": None, "a": [1, 2.5, "é\u200b"]})


def test_each_key_and_each_object_of_a_list_has_a_line() -> None:
    text = spread({"b": [{"y": 1}, {"x": {}}], "a": {"z": [1, 2]}, "c": []})

    assert '{\n  "a": {"z": [1, 2]},\n  "b": [\n    {"y": 1},\n    {"x": {}}\n  ],\n  "c": []\n}\n' == text


def test_keys_inside_a_line_are_sorted_and_letters_stay_letters() -> None:
    assert '{\n  "a": {"b": "é", "c": 1}\n}\n' == spread({"a": {"c": 1, "b": "é"}})


@pytest.mark.parametrize("write", [compact, spread])
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_json_cannot_say_is_never_written(write: Callable[[Any], str], number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        write({"a": number})
