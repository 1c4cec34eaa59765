"""Every limit has its bounds, and whatever lies beyond is told."""

import pytest

from agenttest.errors import InvalidInput, Problem
from agenttest.model import Shard
from agenttest.quote import quote
from agenttest.settings import Limits, shard


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits(max_scenarios=1, max_seconds=0.001, max_tokens=1),
        Limits(max_scenarios=1_000, max_seconds=3_600, max_tokens=32_768),
    ],
)
def test_limits_within_their_bounds_are_right(limits: Limits) -> None:
    assert [] == list(limits.problems())


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        (Limits(max_scenarios=0), Problem("--max-scenarios", 0, 0, "is 0; give a number from 1 to 1000")),
        (Limits(max_scenarios=1_001), Problem("--max-scenarios", 0, 0, "is 1001; give a number from 1 to 1000")),
        (Limits(max_seconds=0), Problem("--max-seconds", 0, 0, "is 0; give a number above 0, at most 3600")),
        (Limits(max_seconds=3_601), Problem("--max-seconds", 0, 0, "is 3601; give a number above 0, at most 3600")),
        (
            Limits(max_seconds=float("nan")),
            Problem("--max-seconds", 0, 0, "is nan; give a number above 0, at most 3600"),
        ),
        (Limits(max_tokens=0), Problem("--max-tokens", 0, 0, "is 0; give a number from 1 to 32768")),
        (Limits(max_tokens=32_769), Problem("--max-tokens", 0, 0, "is 32769; give a number from 1 to 32768")),
    ],
)
def test_a_limit_out_of_its_bounds_is_told(limits: Limits, problem: Problem) -> None:
    assert [problem] == list(limits.problems())


def test_every_limit_that_is_wrong_is_told() -> None:
    assert 3 == len(list(Limits(max_scenarios=0, max_seconds=-1, max_tokens=0).problems()))


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ("1/2", Shard(1, 2)),
        ("3/3", Shard(3, 3)),
        (" 2/3\n", Shard(2, 3)),
        ("0002/0003", Shard(2, 3)),
        ("1000/1000", Shard(1000, 1000)),
        ("1/1", None),
    ],
)
def test_a_shard_is_a_part_of_so_many(given: str, part: Shard | None) -> None:
    assert part == shard(given)


@pytest.mark.parametrize(
    "given",
    ["", "1", "0/3", "4/3", "1/0", "0/0", "1/1001", "1001/1001", "-1/3", "1/-3", "1 /3", "1/3/3", "1.0/3", "a/b",
     "1\uff0f3", "\u0661/3", "1/99999999999999999999", "\x1b[2J", "1/2\n::error::"],
)  # fmt: skip
def test_what_is_no_shard_is_told_in_one_line_what_would_be_right(given: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        shard(given, "shard")

    said = f"shard: is {quote(given)}; give the part and how many there are, from 1/1 to 1000/1000, such as 2/3"
    assert [said] == [str(problem) for problem in caught.value.problems]
    assert said.isprintable()
