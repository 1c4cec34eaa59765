"""A step's verdict: exit code, outputs, log, annotations and summary."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
import yaml

from agenttest.replay import replay
from tests.action.job import ROOT, Job
from tests.e2e import desk
from tests.systems import PATHS_ONLY

SUITE = {"suite": "desk.yml"}


@pytest.mark.parametrize(
    ("observed", "exit_code", "status", "reason"),
    [
        (desk.KEPT, 0, "pass", "kept"),
        (desk.BROKEN, 1, "fail", "violation"),
        (desk.CUT_SHORT, 2, "incomplete", "missing-evidence"),
    ],
    ids=["kept", "broken", "cut-short"],
)
def test_a_verdict_is_exit_code_and_outputs(
    job: Job, observed: dict[str, Any], exit_code: int, status: str, reason: str
) -> None:
    desk.lay(job.workspace, observed)

    done = job.run(SUITE)

    counts = {"passed": "pass", "failed": "fail", "incomplete": "incomplete"}
    assert exit_code == done.exit_code
    assert {
        "status": status,
        "reason": reason,
        "exit-code": str(exit_code),
        **{name: str(int(word == status)) for name, word in counts.items()},
        "total": "1",
    } == {name: value for name, value in done.outputs.items() if "-" not in name or name == "exit-code"}


def test_the_outputs_lead_to_the_report_and_its_digest(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run(SUITE)

    report = json.loads((job.workspace / done.outputs["report-json"]).read_text())
    assert report["evidence_digest"] == done.outputs["evidence-digest"]
    assert done.outputs["run-directory"].startswith("agent-test-runs/")
    assert (job.workspace / done.outputs["run-directory"] / "summary.md").read_text().startswith("## ✅")


def test_a_step_is_the_same_on_a_system_that_knows_only_paths(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    step = job.start(SUITE, PYTHONPATH=f"{PATHS_ONLY}{os.pathsep}{ROOT}")
    log, _ = step.communicate()
    there = job.done(step.returncode, log)

    here = job.run(SUITE)
    assert (1, here.places) == (there.exit_code, there.places)
    assert here.outputs["evidence-digest"] == there.outputs["evidence-digest"]
    assert replay(job.workspace / there.outputs["run-directory"]).valid


def test_every_output_of_action_yml_is_written(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run(SUITE)

    assert {*yaml.safe_load((ROOT / "action.yml").read_text())["outputs"]} == {*done.outputs}


def test_violations_are_annotated_and_the_report_is_in_the_log_and_the_summary(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)

    done = job.run(SUITE)

    assert [("error", "desk.yml", str(line)) for line in (desk.CONTAINS_LINE, desk.FORBIDDEN_LINE)] == done.places
    assert "FAIL        refund-window" in done.log
    assert f"- `desk.yml:{desk.FORBIDDEN_LINE}` `refund-window`" in done.summary
    assert f"agenttest replay {done.outputs['run-directory']}" in done.summary


@pytest.mark.parametrize(
    ("fail_on", "exit_codes"), [("incomplete", [0, 1, 2]), ("fail", [0, 1, 0]), ("never", [0, 0, 0])]
)
def test_fail_on_changes_the_exit_code_alone(job: Job, fail_on: str, exit_codes: list[int]) -> None:
    found = []
    for observed in (desk.KEPT, desk.BROKEN, desk.CUT_SHORT):
        desk.lay(job.workspace, observed)
        found.append(job.run({**SUITE, "fail-on": fail_on}))

    assert exit_codes == [done.exit_code for done in found]
    assert ["0", "1", "2"] == [done.outputs["exit-code"] for done in found]


def test_an_invalid_contract_is_annotated_at_its_line(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)
    contract = job.workspace / "desk.yml"
    contract.write_text(contract.read_text().replace("contains:", "contain:"))

    done = job.run(SUITE)

    assert (2, "invalid-input", "") == (done.exit_code, done.outputs["reason"], done.outputs["run-directory"])
    assert [("error", "desk.yml", str(desk.CONTAINS_LINE - 1))] == done.places
    assert "contains" in done.summary


def test_the_summary_shows_as_much_as_is_asked_for(job: Job) -> None:
    def summary(observed: dict[str, Any], shown: str) -> str:
        desk.lay(job.workspace, observed)
        return job.run({**SUITE, "summary": shown}).summary

    assert "" == summary(desk.BROKEN, "never") == summary(desk.KEPT, "failures")
    assert "breaks its contract" in summary(desk.BROKEN, "failures")
    assert "keeps its contract" in summary(desk.KEPT, "auto")


def test_annotations_can_be_left_out(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)

    assert [] == job.run({**SUITE, "annotations": "never"}).commands


def test_no_library_is_imported_that_a_step_may_not_need() -> None:
    code = (
        "import sys, agenttest.action; print({'jinja2', 'jsonschema', 'urllib3', 'yaml'} & {*sys.modules} - {'yaml'})"
    )

    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert "set()\n" == found.stdout


@pytest.mark.parametrize("word", ["never", "auto"])
def test_a_step_that_publishes_nothing_loads_nothing_to_publish_with(job: Job, word: str) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    environment = {**job.environment({**SUITE, "upload-artifact": word, "comment": word}), "PYTHONPATH": str(ROOT)}
    code = "import sys, agenttest.action as a; a.main(); print(*{'urllib3', 'ssl', 'http.client'} & {*sys.modules})"

    found = subprocess.run(
        [sys.executable, "-c", code], cwd=job.workspace, env=environment, capture_output=True, text=True, check=True
    )

    assert "" == found.stdout.split("\n")[-2]
