"""What a trace tells of each call: which results are its own, and how its approval stood when they came."""

import pytest

from agenttest.assertions.oracles.attempts import Answer, Standing, trace
from agenttest.model import Payload
from tests.assertions.oracles.traces import asked, call, decided, result, steps


def answers(*payloads: Payload) -> list[list[int]]:
    """For each call the steps of its results."""
    return [[answer.step.sequence for answer in each.answers] for each in trace(steps(*payloads)).attempts]


ONE, TWO, PLAIN, BLOCKED = call("pay", "", "c1"), call("pay", "", "c2"), call("pay"), call("pay", "b")


@pytest.mark.parametrize(
    ("payloads", "expected"),
    [
        ((ONE, TWO, result("pay", True, "c2"), result("pay", True, "c1")), [[4], [3]]),
        ((ONE, result("pay", True, "c1"), result("pay", True, "c1")), [[2, 3]]),
        ((result("pay", True, "c1"), ONE, TWO), [[1], []]),
        ((ONE, result("pay", True, "c1"), ONE, result("pay", True, "c1")), [[2], [4]]),
        ((call("get", "", "c1"), ONE, result("get", True, "c1")), [[3], []]),
        ((ONE, result("PAYS", True, "c1")), [[2]]),
        ((ONE, result("pay", True, "c9")), [[2]]),
        ((PLAIN, PLAIN, result("pay"), result("Pay"), result("pay")), [[3], [4, 5]]),
        ((PLAIN, result("pay"), PLAIN, result("pay")), [[2], [4]]),
        ((BLOCKED, PLAIN, result("pay")), [[], [3]]),
        ((BLOCKED, result("pay")), [[2]]),
        ((PLAIN, result("get")), [[]]),
        ((result("pay"), PLAIN), [[1]]),
        ((ONE, PLAIN, result("pay"), result("pay")), [[3], [4]]),
        ((ONE, PLAIN, result("pay", True, "c1"), result("pay")), [[3], [4]]),
        ((ONE, PLAIN, result("pay", True, "c9")), [[], [3]]),
        ((call("pay", "", ""), result("pay", True, "")), [[2]]),
    ],
    ids=[
        "by-id",
        "all-by-id",
        "before-the-call",
        "an-id-used-again",
        "an-id-used-by-another-tool",
        "by-id-in-spite-of-the-name",
        "of-an-unknown-call",
        "by-name-in-order",
        "by-name-one-by-one",
        "rather-not-of-a-blocked-call",
        "of-a-blocked-call-if-of-no-other",
        "of-another-tool",
        "before-the-call-by-name",
        "without-an-id",
        "by-id-first",
        "of-an-unknown-id",
        "a-blank-id-is-none",
    ],
)
def test_a_result_is_of_its_call(payloads: tuple[Payload, ...], expected: list[list[int]]) -> None:
    assert expected == answers(*payloads)


def test_approval_stands_as_it_was_last_told_before_a_result() -> None:
    told = (ONE, asked("pay", "c1"), result("pay", False, "c1"), decided("pay", "approved"), result("pay", True, "c1"))
    made = steps(*told)

    (attempt,) = trace(made).attempts

    early = Answer(made[2], False, Standing("requested", "requested"))
    assert (early, Answer(made[4], True, Standing("requested", "approved"))) == attempt.answers


def test_approval_by_id_is_of_no_other_call() -> None:
    one, two = trace(steps(ONE, TWO, asked("pay", "c2"))).attempts

    assert (False, True) == (one.asked, two.asked)


def test_approval_by_name_is_of_every_call_of_the_tool() -> None:
    made = trace(steps(ONE, PLAIN, call("get"), asked("Pay"))).attempts

    assert [True, True, False] == [each.asked for each in made]


def test_approval_of_an_unknown_call_is_of_the_calls_without_an_id() -> None:
    made = trace(steps(ONE, PLAIN, asked("pay", "c9"))).attempts

    assert [False, True] == [each.asked for each in made]
