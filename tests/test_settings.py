"""Every limit has its bounds, and whatever lies beyond is told."""

import pytest

from agenttest.errors import Problem
from agenttest.settings import Limits


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
