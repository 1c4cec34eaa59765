"""Every folder here is a case: a project, commands in it, and all that comes out of them, character by character.

`command` holds command lines, run in order; `cd FOLDER` changes where the rest run. What came out stands in `stdout`,
`stderr`, `exit` (a number a command), `report.json` and `report.txt`; a missing one is an empty or unwritten one. All
other files are the project. Names of runs, times, durations and the version differ each time and are replaced.
`AGENTTEST_RENEW=1 pytest tests/cases` writes what comes out; read the diff before you commit it.
"""

import io
import os
import re
import shlex
import shutil
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from agenttest import __version__
from agenttest.cli import main

HERE = Path(__file__).parent
CASES = sorted(path.parent.name for path in HERE.glob("*/command"))
WRITTEN = ("report.json", "report.txt")
OUTCOME = ("stdout", "stderr", "exit", *WRITTEN)
CHANGING = {
    r"\d{8}T\d{6}Z-[0-9a-f]{8}": "RUN",
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z": "TIME",
    r'"duration_ms": \d+': '"duration_ms": 0',
    r"\b\d+ ms\b": "0 ms",
    f'"version": "{re.escape(__version__)}"': '"version": "VERSION"',
    r'(?<![0-9a-f])[0-9a-f]{32}(?=\.trace\.json|")': "ID",  # of a trace, which another version may write otherwise
    r'"traceSha256": "[0-9a-f]{64}"': '"traceSha256": "DIGEST"',
}


@pytest.mark.parametrize("name", CASES)
def test_a_case_comes_out_as_written_down(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, desk = HERE / name, tmp_path / "desk"
    shutil.copytree(case, desk, ignore=shutil.ignore_patterns("command", *OUTCOME))
    monkeypatch.delenv("NO_COLOR", raising=False)

    came = outcome(case.joinpath("command").read_text().splitlines(), desk)
    if os.environ.get("AGENTTEST_RENEW"):
        renew(case, came)

    assert expected(case) == came


def outcome(commands: list[str], desk: Path) -> dict[str, str]:
    """What all commands print and write, by the names of OUTCOME; what is empty is left out."""
    came = dict.fromkeys(OUTCOME, "")
    with chdir(desk):
        for command in commands:
            came["stdout"] += f"$ {command}\n" if len(commands) > 1 else ""
            run(shlex.split(command), came)
    for name in WRITTEN:
        came[name] = (desk / name).read_text() if (desk / name).exists() else ""
    return {name: steady(text.replace(str(desk), "/desk")) for name, text in came.items() if text}


def run(words: list[str], came: dict[str, str]) -> None:
    """One command, in this process."""
    if words[0] == "cd":
        os.chdir(words[1])
        return
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    before, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), out, err
    try:
        came["exit"] += f"{main(words[1:])}\n"
    finally:
        sys.stdout, sys.stderr = before
    for name, stream in (("stdout", out), ("stderr", err)):
        came[name] += stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def steady(text: str) -> str:
    for pattern, word in CHANGING.items():
        text = re.sub(pattern, word, text)
    return text


def expected(case: Path) -> dict[str, str]:
    return {name: (case / name).read_bytes().decode() for name in OUTCOME if (case / name).exists()}


def renew(case: Path, came: dict[str, str]) -> None:
    for name in OUTCOME:
        (case / name).unlink(missing_ok=True)
        if name in came:
            (case / name).write_bytes(came[name].encode())
