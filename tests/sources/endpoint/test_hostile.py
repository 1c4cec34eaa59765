"""Endpoints that stall, lie, flood or break off: each ends in words before its deadline, and none in a completion."""

import gzip
import json
import socket
import threading
import time
import zlib
from dataclasses import dataclass

import pytest

from agenttest.settings import REPLY_BYTES
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.transport import Answer
from tests.agent import Agent, Handle, Reply, Request, Server, endless, held, raw, reset, silent, whole
from tests.sources.endpoint.targets import TOKEN, aim, chain, exchanged, others, said, within

SECONDS = 0.4
PATIENCE = 0.5

GOOD = json.dumps({"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}).encode()
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
METADATA = "http://169.254.169.254/latest/meta-data/"

LATE = "no whole answer came within the time"
CLOSED = "the connection was closed before the answer was whole"
INVALID = "the answer is no valid HTTP"
LARGER = "the answer is larger than 2 MiB"
HEADER = "the header of the answer takes more than 64 KiB"
TRAILER = "the trailer of the answer takes more than 64 KiB"
BROKEN = "the answer cannot be unpacked: it is broken or cut short"
UNKNOWN = "the answer cannot be unpacked: its Content-Encoding is not gzip, deflate or identity"
DEEP = "the answer cannot be unpacked: it is packed more than 2 times"
CODING = "the answer cannot be unpacked: its Transfer-Encoding is not chunked alone"


def bomb(wbits: int, mebibytes: int = 8) -> bytes:
    """Zeros, packed a thousand times smaller."""
    packer = zlib.compressobj(9, wbits=wbits)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(mebibytes)) + packer.flush()


def chunk(data: bytes) -> bytes:
    """One chunk of the right size."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def line(status: bytes) -> Reply:
    """A good answer but for its status line."""
    return raw(status + b"\r\nContent-Length: %d\r\n\r\n" % len(GOOD) + GOOD)


def field(*lines: bytes) -> Reply:
    """A good answer but for these lines of its head."""
    return raw(OK + b"".join(each + b"\r\n" for each in lines) + b"\r\n" + GOOD)


def sized(size: bytes) -> Reply:
    """A good answer in one chunk, but for the line with its size."""
    return raw(CHUNKED + size + b"\r\n" + GOOD + b"\r\n0\r\n\r\n")


def packed(body: bytes, coding: str = "gzip") -> Reply:
    """A whole answer that says how it is packed."""
    return whole(body, Content_Encoding=coding)


def then_reset(data: bytes) -> Reply:
    """Say this, and hang up by an RST."""

    def send(connection: socket.socket, _: Request) -> None:
        connection.sendall(data)
        reset(connection)

    return send


def echoed(head: str, body: str = "") -> Reply:
    """Say the token back, where `{}` stands in the head or in the body."""

    def send(connection: socket.socket, request: Request) -> None:
        token = request.headers["authorization"].removeprefix("Bearer ")
        connection.sendall(f"{head.format(token)}\r\n\r\n{body.format(token)}".encode())

    return send


def slow(data: bytes, before: bytes = b"", pause: float = 0.05) -> Reply:
    """Say this byte by byte."""
    return raw(before, *(bytes([byte]) for byte in data), pause=pause)


def whole_head(size: int) -> bytes:
    """The head of an answer that declares its size."""
    return OK + b"Content-Length: %d\r\n\r\n" % size


@dataclass(frozen=True)
class Unread:
    """It says this before it read anything of the request, and then it does something."""

    words: bytes
    then: Handle

    def __call__(self, connection: socket.socket) -> None:
        connection.sendall(self.words)
        self.then(connection)


def hang_up(connection: socket.socket) -> None:
    """Close in the usual way, as far as that can be."""
    connection.shutdown(socket.SHUT_RDWR)


def half_close(connection: socket.socket) -> None:
    """Say that nothing more will be said, and listen."""
    connection.shutdown(socket.SHUT_WR)
    silent(connection)


Case = tuple[str, Reply | Unread, str | int]

STALLING: list[Case] = [
    ("says nothing", held(raw()), LATE),
    ("says nothing, asked or not", Unread(b"", silent), LATE),
    ("stops in the status line", held(raw(b"HTTP/1.1 20")), LATE),
    ("stops in the header", held(raw(OK + b"Content-Le")), LATE),
    ("stops before the body", held(raw(whole_head(len(GOOD)))), LATE),
    ("stops in the body", held(raw(whole_head(len(GOOD)) + GOOD[:-1])), LATE),
    ("stops in a chunk", held(raw(CHUNKED + b"ff\r\n" + GOOD)), LATE),
    ("stops before the last chunk", held(raw(CHUNKED + chunk(GOOD))), LATE),
    ("stops in the trailer", held(raw(CHUNKED + chunk(GOOD) + b"0\r\n")), LATE),
    ("keeps a body of no length open", held(raw(OK + b"\r\n" + GOOD)), LATE),
    ("keeps open after 100", held(raw(b"HTTP/1.1 100 Continue\r\n\r\n")), LATE),
    ("trickles the status line", slow(OK), LATE),
    ("trickles the header", endless(b"X", 0.05, OK), LATE),
    ("trickles header lines", endless(b"X: y\r\n", 0.05, OK), LATE),
    ("trickles the body", slow(GOOD, whole_head(len(GOOD))), LATE),
    ("trickles a body of no length", endless(b" ", 0.05, OK + b"\r\n"), LATE),
    ("trickles chunks", endless(chunk(b" "), 0.05, CHUNKED), LATE),
    ("trickles a chunk's size", endless(b"0", 0.05, CHUNKED), LATE),
    ("trickles a chunk's extension", endless(b"x", 0.05, CHUNKED + b"1;"), LATE),
    ("trickles trailers", endless(b"X: y\r\n", 0.05, CHUNKED + chunk(GOOD) + b"0\r\n"), LATE),
    ("trickles 100 for ever", endless(b"HTTP/1.1 100 Continue\r\n\r\n", 0.05), LATE),
    ("trickles 102 for ever", endless(b"HTTP/1.1 102 Processing\r\n\r\n", 0.05), LATE),
]
BREAKING_OFF: list[Case] = [
    ("closes at once", Unread(b"", hang_up), CLOSED),
    ("resets at once", Unread(b"", reset), CLOSED),
    ("half-closes at once", Unread(b"", half_close), CLOSED),
    ("closes after the request", raw(), CLOSED),
    ("resets after the request", then_reset(b""), CLOSED),
    ("closes in the status line", raw(b"HTTP/1.1 20"), CLOSED),
    ("closes after the status line", raw(OK), CLOSED),
    ("closes in the header", raw(OK + b"Content-Length: 1"), CLOSED),
    ("closes after 100", raw(b"HTTP/1.1 100 Continue\r\n\r\n"), CLOSED),
    ("closes before the body", raw(whole_head(len(GOOD))), CLOSED),
    ("closes in the body", raw(whole_head(len(GOOD) + 1) + GOOD), CLOSED),
    ("resets in the body", then_reset(whole_head(len(GOOD) + 1) + GOOD), CLOSED),
    ("resets a body of no length", then_reset(OK + b"\r\n" + GOOD[:-9]), CLOSED),
    ("closes in a chunk's size", raw(CHUNKED + b"f"), CLOSED),
    ("closes in a chunk", raw(CHUNKED + b"ff\r\n" + GOOD), CLOSED),
    ("closes after a chunk's data", raw(CHUNKED + chunk(GOOD)[:-2]), CLOSED),
    ("closes before the last chunk", raw(CHUNKED + chunk(GOOD)), CLOSED),
    ("resets between chunks", then_reset(CHUNKED + chunk(GOOD)), CLOSED),
    ("closes in the trailer", raw(CHUNKED + chunk(GOOD) + b"0\r\nX: y"), CLOSED),
    ("half-closes in the body", Unread(whole_head(999) + GOOD, half_close), CLOSED),
    ("breaks off before it was asked", Unread(whole_head(999) + GOOD, hang_up), CLOSED),
]
FLOODING: list[Case] = [
    ("endless header lines", endless(b"X-Header: and again\r\n" * 99, before=OK), HEADER),
    ("an endless header line", endless(b"x" * 9999, before=OK + b"X: "), HEADER),
    ("an endless status line", endless(b"x" * 9999, before=b"HTTP/1.1 200 "), HEADER),
    ("an endless fold", endless(b"\r\n x" * 999, before=OK + b"X: y"), HEADER),
    ("endless 100", endless(b"HTTP/1.1 100 Continue\r\n\r\n" * 99), HEADER),
    ("endless 103", endless(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 99), HEADER),
    ("a header of 64 KiB and a byte", field(b"X: " + b"y" * (65536 - len(OK) - 6)), HEADER),
    ("endless trailers", endless(b"X: y\r\n" * 999, before=CHUNKED + chunk(GOOD) + b"0\r\n"), TRAILER),
    ("a chunk extension of 1 MiB", sized(b"%x;" % len(GOOD) + b"x" * (1 << 20)), INVALID),
    ("an endless chunk size", endless(b"0" * 999, before=CHUNKED), INVALID),
    ("an endless body", endless(b" " * 9999, before=OK + b"\r\n"), LARGER),
    ("endless chunks", endless(chunk(b" " * 9999), before=CHUNKED), LARGER),
    ("one byte too many, declared", whole(bytes(REPLY_BYTES + 1)), LARGER),
    ("one byte too many, until the end", raw(OK + b"\r\n" + bytes(REPLY_BYTES + 1)), LARGER),
    ("one byte too many, in chunks", raw(CHUNKED + chunk(bytes(REPLY_BYTES)) + chunk(b" ") + b"0\r\n\r\n"), LARGER),
    ("one byte too many, unpacked", packed(gzip.compress(bytes(REPLY_BYTES + 1))), LARGER),
    ("a declared length of 1 TB", held(raw(whole_head(10**12))), LARGER),
    ("a declared chunk of 1 TB", held(raw(CHUNKED + b"ffffffffff\r\n")), LARGER),
    ("a gzip bomb", packed(bomb(31)), LARGER),
    ("a zlib bomb", packed(bomb(15), "deflate"), LARGER),
    ("a deflate bomb", packed(bomb(-15), "deflate"), LARGER),
    ("a gzip bomb in gzip", packed(gzip.compress(bomb(31)), "gzip, gzip"), LARGER),
    ("a thousand members", packed(gzip.compress(bytes(99)) * 999), BROKEN),
    ("a gzip stream of empty members", packed(gzip.compress(b"") * 99999), BROKEN),
    ("2 MiB of brackets", whole(b"[" * REPLY_BYTES), 200),
]
NOT_HTTP: list[Case] = [
    ("HTTP/0.9", raw(GOOD), INVALID),
    ("HTTP/0.9, kept open", held(raw(b"<html>")), INVALID),
    ("the preface of HTTP/2", held(raw(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")), INVALID),
    ("a frame of HTTP/2", held(raw(b"\0\0\x12\4\0\0\0\0\0\0\3\0\0\0\x64")), INVALID),
    ("a status line of HTTP/2", line(b"HTTP/2 200 OK"), INVALID),
    ("a banner of SSH", held(raw(b"SSH-2.0-OpenSSH_9.6\r\n")), INVALID),
    ("a greeting of SMTP before it was asked", Unread(b"220 mail\r\n", silent), INVALID),
    ("an alert of TLS", raw(b"\x15\x03\x01\0\x02\x02\x46"), INVALID),
    ("a hello of TLS", held(raw(b"\x16\x03\x03\0\x7a\x02\0\0\x76")), INVALID),
    ("endless noise", endless(b"\xff\xfe\xfd" * 999), INVALID),
    ("endless zeros", endless(bytes(999)), INVALID),
    ("an empty line first", raw(b"\r\n" + whole_head(len(GOOD)) + GOOD), INVALID),
    ("lines that end in CR alone", raw(b"HTTP/1.1 200 OK\rContent-Length: 1\r\r" + GOOD), CLOSED),
    ("UTF-16", raw((OK + b"\r\n" + GOOD).decode().encode("utf-16")), INVALID),
]
BAD_HEAD: list[Case] = [
    ("status 99", line(b"HTTP/1.1 99 Low"), INVALID),
    ("status 099", line(b"HTTP/1.1 099 Low"), INVALID),
    ("status 1000", line(b"HTTP/1.1 1000 High"), INVALID),
    ("status abc", line(b"HTTP/1.1 abc"), INVALID),
    ("status +200", line(b"HTTP/1.1 +200 OK"), INVALID),
    ("status 2_00", line(b"HTTP/1.1 2_00 OK"), INVALID),
    ("no status", line(b"HTTP/1.1 OK"), INVALID),
    ("two spaces before the status", line(b"HTTP/1.1  200 OK"), INVALID),
    ("no space after the status", line(b"HTTP/1.1 200OK"), INVALID),
    ("NUL in the status line", line(b"HTTP/1.1 200 O\0K"), INVALID),
    ("NUL in a value", field(b"X: a\0b"), INVALID),
    ("NUL in a name", field(b"X\0: a"), INVALID),
    ("CR in a value", field(b"X: a\rContent-Length: 1"), INVALID),
    ("no colon", field(b"X-Header"), INVALID),
    ("no name", field(b": a"), INVALID),
    ("a space before the colon", field(b"Content-Length : 1"), INVALID),
    ("letters of no ASCII in a name", field(b"X-\xe9: a"), INVALID),
    ("escapes of a terminal in a value", field(b"X: \x1b[31m"), INVALID),
]
BAD_LENGTH: list[Case] = [
    ("a negative length", field(b"Content-Length: -1"), INVALID),
    ("a length with a plus", field(b"Content-Length: +%d" % len(GOOD)), INVALID),
    ("a length in hex", field(b"Content-Length: 0x%x" % len(GOOD)), INVALID),
    ("a length with a point", field(b"Content-Length: %d.0" % len(GOOD)), INVALID),
    ("a length with a space in it", field(b"Content-Length: 1 0"), INVALID),
    ("a length with an underscore", field(b"Content-Length: 1_0"), INVALID),
    ("a length in words", field(b"Content-Length: all of it"), INVALID),
    ("an empty length", field(b"Content-Length:"), INVALID),
    ("a length in digits of no ASCII", field(b"Content-Length: \xb2"), INVALID),
    ("a length of 5000 digits", field(b"Content-Length: " + b"9" * 5000), INVALID),
    ("two lengths", field(b"Content-Length: %d" % len(GOOD), b"Content-Length: 1"), INVALID),
    ("two lengths in a list", field(b"Content-Length: %d, 1" % len(GOOD)), INVALID),
    ("a list that ends in nothing", field(b"Content-Length: %d," % len(GOOD)), INVALID),
    ("a length and chunks", field(b"Content-Length: %d" % len(GOOD), b"Transfer-Encoding: chunked"), INVALID),
    ("less than is sent", field(b"Content-Length: %d" % (len(GOOD) - 1)), 200),
    ("more than is sent", field(b"Content-Length: %d" % (len(GOOD) + 1)), CLOSED),
    ("nothing, and more sent", field(b"Content-Length: 0"), 200),
]
BAD_CHUNKS: list[Case] = [
    ("a negative size", sized(b"-1"), INVALID),
    ("a size with a plus", sized(b"+%x" % len(GOOD)), INVALID),
    ("a size with 0x", sized(b"0x%x" % len(GOOD)), INVALID),
    ("a size with a space before", sized(b" %x" % len(GOOD)), INVALID),
    ("a size with an underscore", sized(b"0_%x" % len(GOOD)), INVALID),
    ("a size of junk", sized(b"size"), INVALID),
    ("an empty size", sized(b""), INVALID),
    ("a size of 17 digits", sized(b"0" * 15 + b"%x" % len(GOOD)), INVALID),
    ("a size with CR in its extension", sized(b"%x;a\rb" % len(GOOD)), INVALID),
    ("a size that is too small", sized(b"%x" % (len(GOOD) - 1)), INVALID),
    ("a size that is too large", sized(b"%x" % (len(GOOD) + 1)), INVALID),
    ("line ends of LF alone", raw((CHUNKED + chunk(GOOD) + b"0\r\n\r\n").replace(b"\r", b"")), INVALID),
    ("no line end after the data", raw(CHUNKED + b"%x\r\n" % len(GOOD) + GOOD + b"0\r\n\r\n"), INVALID),
    ("chunks that were not announced", raw(OK + b"\r\n" + chunk(GOOD) + b"0\r\n\r\n"), 200),
    ("no chunks where they were announced", raw(CHUNKED + GOOD), CLOSED),
    ("gzip as a transfer coding", field(b"Transfer-Encoding: gzip, chunked"), CODING),
    ("chunks in chunks", field(b"Transfer-Encoding: chunked, chunked"), CODING),
    ("identity as a transfer coding", field(b"Transfer-Encoding: identity"), CODING),
    ("an empty transfer coding", field(b"Transfer-Encoding:"), CODING),
]
BAD_PACKING: list[Case] = [
    ("gzip that is none", packed(GOOD), BROKEN),
    ("gzip that is cut", packed(gzip.compress(GOOD)[:-9]), BROKEN),
    ("gzip without its checksum", packed(gzip.compress(GOOD)[:-8]), BROKEN),
    ("gzip with a wrong checksum", packed(gzip.compress(GOOD)[:-8] + bytes(8)), BROKEN),
    ("gzip and more after it", packed(gzip.compress(GOOD) + b"more"), BROKEN),
    ("gzip and zeros after it", packed(gzip.compress(GOOD) + bytes(8)), BROKEN),
    ("deflate that is none", packed(GOOD, "deflate"), BROKEN),
    ("deflate that is cut", packed(zlib.compress(GOOD)[:-1], "deflate"), BROKEN),
    ("deflate and more after it", packed(zlib.compress(GOOD) + b"more", "deflate"), BROKEN),
    ("gzip where deflate is said", packed(gzip.compress(GOOD), "deflate"), BROKEN),
    ("gzip once where it is said twice", packed(gzip.compress(GOOD), "gzip, gzip"), BROKEN),
    ("gzip that nobody tells of", whole(gzip.compress(GOOD)), 200),
    ("gzip three times", packed(gzip.compress(gzip.compress(gzip.compress(GOOD))), "gzip, gzip, gzip"), DEEP),
    ("gzip a thousand times", packed(GOOD, ", ".join(["gzip"] * 1000)), DEEP),
    ("br", packed(GOOD, "br"), UNKNOWN),
    ("zstd", packed(GOOD, "zstd"), UNKNOWN),
    ("gzip of br", packed(gzip.compress(GOOD), "br, gzip"), UNKNOWN),
]
NO_COMPLETION: list[Case] = [
    ("redirect 301 to the cloud's metadata", whole(GOOD, 301, Location=METADATA), 301),
    ("redirect 307 to the cloud's metadata", whole(GOOD, 307, Location=METADATA), 307),
    ("redirect 302 to itself", whole(GOOD, 302, Location="/v1/chat/completions"), 302),
    ("redirect 303 to a file", whole(GOOD, 303, Location="file:///etc/passwd"), 303),
    ("refresh to the cloud's metadata", whole(b"", 200, Refresh=f"0; url={METADATA}"), 200),
    ("switches protocols", held(raw(b"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n" + GOOD)), 101),
    ("no content, and some", raw(b"HTTP/1.1 204 No\r\nContent-Length: %d\r\n\r\n" % len(GOOD) + GOOD), 204),
    ("not modified, and some", raw(b"HTTP/1.1 304 No\r\n\r\n" + GOOD), 304),
    ("asks for a password", whole(GOOD, 401, WWW_Authenticate="Basic"), 401),
    ("asks for a proxy's password", whole(GOOD, 407, Proxy_Authenticate="Basic"), 407),
    ("asks to come later", whole(GOOD, 503, Retry_After="0"), 503),
    ("status 999", whole(GOOD, 999), 999),
    ("no body", whole(b""), 200),
    ("no body and no length", raw(OK + b"\r\n"), 200),
    ("a good body in UTF-16", whole(GOOD.decode().encode("utf-16")), 200),
    ("a good body after a byte order mark", whole(b"\xef\xbb\xbf" + GOOD), 200),
    ("a good body twice", whole(GOOD + GOOD), 200),
]
LEAKING: list[Case] = [
    ("the token as its reason", echoed("HTTP/1.1 401 {}"), 401),
    ("the token as a header", echoed("HTTP/1.1 200 OK\r\nX: {}"), 200),
    ("the token as no header", echoed("HTTP/1.1 200 OK\r\n{}"), INVALID),
    ("the token as its status", echoed("HTTP/1.1 {}"), INVALID),
    ("the token as its protocol", echoed("{}/1.1 200 OK"), INVALID),
    ("the token as its packing", echoed("HTTP/1.1 200 OK\r\nContent-Encoding: {}", "x"), UNKNOWN),
    ("the token as its transfer coding", echoed("HTTP/1.1 200 OK\r\nTransfer-Encoding: {}"), CODING),
    ("the token as its length", echoed("HTTP/1.1 200 OK\r\nContent-Length: {}"), INVALID),
    ("the token as a chunk's size", echoed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", "{}\r\n"), INVALID),
    ("the token in a redirect", echoed("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://{}/"), 302),
]
CASES = [
    *STALLING,
    *BREAKING_OFF,
    *FLOODING,
    *NOT_HTTP,
    *BAD_HEAD,
    *BAD_LENGTH,
    *BAD_CHUNKS,
    *BAD_PACKING,
    *NO_COMPLETION,
    *LEAKING,
]


def is_completion(outcome: Answer | Failed) -> bool:
    """Whether it could be taken for what an agent said."""
    if isinstance(outcome, Failed) or not 200 <= outcome.status < 300:
        return False
    try:
        value = json.loads(outcome.body.decode())
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "choices" in value


def server(act: Reply | Unread) -> Server:
    """Who does this."""
    return Server(act) if isinstance(act, Unread) else Agent([act])


@pytest.mark.parametrize(("act", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_a_hostile_endpoint_gets_no_further(act: Reply | Unread, expected: str | int) -> None:
    before = others()
    with server(act) as hostile:
        found = within(aim(hostile), SECONDS, PATIENCE)

    assert expected == said(found)
    assert not is_completion(found)
    assert [] == [error for error in chain(found) if TOKEN in repr(error) or TOKEN in str(vars(error))]
    assert set() == others() - before


def test_no_two_hostile_endpoints_have_one_name() -> None:
    assert len(CASES) == len({name for name, _, _ in CASES})


@pytest.mark.parametrize("words", [b"", CHUNKED, OK + b"\r\n"])
def test_who_never_reads_a_large_request_keeps_nobody(words: bytes) -> None:
    over = threading.Event()
    with Server(Unread(words, lambda connection: over.wait(5))) as hostile:
        found = within(aim(hostile), SECONDS, PATIENCE, body=bytes(32 << 20))
        over.set()

    assert LATE == said(found)


def test_much_around_little_is_cut_off() -> None:
    with Agent([endless((b"1;" + b"x" * 4000 + b"\r\n \r\n") * 9, before=CHUNKED)]) as hostile:
        found = exchanged(aim(hostile))

    assert "the whole of the answer takes more than 16384 KiB" == said(found)


def test_who_reads_a_large_request_slowly_keeps_nobody() -> None:
    def sip(connection: socket.socket) -> None:
        while connection.recv(999):
            time.sleep(0.01)

    with Server(Unread(b"", sip)) as hostile:
        found = within(aim(hostile), SECONDS, PATIENCE, body=bytes(32 << 20))

    assert LATE == said(found)


def test_the_same_failure_is_told_in_the_same_words() -> None:
    with Agent([raw(b"HTTP/1.1 20")]) as first, Agent([then_reset(OK)]) as second:
        words = [said(exchanged(aim(agent))) for agent in (first, first, second)]

    assert [CLOSED] * 3 == words


def test_after_a_failure_the_next_exchange_is_its_own() -> None:
    with Agent([raw(whole_head(9) + b"cut"), whole(b"{}")]) as agent:
        words = [said(exchanged(aim(agent))) for _ in range(2)]

    assert [CLOSED, 200] == words
