"""A cancelled job interrupts the run, and nothing interrupts what comes after."""

import os
import signal
from collections.abc import Iterator

import pytest

from agenttest.signals import CANCELS, Interrupted, interruptible


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    kept = {number: signal.getsignal(number) for number in CANCELS}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def send(number: signal.Signals) -> None:
    with interruptible():
        os.kill(os.getpid(), number)
        signal.pause()


@pytest.mark.parametrize("number", CANCELS)
def test_a_signal_interrupts_the_run_and_says_which_it_was(number: signal.Signals) -> None:
    with pytest.raises(Interrupted, match=number.name):
        send(number)


@pytest.mark.parametrize("number", CANCELS)
def test_afterwards_a_signal_does_nothing(number: signal.Signals) -> None:
    with interruptible():
        pass
    os.kill(os.getpid(), number)

    assert signal.SIG_IGN is signal.getsignal(number)
