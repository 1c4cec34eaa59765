"""Foreign text → GitHub's Markdown that shows it: code spans and fences that nothing inside them can end."""

from __future__ import annotations

import re

from agenttest.quote import clip, one_line, printable

TICKS = re.compile("`+")
SPAN = 300
FENCE_TICKS = 3


def code(text: str, limit: int = SPAN) -> str:
    """The text as a code span on one line, in which no link, mention, tag or emphasis is seen."""
    shown = clip(one_line(text), limit).strip() or " "
    ticks = "`" * (longest(shown) + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def fence(text: str) -> str:
    """The text as a block of its own."""
    shown = printable(text).strip("\n")
    ticks = "`" * max(FENCE_TICKS, longest(shown) + 1)
    return f"{ticks}text\n{shown}\n{ticks}\n"


def details(title: str, body: str) -> str:
    """A block that is folded away; the title is ours, and the body is whole lines of Markdown."""
    return f"<details><summary>{title}</summary>\n\n{body.rstrip()}\n\n</details>\n"


def longest(text: str) -> int:
    """How long the longest run of backticks is."""
    return max(map(len, TICKS.findall(text)), default=0)
