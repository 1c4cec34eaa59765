"""Any text → lines for a step's log: the commands that we mean, and no others.

The grammar is that of ActionCommand.cs in actions/runner: a line that starts, after white space, with `::name` is a
command, and so is `##[name]` anywhere in a line. Everything that goes to the log goes through this module.
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import accumulate

from agenttest.quote import one_line, printable

MESSAGE_UNITS = 4000  # the runner cuts at 4096 UTF-16 units
TITLE_LENGTH = 200
TOKEN_LENGTH = 16
MASKED_LENGTH = 8

# Python's \s holds all of .NET's white space. A second backslash or colon must not bring the command back.
COMMAND_START = re.compile(r"^(\s*)::")
OLD_COMMAND = "##["


class Level(StrEnum):
    """How grave an annotation is; the runner keeps the first ten of each."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


def annotation(
    level: Level,
    message: str,
    *,
    file: str | None = None,
    line: int | None = None,
    column: int | None = None,
    title: str = "",
) -> str:
    """One annotation as a line. What an agent said may stand in the message only: the runner masks no property."""
    given = {"file": file, "line": line, "col": column, "title": printable(title).strip()[:TITLE_LENGTH].strip()}
    shown = ",".join(f"{name}={escape_property(str(value))}" for name, value in given.items() if value)
    return f"::{level}{shown and ' '}{shown}::{escape_data(cut(message))}"


def group(title: str) -> str:
    """What opens a group of lines that can be folded away; of the title one line."""
    return f"::group::{escape_data(inert_inside(one_line(title)))}"


def endgroup() -> str:
    """What closes the group."""
    return "::endgroup::"


def debug(text: str) -> str:
    """Lines that are shown only where step debugging is on."""
    return "\n".join(f"::debug::{escape_data(line)}" for line in quoted_lines(text))


def mask(value: str) -> str:
    """From this line on the runner shows `***` for the value and, as it masks by lines, for each of its lines."""
    if not maskable(value):
        raise ValueError(
            f"a value to mask has {MASKED_LENGTH} characters at least in each line; a short one hides words"
        )
    return f"::add-mask::{escape_data(value)}"


def maskable(value: str) -> bool:
    """Whether each line of a value is long enough that no other word of a log looks like it."""
    return min(len(line) for line in re.split("[\r\n]+", value.strip("\r\n"))) >= MASKED_LENGTH


def stopped(text: str, token: str) -> str:
    """The text as a block in which the runner obeys nothing; `token`, fresh and secret, ends the block."""
    return f"{stop(token)}\n{inert(text)}\n{resume(token)}"


def stop(token: str) -> str:
    """From this line on the runner obeys nothing but `resume` with the same token."""
    if len(token) < TOKEN_LENGTH or not token.isalnum():
        raise ValueError(f"a stop token has at least {TOKEN_LENGTH} letters or digits")
    return f"::stop-commands::{token}"


def resume(token: str) -> str:
    """The runner obeys commands again."""
    return f"::{token}::"


def inert(text: str) -> str:
    """The text with nothing in it that the runner or a terminal obeys."""
    return "\n".join(quoted_lines(text))


def quoted_lines(text: str) -> list[str]:
    """The text's lines, each unable to be a command: a backslash stands where one would have been."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [COMMAND_START.sub(r"\1\\::", inert_inside(line)) for line in lines]


def inert_inside(text: str) -> str:
    """The text without unseen characters and without the old form of a command."""
    return printable(text).replace(OLD_COMMAND, "##\\[")


def cut(message: str) -> str:
    """The message, inert, and short enough for the runner, which counts UTF-16 units."""
    shown = inert_inside(message)
    units = accumulate(2 if character > "\uffff" else 1 for character in shown)
    fits = sum(1 for count in units if count <= MESSAGE_UNITS)
    return shown if fits == len(shown) else shown[:fits] + "…"


def escape_data(text: str) -> str:
    """As the runner unescapes a command's data."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """As the runner unescapes a command's property."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
