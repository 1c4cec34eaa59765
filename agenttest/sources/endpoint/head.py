"""The lines before an answer's body → `Head`, read strictly: whatever may be understood in two ways is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agenttest.sources.endpoint import failed
from agenttest.sources.endpoint.stream import Stream

HEAD_BYTES = 1 << 16  # of all heads of one answer
SWITCHING = 101

STATUS_LINE = re.compile(r"HTTP/1\.[0-9] ([1-9][0-9]{2})(?: [\t -~\x80-\xff]*)?")
FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)")
FOLD = re.compile(r"\r?\n[\t ]+")  # a line that goes on in the next one, as of old
LINE_END = re.compile(r"\r?\n")
TLS_RECORDS = (b"\x15\x03", b"\x16\x03")


@dataclass(frozen=True, slots=True)
class Head:
    """The status, and the header fields with their names in lower case."""

    status: int
    fields: Sequence[tuple[str, str]]

    def listed(self, name: str) -> tuple[str, ...]:
        """What is listed under a name, in one field or several, in lower case."""
        return tuple(
            item.strip(" \t").lower() for field, value in self.fields if field == name for item in value.split(",")
        )


def final(stream: Stream) -> Head:
    """The head of the answer itself; those of interim answers before it, such as 100 and 103, are passed over."""
    left = HEAD_BYTES
    while True:
        lines = head_lines(stream, left)
        head = parsed(lines)
        if head.status >= 200 or head.status == SWITCHING:
            return head
        left -= len(lines)


def head_lines(stream: Stream, limit: int) -> bytes:
    """The bytes of one head, up to the empty line; no HTTP at all is told at once, however long it would go on."""
    if not stream.starts(b"HTTP/1."):
        encrypted = bytes(stream.held[:2]) in TLS_RECORDS
        raise failed.invalid("write https://, as TLS is spoken at this port") if encrypted else failed.invalid()
    lines = bytearray()
    while True:
        line = stream.line(limit - len(lines))
        lines += line
        if not line.endswith(b"\n"):
            raise failed.endless("the header", HEAD_BYTES)
        if line in (b"\r\n", b"\n"):
            return bytes(lines)


def parsed(lines: bytes) -> Head:
    """The head of these lines, the empty one included."""
    first, *rest = LINE_END.split(FOLD.sub(" ", lines.decode("latin-1")))
    status = STATUS_LINE.fullmatch(first)
    fields = [FIELD.fullmatch(line) for line in rest[:-2]]
    found = [(field[1].lower(), field[2]) for field in fields if field]
    if status is None or len(found) < len(fields):
        raise failed.invalid()
    return Head(int(status[1]), found)
