"""Bytes become a blob: in blocks that the store takes, at the signed address as it is, or it is said why not."""

from collections.abc import Iterator

import pytest

from agenttest.github import blob as module
from agenttest.github.blob import Blob
from agenttest.github.http import Client
from agenttest.github.results import NotUploaded
from tests.github import results_service as fake
from tests.github.results_service import QUERY, SIGNATURE, ResultsService, Stored


@pytest.fixture
def server() -> Iterator[ResultsService]:
    with ResultsService() as running:
        running.artifacts["a"] = Stored(4242, "a", None)
        yield running


def sent(server: ResultsService, *pieces: bytes) -> Blob:
    made = Blob(Client({}, 100, sleep=lambda _: None), lambda: server.address(server.artifacts["a"]), "application/zip")
    for piece in pieces:
        made.add(piece)
    made.finish()
    return made


def refused(server: ResultsService) -> NotUploaded:
    with pytest.raises(NotUploaded) as caught:
        sent(server, b"x")
    return caught.value


@pytest.mark.parametrize("length", [1, 9, 10, 11, 20, 25])
def test_blocks_are_one_blob(server: ResultsService, length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 10)
    content = bytes(range(length))

    made = sent(server, content[:7], content[7:])

    assert content == server.artifacts["a"].data
    assert (length, fake.sha256(content)) == (made.size, f"sha256:{made.sha256.hexdigest()}")
    assert -(-length // 10) == len(server.asked("block"))


def test_a_block_has_8_mib(server: ResultsService) -> None:
    sent(server, bytes((8 << 20) + 1))

    assert [8 << 20, 1] == [len(seen.body) for seen in server.asked("block")]


def test_the_signed_query_stays_as_it_is(server: ResultsService) -> None:
    sent(server, b"x")

    queries = [seen.target.partition("?")[2] for seen in server.requests]
    assert [f"{QUERY}&comp=block&blockid=", f"{QUERY}&comp=blocklist"] == [queries[0][:-64], queries[1]]


def test_the_store_gets_no_token(server: ResultsService) -> None:
    sent(server, b"x")

    assert [] == [seen for seen in server.requests if "authorization" in seen.headers]


def test_the_store_learns_what_the_blob_is(server: ResultsService) -> None:
    sent(server, b"x")

    headers = server.asked("blocklist")[0].headers
    assert ("application/zip", "2021-12-02") == (headers["x-ms-blob-content-type"], headers["x-ms-version"])


@pytest.mark.parametrize("what", ["block", "blocklist"])
@pytest.mark.parametrize(
    "fault",
    [fake.answers(408), fake.answers(429), fake.answers(500), fake.answers(503), fake.closes],
)
def test_a_busy_store_is_asked_again(server: ResultsService, what: str, fault: fake.Fault) -> None:
    server.faults[what] = [fault, fault]

    sent(server, b"content")

    assert b"content" == server.artifacts["a"].data


@pytest.mark.parametrize("status", [302, 400, 403, 404])
def test_a_refusal_is_told_once(server: ResultsService, status: int) -> None:
    server.faults["block"] = [fake.answers(status, f"<Message>{SIGNATURE}", x_ms_error_code="NotThis")]

    said = f"the artifact was not uploaded: the storage answered with status {status} (NotThis)"
    assert said == refused(server).message
    assert 1 == len(server.requests)


@pytest.mark.parametrize("word", ["a b", SIGNATURE, "x" * 61, ""])
def test_a_word_that_is_none_of_the_stores_is_not_shown(server: ResultsService, word: str) -> None:
    server.faults["block"] = [fake.answers(400, "", x_ms_error_code=word)]

    assert "the artifact was not uploaded: the storage answered with status 400" == refused(server).message


def test_the_signature_is_never_shown(server: ResultsService) -> None:
    server.__exit__()

    said = refused(server)

    assert "127.0.0.1 cannot be reached" in said.message
    assert SIGNATURE not in f"{said!r}{said.__context__!r}"
