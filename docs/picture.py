"""What `agenttest demo` prints, in colour → docs/report.svg, the picture in the README."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from agenttest.demo import demo
from agenttest.reporters.text import Look, colour, render

PICTURE = Path(__file__).with_name("report.svg")
STYLED = re.compile(r"\033\[([\d;]*)m")
CLASSES = {"32": "pass", "1;31": "fail", "33": "incomplete", "2": "faint", "1": "bold"}
SIZE, LINE, MARGIN = 13, 18, 20
ADVANCE = 0.61  # of a monospace font's character, in its size; a little more than most have
STYLE = f"""\
    rect {{ fill: #161b22; stroke: #30363d; }}
    text {{ font: {SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e6edf3;
      white-space: pre; }}
    .pass {{ fill: #56d364; }}
    .fail {{ fill: #ff7b72; font-weight: bold; }}
    .incomplete {{ fill: #e3b341; }}
    .faint {{ fill: #9da7b3; }}
    .bold {{ font-weight: bold; }}"""


def main() -> None:
    """Write the picture anew."""
    PICTURE.write_text(svg(printed()))


def printed() -> str:
    """The demonstration as a terminal gets it, below its command."""
    shown = [f"{colour('bold', f'== {title}')}\n\n{render(report, Look(colour))}" for title, report in demo()]
    return "$ agenttest demo\n\n" + "\n".join(shown)


def svg(text: str) -> str:
    """A dark card, readable on a light page and on a dark one."""
    lines = text.splitlines()
    longest = max(len(STYLED.sub("", line)) for line in lines)
    width, height = round(longest * SIZE * ADVANCE) + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    body = "\n".join(row(number, line) for number, line in enumerate(lines) if line)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">
  <title>The output of agenttest demo</title>
  <style>
{STYLE}
  </style>
  <rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>
{body}
</svg>
"""


def row(number: int, line: str) -> str:
    """One line of text."""
    baseline = MARGIN + number * LINE + SIZE
    return f'  <text x="{MARGIN}" y="{baseline}" xml:space="preserve">{"".join(spans(line))}</text>'


def spans(line: str) -> Iterator[str]:
    """The parts of a line, each with the class of its colour."""
    parts = STYLED.split(line)
    for style, part in zip(["", *parts[1::2]], parts[::2], strict=True):
        text = escape(part, quote=False)
        yield f'<tspan class="{CLASSES[style]}">{text}</tspan>' if style in CLASSES else text


if __name__ == "__main__":
    main()
