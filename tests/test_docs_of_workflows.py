"""The workflows that the page on pull requests shows: actionlint takes them, and what the page says is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from agenttest.github import api, checks
from agenttest.pullrequest import MOST, PERMISSION
from agenttest.reporters import checkrun, comment, github
from tests.markdown import Block, blocks, table, text_of

PAGE = "docs/pull-request.md"
WORKFLOWS = [block for block in blocks(PAGE) if block.language == "yaml"]
ACTIONLINT = Path(sys.executable).with_name("actionlint")


@pytest.mark.parametrize("block", WORKFLOWS, ids=lambda block: block.place)
def test_a_workflow_is_as_actionlint_wants_it(block: Block, tmp_path: Path) -> None:
    if not ACTIONLINT.exists():
        pytest.skip("actionlint is not installed here")
    asked = [str(ACTIONLINT), "-no-color", "-shellcheck=", "-pyflakes=", "-"]

    done = subprocess.run(asked, input=block.text, cwd=tmp_path, capture_output=True, encoding="utf-8")

    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_the_workflows_are_all_that_the_page_shows_as_code() -> None:
    assert {"yaml"} == {block.language for block in blocks(PAGE)}
    assert 2 == len(WORKFLOWS)


@pytest.mark.parametrize("permission", [PERMISSION, checks.PERMISSION])
def test_the_permissions_are_those_that_the_action_names(permission: str) -> None:
    rows = table(PAGE, "what", "input").rows

    assert any(f"`{permission}`" in row for row in rows)
    assert all(permission.split(":")[0] in str(yaml.safe_load(WORKFLOWS[0].text)["jobs"]) for _ in rows)


def test_the_bounds_are_those_of_the_code() -> None:
    page = text_of(PAGE)
    told = [
        f"{comment.MOST:,} bytes",
        f"up to {checkrun.MOST} annotations",
        f"{github.LONG_VALUE:,} characters",
        f"has {api.SECONDS} seconds",
    ]

    assert [] == [each for each in told if each not in page]
    assert ("ten", 10) == (re.findall(r"the (\w+) gravest", page)[0], MOST)


def test_the_conclusions_are_those_of_the_code() -> None:
    told = {cell.strip("`") for _, _, cell in table(PAGE, "the step", "the verdict").rows}

    assert {*checks.Conclusion} == told
