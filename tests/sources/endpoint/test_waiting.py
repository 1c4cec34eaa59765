"""A run may wait for an agent that still starts: until it accepts a connection, the time is over or a signal came."""

import socket
import threading
import time

import pytest

from agenttest.evidence import OUT_OF_TIME, Lost, Missing
from agenttest.model import Reason
from agenttest.sources.endpoint import waiting
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.pool import interrupted
from tests.agent import Full, Server
from tests.sources.endpoint.targets import Aim, Place, aim, come, others

START = "start the agent before the test, or wait until it is there with --wait-for-endpoint"


def nobody() -> Aim:
    """A target at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return Aim(Place("http", "127.0.0.1", listener.getsockname()[1]))


def wait(target: Aim, seconds: float, end: float = 10, cancelled: list[str] | None = None) -> tuple[Lost | None, float]:
    """What came of waiting, and how long it took."""
    began = time.monotonic()
    lost = waiting.wait(target, seconds, began + end, [] if cancelled is None else cancelled)
    return lost, time.monotonic() - began


def test_an_agent_that_is_there_is_not_waited_for() -> None:
    with Server(lambda connection: None) as server:
        lost, took = wait(aim(server), 5)

    assert (None, True) == (lost, took < 1)


def test_an_agent_that_starts_meanwhile_is_waited_for() -> None:
    target, over = nobody(), threading.Event()

    def start() -> None:
        time.sleep(0.4)
        with Server(lambda connection: None, port=target.address.port):
            over.wait(5)

    starting = threading.Thread(target=start)
    starting.start()
    lost, took = wait(target, 5)
    over.set()
    starting.join()

    assert (None, True) == (lost, 0.3 < took < 2)


def test_waiting_sends_nothing() -> None:
    heard: list[bytes] = []
    with Server(lambda connection: heard.append(connection.recv(1))) as server:
        wait(aim(server, "https"), 5)
        come(heard)

    assert [b""] == heard


def test_an_agent_that_does_not_start_loses_every_scenario() -> None:
    lost, took = wait(nobody(), 0.5)

    said = "nothing accepted a connection at the endpoint within 0.5 seconds: the connection was refused"
    assert (Lost(Reason.ENDPOINT, Missing(said, START)), True) == (lost, 0.5 <= took < 1)


def test_an_agent_whose_name_is_not_known_yet_is_waited_for() -> None:
    class Unknown(Aim):
        def addresses(self, end: float) -> tuple[str, ...]:
            self.ends.append(end)
            if len(self.ends) < 3:
                raise Failed("the name is not known", "see the name")
            return self.ips

    with Server(lambda connection: None) as server:
        target = Unknown(aim(server).address)
        lost, _ = wait(target, 5)

    assert (None, 3) == (lost, len(target.ends))


def test_the_end_of_the_run_comes_first() -> None:
    lost, took = wait(nobody(), 5, end=0.3)

    assert (OUT_OF_TIME, True) == (lost, took < 0.8)


def test_a_signal_is_seen_between_attempts() -> None:
    lost, took = wait(nobody(), 5, cancelled=["SIGTERM"])

    assert (interrupted("SIGTERM"), True) == (lost, took < 0.5)


def test_a_signal_is_seen_while_an_attempt_takes_its_time() -> None:
    cancelled: list[str] = []
    threading.Timer(0.3, lambda: cancelled.append("SIGINT")).start()
    with Full() as full:
        lost, took = wait(aim(full), 5, cancelled=cancelled)

    assert (interrupted("SIGINT"), True) == (lost, took < 0.8)


def test_one_attempt_that_nobody_answers_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "ATTEMPT", 0.1)
    with Full() as full:
        target = aim(full)
        wait(target, 0.6)

    assert len(target.ends) > 1


def test_no_thread_stays_behind() -> None:
    before = others()
    wait(nobody(), 0.2)
    time.sleep(0.05)

    assert set() == others() - before
