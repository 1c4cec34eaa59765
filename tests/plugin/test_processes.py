"""The plugin in processes of their own: nothing of it where nothing is opted in, and all of it in many workers."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests import projects
from tests.plugin import desk

IMPORTED = """\
import json, sys

def pytest_unconfigure():
    names = [name for name in sys.modules if name.partition(".")[0] == "agenttest"]
    open("imported.json", "w").write(json.dumps(sorted(names)))
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "agenttest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("known")
def test_where_nothing_is_opted_in_nothing_is_imported_but_the_entry_point(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(IMPORTED)
    (tmp_path / "test_unit.py").write_text("def test_unit(): assert True\n\ndef test_fails(): assert False\n")

    done = run(tmp_path, "--strict-markers", "-W", "error")

    assert "1 failed, 1 passed" in done.stdout
    assert ["agenttest", "agenttest.pytest_plugin"] == json.loads((tmp_path / "imported.json").read_text())


def test_the_package_does_not_import_pytest() -> None:
    code = "import sys, agenttest.cli, agenttest.run; print('pytest' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "False\n" == done.stdout


def lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What is told of incomplete scenarios and gates."""
    kept = (" ", "INCOMPLETE", "FAIL", "tests/agent-scenarios")
    return [line for line in done.stdout.splitlines() if line.startswith(kept)]


@pytest.mark.usefixtures("known")
def test_two_workers_say_what_one_process_says(tmp_path: Path) -> None:
    place = desk.lay(
        tmp_path,
        basic=desk.scenario("basic"),
        high=desk.scenario("high", desk.BROKEN, risk="High"),
        open=desk.scenario("open", **desk.PARTIAL),
        odd=desk.scenario("odd::\ud800[x]\n\x1b[1m", tags=("\ud801",)),
    )
    projects.lay(place, "clerk.yml", greets="hello", leaves="good day")
    gates = ("-q", "--agenttest-gates", "--junitxml=out.xml")

    alone = run(tmp_path, *gates)
    cases = {case.get("name"): sorted(map(ET.tostring, case.iter("property"))) for case in cases_of(tmp_path)}
    many = run(tmp_path, "-p", "xdist", "-n", "2", *gates)

    assert 1 == alone.returncode == many.returncode
    assert sorted(lines(alone)) == sorted(lines(many))
    assert "  FAIL        high-risk-pass: not passed: 'high'" in lines(many)
    assert cases == {case.get("name"): sorted(map(ET.tostring, case.iter("property"))) for case in cases_of(tmp_path)}


def cases_of(folder: Path) -> list[ET.Element]:
    return list(ET.parse(folder / "out.xml").getroot().iter("testcase"))


@pytest.mark.usefixtures("known")
def test_a_worker_that_dies_leaves_its_scenario_not_run(tmp_path: Path) -> None:
    desk.lay(tmp_path, dies=desk.scenario("dies"), lives=desk.scenario("lives"))
    hook = "import os\n\ndef pytest_runtest_call(item):\n    if item.name == 'dies':\n        os._exit(3)\n"
    (tmp_path / "conftest.py").write_text(hook)

    done = run(tmp_path, "-p", "xdist", "-n", "1", "-q", "--agenttest-gates")

    assert 1 == done.returncode
    assert "  INCOMPLETE  selection-complete: not run: 'dies'" in lines(done)
