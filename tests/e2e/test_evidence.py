"""One step, its artifact and what becomes of it: GitHub's client downloads it, replays take it, merges join it."""

import hashlib
import json
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from agenttest import cli
from tests.e2e import desk
from tests.e2e.artifact_client import download, found
from tests.e2e.runner import ROOT, Runner
from tests.e2e.workflow import ArtifactServer, run_workflow
from tests.markdown import blocks

NAME = "agent-test-evidence"
NOTHING_ELSE = """\
on: pull_request
permissions: {contents: read}
jobs:
  behaviour:
    runs-on: ubuntu-latest
    steps:
      - id: agent
        uses: org/agent-test-action@v1
      - if: always()
        run: |
          echo "$AGENT" > written.json && mv written.json agent.json
          for _ in $(seq 600); do test -e done && break; sleep 0.1; done
        env:
          AGENT: ${{ toJson(steps.agent) }}
"""
EXAMPLE = ROOT / "examples" / "refund-agent"
ALL_SHARDS = "pattern: agent-test-evidence-*of3"


@pytest.fixture
def server(tmp_path: Path) -> ArtifactServer:
    return ArtifactServer(tmp_path / "artifacts")


@pytest.fixture
def repository(image: str, tmp_path: Path) -> Path:
    """An empty folder for a repository; the image is built, so that act finds every layer of it."""
    folder = tmp_path / "desk"
    folder.mkdir()
    return folder


def test_one_step_leaves_an_artifact_that_githubs_client_downloads_and_that_replays(
    repository: Path, checkout: Path, packages: Path, server: ArtifactServer, tmp_path: Path
) -> None:
    desk.lay(repository / ".agenttest", desk.BROKEN, "agent-test")
    downloaded: list[bool] = []

    def look(outputs: Mapping[str, str]) -> None:
        listed = found(server.variables, NAME)
        downloaded.append(download(server.variables, listed.id, tmp_path / "unpacked", outputs["artifact-digest"]))

    agent = run_and_look(repository, checkout, server, look)

    assert ("failure", "fail", NAME) == (
        agent["outcome"],
        *(agent["outputs"][name] for name in ("status", "artifact-name")),
    )
    digest = hashlib.sha256(server.zip(NAME).read_bytes()).hexdigest()
    assert f"sha256:{digest}" == agent["outputs"]["artifact-digest"]
    assert [True] == downloaded
    assert [0, 0] == [cli.main(["replay", str(place)]) for place in (server.zip(NAME), tmp_path / "unpacked")]


def run_and_look(
    repository: Path, checkout: Path, server: ArtifactServer, look: Callable[[Mapping[str, str]], None]
) -> dict[str, Any]:
    """What later steps see of the step; `look` gets its outputs while the job, and so the server, still runs."""
    job = threading.Thread(target=run_workflow, args=(NOTHING_ELSE, repository, checkout, server))
    job.start()
    try:
        while not (repository / "agent.json").exists():
            assert job.is_alive(), "the job ended before its last step"
            time.sleep(0.05)
        agent: dict[str, Any] = json.loads((repository / "agent.json").read_text())
        look(agent["outputs"])
    finally:
        (repository / "done").touch()
        job.join()
    return agent


def test_the_zip_of_a_run_is_replayed_without_network_and_checkout(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.BROKEN)
    saved = runner.run({"suite": "desk.yml", "upload-artifact": "never"})
    shutil.make_archive(str(runner.workspace / "evidence"), "zip", runner.workspace / saved.outputs["run-directory"])
    for name in ("desk.yml", "desk.observations.json"):
        (runner.workspace / name).unlink()

    step = runner.run({"mode": "replay", "runs": "evidence.zip"})

    assert (0, "fail") == (step.exit_code, step.outputs["status"]), step.log
    assert saved.outputs["evidence-digest"] == step.outputs["evidence-digest"]


@pytest.mark.parametrize(
    ("recording", "taken", "status"),
    [
        ("refund-agent.observations.json", "*", "pass"),
        ("regressed.observations.json", "*", "fail"),
        ("refund-agent.observations.json", "[12]", "incomplete"),
    ],
    ids=["kept", "regressed", "one-is-missing"],
)
def test_three_shards_and_a_merge_come_to_the_verdict_of_the_whole(
    repository: Path, checkout: Path, server: ArtifactServer, tmp_path: Path, recording: str, taken: str, status: str
) -> None:
    lay_example(repository / "contracts", recording)
    workflow = shards_workflow().replace(ALL_SHARDS, ALL_SHARDS.replace("*", taken))

    outcome = run_workflow(workflow, repository, checkout, server)

    names = {f"{NAME}-{part}of3" for part in (1, 2, 3)} | {NAME}
    assert names == {path.name for path in (server.folder / "1").iterdir()}, outcome.log
    merged = report_in(server.zip(NAME))
    assert (status == "pass", status) == (outcome.succeeded, merged["status"]), outcome.log
    if taken == "*":
        whole = whole_report(tmp_path / "whole", recording)
        assert [whole[key] for key in ("scenarios", "evidence_digest")] == [
            merged[key] for key in ("scenarios", "evidence_digest")
        ]
    else:
        assert ["3/3"] == merged["missing_shards"]


def shards_workflow() -> str:
    """The workflow of the page on shards, word for word."""
    (workflow,) = (block.text for block in blocks("docs/shards.md") if block.text.startswith("# .github/workflows/"))
    assert ALL_SHARDS in workflow
    return workflow


def lay_example(folder: Path, recording: str) -> None:
    """The example's contract with one of its recordings beside it."""
    folder.mkdir(parents=True)
    shutil.copy(EXAMPLE / "refund-agent.yml", folder)
    shutil.copy(EXAMPLE / recording, folder / "refund-agent.observations.json")


def whole_report(folder: Path, recording: str) -> dict[str, Any]:
    """The report of a run that was never sharded."""
    lay_example(folder / "contracts", recording)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        cli.main(["test", "contracts/refund-agent.yml", "--format", "json", "-o", "whole.json"])
    return dict(json.loads((folder / "whole.json").read_text()))


def report_in(zipped: Path) -> dict[str, Any]:
    shutil.unpack_archive(zipped, zipped.parent / "unpacked")
    return dict(json.loads((zipped.parent / "unpacked" / "behavior-results.json").read_text()))
