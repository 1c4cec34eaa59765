"""Whole SARIF and JUnit files of the first commands of some cases, a live run and scenario files in every format.

`AGENTTEST_RENEW=1 pytest tests/reporters/test_golden.py` writes what comes out; read the diff before you commit it.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from agenttest import __version__
from agenttest.reporters import reporter
from tests import scenarios
from tests.nouns import live_report
from tests.reporters.cases import FILES, file_of, reports_of

GOLDEN = Path(__file__).parent / "golden"
SHOWN = ["every-kind-violated", "evidence-missing", "hostile-words", "several-suites", "unsaved"]
CHANGING = {
    r"\d{8}T\d{6}Z-[0-9a-f]{8}": "RUN",
    r' time="[0-9.]+" timestamp="[^"]+"': ' time="TIME" timestamp="TIME"',
    f'"semanticVersion": "{re.escape(__version__)}"': '"semanticVersion": "VERSION"',
    f"agenttest {re.escape(__version__)}": "agenttest VERSION",
}
LOOKS = {r"(?s)<(style|script)>.*?</": r"<\1>…</", r"sha256-[A-Za-z0-9+/]+=*": "sha256-DIGEST"}  # of a page
SCENARIOS = {"scenarios": scenarios.whole, "scenarios-tolerated": scenarios.tolerated}
LIVE = {"text": "txt", "markdown": "md", "html": "html", "sarif": "sarif", "junit": "xml"}


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize("name", SHOWN)
def test_a_case_comes_out_as_written_down(name: str, form: str, tmp_path: Path) -> None:
    came = steady(file_of(reports_of(name, tmp_path / "desk")[0], form))

    assert written_down(f"{name}.{form}", came) == came


@pytest.mark.parametrize("form", LIVE)
def test_a_live_run_comes_out_as_written_down(form: str) -> None:
    came = steady(reporter(form)(live_report()), CHANGING | LOOKS)

    assert written_down(f"live.{LIVE[form]}", came) == came


@pytest.mark.parametrize("form", LIVE)
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario_files_come_out_as_written_down(name: str, form: str) -> None:
    came = steady(reporter(form)(SCENARIOS[name]()), CHANGING | LOOKS)

    assert written_down(f"{name}.{LIVE[form]}", came) == came


def written_down(name: str, came: str) -> str:
    """The golden file; where that is asked for it is what comes out."""
    if os.environ.get("AGENTTEST_RENEW"):
        (GOLDEN / name).write_bytes(came.encode())
    return (GOLDEN / name).read_bytes().decode()


def steady(text: str, changing: Mapping[str, str] = CHANGING) -> str:
    for pattern, word in changing.items():
        text = re.sub(pattern, word, text)
    return text
