"""One POST goes out as it was meant to, and its answer comes back as it was said, by the rules of HTTP/1.1."""

import gzip
import socket
import sys
import time
import tracemalloc
import zlib

import pytest

from agenttest import __version__
from agenttest.settings import REPLY_BYTES
from agenttest.sources.endpoint import transport
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.transport import Answer
from tests.agent import Agent, Full, Reply, Server, raw, whole
from tests.sources.endpoint.targets import BODY, TOKEN, Aim, Place, aim, chain, come, exchanged, said

OK = b"HTTP/1.1 200 OK\r\n"


def packed_raw(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


def asked(*script: Reply, **kwargs: str) -> Answer | Failed:
    with Agent(script) as agent:
        return exchanged(aim(agent, **kwargs))


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_the_answer_is_what_the_endpoint_said() -> None:
    assert Answer(418, b"teapot") == asked(whole(b"teapot", 418))


def test_the_request_is_one_post_of_json() -> None:
    with Agent() as agent:
        exchanged(aim(agent))

    headers = {
        "host": f"127.0.0.1:{agent.port}",
        "accept": "application/json",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "content-length": str(len(BODY)),
        "user-agent": f"agenttest/{__version__}",
        "connection": "close",
        "authorization": f"Bearer {TOKEN}",
    }
    assert [("POST", headers, BODY)] == [(seen.method, seen.headers, seen.body) for seen in agent.requests]


def test_without_a_token_nobody_is_authorized() -> None:
    with Agent() as agent:
        exchanged(aim(agent), token=None)

    assert "authorization" not in agent.requests[0].headers


@pytest.mark.parametrize(
    "target", ["/", "/?", '/a%3db/c?sig=%2f%2B+|"{}=&comp=%zz', "//double//../dots/./", "/?a=http://b"]
)
def test_path_and_query_go_out_byte_for_byte(target: str) -> None:
    with Agent() as agent:
        exchanged(aim(agent, target=target))

    assert target == agent.requests[0].target


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("http", "agent", 80), "agent"),
        (Place("http", "agent", 443), "agent:443"),
        (Place("https", "agent", 443), "agent"),
        (Place("http", "::1", 8000), "[::1]:8000"),
    ],
)
def test_the_host_field_names_the_target(place: Place, expected: str) -> None:
    assert expected == transport.headers(Aim(place), None)["Host"]


def test_an_ipv6_address_is_asked() -> None:
    try:
        agent = Agent(host="::1")
    except OSError:
        pytest.skip("this system has no IPv6 loopback")
    with agent:
        found = exchanged(aim(agent))

    assert (200, f"[::1]:{agent.port}") == (said(found), agent.requests[0].headers["host"])


def test_proxies_and_netrc_are_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "netrc").write_text("default login someone password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
    with Agent() as agent:
        found = exchanged(aim(agent), token=None)

    assert (200, None) == (said(found), agent.requests[0].headers.get("authorization"))


def test_each_exchange_has_its_own_connection() -> None:
    with Agent([whole(b"{}", Connection="keep-alive")]) as agent:
        exchanged(aim(agent))
        exchanged(aim(agent))

    assert 2 == agent.connections


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer_and_is_not_followed(status: int) -> None:
    with Agent() as elsewhere, Agent([whole(b"", status, Location=elsewhere.url)]) as agent:
        found = exchanged(aim(agent))

    assert (status, 0) == (said(found), elsewhere.connections)


def test_the_next_address_is_asked_where_the_first_refuses() -> None:
    with Agent() as agent:
        found = exchanged(Aim(aim(agent).address, ("127.0.0.2", "127.0.0.1")))

    assert (200, 1) == (said(found), agent.connections)


def test_nothing_is_sent_twice() -> None:
    with Agent([raw(b"HTTP/1.1 200")]) as agent:
        exchanged(Aim(aim(agent).address, ("127.0.0.1", "127.0.0.1")))

    assert 1 == agent.connections


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is an address of Linux alone")
def test_an_address_that_swallows_packets_leaves_time_for_the_next() -> None:
    with Agent() as agent, Full("127.0.0.2", agent.port):
        found = exchanged(Aim(aim(agent).address, ("127.0.0.2", "127.0.0.1")), seconds=1)

    assert 200 == said(found)


def test_the_look_up_is_bound_by_the_same_end() -> None:
    with Agent() as agent:
        target = aim(agent)
        transport.exchange(target, BODY, None, None, end := time.monotonic() + 5)

    assert [end] == target.ends


@pytest.mark.parametrize(
    ("packed", "coding"),
    [
        (gzip.compress(b"{}", mtime=0), "gzip"),
        (gzip.compress(b"{}", mtime=0), "X-GZIP"),
        (gzip.compress(b"{", mtime=0) + gzip.compress(b"}", mtime=0), "gzip"),
        (zlib.compress(b"{}"), "deflate"),
        (packed_raw(b"{}"), "deflate"),
        (gzip.compress(zlib.compress(b"{}"), mtime=0), "deflate, gzip"),
        (b"{}", "identity"),
        (b"{}", ""),
    ],
    ids=["gzip", "x-gzip", "members", "zlib", "deflate", "both", "identity", "nothing"],
)
def test_a_packed_body_is_unpacked(packed: bytes, coding: str) -> None:
    assert Answer(200, b"{}") == asked(whole(packed, Content_Encoding=coding))


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_where_there_is_no_body_there_is_nothing_to_unpack(coding: str) -> None:
    expected = "the answer cannot be unpacked: its Content-Encoding is not gzip, deflate or identity"

    found = asked(whole(b"", Content_Encoding=coding))

    assert (expected if coding == "br" else 200) == said(found)


@pytest.mark.parametrize(
    "sent",
    [
        b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        b"Transfer-Encoding: Chunked\n\n1\r\n{\r\n001 ;a=b\r\n}\r\n0\r\nA: b\r\n\r\n",
        b"transfer-encoding:\tchunked\r\n\r\n1\r\n{\r\n1;x\r\n}\r\n000\r\nA: b\r\nC: d\r\n\r\n",
        b"Content-Length: 2\r\n\r\n{}",
        b"Content-Length:2\r\n\r\n{} and what nobody declared",
        b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        b"X-Said: caf\xe9\r\n\r\n{}",
        b"X-Long: a\r\n and\r\n\t more\r\n\r\n{}",
        b"\r\n{}",
    ],
)
def test_a_body_ends_where_the_head_says(sent: bytes) -> None:
    assert Answer(200, b"{}") == asked(raw(OK + sent))


@pytest.mark.parametrize("line", [b"HTTP/1.1 200", b"HTTP/1.1 200 ", b"HTTP/1.0 200 OK", b"HTTP/1.1 200 Tr\xe8s bien"])
def test_a_status_line_may_say_why_or_not(line: bytes) -> None:
    assert Answer(200, b"{}") == asked(raw(line + b"\r\n\r\n{}"))


@pytest.mark.parametrize("sent", [b"HTTP/1.1 100\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"])
def test_interim_answers_are_passed_over(sent: bytes) -> None:
    assert Answer(200, b"{}") == asked(raw(sent * 3 + OK + b"\r\n{}"))


@pytest.mark.parametrize("status", [101, 204, 304])
def test_some_answers_have_no_body(status: int) -> None:
    assert Answer(status, b"") == asked(raw(f"HTTP/1.1 {status} Said\r\nContent-Length: 2\r\n\r\n{{}}".encode()))


def test_an_answer_in_single_bytes_is_the_same() -> None:
    sent = OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"

    assert Answer(200, b"{}") == asked(raw(*(bytes([byte]) for byte in sent), pause=0.001))


@pytest.mark.parametrize(
    "reply",
    [
        whole(bytes(REPLY_BYTES)),
        raw(OK + b"\r\n" + bytes(REPLY_BYTES)),
        raw(OK + b"Transfer-Encoding: chunked\r\n\r\n200000\r\n" + bytes(REPLY_BYTES) + b"\r\n0\r\n\r\n"),
        whole(gzip.compress(bytes(REPLY_BYTES)), Content_Encoding="gzip"),
        whole(packed_raw(bytes(REPLY_BYTES)), Content_Encoding="deflate"),
    ],
    ids=["declared", "until the end", "in chunks", "in gzip", "in deflate"],
)
def test_a_body_at_the_limit_is_whole(reply: Reply) -> None:
    assert Answer(200, bytes(REPLY_BYTES)) == asked(reply)


def test_a_header_at_the_limit_is_read() -> None:
    start = OK + b"X: "

    assert Answer(200, b"{}") == asked(raw(start + b"y" * (65536 - len(start) - 4) + b"\r\n\r\n{}"))


def test_a_body_of_very_small_chunks_is_whole() -> None:
    count = REPLY_BYTES // 16
    sent = OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n[\r\n" * count + b"0\r\n\r\n"

    assert Answer(200, b"[" * count) == asked(raw(sent))


def test_a_bomb_takes_no_more_memory_than_the_limit() -> None:
    bomb = zlib.compressobj(9, wbits=31)
    packed = b"".join(bomb.compress(bytes(1 << 20)) for _ in range(256)) + bomb.flush()
    with Agent([whole(packed, Content_Encoding="gzip")]) as agent:
        exchanged(aim(agent))
        tracemalloc.start()
        found = exchanged(aim(agent))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    assert ("the answer is larger than 2 MiB", True) == (said(found), peak < 6 * REPLY_BYTES)


def test_who_answers_before_the_request_is_read_is_heard() -> None:
    def hasty(connection: socket.socket) -> None:
        connection.sendall(OK + b"Content-Length: 2\r\n\r\n{}")
        time.sleep(0.1)

    with Server(hasty) as server:
        found = exchanged(aim(server), body=bytes(64))

    assert Answer(200, b"{}") == found


def test_a_refused_connection_is_told_with_what_would_help() -> None:
    found = exchanged(Aim(Place("http", "127.0.0.1", closed_port())))

    expected = "start the agent before the test, or wait until it is there with --wait-for-endpoint"
    assert ("the connection was refused", expected) == (said(found), found.remedy)


def test_a_refusal_is_told_before_an_address_without_a_way_to_it() -> None:
    ips = ("127.0.0.1", "255.255.255.255")

    found = exchanged(Aim(Place("http", "localhost", closed_port()), ips))

    assert "the connection was refused" == said(found)


def test_a_connection_that_nobody_accepts_ends_with_the_time() -> None:
    with Full() as full:
        found = exchanged(Aim(Place("http", "127.0.0.1", full.port)), seconds=0.3)

    assert "no connection could be made within the time" == said(found)


def test_with_no_time_left_nothing_is_sent() -> None:
    with Agent() as agent:
        found = exchanged(aim(agent), seconds=0)

    assert ("no connection could be made within the time", 0) == (said(found), agent.connections)


def test_a_target_that_says_why_it_may_not_be_asked_is_believed() -> None:
    class Moved(Aim):
        def addresses(self, end: float) -> tuple[str, ...]:
            try:
                int(TOKEN)
            except ValueError:
                raise Failed("the name has moved", "move it back")  # noqa: B904

    found = exchanged(Moved(Place("http", "agent", 80)))

    assert ("the name has moved", "move it back") == (found.message, found.remedy)
    assert [found] == list(chain(found))


@pytest.mark.parametrize(
    ("token", "target", "expected"),
    [
        ("secret\nX-More: a", "/", "the request cannot be put into HTTP (ValueError)"),
        ("secret\u20ac", "/", "the request cannot be put into HTTP (UnicodeEncodeError)"),
        ("secret", "/a b", "the request cannot be put into HTTP (InvalidURL)"),
        ("secret", "/\u20ac", "the request cannot be put into HTTP (UnicodeEncodeError)"),
    ],
)
def test_what_cannot_be_sent_is_not_sent_and_not_shown(token: str, target: str, expected: str) -> None:
    with Agent() as agent:
        found = exchanged(aim(agent, target=target), token=token)

    assert (expected, []) == (said(found), agent.requests)
    assert [found] == list(chain(found))


def test_an_answer_does_not_show_its_body() -> None:
    assert "Answer(status=200)" == repr(Answer(200, TOKEN.encode()))


def test_connecting_sends_nothing() -> None:
    heard: list[bytes] = []
    with Server(lambda connection: heard.append(connection.recv(1))) as server:
        transport.connect(aim(server), time.monotonic() + 1)
        come(heard)

    assert [b""] == heard


def test_connecting_to_nobody_fails() -> None:
    with pytest.raises(Failed, match="the connection was refused") as caught:
        transport.connect(Aim(Place("http", "127.0.0.1", closed_port())), time.monotonic() + 1)

    assert [caught.value] == list(chain(caught.value))


@pytest.mark.skipif(sys.platform != "linux", reason="gives a caller the port that it asks for on Linux alone")
def test_a_connection_to_itself_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    port = closed_port()

    class Bound(socket.socket):
        def connect(self, place: tuple[str, int]) -> None:
            self.bind(place)
            super().connect(place)

    monkeypatch.setattr(socket, "socket", Bound)

    assert "the connection was refused" == said(exchanged(Aim(Place("http", "127.0.0.1", port))))
