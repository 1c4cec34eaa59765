"""Scenarios are asked for once each, some at a time, and come back in order, whatever ends the run early."""

import threading
import time
from collections.abc import Callable

import pytest

from agenttest.evidence import OUT_OF_TIME, Lost
from agenttest.model import Exchange, Observation, Reason, Scenario, Seen
from agenttest.sources.endpoint.pool import ALIKE, NAME, Pool

LONG = 60.0


def scenarios(count: int) -> list[Scenario]:
    return [Scenario(f"s{number}", "Hello", None, None, (), 1) for number in range(count)]


def answer(scenario: Scenario) -> Seen:
    return Seen(Observation(scenario.id, response=scenario.id), Exchange(200, 1))


def failure(scenario: Scenario, why: str = "refused") -> Seen:
    return Seen(Observation(scenario.id, error=why), Exchange(None, 1), why)


def told(found: list[Seen | Lost]) -> list[str]:
    """The id of what was seen, else the reason why nothing was."""
    return [
        str(each.reason) if isinstance(each, Lost) else str(each.observation and each.observation.id) for each in found
    ]


def answers(
    ask: Callable[[Scenario, float], Seen], count: int, concurrency: int = 1, seconds: float = LONG
) -> list[Seen | Lost]:
    return list(Pool(ask, scenarios(count), concurrency, time.monotonic() + seconds).answers())


@pytest.mark.parametrize("concurrency", [1, 3, 64])
def test_answers_come_in_the_suites_order_whatever_their_own(concurrency: int) -> None:
    def ask(scenario: Scenario, _: float) -> Seen:
        time.sleep(0.03 if scenario.id in ("s0", "s3") else 0.0)
        return answer(scenario)

    found = answers(ask, 6, concurrency)

    assert [f"s{number}" for number in range(6)] == told(found)


def test_each_scenario_is_asked_for_once() -> None:
    asked: list[str] = []

    def ask(scenario: Scenario, _: float) -> Seen:
        asked.append(scenario.id)
        return answer(scenario)

    answers(ask, 20, 4)

    assert sorted(f"s{number}" for number in range(20)) == sorted(asked)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_no_more_are_asked_at_a_time_than_allowed(concurrency: int) -> None:
    lock, at_a_time, most = threading.Lock(), 0, 0

    def ask(scenario: Scenario, _: float) -> Seen:
        nonlocal at_a_time, most
        with lock:
            at_a_time += 1
            most = max(most, at_a_time)
        time.sleep(0.01)
        with lock:
            at_a_time -= 1
        return answer(scenario)

    answers(ask, 12, concurrency)

    assert concurrency == most


def test_nothing_is_asked_before_the_first_answer_is_read() -> None:
    asked: list[str] = []
    Pool(lambda scenario, _: asked.append(scenario.id) or answer(scenario), scenarios(3), 2, LONG).answers()

    assert [] == asked


def test_after_five_failures_alike_in_a_row_the_rest_is_lost() -> None:
    found = answers(lambda scenario, _: failure(scenario), 8)

    assert [*(f"s{number}" for number in range(ALIKE)), *(["endpoint"] * 3)] == told(found)


def test_what_is_lost_says_how_the_endpoint_failed() -> None:
    last = answers(lambda scenario, _: failure(scenario, "the connection was refused"), 6)[-1]

    assert isinstance(last, Lost)
    assert "5 times in a row" in last.missing.reason
    assert "'the connection was refused'" in last.missing.reason


@pytest.mark.parametrize("concurrency", [1, 16])
def test_where_they_begin_does_not_depend_on_the_arrival(concurrency: int) -> None:
    def ask(scenario: Scenario, _: float) -> Seen:
        time.sleep(0.05 if scenario.id == "s1" else 0.0)
        return failure(scenario) if scenario.id in ("s1", "s2", "s3", "s4", "s5") else answer(scenario)

    found = answers(ask, 9, concurrency)

    assert ["s0", "s1", "s2", "s3", "s4", "s5", "endpoint", "endpoint", "endpoint"] == told(found)


def test_failures_that_differ_do_not_add_up() -> None:
    found = answers(lambda scenario, _: failure(scenario, "refused" if scenario.id in "s0s2s4s6" else "reset"), 8)

    assert [f"s{number}" for number in range(8)] == told(found)


def test_an_answer_in_between_begins_the_row_anew() -> None:
    found = answers(lambda scenario, _: answer(scenario) if scenario.id == "s4" else failure(scenario), 9)

    assert [f"s{number}" for number in range(9)] == told(found)


def test_nothing_more_is_asked_after_that() -> None:
    asked: list[str] = []

    def ask(scenario: Scenario, _: float) -> Seen:
        asked.append(scenario.id)
        time.sleep(0.01)
        return failure(scenario)

    answers(ask, 50)
    time.sleep(0.05)

    assert ALIKE == len(asked)


def test_after_the_runs_seconds_the_rest_is_lost_and_what_was_seen_is_kept() -> None:
    def ask(scenario: Scenario, _: float) -> Seen:
        time.sleep(0.0 if scenario.id in ("s0", "s1") else 5.0)
        return answer(scenario)

    found = answers(ask, 4, seconds=0.3)

    assert ["s0", "s1", "budget", "budget"] == told(found)


def test_a_request_that_the_runs_end_cut_off_is_lost_to_it_and_no_failure_of_the_endpoint() -> None:
    def ask(scenario: Scenario, end: float) -> Seen:
        time.sleep(max(0.0, end - time.monotonic()))
        return failure(scenario, "no whole answer came within the time")

    assert [OUT_OF_TIME] == answers(ask, 1, seconds=0.05)


def test_a_signal_ends_the_run_at_once() -> None:
    came: list[str] = []

    def ask(scenario: Scenario, _: float) -> Seen:
        if scenario.id == "s1":
            came.append("SIGTERM")
            time.sleep(5)
        return answer(scenario)

    began = time.monotonic()
    found = list(Pool(ask, scenarios(3), 1, began + LONG, came).answers())

    assert ["s0", "interrupted", "interrupted"] == told(found)
    assert 2 > time.monotonic() - began


def test_a_fault_of_our_own_is_raised_where_the_answers_are_read() -> None:
    def ask(_: Scenario, __: float) -> Seen:
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        answers(ask, 2)


def test_workers_end_where_nobody_reads_any_more() -> None:
    reading = Pool(lambda scenario, _: answer(scenario), scenarios(1000), 4, time.monotonic() + LONG).answers()
    next(reading)
    reading.close()
    waited = time.monotonic() + 5
    while workers() and time.monotonic() < waited:
        time.sleep(0.01)

    assert [] == workers()


def workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == NAME]


def test_the_reason_of_each_loss_is_that_of_the_run() -> None:
    found = answers(lambda scenario, _: failure(scenario), 7)

    assert {Reason.ENDPOINT} == {each.reason for each in found if isinstance(each, Lost)}
