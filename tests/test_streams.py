"""Streams take every text; what cannot be written costs a pass its exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from agenttest import streams
streams.prepare()
{}
sys.exit(streams.flushed({}))
"""


def run(does: str, code: int, **how: object) -> subprocess.CompletedProcess[bytes]:
    root = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", PROGRAM.format(does, code)]
    return subprocess.run(command, env={"PYTHONPATH": root, "LC_ALL": "C"}, **how)  # type: ignore[call-overload, no-any-return]


def test_every_text_is_written_as_utf8_with_line_feeds() -> None:
    done = run(r"print('漢\ud800')", 0, capture_output=True)

    assert (0, "漢\\ud800\n".encode()) == (done.returncode, done.stdout)


@pytest.mark.parametrize(("code", "expected"), [(0, 2), (1, 1), (2, 2)])
def test_what_cannot_be_written_costs_a_pass_and_leaves_a_violation(code: int, expected: int) -> None:
    with open("/dev/full", "wb") as full:
        done = run("print('x')", code, stdout=full, stderr=subprocess.PIPE)

    assert (expected, b"") == (done.returncode, done.stderr)


def test_a_stream_that_was_closed_before_takes_nothing_and_says_so() -> None:
    done = run("print('x')", 0, preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE)

    assert (2, b"") == (done.returncode, done.stderr)
