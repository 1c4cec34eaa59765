"""A step's `Context` → `Job`: which step of which job this is, for people and for keys, and the links to it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from agenttest.github import events
from agenttest.github.context import Context
from agenttest.quote import clip, one_line

MATRIX = "internal-matrix"  # the input that holds toJson(matrix)
REPOSITORY = re.compile(r"(?!\.{1,2}/)[A-Za-z0-9._-]+/(?!\.{1,2}$)[A-Za-z0-9._-]+")
SERVER = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")
OTHER_FORGES = ("GITEA_ACTIONS", "FORGEJO_ACTIONS")
NAME = 100


@dataclass(frozen=True, slots=True)
class Job:
    """The job and step that this is. Its texts are the runner's; where one is not what it should be, it is empty.

    `run` is 0 where it is not known. `place` tells this step from every other one that may judge the same suite.
    """

    server: str
    repository: str
    event: events.Event
    run: int
    place: tuple[str, ...]
    name: str
    on_github: bool

    @property
    def commit(self) -> str:
        """The commit that is judged: of a pull request its head, as nothing is shown at the merge."""
        return self.event.commit

    @property
    def page(self) -> str:
        """The address of the run's page."""
        return f"{self.server}/{self.repository}/actions/runs/{self.run}" if self.linked and self.run else ""

    @property
    def linked(self) -> bool:
        """Whether addresses can be made of what is known; other forges have other ones."""
        return bool(self.server and self.repository and self.on_github)

    @property
    def remote(self) -> str:
        """The repository as `gh --repo` takes it."""
        host = urlsplit(self.server).netloc
        return self.repository if host in {"", "github.com"} else f"{host}/{self.repository}"

    def line(self, path: str, line: int) -> str:
        """The address of a file's line at the commit; every character that could mean something is escaped."""
        if not self.linked or not self.commit:
            return ""
        return f"{self.server}/{self.repository}/blob/{self.commit}/{quote(path, safe='/')}#L{line}"

    def artifact(self, number: str) -> str:
        """The address of an artifact of this run."""
        return f"{self.page}/artifacts/{number}" if self.page and re.fullmatch("[0-9]+", number) else ""


def read(context: Context) -> Job:
    """The job that the runner describes."""
    repository, server = context.value("GITHUB_REPOSITORY"), context.value("GITHUB_SERVER_URL").rstrip("/")
    run = context.value("GITHUB_RUN_ID")
    matrix = values(context.input(MATRIX) or "")
    job, step = context.value("GITHUB_JOB"), context.value("GITHUB_ACTION")
    workflow = context.value("GITHUB_WORKFLOW_REF").split("@")[0] or context.value("GITHUB_WORKFLOW")
    return Job(
        server=server if SERVER.fullmatch(server) else "",
        repository=repository if REPOSITORY.fullmatch(repository) else "",
        event=events.read(context),
        run=int(run) if re.fullmatch(r"[0-9]{1,15}", run) else 0,
        place=(workflow, job, step, json.dumps(matrix, sort_keys=True)),
        name=name(job, matrix, step),
        on_github=not any(context.value(forge) for forge in OTHER_FORGES),
    )


def values(matrix: str) -> Mapping[str, Any]:
    """This leg's values of the matrix; none where there is no matrix, for which the runner says `null` and act `{}`."""
    try:
        found = json.loads(matrix)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def name(job: str, matrix: Mapping[str, Any], step: str) -> str:
    """What the step's check run is called: no two of a workflow alike, as GitHub shows the newest of a name only."""
    legs = [value if isinstance(value, str) else json.dumps(value, sort_keys=True) for value in matrix.values()]
    alone = not step or re.fullmatch(r"__.*[^0-9_]", step)  # no id, and the first of its action in the job
    parts = [one_line(part) for part in (job, *legs, *([] if alone else [step])) if part]
    said = ", ".join(parts)
    if len(said) > NAME:
        said = f"{clip(said, NAME)} {hashlib.sha256(said.encode()).hexdigest()[:8]}"
    return f"agenttest ({said})" if said else "agenttest"
