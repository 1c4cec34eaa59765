"""A job with an empty workspace; what a step changes in this process is put back."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from agenttest.signals import CANCELS
from tests.action.job import Job


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Job]:
    for name in ("desk", "side"):
        (tmp_path / name).mkdir()
    handlers, umask = {number: signal.getsignal(number) for number in CANCELS}, os.umask(0o022)
    yield Job(tmp_path / "desk", tmp_path / "side", monkeypatch, capsys)
    os.umask(umask)
    for number, handler in handlers.items():
        signal.signal(number, handler)
