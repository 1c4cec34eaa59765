"""A name is looked up beside the caller, who waits no longer than its deadline and learns no address."""

import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from agenttest.sources.endpoint import lookup
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.lookup import LATE, UNASKED, UNKNOWN, Lookup


def failing(error: Exception) -> Callable[[str], Sequence[str]]:
    """A resolver that fails."""

    def ask(host: str) -> Sequence[str]:
        raise error

    return ask


def failure(found: Lookup, seconds: float) -> str:
    """What is said where a lookup fails."""
    with pytest.raises(Failed) as failed:
        found.answer(time.monotonic() + seconds)
    return failed.value.message


def test_the_name_is_looked_up_as_it_is() -> None:
    found = Lookup("agent", lambda host: (f"{host} is here", "and there"))

    assert ("agent is here", "and there") == found.answer(time.monotonic() + 5)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (socket.gaierror(socket.EAI_NONAME, "10.0.0.1 says no"), UNKNOWN),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), UNASKED),
        (socket.gaierror(socket.EAI_FAIL, "Failure"), UNASKED),
        (OSError(24, "Too many open files"), UNASKED),
        (UnicodeError("label too long"), UNASKED),
    ],
)
def test_a_failure_has_the_same_words_each_time(error: Exception, said: str) -> None:
    assert said == failure(Lookup("agent", failing(error)), 5)


def test_a_name_without_an_address_is_unknown() -> None:
    assert UNKNOWN == failure(Lookup("agent", lambda _: ()), 5)


def test_a_fault_of_our_own_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        Lookup("agent", failing(ZeroDivisionError())).answer(time.monotonic() + 5)


@pytest.mark.parametrize("seconds", [0.2, 0.0, -5.0])
def test_nobody_waits_past_the_deadline(seconds: float) -> None:
    release = threading.Event()
    began = time.monotonic()

    said = failure(Lookup("agent", lambda _: [str(release.wait(30))]), seconds)

    took = time.monotonic() - began
    release.set()
    assert (LATE, True) == (said, took < max(seconds, 0) + 0.5)


def test_a_lookup_that_hangs_is_not_begun_twice() -> None:
    release, calls = threading.Event(), count(1)

    def ask(_: str) -> Sequence[str]:
        number = next(calls)
        release.wait(30)
        return (f"answer {number}",)

    found = Lookup("agent", ask)
    failure(found, 0.05)
    failure(found, 0.05)
    threading.Timer(0.05, release.set).start()
    assert ("answer 1",) == found.answer(time.monotonic() + 5)


def test_who_comes_meanwhile_has_the_same_answer() -> None:
    together, calls = threading.Event(), count(1)

    def ask(_: str) -> Sequence[str]:
        number = next(calls)
        together.wait(30)
        return (f"answer {number}",)

    found = Lookup("agent", ask)
    with ThreadPoolExecutor(8) as workers:
        answers = [workers.submit(found.answer, time.monotonic() + 5) for _ in range(8)]
        time.sleep(0.1)
        together.set()

    assert {("answer 1",)} == {answer.result() for answer in answers}


def test_a_name_that_failed_is_looked_up_again() -> None:
    answers = iter([(), ("10.0.0.1",)])
    found = Lookup("agent", lambda _: next(answers))
    failure(found, 5)

    assert ("10.0.0.1",) == found.answer(time.monotonic() + 5)


def test_the_system_knows_localhost() -> None:
    found = set(Lookup("localhost", lookup.system).answer(time.monotonic() + 5))

    assert found
    assert found <= {"127.0.0.1", "::1"}
