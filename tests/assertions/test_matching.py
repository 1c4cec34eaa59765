"""Each wish gets a thing of its own, and as many wishes as possible are served."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from agenttest.assertions.matching import match

WISHES = st.lists(st.lists(st.integers(0, 4), unique=True, max_size=5), max_size=5)


def most(wishes: list[list[int]]) -> int:
    """How many wishes can be served at most, by trying every way to hand the things out."""
    ways = permutations([*range(5), *[None] * len(wishes)], len(wishes))
    return max(sum(thing in wish for thing, wish in zip(way, wishes, strict=True)) for way in set(ways))


@given(WISHES)
def test_most_wishes_are_served(wishes: list[list[int]]) -> None:
    assert most(wishes[:4]) == len(match(wishes[:4]))


@given(WISHES)
def test_nobody_gets_what_was_not_wished_for(wishes: list[list[int]]) -> None:
    assert all(thing in wishes[wish] for wish, thing in match(wishes).items())


@given(WISHES)
def test_nothing_is_given_twice(wishes: list[list[int]]) -> None:
    given_away = list(match(wishes).values())

    assert sorted(set(given_away)) == sorted(given_away)


@given(WISHES)
def test_who_was_served_stays_served_when_another_comes(wishes: list[list[int]]) -> None:
    assert match(wishes[:-1]).keys() <= match(wishes).keys()


def test_the_best_thing_is_given_first() -> None:
    assert {0: 3, 1: 1} == match([[3, 1], [1, 3]])


def test_one_moves_on_so_that_another_is_served() -> None:
    assert {0: 1, 1: 0} == match([[0, 1], [0]])


def test_a_long_chain_moves_on() -> None:
    wishes = [[index, index + 1] for index in range(2_000)] + [[0]]

    assert 2_001 == len(match(wishes))
