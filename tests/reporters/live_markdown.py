"""A Markdown text → what GitHub does not show as code: only there can a word become a link, a tag or a mention."""

import re
from collections.abc import Iterator

FENCE = re.compile(r" {0,3}(`{3,})([^`]*)$")
TICKS = re.compile("`+")


def live(text: str) -> str:
    """The text without fenced blocks and code spans; ValueError where a fence is never closed."""
    return "\n".join(without_spans(line) for line in without_fences(text.split("\n")))


def without_fences(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        if fence:
            fence = "" if re.fullmatch(rf" {{0,3}}{fence}`*[ \t]*", line) else fence
        elif opened := FENCE.match(line):
            fence = opened[1]
        else:
            yield line
    if fence:
        raise ValueError("a fence is never closed")


def without_spans(line: str) -> str:
    """A line without code spans: a run of backticks ends at the next run of the same length, if there is one."""
    shown, at = "", 0
    while start := TICKS.search(line, at):
        ends = (run for run in TICKS.finditer(line, start.end()) if len(run[0]) == len(start[0]))
        end = next(ends, None)
        shown += line[at : start.start()] + ("" if end else start[0])
        at = end.end() if end else start.end()
    return shown + line[at:]
