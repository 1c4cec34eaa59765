"""Reports' texts → one block of a step's log, bounded in size, in which the runner obeys nothing."""

from __future__ import annotations

import secrets
from types import TracebackType
from typing import TextIO

from agenttest.github.commands import inert, quoted_lines, resume, stop

LIMIT = 200_000  # bytes; a log is read by people, and the run directory holds everything


class Log:
    """The block, open while it is a context; beyond the limit only what `say` gets is still written."""

    def __init__(self, stream: TextIO, limit: int = LIMIT) -> None:
        self.stream, self.left = stream, limit
        self.full = False
        self.token = secrets.token_hex(16)

    def __enter__(self) -> Log:
        self.say_raw(stop(self.token))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.say_raw(resume(self.token))

    def show(self, text: str) -> None:
        """As many of the text's lines as there is room for."""
        for line in quoted_lines(text):
            if self.full:
                break
            self.left -= len(line.encode("utf-8", "backslashreplace")) + 1
            self.full = self.left < 0
            if not self.full:
                self.stream.write(line + "\n")
            else:
                self.stream.write("… the log shows no more; the run directory holds everything\n")
        self.stream.flush()

    def say(self, text: str) -> None:
        """A short text that is always written."""
        self.say_raw(inert(text))

    def say_raw(self, line: str) -> None:
        """A line of our own."""
        self.stream.write(line + "\n")
        self.stream.flush()
