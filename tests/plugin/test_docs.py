"""The page on pytest: every block comes out as shown, every option, marker and property is there, and no other."""

import re
import shutil
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path

from agenttest import pytest_plugin
from agenttest.model import Judged, Observation, Provenance, Risk
from agenttest.plugin.cases import Told
from agenttest.plugin.failures import properties
from tests import nouns, session
from tests.markdown import CODE, ROOT, blocks, table
from tests.plugin import installed

PAGE = "docs/pytest.md"
PYTEST = f"""\
#!/bin/sh
export COLUMNS=88 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONPATH="$PYTHONPATH:$(dirname "$0")/installation"
unset PYTEST_ADDOPTS PYTEST_XDIST_WORKER CI BUILD_NUMBER
"{sys.executable}" -m pytest -p agenttest -p xdist "$@" > "$0.said" 2>&1
code=$?
sed -E -e 's/ in [0-9.]+s/ in 0.05s/' -e '/^bringing up nodes/d' "$0.said"
exit $code
"""


def test_the_console_of_the_page_shows_what_really_happens(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples/pytest", tmp_path / "desk", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    installed.lay(tmp_path / "commands/installation")

    session.check(PAGE, tmp_path / "desk", {"pytest": PYTEST, "pip": "#!/bin/sh\n"})


class Recorder:
    """What a plugin tells a parser of options; it is its own group."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def getgroup(self, *_: str) -> "Recorder":
        return self

    def addoption(self, name: str, **_: object) -> None:
        self.names.add(name)

    def addini(self, name: str, *_: object, **__: object) -> None:
        self.names.add(name)


def test_the_page_lists_every_option() -> None:
    recorder = Recorder()
    pytest_plugin.pytest_addoption(recorder)  # type: ignore[arg-type]

    assert recorder.names == set(table(PAGE, "option", "value").first_column())


def test_the_page_lists_every_marker() -> None:
    rows = table(PAGE, "marker").rows

    documented = [re.split(r"[(]", name)[0] for row in rows for name in CODE.findall(row[0])]
    assert sorted(re.split(r"[(:]", marker)[0] for marker in pytest_plugin.MARKERS) == sorted(documented)


def test_the_page_lists_every_property() -> None:
    scenario = nouns.replace(nouns.scenario(), risk=Risk.LOW)
    told = Told(
        Judged(scenario, Observation("desk", steps=()), ()), Provenance("scenario_files", "scripted"), "desk.json"
    )

    assert [name for name, _ in properties(told)] == table(PAGE, "property").first_column()


def test_the_example_opts_in_as_the_page_says_in_either_file() -> None:
    (ini, toml) = (block.text for block in blocks(PAGE) if block.language in ("ini", "toml"))

    assert ini == (ROOT / "examples/pytest/pytest.ini").read_text()
    options = tomllib.loads(toml)["tool"]["pytest"]["ini_options"]
    assert options == {name: [value] for name, value in read_ini(ini).items()}


def read_ini(text: str) -> dict[str, str]:
    """The options in a pytest.ini."""
    parser = ConfigParser()
    parser.read_string(text)
    return dict(parser["pytest"])


def test_the_entry_point_is_the_plugin() -> None:
    assert {"agenttest": pytest_plugin.__name__} == installed.entry_points()


def test_the_shown_ways_are_those_that_are_accepted() -> None:
    (row,) = (row for row in table(PAGE, "option", "value").rows if "`agenttest_incomplete`" in row[0])

    assert list(pytest_plugin.SHOWN_AS) == CODE.findall(row[1])
