"""The console blocks of a page, run one after another in a folder with the page's own files, as readers would."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.markdown import ROOT, blocks

NAMED = re.compile(r"# ((?:[\w.-]+/)*[\w-]+\.\w+)\b.*\n")
CHANGING = {r"\b\d{8}T\d{6}Z-[0-9a-f]{8}\b": "RUN", r"\b[0-9a-f]{64}\b": "DIGEST"}


def sessions(page: str, folder: Path) -> list[tuple[str, str]]:
    """For each console block what the page shows and what comes out; names that change with every run are replaced."""
    lay(page, folder)
    shown = [block.text for block in blocks(page) if block.language == "console"]
    came = [steady(run(text, folder).replace(str(folder), "/home/ida/desk")) for text in shown]
    return [(steady(text), elided(steady(text), output)) for text, output in zip(shown, came, strict=True)]


def lay(page: str, folder: Path) -> None:
    """The commands, and each block whose first line is a comment with a file's name."""
    commands = folder.parent / "commands"
    commands.mkdir(exist_ok=True)
    for name, module in (("agenttest", "-m agenttest"), ("python", "")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        (commands / name).chmod(0o755)
    for block in blocks(page):
        if named := NAMED.match(block.text):
            (folder / named[1]).parent.mkdir(parents=True, exist_ok=True)
            (folder / named[1]).write_text(block.text)


def run(text: str, folder: Path) -> str:
    """The block with the output of its commands in place of the shown one."""
    commands = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
    path = f"{folder.parent / 'commands'}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    came = ""
    for command in commands:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        came += f"$ {command}\n{done.stdout}"
    return came


def steady(text: str) -> str:
    for pattern, name in CHANGING.items():
        text = re.sub(pattern, name, text)
    return text


def elided(shown: str, came: str) -> str:
    """The output as the page shows it where it agrees but for the lines that a line `…` stands for, else as it came."""
    lines = ("(?:.*\n)*?" if line == "…\n" else re.escape(line) for line in shown.splitlines(keepends=True))
    return shown if re.fullmatch("".join(lines), came) else came
