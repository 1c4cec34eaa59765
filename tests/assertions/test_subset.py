"""What is expected of a JSON value is looked for at every depth, and what else the value holds does not matter."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agenttest.assertions.subset import differences

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from([0.0, 1.0, -0.0, 0.5, 2**53, float(2**53), 2**53 + 1, 10**30, 1e30, "", "1", "a", "é", "\ud800"])
)
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


def holds(expected: Any, observed: Any) -> bool:
    """The rules of the JSON subset, written down once more as simply as can be."""
    if isinstance(expected, dict):
        known = isinstance(observed, dict) and expected.keys() <= observed.keys()
        return known and all(holds(value, observed[key]) for key, value in expected.items())
    if isinstance(expected, list):
        alike = isinstance(observed, list) and len(expected) == len(observed)
        return alike and all(holds(a, b) for a, b in zip(expected, observed, strict=True))
    if type(expected) in (int, float):
        return type(observed) in (int, float) and expected == observed
    return type(expected) is type(observed) and expected == observed


def kept(expected: Any, observed: Any) -> bool:
    return next(differences(expected, observed), None) is None


def told(expected: Any, observed: Any) -> list[str]:
    return list(map(str, differences(expected, observed)))


def mappings(value: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in a value, outside in."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield value
    for part in inner:
        yield from mappings(part)


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every list or mapping with each of its keys that leads to a scalar."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if isinstance(inner, dict | list) and inner:
            yield from spots(inner)
        else:
            yield value, key


@given(JSON)
def test_every_value_holds_itself(value: Any) -> None:
    assert kept(value, copy.deepcopy(value))


@given(JSON, st.data())
def test_more_keys_do_not_matter_at_any_depth(value: Any, data: st.DataObject) -> None:
    more = copy.deepcopy(value)
    for mapping in mappings(more):
        mapping["more"] = data.draw(SCALARS)

    assert kept(value, more)


@given(JSON, st.data())
def test_any_leaf_that_is_another_value_is_told(value: Any, data: st.DataObject) -> None:
    other = copy.deepcopy(value)
    assume(list(spots(other)))
    holder, key = data.draw(st.sampled_from(list(spots(other))))
    holder[key] = "another"

    assert not kept(value, other)


@given(JSON, st.data())
def test_any_missing_key_is_told(value: Any, data: st.DataObject) -> None:
    less = copy.deepcopy(value)
    holders = [mapping for mapping in mappings(less) if mapping]
    assume(holders)
    mapping = data.draw(st.sampled_from(holders))
    del mapping[data.draw(st.sampled_from(sorted(mapping)))]

    assert not kept(value, less)


@given(JSON, JSON)
def test_any_two_values_are_compared_as_the_rules_say(expected: Any, observed: Any) -> None:
    assert holds(expected, observed) is kept(expected, observed)


@given(JSON, st.data())
def test_nearly_equal_values_are_compared_as_the_rules_say(expected: Any, data: st.DataObject) -> None:
    observed = [copy.deepcopy(expected)]
    holder, key = data.draw(st.sampled_from(list(spots(observed)) or [(observed, 0)]))
    holder[key] = data.draw(JSON)

    assert holds([expected], observed) is kept([expected], observed)


def follow(value: Any, steps: tuple[str | int, ...]) -> Any:
    """What stands at the end of a path, or the ellipsis, which is no JSON value, where nothing does."""
    for step in steps:
        value = value.get(step, ...) if isinstance(value, dict) else value[step]
    return value


@given(JSON, JSON)
def test_a_difference_is_where_it_says(expected: Any, observed: Any) -> None:
    for difference in differences(expected, observed):
        assert not holds(follow(expected, difference.steps), follow(observed, difference.steps))


@pytest.mark.parametrize(
    ("expected", "observed"),
    [(1, 1.0), (0, -0.0), (2**53, float(2**53)), (10**30, 10**30), (None, None), ([], []), ({}, {"a": 1}), ("é", "é")],
)
def test_equal_by_value_is_kept(expected: Any, observed: Any) -> None:
    assert [] == told(expected, observed)


@pytest.mark.parametrize(
    ("expected", "observed", "difference"),
    [
        (1, True, "$ is true, expected 1"),
        (True, 1, "$ is 1, expected true"),
        (0, False, "$ is false, expected 0"),
        (0, None, "$ is null, expected 0"),
        ("1", 1, "$ is 1, expected '1'"),
        (2**53 + 1, float(2**53), "$ is 9007199254740992.0, expected 9007199254740993"),
        ("é", "e\u0301", "$ is 'e\u0301', expected 'é'"),
        ([1, 2], [2, 1], "$[0] is 2, expected 1"),
        ([1], [1, 2], "$ is a list of 2, expected a list of 1"),
        ([1, 2], [1], "$ is a list of 1, expected a list of 2"),
        ([], "", "$ is '', expected a list"),
        ({}, [], "$ is [], expected an object"),
        ({}, None, "$ is null, expected an object"),
        ({"a": None}, {}, "$.a is missing, expected null"),
        ({"a": {"b": [{"c": 5}]}}, {"a": {"b": [{"c": 6}]}}, "$.a.b[0].c is 6, expected 5"),
        ({"a.b": 1}, {"a": {"b": 1}}, "$['a.b'] is missing, expected 1"),
        ({"": 1}, {}, "$[''] is missing, expected 1"),
        ({"a": "x" * 300}, {"a": 1}, f"$.a is 1, expected '{'x' * 140}'… (300 characters)"),
    ],
)
def test_the_first_difference_is_told_with_its_path(expected: Any, observed: Any, difference: str) -> None:
    assert difference == told(expected, observed)[0]


def test_every_difference_is_told() -> None:
    expected, observed = {"a": 1, "b": [1, {"c": 2}], "d": 3}, {"a": 2, "b": [1, {"c": 3}]}

    assert ["$.a is 2, expected 1", "$.b[1].c is 3, expected 2", "$.d is missing, expected 3"] == told(
        expected, observed
    )


def test_a_tuple_is_a_list() -> None:
    assert [] == told(("a", "b"), ["a", "b"])
