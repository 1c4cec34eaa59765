"""The workflows that the pages show: actionlint and the action know all that is in them, and what is said is so."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from agenttest.github import api, checks, context, inputs
from agenttest.github.context import variable
from agenttest.pullrequest import MOST, PERMISSION
from agenttest.reporters import checkrun, comment, github
from tests.markdown import ROOT, Block, blocks, table, text_of

PAGE = "docs/pull-request.md"
PAGES = ["README.md", *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").glob("*.md")))]
OURS = re.compile(r"org/agent-test-action(/composite)?@\S+")
OUTPUT = re.compile(r"steps\.([\w-]+)\.outputs\.([\w-]+)|steps\.([\w-]+)\.outputs\[")
ACTION: dict[str, Any] = yaml.safe_load(text_of("action.yml"))
ACTIONLINT = Path(sys.executable).with_name("actionlint")
FRAME = "on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n"


def workflows(page: str) -> Iterator[Block]:
    """A page's workflows; steps alone are added to the workflow above them or, where there is none, to an empty one."""
    above = FRAME
    for block in blocks(page):
        value = yaml.safe_load(block.text) if block.language == "yaml" else None
        if isinstance(value, list):
            steps = "".join(f"      {line}\n" for line in block.text.splitlines())
            yield replace(block, text=above + steps)
        elif isinstance(value, dict) and "jobs" in value:
            above = block.text
            yield block


WORKFLOWS = [block for page in PAGES for block in workflows(page)]
EACH = pytest.mark.parametrize("block", WORKFLOWS, ids=lambda block: block.place)


def steps(block: Block) -> Iterator[dict[str, Any]]:
    """The steps of a workflow that use the action."""
    for job in yaml.safe_load(block.text)["jobs"].values():
        yield from (step for step in job.get("steps", ()) if OURS.fullmatch(step.get("uses", "")))


@EACH
def test_a_workflow_is_as_actionlint_wants_it(block: Block, tmp_path: Path) -> None:
    if not ACTIONLINT.exists():
        pytest.skip("actionlint is not installed here")
    asked = [str(ACTIONLINT), "-no-color", "-shellcheck=", "-pyflakes=", "-"]

    done = subprocess.run(asked, input=block.text, cwd=tmp_path, capture_output=True, encoding="utf-8")

    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_every_page_that_uses_the_action_has_its_workflows_looked_at() -> None:
    using = {
        page for page in PAGES if any(block.language == "yaml" and OURS.search(block.text) for block in blocks(page))
    }

    assert using == {block.place.split(":")[0] for block in WORKFLOWS if OURS.search(block.text)}
    assert 6 <= len(WORKFLOWS)


@EACH
def test_every_input_is_one_of_the_actions_and_is_a_word_that_it_knows(block: Block) -> None:
    for step in steps(block):
        given = step.get("with", {})
        told = {variable(name): str(value) for name, value in given.items() if "${{" not in str(value)}
        told |= dict.fromkeys(step.get("env", ()), "a secret")

        assert set() == given.keys() - ACTION["inputs"].keys()
        assert () == inputs.read(context.read(told, Path())).problems


@EACH
def test_every_output_is_one_of_the_actions(block: Block) -> None:
    ids = {step["id"] for step in steps(block) if "id" in step}
    named = {output for step, output, _ in OUTPUT.findall(block.text) if step in ids}

    assert set() == named - ACTION["outputs"].keys()
    assert [] == [step for _, _, step in OUTPUT.findall(block.text) if step in ids]


def test_the_page_on_pull_requests_shows_workflows_alone() -> None:
    assert {"yaml"} == {block.language for block in blocks(PAGE)}
    assert 2 == len([block for block in WORKFLOWS if block.place.startswith(PAGE)])


@pytest.mark.parametrize("permission", [PERMISSION, checks.PERMISSION])
def test_the_permissions_are_those_that_the_action_names(permission: str) -> None:
    rows = table(PAGE, "what", "input").rows

    assert any(f"`{permission}`" in row for row in rows)
    assert all(permission.split(":")[0] in str(yaml.safe_load(next(workflows(PAGE)).text)["jobs"]) for _ in rows)


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
