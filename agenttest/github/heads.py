"""The event and the commits that lie in the workspace → what speaks against asking an agent for what stands there.

Some events give a job secrets, and are set off by strangers. What such a job has checked out should be the
repository's own: a contract of a stranger would have the job's agent say, with its rights, what the stranger wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.github.context import Context
from agenttest.github.events import document, member, sha
from agenttest.github.given import problem

FORCE = "allow-untrusted-head"
BRANCH = re.compile(r"ref: (refs/[!-~]+)")
HEAD_BYTES, PACKED_BYTES = 4096, 16 << 20


def distrusted(context: Context, project: Project, suites: Iterable[str]) -> Problem | None:
    """What to tell where strangers may have set off this job, and the suites may be theirs; paths are below the root.

    A look at commits alone: what a step fetched or changed afterwards is not seen.
    """
    name, payload = context.value("GITHUB_EVENT_NAME"), document(context.value("GITHUB_EVENT_PATH"))
    if not by_strangers(name, payload):
        return None
    own = {sha(context.value("GITHUB_SHA")), sha(member(member(payload, "pull_request"), "base").get("sha"))} - {""}
    for folder in checkouts(project, suites):
        commit = head(project, folder)
        if commit not in own:
            return problem(FORCE, said(name, folder, commit, commit in heads(payload)))
    return None


def by_strangers(name: str, payload: Mapping[str, Any]) -> bool:
    """Whether anybody can set off a job of this event that has secrets."""
    if name == "issue_comment":
        return bool(member(member(payload, "issue"), "pull_request"))
    cause = str(member(payload, "workflow_run").get("event"))
    own = ("push", "schedule", "workflow_dispatch", "repository_dispatch", "release", "merge_group")
    return name == "pull_request_target" or (name == "workflow_run" and cause not in own)


def checkouts(project: Project, suites: Iterable[str]) -> list[str]:
    """The folders, as paths below the root, whose commits the suites are of: each suite's nearest with a `.git`."""
    nearest = (
        next((folder for folder in PurePosixPath(suite).parents if project.kind(f"{folder}/.git") != "nothing"), None)
        for suite in suites
    )
    return sorted({"." if folder is None else folder.as_posix() for folder in nearest})


def head(project: Project, folder: str) -> str:
    """The commit that is checked out; empty where that cannot be told."""
    git = PurePosixPath(folder, ".git")
    found = read(project, f"{git}/HEAD", HEAD_BYTES).strip()
    branch = BRANCH.fullmatch(found)
    if branch is None or ".." in branch[1]:
        return sha(found)
    loose = sha(read(project, f"{git}/{branch[1]}", HEAD_BYTES).strip())
    return loose or packed(read(project, f"{git}/packed-refs", PACKED_BYTES), branch[1])


def packed(refs: str, branch: str) -> str:
    """The commit of a branch in packed-refs."""
    rows = (line.split(" ") for line in refs.splitlines())
    return next((sha(row[0]) for row in rows if row[1:] == [branch]), "")


def read(project: Project, name: str, limit: int) -> str:
    """A small file of Git's; nothing where it cannot be read."""
    try:
        return project.read(name, limit).decode("ascii", "replace")
    except InvalidInput:
        return ""


def heads(payload: Mapping[str, Any]) -> set[str]:
    """The commits of the pull request itself."""
    pull, run = member(payload, "pull_request"), member(payload, "workflow_run")
    found = (member(pull, "head").get("sha"), pull.get("merge_commit_sha"), run.get("head_sha"))
    return {sha(each) for each in found} - {""}


def said(event: str, folder: str, commit: str, known: bool) -> str:
    """What is wrong, and the ways out."""
    where = "the workspace" if folder == "." else folder
    what = f"commit {commit[:12]}" if commit else "a commit that cannot be told"
    whose = "the head of the pull request" if known else "not the base that the event is of"
    ways = "judge a recording, check out the base, use the event pull_request or, where you trust it, set it to true"
    return f"is not set; {where} holds {what}, {whose}, and {event} gives strangers' jobs your secrets: {ways}"
