"""The console blocks of a page, run one after another in a folder with the page's own files, as readers would."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.markdown import ROOT, blocks, settle, text_of

NAMED = re.compile(r"# ((?:[\w.-]+/)*[\w-]+\.\w+)\b.*\n")
COMMENTED = re.compile(r"^<!-- ([\w./-]+) -->\n```json\n(.*?)^```$", re.M | re.S)  # JSON has no comments of its own
RUN = re.compile(r"\b\d{8}T\d{6}Z-[0-9a-f]{8}\b")
TRACE = re.compile(r"-[0-9a-f]{32}(?=\.trace\.json)")  # which follows from the scenario file
HOME = "/home/ida/desk"
TIME = re.compile(r"\b[\d,]+(?:–[\d,]+)? ms\b")
PORT = "8080"  # as the pages name it; a free one is taken
BACKGROUND = " &"  # what a command ends with that runs until the page is done


def check(page: str, folder: Path, stand_ins: Mapping[str, str] | None = None) -> None:
    """Every console block of the page shows what happens; `stand_ins` are scripts in the place of others' commands."""
    lay(page, folder)
    for name, script in (stand_ins or {}).items():
        command(folder, name, script)
    port = free_port()
    with ExitStack() as started:
        for block in blocks(page):
            if block.language == "console":
                came = run(block.text.replace(PORT, port), folder, started)
                settle(page, block.text, agreeing(block.text, came.replace(str(folder), HOME).replace(port, PORT)))


def free_port() -> str:
    """A port of this machine that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return str(listener.getsockname()[1])


def lay(page: str, folder: Path) -> None:
    """The commands, and each block whose first line, or for JSON the one above, is a comment with a file's name."""
    commands = folder.parent / "commands"
    commands.mkdir(exist_ok=True)
    for name, module in (("agenttest", "-m agenttest"), ("python", "")):
        command(folder, name, f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
    for block in blocks(page):
        if named := NAMED.match(block.text):
            put(folder / named[1], block.text)
    for name, text in COMMENTED.findall(text_of(page)):
        put(folder / name, text)


def put(path: Path, text: str) -> None:
    """A file, and the folders that it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def command(folder: Path, name: str, script: str) -> None:
    """A command that the page's blocks find before any other of its name."""
    path = folder.parent / "commands" / name
    path.write_text(script)
    path.chmod(0o755)


def run(text: str, folder: Path, started: ExitStack) -> str:
    """The block with the output of its commands in place of the shown one; what runs on is ended with `started`."""
    commands = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
    came = ""
    for command in commands:
        came += f"$ {command}\n"
        if command.endswith(BACKGROUND):
            started.enter_context(running(command.removesuffix(BACKGROUND), folder))
        else:
            came += subprocess.run(
                ["sh", "-c", command],
                cwd=folder,
                env=environment(folder),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            ).stdout
    return came


def environment(folder: Path) -> dict[str, str]:
    """What the commands find, ours first."""
    path = f"{folder.parent / 'commands'}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


@contextmanager
def running(command: str, folder: Path) -> Iterator[None]:
    """A command in the background, which is ended with all that it started."""
    process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=environment(folder), start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def agreeing(shown: str, came: str) -> str:
    """The text as shown where what came differs only in names of runs, times, and lines that a line `…` stands for."""
    lines = ("(?:.*\n)*?" if line == "…\n" else re.escape(line) for line in alike(shown).splitlines(keepends=True))
    return shown if re.fullmatch("".join(lines), alike(came)) else came


def alike(text: str) -> str:
    """The text without what is another each time."""
    return TRACE.sub("-RUN", TIME.sub("N ms", RUN.sub("RUN", text)))
