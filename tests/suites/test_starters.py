"""What `agenttest init` writes: it is judged as kept at once, and nothing of the project's own is lost."""

from pathlib import Path

import pytest
import yaml

from agenttest import evaluate, gates
from agenttest.errors import InvalidInput, NotSaved
from agenttest.files import Project
from agenttest.model import Status, Verdict
from agenttest.sources import normalized
from agenttest.suites import contract, starters

pytestmark = pytest.mark.usefixtures("each_system")

CONTRACT, OBSERVATIONS, IGNORE = starters.DEFAULT, ".agenttest/agent-test.observations.json", ".agenttest/.gitignore"


def init(root: Path, path: str | None = None, *, force: bool = False, workflow: bool = False) -> list[str]:
    return starters.write(Project.at(root), path, force=force, workflow=workflow)


def verdict(root: Path, name: str, observations: str) -> Verdict:
    suite = contract.load(name, (root / name).read_bytes())
    ids = {scenario.id for scenario in suite.scenarios}
    seen = normalized.load(observations, (root / observations).read_bytes(), ids).observations
    return gates.decide([evaluate.judge(scenario, seen.get(scenario.id)) for scenario in suite.scenarios])


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def refused(root: Path, path: str | None = None, *, force: bool = False, workflow: bool = False) -> list[str]:
    before = files(root)
    with pytest.raises(InvalidInput) as caught:
        init(root, path, force=force, workflow=workflow)
    assert before == files(root)
    return [problem.path for problem in caught.value.problems]


def test_the_starter_is_kept_by_its_own_observations(tmp_path: Path) -> None:
    init(tmp_path)

    assert Status.PASS is verdict(tmp_path, CONTRACT, OBSERVATIONS).status


def test_the_paths_of_everything_written_come_back(tmp_path: Path) -> None:
    written = init(tmp_path, workflow=True)

    assert [CONTRACT, OBSERVATIONS, starters.WORKFLOW, IGNORE] == written
    assert set(written) == set(files(tmp_path))


def test_runs_are_ignored_beside_the_default_contract(tmp_path: Path) -> None:
    init(tmp_path)

    assert "runs/\n" == (tmp_path / IGNORE).read_text()


def test_elsewhere_the_observations_lie_beside_the_contract_and_runs_are_ignored_at_the_root(tmp_path: Path) -> None:
    written = init(tmp_path, "contracts/desk.v2.yaml")

    assert ["contracts/desk.v2.yaml", "contracts/desk.v2.observations.json", ".gitignore"] == written
    assert ".agenttest/runs/\n" == (tmp_path / ".gitignore").read_text()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"build/\n", b"build/\n.agenttest/runs/\n"),
        (b"build/", b"build/\n.agenttest/runs/\n"),
        (b"build/\r\nx\r\n", b"build/\r\nx\r\n.agenttest/runs/\r\n"),
        (b"caf\xe9/\n", b"caf\xe9/\n.agenttest/runs/\n"),
        (b"", b".agenttest/runs/\n"),
        (b".agenttest/runs/", b".agenttest/runs/"),
        (b"  .agenttest/runs/ \r\nx", b"  .agenttest/runs/ \r\nx"),
    ],
)
def test_a_gitignore_gets_the_line_once_and_keeps_the_rest(tmp_path: Path, before: bytes, after: bytes) -> None:
    (tmp_path / ".gitignore").write_bytes(before)

    init(tmp_path, "agent.yml")
    init(tmp_path, "agent.yml", force=True)

    assert after == (tmp_path / ".gitignore").read_bytes()


def test_files_get_the_modes_that_the_users_other_files_have(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    (tmp_path / "folder").mkdir()

    init(tmp_path)

    assert (tmp_path / "other").stat().st_mode == (tmp_path / CONTRACT).stat().st_mode
    assert (tmp_path / "folder").stat().st_mode == (tmp_path / ".agenttest").stat().st_mode


def test_everything_in_the_way_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / ".agenttest").mkdir()
    (tmp_path / OBSERVATIONS).write_text("mine")
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / starters.WORKFLOW).write_text("mine")

    assert [OBSERVATIONS, starters.WORKFLOW] == refused(tmp_path, workflow=True)


def test_force_overwrites_our_files_and_no_other(tmp_path: Path) -> None:
    (tmp_path / ".agenttest").mkdir()
    for name in (CONTRACT, OBSERVATIONS, ".agenttest/mine.yml"):
        (tmp_path / name).write_text("mine" * 10_000)

    init(tmp_path, force=True)

    assert Status.PASS is verdict(tmp_path, CONTRACT, OBSERVATIONS).status
    assert "mine" * 10_000 == (tmp_path / ".agenttest/mine.yml").read_text()


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "agent.yml").symlink_to("mine")

    assert ["agent.yml"] == refused(tmp_path, "agent.yml", force=True)


def test_a_folder_that_is_a_link_or_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / ".github").symlink_to("mine")
    (tmp_path / "contracts").write_text("")

    assert [".github", "contracts"] == refused(tmp_path, "contracts/agent.yml", force=True, workflow=True)


def test_a_gitignore_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / ".gitignore").symlink_to("mine")

    assert [".gitignore"] == refused(tmp_path, "agent.yml")


@pytest.mark.parametrize("path", ["agent", "agent.json", ".yml", "contracts/", starters.WORKFLOW, "../agent.yml"])
def test_a_path_that_can_hold_no_contract_is_refused(tmp_path: Path, path: str) -> None:
    assert [path.rstrip("/")] == refused(tmp_path, path, workflow=True)


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.mkdir", full)

    with pytest.raises(NotSaved, match=r"agent-test\.yml: cannot be written: No space left on device"):
        init(tmp_path)


def test_the_workflow_of_the_default_contract_leaves_it_to_be_found(tmp_path: Path) -> None:
    init(tmp_path, workflow=True)

    assert {"uses": "org/agent-test-action@v1"} == action_step(tmp_path)


@pytest.mark.parametrize("path", ["contracts/desk.yml", "contracts/it's: {a} #1.yml"])
def test_the_workflow_names_another_contract(tmp_path: Path, path: str) -> None:
    init(tmp_path, path, workflow=True)

    assert {"suite": path} == action_step(tmp_path)["with"]


def test_the_workflow_has_no_rights_but_reading_and_ends(tmp_path: Path) -> None:
    init(tmp_path, workflow=True)

    workflow = yaml.safe_load((tmp_path / starters.WORKFLOW).read_text())
    (job,) = workflow["jobs"].values()
    assert {"contents": "read"} == workflow["permissions"]
    assert {"persist-credentials": False} == job["steps"][0]["with"]
    assert 10 == job["timeout-minutes"]


def action_step(root: Path) -> dict[str, object]:
    (job,) = yaml.safe_load((root / starters.WORKFLOW).read_text())["jobs"].values()
    step: dict[str, object] = job["steps"][-1]
    return step


def test_a_workflow_for_a_contract_that_is_there_is_written_alone(tmp_path: Path) -> None:
    init(tmp_path)
    (tmp_path / CONTRACT).write_text("mine")

    assert [starters.WORKFLOW] == init(tmp_path, workflow=True)
    assert "mine" == (tmp_path / CONTRACT).read_text()
