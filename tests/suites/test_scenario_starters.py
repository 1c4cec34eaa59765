"""What `agenttest init scenarios` writes: it passes every gate, breaks in telling ways, and nothing is lost."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from agenttest.errors import InvalidInput
from agenttest.files import Project
from agenttest.model import Risk, Status
from agenttest.report import Report
from agenttest.settings import SCENARIOS
from agenttest.suites.starters import WORKFLOW
from agenttest.suites.starters.scenarios import EXAMPLES, folder_path, write
from tests import projects

FILES = [f"{SCENARIOS}/{name}.json" for name in EXAMPLES]
Change = Callable[[dict[str, Any]], Any]


def init(root: Path, folder: str = SCENARIOS, *, force: bool = False, workflow: bool = False) -> list[tuple[str, str]]:
    return list(write(Project.at(root), folder, force=force, workflow=workflow))


def judged(root: Path, **settings: Any) -> Report:
    (report,) = projects.judge(root, SCENARIOS, artifacts=False, **settings)[1]
    return report


def broken(root: Path, name: str, change: Change) -> Report:
    """The report on the four of which one was changed."""
    init(root)
    path = root / SCENARIOS / f"{name}.json"
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))
    return judged(root)


def files(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def test_the_four_pass_every_gate_however_strictly_it_is_meant(tmp_path: Path) -> None:
    init(tmp_path)

    found = judged(tmp_path, strict=True, lint="error")

    assert [] == [gate.name for gate in found.verdict.gates if gate.status is not Status.PASS]
    assert 4 == len(found.scenarios)


def test_they_are_of_every_risk(tmp_path: Path) -> None:
    init(tmp_path)

    assert set(Risk) == {each.scenario.risk for each in judged(tmp_path).scenarios}


def step(index: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda value: next(v for v in value["input"]["scriptedTrace"][index].values() if isinstance(v, dict))


def with_step(index: int, **fields: Any) -> Change:
    return lambda value: step(index)(value).update(fields)


def with_input(**fields: Any) -> Change:
    return lambda value: value["input"].update(fields)


def with_oracles(*oracles: dict[str, Any]) -> Change:
    return lambda value: value["expected"].update(oracles=list(oracles))


def without_step(index: int) -> Change:
    return lambda value: value["input"]["scriptedTrace"].pop(index)


TOOL, UNSAFE, APPROVAL, RETRY = EXAMPLES
HIGH, REQUIRED, OPEN = "high-risk-pass", "required-scenarios-pass", "evidence-complete"


@pytest.mark.parametrize(
    ("name", "change", "said", "gates", "code"),
    [
        (TOOL, with_step(0, toolName="guess_hours"), "'find_hours' was never called", [], 0),
        (TOOL, with_step(0, argumentsJson='{"day": "sunday"}'), "sunday", [], 0),
        (TOOL, with_input(scriptedFinalAnswer="We are closed."), "the final answer does not contain '10 to 16'", [], 0),
        (TOOL, with_oracles(), "the scenario has no oracle", ["explicit-oracles"], 1),
        (TOOL, with_oracles({"type": "ToolCalled"}), "needs 'toolName'", [], 0),
        (TOOL, with_input(executor="runtime"), "there is no executor 'runtime'", [OPEN], 2),
        (UNSAFE, with_step(0, wasBlocked=False), "delete_members", [HIGH], 1),
        (UNSAFE, with_step(1, succeeded=True), "delete_members", [HIGH], 1),
        (UNSAFE, with_input(scriptedFinalState={"members": "0"}), "'members' is '0'", [HIGH], 1),
        (UNSAFE, with_input(scriptedFinalAnswer="Done."), "does not contain 'may not delete'", [HIGH], 1),
        (
            UNSAFE,
            with_input(capture={"toolCalls": "partial"}),
            "the trace may not hold all of toolCalls",
            [HIGH, OPEN],
            2,
        ),
        (APPROVAL, with_step(2, decision="denied"), "pay_back", [HIGH, REQUIRED], 1),
        (APPROVAL, without_step(2), "pay_back", [HIGH, REQUIRED], 1),
        (APPROVAL, with_step(4, newValue="due"), "'fee' is 'due'", [HIGH, REQUIRED], 1),
        (RETRY, with_step(4, succeeded=False), "search_catalogue", [], 0),
        (RETRY, with_step(2, newValue="3"), "'retries' is '3'", [], 0),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_each_broken_one_fails_its_gate_and_says_why(
    tmp_path: Path, name: str, change: Change, said: str, gates: list[str], code: int
) -> None:
    found = broken(tmp_path, name, change)

    assert (gates, code) == (list(found.verdict.unheld), found.status.exit_code)
    assert said in " ".join(o.message for o in found.outcomes if o.status is not Status.PASS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_that_is_no_scenario_any_more_leaves_it_open(tmp_path: Path, name: str) -> None:
    found = broken(tmp_path, name, lambda value: value["expected"].update(oracle=value["expected"].pop("oracles")))

    assert ((OPEN,), 2) == (found.verdict.unheld, found.status.exit_code)
    assert ["unknown key 'oracle' in expected; did you mean 'oracles'?"] == [
        problem.message for problem in found.problems
    ]


def test_each_file_is_said_to_be_created(tmp_path: Path) -> None:
    assert [*(("created", name) for name in FILES), ("created", ".gitignore")] == init(tmp_path)


def test_what_is_there_is_skipped(tmp_path: Path) -> None:
    init(tmp_path)
    (tmp_path / FILES[1]).write_text("mine")
    (tmp_path / FILES[2]).unlink()

    found = init(tmp_path)

    assert ["skipped", "skipped", "created", "skipped"] == [word for word, _ in found]
    assert "mine" == (tmp_path / FILES[1]).read_text()


def test_force_rewrites_our_files_and_no_other(tmp_path: Path) -> None:
    init(tmp_path)
    before = files(tmp_path)
    (tmp_path / FILES[0]).write_text("mine" * 10_000)
    (tmp_path / SCENARIOS / "mine.json").write_text("mine")

    assert ["rewritten"] * 4 == [word for word, _ in init(tmp_path, force=True)]

    assert {**before, f"{SCENARIOS}/mine.json": "mine"} == files(tmp_path)


def test_runs_are_ignored(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("build/\n")

    init(tmp_path)
    init(tmp_path)

    assert "build/\n.agenttest/runs/\n" == (tmp_path / ".gitignore").read_text()


@pytest.mark.parametrize("folder", [SCENARIOS, "agent tests"])
def test_the_workflow_names_the_folder_and_has_no_rights_but_reading(tmp_path: Path, folder: str) -> None:
    assert ("created", WORKFLOW) in init(tmp_path, folder, workflow=True)

    workflow = yaml.safe_load((tmp_path / WORKFLOW).read_text())
    (job,) = workflow["jobs"].values()
    assert {"suite": folder} == job["steps"][-1]["with"]
    assert {"contents": "read"} == workflow["permissions"]


def test_everything_in_the_way_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / FILES[0]).mkdir(parents=True)
    (tmp_path / "mine").write_text("")
    (tmp_path / FILES[1]).symlink_to(tmp_path / "mine")
    (tmp_path / ".github").write_text("")
    before = files(tmp_path)

    with pytest.raises(InvalidInput) as caught:
        init(tmp_path, force=True, workflow=True)

    assert [".github", *sorted(FILES[:2])] == [problem.path for problem in caught.value.problems]
    assert before == files(tmp_path)


@pytest.mark.parametrize("path", ["scenarios.json", "desk.yml", "../tests", "/elsewhere"])
def test_a_path_that_can_hold_no_scenarios_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(InvalidInput):
        folder_path(Project.at(tmp_path), path)
