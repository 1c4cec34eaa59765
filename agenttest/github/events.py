"""The event's payload → `Event`: the pull request it is of, and the commit that is judged."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agenttest.github.context import Context

PAYLOAD_LIMIT = 32 << 20  # GitHub sends at most 25 MB
COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Event:
    """What set the workflow off: only numbers and digests of it are taken as they are, never a title or a text.

    `fork` is the owner and the branch that a pull request comes from where the payload does not give its number, as
    `workflow_run` does not for forks.
    """

    number: int | None
    commit: str
    fork: tuple[str, str] | None = None


def read(context: Context) -> Event:
    """The event of this job. Without a payload that can be read there is no pull request."""
    payload = document(context.value("GITHUB_EVENT_PATH"))
    pull, run = member(payload, "pull_request"), member(payload, "workflow_run")
    commit = sha(member(pull, "head").get("sha")) or sha(run.get("head_sha")) or sha(context.value("GITHUB_SHA"))
    found = number(pull) or number(own_pull(run, member(payload, "repository")))
    return Event(found, commit, None if found else fork(run))


def document(path: str) -> Mapping[str, Any]:
    """The payload; nothing where it is no JSON object in a plain file."""
    try:
        if not os.path.isfile(path):  # a pipe would never open
            return {}
        with open(path, "rb") as stream:
            data = stream.read(PAYLOAD_LIMIT + 1)
        found = json.loads(data) if len(data) <= PAYLOAD_LIMIT else None
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def own_pull(run: Mapping[str, Any], repository: Mapping[str, Any]) -> Mapping[str, Any]:
    """The first pull request of a run that leads into this repository: a fork's own runs name those of others too."""
    pulls = run.get("pull_requests")
    for pull in pulls if isinstance(pulls, list) else ():
        target = member(member(pull, "base"), "repo").get("id")
        if target is None or target == repository.get("id"):
            return member({"pull": pull}, "pull")
    return {}


def fork(run: Mapping[str, Any]) -> tuple[str, str] | None:
    """Where the pull request of a `workflow_run` comes from."""
    owner = member(member(run, "head_repository"), "owner").get("login")
    branch, cause = run.get("head_branch"), run.get("event")
    if not isinstance(owner, str) or not isinstance(branch, str) or not isinstance(cause, str):
        return None
    return (owner, branch) if owner and branch and cause.startswith("pull_request") else None


def member(found: Any, name: str) -> Mapping[str, Any]:
    """An object inside an object; an empty one where there is none."""
    inner = found.get(name) if isinstance(found, dict) else None
    return inner if isinstance(inner, dict) else {}


def number(found: Mapping[str, Any]) -> int | None:
    """The number of a pull request."""
    value = found.get("number")
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 53 else None


def sha(value: object) -> str:
    """A commit's digest; empty where it is none."""
    return value if isinstance(value, str) and COMMIT.fullmatch(value) else ""
