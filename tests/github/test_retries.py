"""A busy server is asked again, as long as there is time."""

import pytest

from agenttest.github.http import Answer, Client, Unreachable
from agenttest.github.retries import attempts


class Script:
    """Answers and errors in a row, and the pauses between them."""

    def __init__(self, *script: Answer | Unreachable) -> None:
        self.script, self.pauses = [*script], list[float]()
        self.client = Client({}, 100, sleep=self.pauses.append)

    def send(self) -> Answer:
        said = self.script.pop(0)
        if isinstance(said, Unreachable):
            raise said
        return said


def said(status: int, **headers: str) -> Answer:
    return Answer(status, {name.replace("_", "-"): value for name, value in headers.items()}, b"")


def test_a_busy_server_is_asked_again() -> None:
    script = Script(said(503), said(429), Unreachable("gone"), said(200))

    found = attempts(script.client, script.send, chance=lambda: 0.0)

    assert (200, [3.0, 4.5, 6.75]) == (found.status, script.pauses)


def test_pauses_have_a_part_by_chance() -> None:
    script = Script(said(503), said(503), said(200))

    attempts(script.client, script.send, chance=lambda: 0.5)

    assert [3.0, 5.625] == script.pauses


@pytest.mark.parametrize("status", [200, 302, 400, 403, 404, 409])
def test_a_clear_answer_is_the_last(status: int) -> None:
    script = Script(said(status))

    assert status == attempts(script.client, script.send).status


def test_the_fifth_answer_is_the_last() -> None:
    script = Script(*[said(503)] * 4, said(502))

    assert 502 == attempts(script.client, script.send).status
    assert 4 == len(script.pauses)


def test_the_fifth_failure_is_raised() -> None:
    script = Script(*[Unreachable("gone")] * 4, Unreachable("still gone"))

    with pytest.raises(Unreachable, match="still gone"):
        attempts(script.client, script.send)


def test_what_is_final_is_not_tried_again() -> None:
    script = Script(Unreachable("never", final=True))

    with pytest.raises(Unreachable, match="never"):
        attempts(script.client, script.send)


@pytest.mark.parametrize("asked", ["7", " 7 "])
def test_the_server_may_say_how_long_to_wait(asked: str) -> None:
    script = Script(said(429, retry_after=asked), said(200))

    attempts(script.client, script.send)

    assert [7.0] == script.pauses


def test_a_moment_that_has_passed_is_now() -> None:
    script = Script(said(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), said(200))

    attempts(script.client, script.send)

    assert [0.0] == script.pauses


@pytest.mark.parametrize("asked", ["soon", "-1", "1e9", "", "²"])
def test_a_pause_that_is_none_is_ours(asked: str) -> None:
    script = Script(said(429, retry_after=asked), said(200))

    attempts(script.client, script.send)

    assert [3.0] == script.pauses


@pytest.mark.parametrize("asked", ["101", "999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_pause_beyond_the_deadline_is_not_made(asked: str) -> None:
    script = Script(said(429, retry_after=asked))

    assert 429 == attempts(script.client, script.send).status
    assert [] == script.pauses


def test_an_interrupt_passes_through() -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    script = Script(said(503))

    with pytest.raises(KeyboardInterrupt):
        attempts(Client({}, 100, sleep=interrupted), script.send)
