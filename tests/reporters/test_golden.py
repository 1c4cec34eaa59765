"""Whole SARIF and JUnit files of the first commands of some cases, character by character.

`AGENTTEST_RENEW=1 pytest tests/reporters/test_golden.py` writes what comes out; read the diff before you commit it.
"""

import os
import re
from pathlib import Path

import pytest

from agenttest import __version__
from tests.reporters.cases import FILES, file_of, reports_of

GOLDEN = Path(__file__).parent / "golden"
SHOWN = ["every-kind-violated", "evidence-missing", "hostile-words", "several-suites", "unsaved"]
CHANGING = {
    r"\d{8}T\d{6}Z-[0-9a-f]{8}": "RUN",
    r' time="[0-9.]+" timestamp="[^"]+"': ' time="TIME" timestamp="TIME"',
    f'"semanticVersion": "{re.escape(__version__)}"': '"semanticVersion": "VERSION"',
    f'"agenttest {re.escape(__version__)}"': '"agenttest VERSION"',
}


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize("name", SHOWN)
def test_a_case_comes_out_as_written_down(name: str, form: str, tmp_path: Path) -> None:
    golden = GOLDEN / f"{name}.{form}"

    came = steady(file_of(reports_of(name, tmp_path / "desk")[0], form))
    if os.environ.get("AGENTTEST_RENEW"):
        golden.write_bytes(came.encode())

    assert golden.read_bytes().decode() == came


def steady(text: str) -> str:
    for pattern, word in CHANGING.items():
        text = re.sub(pattern, word, text)
    return text
