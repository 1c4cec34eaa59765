"""How many values a text holds is told from the text as from what it is read as."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.documents.measure import counted, measure
from tests.documents.test_jsonfile import LAYOUTS, VALUES


@given(VALUES, LAYOUTS)
def test_a_text_holds_as_many_values_as_what_is_read_of_it(value: Any, layout: dict[str, Any]) -> None:
    assert measure(value)[1] == counted(json.dumps(value, **layout))


@given(st.text('\\",:[]{} a', max_size=8), LAYOUTS)
def test_what_stands_in_a_text_is_no_value(text: str, layout: dict[str, Any]) -> None:
    assert 4 == counted(json.dumps({"a": [text]}, **layout))


@pytest.mark.parametrize("text", ['"' + '\\"' * 1_000_000, '"' * 1_000_001, "[" * 1_000_000, "\\" * 1_000_001])
def test_a_text_that_is_no_json_is_counted_in_one_pass(text: str) -> None:
    assert counted(text) <= 1_000_001


@pytest.mark.parametrize(
    ("value", "depth", "count"), [(1, 0, 1), ([], 1, 1), ({"a": 1}, 1, 3), ([[], {"a": [1, 2]}], 3, 7)]
)
def test_keys_count_and_levels_too(value: Any, depth: int, count: int) -> None:
    assert (depth, count) == measure(value)
