"""Outputs and a summary → the two files that the runner reads after a step."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from agenttest import handles
from agenttest.github.commands import inert
from agenttest.quote import one_line

SUMMARY_LIMIT = 1 << 20  # beyond it the runner drops the whole file
SUMMARY_MOST = 900 << 10
MARGIN = 4096


@dataclass(frozen=True, slots=True)
class EnvFile:
    """A file of the runner's, open to be added to; `handle` is None where it could not be opened."""

    handle: int | None

    @property
    def size(self) -> int:
        """How many bytes it holds already."""
        return 0 if self.handle is None else os.fstat(self.handle).st_size

    def append(self, text: str) -> bool:
        """Add the text, which is whole lines; false where that failed."""
        if self.handle is None:
            return True
        try:
            with open(self.handle, "ab", closefd=False) as stream:
                stream.write(text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            warn(f"a file of the runner's could not be written: {error.strerror}")
            return False
        return True


def opened(variable: str, path: str | None) -> EnvFile:
    """The file that a variable of the runner's names. To be called before root is given up: under act it is root's."""
    if path is None:
        warn(f"{variable} is not set, so nothing is written to it")
        return EnvFile(None)
    try:
        return EnvFile(handles.append(path))
    except OSError as error:
        warn(f"{variable} cannot be opened ({error.strerror}), so nothing is written to it")
        return EnvFile(None)


def write_outputs(file: EnvFile, outputs: Mapping[str, str]) -> bool:
    """Add the step's outputs; false where that failed. Values are words, numbers and paths of ours: workflows paste
    them into their scripts."""
    return file.append("".join(heredoc(name, value) for name, value in outputs.items()))


def heredoc(name: str, value: str) -> str:
    """One output in the form that no value can break out of."""
    delimiter = f"agenttest_{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{one_line(value)}\n{delimiter}\n"


def summary_budget(file: EnvFile) -> int:
    """How many bytes may be added to the summary; earlier steps of a composite action may have used some."""
    return max(0, min(SUMMARY_MOST, SUMMARY_LIMIT - file.size - MARGIN))


def write_summary(file: EnvFile, text: str) -> None:
    """Add to the job summary, apart from what stands there."""
    file.append(("\n\n" if file.size else "") + text)


def warn(message: str) -> None:
    """A line on stderr, where it can be written; the verdict does not hang on it."""
    with suppress(OSError):
        print(inert(f"agenttest: {one_line(message)}"), file=sys.stderr)  # noqa: T201
