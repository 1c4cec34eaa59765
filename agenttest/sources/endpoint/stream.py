"""Pieces of any size → lines and runs of bytes, taken from the front, however they were cut."""

from __future__ import annotations

from collections.abc import Callable

from agenttest.sources.endpoint import failed


class Stream:
    """Bytes as they come; `receive` gives the next ones, and none at the end."""

    def __init__(self, receive: Callable[[], bytes]) -> None:
        self.receive, self.held = receive, bytearray()

    def starts(self, expected: bytes) -> bool:
        """Whether the next bytes are these, as far as there are any before the end; none is taken."""
        while len(self.held) < len(expected) and expected.startswith(self.held) and self.more():
            pass
        return expected.startswith(self.held[: len(expected)])

    def line(self, limit: int) -> bytes:
        """The next line with its end, or the first `limit` bytes of one that is longer; Failed where it breaks off."""
        seen = 0
        while (at := self.held.find(b"\n", seen, limit)) < 0 and len(self.held) < limit:
            seen = len(self.held)
            self.need()
        return self.take(at + 1 or limit)

    def exactly(self, count: int) -> bytes:
        """So many bytes; Failed where there are fewer."""
        while len(self.held) < count:
            self.need()
        return self.take(count)

    def rest(self, limit: int) -> bytes:
        """All bytes until the end, or a few more than `limit` where there are more."""
        while len(self.held) <= limit and self.more():
            pass
        return self.take(len(self.held))

    def take(self, count: int) -> bytes:
        """Bytes that are held already."""
        taken = bytes(self.held[:count])
        del self.held[:count]
        return taken

    def need(self) -> None:
        """Hold some more; Failed at the end."""
        if not self.more():
            raise failed.closed()

    def more(self) -> bool:
        """Whether there was more to hold."""
        piece = self.receive()
        self.held += piece
        return bool(piece)
