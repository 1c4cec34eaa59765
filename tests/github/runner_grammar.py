"""What GitHub's runner obeys in a step's log and reads from its files.

A port of ActionCommand.cs, ActionCommandManager.cs and FileCommandManager.cs in actions/runner, to test ours against.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# char.IsWhiteSpace of .NET.
WHITE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
NAMES = {
    *("add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice"),
    *("remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning"),
}
DATA = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
PROPERTY = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
OLD = (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%25", "%"))
MESSAGE_MOST = 4096


@dataclass(frozen=True, slots=True)
class Command:
    """A command as the runner understands it."""

    name: str
    properties: dict[str, str] = field(default_factory=dict)
    data: str = ""


def commands(log: str) -> list[Command]:
    """All that the runner obeys in a log, stop-commands being obeyed too."""
    return list(obeyed(log))


def obeyed(log: str) -> Iterator[Command]:
    known, token = set(NAMES), ""
    for line in re.split(r"\r\n|\r|\n", log):
        command = parse(line, known)
        if command is None:
            continue
        if token:
            token = "" if command.name == token else token
        elif command.name == "stop-commands":
            token = command.data.lower()
            known.add(token)
        else:
            yield command


def parse(line: str, known: set[str]) -> Command | None:
    """The command of a line: the new form after white space, or the old form anywhere."""
    start = line.lstrip(WHITE)
    if start.startswith("::") and "::" in start[2:]:
        head, data = start[2:].split("::", 1)
        if named(head) in known:
            return Command(named(head), properties(head, ",", PROPERTY), unescape(data, DATA))
    at = line.find("##[")
    end = line.find("]", at)
    if at >= 0 and end >= 0 and named(line[at + 3 : end]) in known:
        head = line[at + 3 : end]
        return Command(named(head), properties(head, ";", OLD), unescape(line[end + 1 :], OLD))
    return None


def named(head: str) -> str:
    return head.split(" ", 1)[0].lower()


def properties(head: str, separator: str, escapes: tuple[tuple[str, str], ...]) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in head.partition(" ")[2].strip(WHITE).split(separator))
    return {key.lower(): unescape(value, escapes) for key, _, value in pairs if key and value}


def unescape(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for code, character in escapes:
        text = text.replace(code, character)
    return text


def outputs(text: str) -> dict[str, str]:
    """The pairs of a GITHUB_OUTPUT file; ValueError for what would fail the step."""
    found: dict[str, str] = {}
    lines = iter(re.split(r"\r\n|\r|\n", text))
    for line in lines:
        equals, heredoc = line.find("="), line.find("<<")
        if heredoc >= 0 and (equals < 0 or heredoc < equals):
            found[line[:heredoc]] = "\n".join(until(line[heredoc + 2 :], lines))
        elif equals >= 0:
            found[line[:equals]] = line[equals + 1 :]
        elif line:
            raise ValueError(f"no pair: {line!r}")
    return found


def until(delimiter: str, lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line == delimiter:
            return
        yield line
    raise ValueError(f"no {delimiter!r} follows")
