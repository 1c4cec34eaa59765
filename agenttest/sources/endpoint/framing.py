"""What follows a `Head` → the body as it was sent, up to where the head says that it ends."""

from __future__ import annotations

import re

from agenttest.settings import REPLY_BYTES
from agenttest.sources.endpoint import failed
from agenttest.sources.endpoint.head import HEAD_BYTES, SWITCHING, Head
from agenttest.sources.endpoint.stream import Stream

BARE = (SWITCHING, 204, 304)  # have no body, whatever their head says
CHUNK_LINE = 4096
CHUNK = re.compile(rb"([0-9A-Fa-f]{1,16})[\t ]*(?:;[^\r\n]*)?\r\n")
LENGTH = re.compile(r"[0-9]{1,18}")
LINE_END = b"\r\n"  # never a bare LF, beside which a size that is wrong by one would fit too


def body(stream: Stream, head: Head) -> bytes:
    """The body, at most REPLY_BYTES; Failed where it is longer, not whole, or of no certain length."""
    codings, lengths = head.listed("transfer-encoding"), head.listed("content-length")
    if head.status in BARE:
        return b""
    if codings and lengths:
        raise failed.invalid()
    if codings:
        return chunked(stream, codings)
    if lengths:
        return stream.exactly(declared(lengths))
    return bounded(stream.rest(REPLY_BYTES))


def declared(lengths: tuple[str, ...]) -> int:
    """The Content-Length, which may be said twice, but not in two ways."""
    if len(set(lengths)) > 1 or not LENGTH.fullmatch(lengths[0]):
        raise failed.invalid()
    if int(lengths[0]) > REPLY_BYTES:
        raise failed.larger()
    return int(lengths[0])


def chunked(stream: Stream, codings: tuple[str, ...]) -> bytes:
    """The chunks, joined."""
    if codings != ("chunked",):
        raise failed.packed("its Transfer-Encoding is not chunked alone")
    joined = bytearray()
    while size := chunk_size(stream.line(CHUNK_LINE)):
        if len(joined) + size > REPLY_BYTES:
            raise failed.larger()
        joined += stream.exactly(size)
        if stream.exactly(2) != LINE_END:
            raise failed.invalid()
    skip_trailers(stream)
    return bytes(joined)


def chunk_size(line: bytes) -> int:
    """The bytes of the next chunk; 0 after the last."""
    found = CHUNK.fullmatch(line)
    if found is None:
        raise failed.invalid()
    return int(found[1], 16)


def skip_trailers(stream: Stream) -> None:
    """Read what stands after the last chunk, to the empty line."""
    left = HEAD_BYTES
    while (line := stream.line(left)) != LINE_END:
        left -= len(line)
        if left <= 0:
            raise failed.endless("the trailer", HEAD_BYTES)


def bounded(sent: bytes) -> bytes:
    """The same, where it is within the limit."""
    if len(sent) > REPLY_BYTES:
        raise failed.larger()
    return sent
