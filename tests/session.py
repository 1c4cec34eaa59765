"""The console blocks of a page, run one after another in a folder with the page's own files, as readers would."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.markdown import ROOT, blocks, settle

NAMED = re.compile(r"# ((?:[\w.-]+/)*[\w-]+\.\w+)\b.*\n")
RUN = re.compile(r"\b\d{8}T\d{6}Z-[0-9a-f]{8}\b")
HOME = "/home/ida/desk"


def check(page: str, folder: Path, stand_ins: Mapping[str, str] | None = None) -> None:
    """Every console block of the page shows what happens; `stand_ins` are scripts in the place of others' commands."""
    lay(page, folder)
    for name, script in (stand_ins or {}).items():
        command(folder, name, script)
    for block in blocks(page):
        if block.language == "console":
            settle(page, block.text, agreeing(block.text, run(block.text, folder).replace(str(folder), HOME)))


def lay(page: str, folder: Path) -> None:
    """The commands, and each block whose first line is a comment with a file's name."""
    commands = folder.parent / "commands"
    commands.mkdir(exist_ok=True)
    for name, module in (("agenttest", "-m agenttest"), ("python", "")):
        command(folder, name, f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
    for block in blocks(page):
        if named := NAMED.match(block.text):
            (folder / named[1]).parent.mkdir(parents=True, exist_ok=True)
            (folder / named[1]).write_text(block.text)


def command(folder: Path, name: str, script: str) -> None:
    """A command that the page's blocks find before any other of its name."""
    path = folder.parent / "commands" / name
    path.write_text(script)
    path.chmod(0o755)


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


def agreeing(shown: str, came: str) -> str:
    """The text as shown where what came differs only in names of runs, and in the lines that a line `…` stands for."""
    lines = (
        "(?:.*\n)*?" if line == "…\n" else re.escape(line) for line in RUN.sub("RUN", shown).splitlines(keepends=True)
    )
    return shown if re.fullmatch("".join(lines), RUN.sub("RUN", came)) else came
