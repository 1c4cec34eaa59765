"""The release workflow: its scripts run word for word, with a `gh` that writes down what GitHub is asked for."""

import base64
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
JOBS: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
COMMIT, OTHER = "c" * 40, "0" * 40
DIGEST = "sha256:" + "0123456789abcdef" * 4
IMAGE = "ghcr.io/org/agent-test-action"
REFS = "repos/org/agent-test-action/git/refs"
GH = f"""\
#!{sys.executable}
import json, os, sys
with open(os.environ["ASKED"], "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
for part, answer in json.loads(os.environ["ANSWERS"]).items():
    if part in " ".join(sys.argv[1:]):
        if answer is None:
            sys.exit("gh: HTTP 404 or 422")
        print(answer)
"""


@dataclass(frozen=True, slots=True)
class Desk:
    """A checkout of the released commit, and a folder beside it for what the scripts leave."""

    checkout: Path
    side: Path

    def run(self, job: str, step: str, answers: dict[str, str | None] | None = None) -> list[list[str]]:
        """Run a step's script as the runner does, to its end; every call of `gh`."""
        (script,) = (each["run"] for each in JOBS[job]["steps"] if each.get("name") == step)
        environment = {
            "PATH": f"{self.side}:{os.environ['PATH']}",
            "HOME": str(self.side),
            "ASKED": str(self.side / "asked"),
            "ANSWERS": json.dumps(answers or {}),
            "GITHUB_OUTPUT": str(self.side / "output"),
            "GITHUB_REPOSITORY": "org/agent-test-action",
            "GITHUB_SHA": OTHER,
            "IMAGE": IMAGE,
            "TAG": "v1.2.3",
            "VERSION": "1.2.3",
            "DIGEST": DIGEST,
            "COMMIT": COMMIT,
        }
        (self.side / "asked").write_text("")
        subprocess.run(["bash", "-e", "-c", script], cwd=self.checkout, env=environment, check=True)
        return [json.loads(line) for line in (self.side / "asked").read_text().splitlines()]

    @property
    def output(self) -> str:
        return (self.side / "output").read_text()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    checkout, side = tmp_path / "checkout", tmp_path / "side"
    side.mkdir()
    (side / "gh").write_text(GH)
    (side / "gh").chmod(0o755)
    shutil.copytree(ROOT / ".github", checkout / ".github")
    shutil.copy(ROOT / "action.yml", checkout)
    (checkout / "CHANGELOG.md").write_text("# Changelog\n\n## [1.2.3] - 2026-12-01\n\n- You can do it.\n")
    git = ["git", "-c", "user.name=desk", "-c", "user.email=desk@example.com"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "a desk"]):
        subprocess.run([*git, *arguments], cwd=checkout, check=True)
    return Desk(checkout, side)


def blob(desk: Desk) -> str:
    return subprocess.check_output(["git", "rev-parse", "HEAD:action.yml"], cwd=desk.checkout, text=True).strip()


def test_the_commit_changes_action_yml_alone_on_top_of_the_released_commit(desk: Desk) -> None:
    name = "Commit action.yml, and nothing else, to a branch of its own"

    _, branch, put = desk.run("commit", name, {"--method PUT": COMMIT})

    assert ["ref=refs/heads/release/v1.2.3", f"sha={OTHER}"] == branch[-3::2]
    fields = dict(each.split("=", 1) for each in put if "=" in each)
    assert ("release/v1.2.3", blob(desk)) == (fields["branch"], fields["sha"])
    assert f"  image: docker://{IMAGE}:v1.2.3@{DIGEST}" in base64.b64decode(fields["content"]).decode().splitlines()
    assert f"sha={COMMIT}\n" == desk.output


def test_an_earlier_attempts_branch_may_be_missing(desk: Desk) -> None:
    name = "Commit action.yml, and nothing else, to a branch of its own"

    desk.run("commit", name, {"--method DELETE": None, "--method PUT": COMMIT})

    assert f"sha={COMMIT}\n" == desk.output


@pytest.mark.parametrize(("found", "made"), [(None, True), (COMMIT, False)])
def test_the_tag_is_made_once(desk: Desk, found: str | None, made: bool) -> None:
    asked = desk.run("tag", "Tag the commit", {"git/ref/tags/v1.2.3": found})

    assert made == (["api", "--silent", REFS, "-f", "ref=refs/tags/v1.2.3", "-f", f"sha={COMMIT}"] in asked)


def test_the_release_is_a_draft_with_the_changelogs_words(desk: Desk) -> None:
    (desk.checkout / "dist").mkdir()
    (desk.checkout / "dist" / "agent_test_action-1.2.3.tar.gz").touch()

    (create,) = desk.run("tag", "Draft the release")

    assert ["release", "create", "v1.2.3", "--draft", "--verify-tag"] == create[:5]
    assert ["notes.md", "dist/agent_test_action-1.2.3.tar.gz"] == create[-2:]
    assert "- You can do it.\n" == (desk.checkout / "notes.md").read_text()


@pytest.mark.parametrize(
    ("tags", "missing", "expected"),
    [
        ("refs/tags/v1\nrefs/tags/v1.2.2", False, [f"{REFS}/tags/v1"]),
        ("", True, [f"{REFS}/tags/v1", "ref=refs/tags/v1"]),
        ("refs/tags/v1.3.0", False, []),
    ],
    ids=["moved", "new", "later"],
)
def test_the_major_tag_moves_to_the_newest_version_of_it(
    desk: Desk, tags: str, missing: bool, expected: list[str]
) -> None:
    answers = {"matching-refs": tags, **({"--method PATCH": None} if missing else {})}

    _, *asked = desk.run("tag", "Move the major tag, unless a later version has it", answers)

    assert expected == [next(part for part in each if "tags/v1" in part) for each in asked]
    assert all(f"sha={COMMIT}" in each for each in asked)


@pytest.mark.parametrize(("found", "refused"), [("", True), (None, False)])
def test_a_version_that_is_out_is_refused(desk: Desk, found: str | None, refused: bool) -> None:
    try:
        desk.run("check", "Refuse a version that is out", {"git/ref/tags/v1.2.3": found})
    except subprocess.CalledProcessError as error:
        ended = error.returncode
    else:
        ended = 0

    assert (1 if refused else 0) == ended


def writing(job: dict[str, Any]) -> set[str]:
    permissions: dict[str, str] = job.get("permissions", {})
    return {name for name, level in permissions.items() if level == "write"}


def test_a_job_that_publishes_waits_for_the_environment() -> None:
    waiting = {name for name, job in JOBS.items() if "environment" in job}

    assert waiting == {name for name, job in JOBS.items() if writing(job) - {"contents"}} | {"tag"}


def test_nothing_is_published_under_a_users_eyes_before_the_smoke_test() -> None:
    assert {"pypi": True, "tag": True} == {name: "smoke" in JOBS[name]["needs"] for name in ("pypi", "tag")}
