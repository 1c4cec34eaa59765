"""Reports' texts → a step's log: groups that fold and plain lines, bounded, in which the runner obeys nothing."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from agenttest.github.commands import endgroup, group, inert, quoted_lines, resume, stop
from agenttest.quote import one_line

LIMIT = 200_000  # bytes; a log is read by people, and the run directory holds everything

FOLLOWED = 4  # the part of the limit that may be used to tell how far a run is


class Log:
    """Where it is all written; beyond the limit only what `say` gets is."""

    def __init__(self, stream: TextIO, limit: int = LIMIT) -> None:
        self.stream, self.left = stream, limit
        self.full = False
        self.followed = limit // FOLLOWED

    def fold(self, title: str, text: str) -> None:
        """A text that is folded away behind its title."""
        if not self.full:
            self.write(group(title))
            try:
                self.show(text)
            finally:
                self.write(endgroup())

    def show(self, text: str) -> None:
        """As many of the text's lines as there is room for."""
        if not self.full:
            self.block(self.fitting(text))

    def follow(self, text: str) -> None:
        """A line that tells how far a run is; of very many the last are left out, so that the reports keep their room.

        It is one line, and inert, so it needs no block in which the runner obeys nothing.
        """
        line = inert(one_line(text))
        if self.followed >= 0:
            self.followed -= len(line.encode("utf-8", "backslashreplace")) + 1
            self.write(line if self.followed >= 0 else "… the log follows the run no further")
            self.flush()

    def say(self, text: str) -> None:
        """A short text that is always written."""
        self.block([inert(text)])

    def command(self, lines: str) -> None:
        """Lines that the runner is to obey, as commands.py makes them."""
        self.write(lines.removesuffix("\n"))
        self.flush()

    def fitting(self, text: str) -> Iterable[str]:
        """The lines that there is room for, and at the end of it a line that says so."""
        for line in quoted_lines(text.removesuffix("\n")):
            self.left -= len(line.encode("utf-8", "backslashreplace")) + 1
            self.full = self.left < 0
            yield "… the log shows no more; the run directory holds everything" if self.full else line
            if self.full:
                return

    def block(self, lines: Iterable[str]) -> None:
        """Lines between a command that stops all commands and one, with a token that nobody knows, that ends this.

        A signal in the middle must not leave the commands that follow stopped.
        """
        token = secrets.token_hex(16)
        self.write(stop(token))
        try:
            for line in lines:
                self.write(line)
        finally:
            self.write(resume(token))
            self.flush()

    def write(self, line: str) -> None:
        """A line of our own; where nothing can be written any more, outputs and summary still can."""
        with suppress(OSError):
            self.stream.write(line + "\n")

    def flush(self) -> None:
        """Have the runner see what was written."""
        with suppress(OSError):
            self.stream.flush()
