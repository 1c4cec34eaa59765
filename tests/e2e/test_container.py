"""The image as one step of a job on GitHub's runner: verdicts, command files, owners, trust and signals."""

import json
import os
import time
from dataclasses import replace

import pytest
import yaml

from tests.e2e import desk
from tests.e2e.runner import JOB_USER, ROOT, Container, Runner, docker, owner

SUITE = {"suite": "desk.yml"}


@pytest.mark.parametrize(
    ("observed", "status", "exit_code"),
    [(desk.KEPT, "pass", 0), (desk.BROKEN, "fail", 1), (desk.CUT_SHORT, "incomplete", 2)],
    ids=["kept", "broken", "cut-short"],
)
def test_a_verdict_is_the_steps_exit_code_its_status_and_its_summary(
    runner: Runner, observed: dict[str, object], status: str, exit_code: int
) -> None:
    desk.lay(runner.workspace, observed)

    step = runner.run(SUITE)

    assert (exit_code, status) == (step.exit_code, step.outputs["status"]), step.log
    assert status in step.summary.lower()


def test_every_output_of_the_action_is_set(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.BROKEN)

    outputs = runner.run(SUITE).outputs

    expected = {
        "status": "fail",
        "reason": "violation",
        "exit-code": "1",
        "passed": "0",
        "failed": "1",
        "incomplete": "0",
        "total": "1",
    }
    assert expected == {name: outputs[name] for name in expected}
    assert {*yaml.safe_load((ROOT / "action.yml").read_text())["outputs"]} == {*outputs}


def test_the_outputs_lead_to_the_evidence(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.KEPT)

    outputs = runner.run(SUITE).outputs

    report = json.loads((runner.workspace / outputs["report-json"]).read_text())
    assert "pass" == report["status"]
    assert outputs["report-json"].startswith(outputs["run-directory"] + "/")
    assert outputs["run-directory"].startswith("agent-test-runs/")


def test_a_violation_is_annotated_at_the_contracts_line(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.BROKEN)

    step = runner.run(SUITE)

    places = {(found.kind, found.file, found.line) for found in step.annotations}
    assert {("error", "desk.yml", desk.CONTAINS_LINE), ("error", "desk.yml", desk.FORBIDDEN_LINE)} == places


def test_the_text_report_is_in_the_log(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.BROKEN)

    step = runner.run(SUITE)

    assert "refund-window" in step.log
    assert step.outputs["run-directory"] in step.log


@pytest.mark.parametrize(
    ("fail_on", "exit_codes"),
    [("incomplete", [0, 1, 2]), ("fail", [0, 1, 0]), ("never", [0, 0, 0])],
)
def test_fail_on_decides_which_verdicts_turn_the_step_red(runner: Runner, fail_on: str, exit_codes: list[int]) -> None:
    steps = []
    for observed in (desk.KEPT, desk.BROKEN, desk.CUT_SHORT):
        desk.lay(runner.workspace, observed)
        steps.append(runner.run({**SUITE, "fail-on": fail_on}))

    assert exit_codes == [step.exit_code for step in steps]
    assert ["pass", "fail", "incomplete"] == [step.outputs["status"] for step in steps]


def test_an_invalid_contract_still_writes_summary_and_outputs(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.KEPT)
    contract = runner.workspace / "desk.yml"
    contract.write_text(contract.read_text().replace("contains:", "contain:"))

    step = runner.run(SUITE)

    assert (2, "incomplete", "invalid-input") == (step.exit_code, step.outputs["status"], step.outputs["reason"])
    assert "contains" in step.summary
    assert [("error", "desk.yml", desk.CONTAINS_LINE - 1)] == [(a.kind, a.file, a.line) for a in step.annotations]


def test_an_unknown_input_value_is_invalid_and_says_what_would_be_right(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.KEPT)

    step = runner.run({**SUITE, "fail-on": "sometimes"})

    assert 2 == step.exit_code
    assert "'sometimes'" in step.log
    assert "never" in step.log


def test_several_suites_are_found_by_a_glob(runner: Runner) -> None:
    desk.lay(runner.workspace / "contracts", desk.KEPT, "first")
    desk.lay(runner.workspace / "contracts", desk.BROKEN, "second")

    step = runner.run({"suite": "contracts/*.yml"})

    assert (1, "2") == (step.exit_code, step.outputs["total"])
    assert {"contracts/second.yml"} == {found.file for found in step.annotations}


def test_paths_start_from_the_working_directory_and_annotations_from_the_workspace(runner: Runner) -> None:
    desk.lay(runner.workspace / "agents" / "desk", desk.BROKEN)

    step = runner.run({**SUITE, "working-directory": "agents/desk"})

    assert 1 == step.exit_code, step.log
    assert {"agents/desk/desk.yml"} == {found.file for found in step.annotations}
    assert (runner.workspace / step.outputs["report-json"]).is_file()


def test_a_workspace_elsewhere_is_found_by_the_environment(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.BROKEN)

    step = replace(runner, inside="/home/job/desk").run(SUITE)

    assert 1 == step.exit_code, step.log
    assert {"desk.yml"} == {found.file for found in step.annotations}


@pytest.mark.parametrize("observed", [desk.KEPT, desk.BROKEN], ids=["kept", "broken"])
def test_nothing_is_left_that_the_jobs_user_could_not_remove(runner: Runner, observed: dict[str, object]) -> None:
    desk.lay(runner.workspace, observed)

    runner.run(SUITE)

    left = [runner.workspace, *runner.workspace.rglob("*"), runner.temp, *runner.temp.rglob("*")]
    assert {JOB_USER} == {owner(path) for path in left}
    assert (runner.workspace / "agent-test-runs").is_dir()


def test_a_read_only_workspace_is_incomplete_and_says_why(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.KEPT)

    step = replace(runner, mode="ro").run(SUITE)

    assert (2, "incomplete", "not-saved") == (step.exit_code, step.outputs["status"], step.outputs["reason"])
    assert "agent-test-runs" in step.log
    assert "Traceback" not in step.log


def test_no_module_of_the_workspace_is_imported(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.BROKEN)
    for module in ("agenttest/__init__", "json", "sitecustomize", "usercustomize", "yaml/__init__"):
        path = runner.workspace / f"{module}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("import os\nopen('imported', 'w').close()\nos._exit(0)\n")

    step = runner.run(SUITE, {"PYTHONPATH": runner.inside, "PYTHONUSERBASE": runner.inside})

    assert 1 == step.exit_code, step.log
    assert not (runner.workspace / "imported").exists()


def test_agents_words_give_the_runner_no_command(runner: Runner) -> None:
    words = "30 days\n::add-mask::e\n##[error]forged\n::set-output name=status::pass\n::error file=x,line=1::forged"
    desk.lay(runner.workspace, {**desk.BROKEN, "response": words.replace("30", "90")})

    step = runner.run(SUITE)

    assert "fail" == step.outputs["status"]
    assert {"desk.yml"} == {found.file for found in step.annotations}
    assert not [line for line in step.log.splitlines() if line.lstrip().startswith(("::add-mask", "::set-output"))]
    assert "##[" not in step.log


def test_a_suite_is_read_as_the_workspaces_owner_without_any_group(runner: Runner) -> None:
    container = started_on_many_suites(runner)

    statuses = [status for status in sampled(container, 3) if status["Uid"][0] != "0"]

    uid, gid = (str(number) for number in JOB_USER)
    assert statuses
    assert all([uid] * 4 == status["Uid"] and [gid] * 4 == status["Gid"] for status in statuses)
    assert all([] == status["Groups"] for status in statuses)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a workspace to root")
def test_a_workspace_of_roots_own_is_judged_as_root(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.BROKEN)

    step = replace(runner, user=(0, 0)).run(SUITE)

    assert 1 == step.exit_code, step.log
    assert (0, 0) == owner(runner.workspace / step.outputs["report-json"])


@pytest.mark.parametrize("name", ["TERM", "INT"])
def test_a_signal_ends_the_step_promptly_and_what_is_left_says_so(runner: Runner, name: str) -> None:
    container = started_on_many_suites(runner)
    began = time.monotonic()

    container.signal(name)
    step = container.wait()

    assert 5 > time.monotonic() - began
    assert (2, "interrupted") == (step.exit_code, step.outputs["reason"]), step.log
    assert "Traceback" not in step.log


def test_the_image_holds_no_more_than_it_needs(image: str) -> None:
    listed = docker("run", "--rm", "--entrypoint", "ls", image, "-A", "/opt/agenttest")

    assert {"agenttest", "entrypoint.py", "requirements.lock"} == set(listed.split()) - {"__pycache__"}


def started_on_many_suites(runner: Runner) -> Container:
    """A step that is busy for seconds, once it is seen to have given up root."""
    for number in range(1500):
        desk.lay(runner.workspace / "contracts", desk.KEPT, f"desk-{number}")
    container = runner.start({"suite": "contracts/*.yml"})
    while not (status := container.status()) or status["Uid"][0] == "0":
        assert container.process.poll() is None, container.wait().log
        time.sleep(0.02)
    return container


def sampled(container: Container, times: int) -> list[dict[str, list[str]]]:
    """The process status several times while the container runs; the container is gone afterwards."""
    statuses = [container.status() for _ in range(times)]
    docker("kill", container.name)
    container.wait()
    return [status for status in statuses if status]
