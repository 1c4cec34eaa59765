"""The README: every block is run or read, every table is held to what it describes, the picture is what is printed."""

import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from agenttest.cli import parser
from agenttest.model import Reason, Status, SuiteFile
from agenttest.suites import contract, harness
from tests import session
from tests.markdown import CODE, ROOT, blocks, settle, table, text_of

README, EXAMPLE, LIVE = "README.md", "examples/refund-agent/README.md", "examples/live-agent/README.md"
SCENARIOS = "examples/scenarios/README.md"
EXAMPLES = pytest.mark.parametrize("page", [EXAMPLE, LIVE, SCENARIOS])
KINDS = {"sh", "console", "python", "yaml", "json"}


def action() -> dict[str, Any]:
    described: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
    return described


def test_the_console_shows_what_really_happens(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "desk/examples")

    session.check(README, tmp_path / "desk")


@EXAMPLES
def test_the_examples_console_shows_what_really_happens(tmp_path: Path, page: str) -> None:
    shutil.copytree((ROOT / page).parent, tmp_path / "desk")

    session.check(page, tmp_path / "desk")


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert KINDS >= {block.language for block in blocks(README)}


def test_the_contract_loads() -> None:
    (text,) = (block.text for block in blocks(README) if block.text.startswith("# contracts/"))

    assert "looks-before-it-sells" == contract.load("tickets.yml", text.encode()).scenarios[0].id


def test_the_scenario_file_loads() -> None:
    ((name, text),) = session.COMMENTED.findall(text_of(README))

    suite = harness.read("page", (SuiteFile(name, text),))

    assert ((), (), 1) == (suite.problems, suite.warnings, len(suite.scenarios))
    assert [text] == [block.text for block in blocks(README) if block.language == "json"]


def test_the_workflow_gives_the_action_inputs_that_it_has() -> None:
    (text,) = (block.text for block in blocks(README) if block.text.startswith("# .github/workflows/agent.yml\n"))
    (job,) = yaml.safe_load(text)["jobs"].values()

    assert job["steps"][-1]["with"].keys() <= action()["inputs"].keys()


def test_the_inputs_are_those_of_the_action_with_their_defaults() -> None:
    documented = {CODE.findall(row[0])[0]: row[1].strip("`") for row in table(README, "input", "default").rows}

    assert {name: given["default"] for name, given in action()["inputs"].items()} == documented


def test_the_outputs_are_those_of_the_action() -> None:
    documented = [name for row in table(README, "output", "is").rows for name in CODE.findall(row[0])]

    assert [*action()["outputs"]] == documented


def test_the_statuses_have_their_exit_codes() -> None:
    rows = table(README, "status", "exit", "reason").rows

    assert {f"`{status}`": str(status.exit_code) for status in Status} == {row[0]: row[1] for row in rows if row[0]}


def test_every_reason_is_explained() -> None:
    rows = table(README, "status", "exit", "reason").rows

    assert {f"`{reason}`" for reason in Reason} == {row[2] for row in rows}


def test_every_command_is_listed_with_its_flags() -> None:
    rows = table(README, "command", "does").rows
    documented = {CODE.findall(row[0])[0]: set(re.findall(r"`(--[a-z-]+)`", row[1])) for row in rows}
    alike = [CODE.findall(row[0])[0] for row in rows if row[1].endswith("it takes all flags of `agenttest test`")]
    documented |= dict.fromkeys(alike, documented["agenttest test"])

    assert {f"agenttest {name}": flags(help_text) for name, help_text in commands()} == documented


def commands() -> list[tuple[str, str]]:
    """Each command with the text of its --help."""
    (choices,) = (action.choices for action in parser()._actions if action.dest == "command")
    assert isinstance(choices, dict)
    return [(name, command.format_help()) for name, command in choices.items()]


def flags(help_text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", help_text)) - {"--help", "--path"}


@pytest.mark.parametrize("page", [README, EXAMPLE, LIVE, SCENARIOS, "CHANGELOG.md"])
def test_the_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text_of(page)):
        assert (ROOT / page).parent.joinpath(target).exists(), target


@EXAMPLES
def test_the_example_lists_its_files(page: str) -> None:
    folder = (ROOT / page).parent
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*") if path.is_file()}
    files = {name for name in files if "__pycache__" not in name and not name.startswith(".")} - {"README.md"}

    assert files == set(table(page, "file", "is").first_column())


def test_the_picture_is_what_the_demonstration_prints() -> None:
    settle("docs/report.svg", text_of("docs/report.svg"), picture().svg(picture().printed()))


def picture() -> ModuleType:
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs/picture.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
