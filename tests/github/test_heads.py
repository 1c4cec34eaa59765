"""Where strangers may set off a job that has secrets, an agent is asked only for what the repository itself holds."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from agenttest.errors import Problem
from agenttest.files import Project
from agenttest.github import context
from agenttest.github.heads import distrusted

BASE, HEAD, MERGE, OTHER = ("a" * 40, "b" * 40, "c" * 40, "d" * 40)
PULL = {"pull_request": {"head": {"sha": HEAD}, "base": {"sha": BASE}, "merge_commit_sha": MERGE}}
TARGET = "pull_request_target"


def look(root: Path, event: str, payload: Any, *suites: str, sha: str = BASE) -> Problem | None:
    file = root.parent / "event.json"
    file.write_text(json.dumps(payload))
    told = {"GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(file), "GITHUB_SHA": sha}
    return distrusted(context.read(told, root), Project.at(root), suites or ("agent.yml",))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "desk").mkdir()
    return tmp_path / "desk"


def check_out(folder: Path, commit: str) -> None:
    """A detached head, as actions/checkout leaves it for a commit."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git/HEAD").write_text(f"{commit}\n")


@pytest.mark.parametrize("commit", [HEAD, MERGE])
def test_the_head_of_a_pull_request_is_not_asked_about(root: Path, commit: str) -> None:
    check_out(root, commit)

    found = look(root, TARGET, PULL)

    assert found
    assert "with: allow-untrusted-head" == found.path
    assert f"the workspace holds commit {commit[:12]}, the head of the pull request, and" in found.message


def test_the_base_is(root: Path) -> None:
    check_out(root, BASE)

    assert None is look(root, TARGET, PULL)


def test_the_events_own_commit_is_of_the_repository(root: Path) -> None:
    check_out(root, OTHER)

    assert None is look(root, TARGET, PULL, sha=OTHER)


def test_another_commit_is_not_known_to_be_the_base(root: Path) -> None:
    check_out(root, OTHER)

    found = look(root, TARGET, PULL)

    assert found
    assert f"commit {OTHER[:12]}, not the base that the event is of" in found.message


@pytest.mark.parametrize("text", ["", "ref: refs/heads/main", "ref: ../../HEAD", "ref: refs/heads/../x", "zz", "\xff"])
def test_a_head_that_tells_no_commit_is_not_known_to_be_the_base(root: Path, text: str) -> None:
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text(text)

    found = look(root, TARGET, PULL)

    assert found
    assert "holds a commit that cannot be told" in found.message


def test_files_of_no_checkout_are_not_known_to_be_the_bases(root: Path) -> None:
    assert look(root, TARGET, PULL)


def test_a_link_in_the_place_of_gits_folder_is_not_followed(root: Path) -> None:
    check_out(root.parent / "other", BASE)
    (root / ".git").symlink_to(root.parent / "other/.git")

    assert look(root, TARGET, PULL)


@pytest.mark.parametrize("event", ["pull_request", "push", "schedule", "workflow_dispatch", "merge_group", ""])
def test_a_job_that_strangers_give_no_secrets_is_left_alone(root: Path, event: str) -> None:
    check_out(root, HEAD)

    assert None is look(root, event, PULL)


@pytest.mark.parametrize(
    ("cause", "known"), [("pull_request", False), ("pull_request_target", False), (None, False), ("push", True)]
)
def test_a_run_that_follows_another_is_as_trusted_as_that(root: Path, cause: str | None, known: bool) -> None:
    check_out(root, HEAD)

    found = look(root, "workflow_run", {"workflow_run": {"event": cause, "head_sha": HEAD}})

    assert known == (found is None)


@pytest.mark.parametrize(("issue", "known"), [({"number": 1}, True), ({"pull_request": {"url": "x"}}, False)])
def test_a_comment_on_a_pull_request_is_anybodys(root: Path, issue: dict[str, Any], known: bool) -> None:
    check_out(root, HEAD)

    assert known == (look(root, "issue_comment", {"issue": issue}) is None)


def test_each_suite_is_of_its_nearest_checkout(root: Path) -> None:
    check_out(root, BASE)
    check_out(root / "theirs", HEAD)

    assert None is look(root, TARGET, PULL, "contracts/a.yml", "b.yml")
    found = look(root, TARGET, PULL, "b.yml", "theirs/contracts/a.yml")
    assert found
    assert "; theirs holds commit" in found.message


def git(folder: Path, *arguments: str) -> str:
    """Git, as actions/checkout calls it."""
    named = ["-c", "user.name=Ida", "-c", "user.email=ida@example.org", "-c", "init.defaultBranch=main"]
    plain = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(folder)}
    done = subprocess.run(
        ["git", *named, *arguments], cwd=folder, env=plain, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("more", [[], ["pack-refs", "--all"], ["checkout", "--quiet", "--detach"]], ids=str)
def test_a_checkout_of_git_is_read_without_it(root: Path, more: list[str]) -> None:
    git(root, "init", "--quiet")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "one")
    if more:
        git(root, *more)

    commit = git(root, "rev-parse", "HEAD")

    assert None is look(root, TARGET, PULL, sha=commit)
    assert look(root, TARGET, PULL)
