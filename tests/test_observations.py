"""An observation and its document say the same."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.model import Observation, ToolCall
from agenttest.observations import from_document, to_document
from agenttest.sources import normalized

NAMES = st.text(min_size=1, max_size=8).map(str.strip).filter(bool)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.none() | st.dictionaries(st.text(max_size=3), JSON, max_size=3)
CALLS = st.none() | st.lists(st.builds(ToolCall, NAMES, ARGUMENTS), max_size=3).map(tuple)
FINISHES = st.sampled_from([None, "stop", "tool_calls", "length"])
OBSERVATIONS = st.builds(
    Observation,
    id=st.just("desk"),
    response=st.none() | st.text(),
    response_complete=st.sampled_from([None, False]),
    finish_reason=FINISHES,
    tool_calls=CALLS,
    tool_calls_complete=st.sampled_from([None, False]),
    refusal=st.none() | st.booleans(),
    sources=st.none() | st.lists(NAMES, max_size=3).map(tuple),
    error=st.none() | NAMES,
)


@given(OBSERVATIONS)
def test_what_was_observed_is_a_valid_recording_of_itself(seen: Observation) -> None:
    text = json.dumps({"version": 1, "scenarios": [to_document(seen)]})

    assert {"desk": seen} == normalized.load("o.json", text.encode(), {"desk"}).observations


def test_identifiers_are_trimmed_and_texts_are_not() -> None:
    raw = {
        "id": " desk ",
        "response": " yes ",
        "finish_reason": " stop\n",
        "tool_calls": [{"name": " pay "}],
        "sources": [" faq ", {"id": " policy "}],
    }

    seen = Observation("desk", " yes ", None, "stop", (ToolCall("pay", None),), sources=("faq", "policy"))
    assert seen == from_document(raw)


@pytest.mark.parametrize("none", [None, []])
def test_null_calls_and_sources_are_observed_and_empty(none: Any) -> None:
    assert Observation("a", tool_calls=(), sources=()) == from_document(
        {"id": "a", "tool_calls": none, "sources": none}
    )


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ({"id": "a", "source": "b"}, "a"),
        ({"id": None, "source": "b"}, "b"),
        ({"source": "b"}, "b"),
    ],
)
def test_the_id_of_a_source_comes_before_its_source(source: dict[str, Any], name: str) -> None:
    assert (name,) == from_document({"id": "x", "sources": [source]}).sources


def test_what_was_not_observed_is_left_out_of_the_document() -> None:
    assert {"id": "a"} == to_document(Observation("a"))


def test_what_was_observed_and_empty_stays_in_it() -> None:
    seen = Observation("a", "", False, tool_calls=(ToolCall("b", {}), ToolCall("c", None)), refusal=False, sources=())

    assert {
        "id": "a",
        "response": "",
        "response_complete": False,
        "tool_calls": [{"name": "b", "arguments": {}}, {"name": "c"}],
        "refusal": False,
        "sources": [],
    } == to_document(seen)
