"""Where a run's evidence lies → the Markdown that says so, with the commands that fetch and replay it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from agenttest.github.jobs import Job
from agenttest.quote import one_line
from agenttest.report import Ending
from agenttest.reporters.gfm import code, fence


class Artifact(Protocol):
    """What the evidence was uploaded as, by its name and by the number that the forge gave it."""

    @property
    def name(self) -> str:
        """Its name in the run."""

    @property
    def id(self) -> str:
        """Its number; what is none makes no link."""


@dataclass(frozen=True, slots=True)
class Foot:
    """What all suites' comments of a step end with, known only when everything is done."""

    job: Job
    ending: Ending
    artifact: Artifact | None = None
    replayed: bool = False


def evidence(directory: str | None, foot: Foot) -> Iterator[str]:
    """Where the evidence is, and the commands that fetch and replay it."""
    if foot.replayed:
        yield "A saved run, replayed: every file, digest and decision of it agrees.\n"
        return
    if directory is None:
        yield "The evidence of this suite was not saved.\n"
        return
    if foot.artifact is None:
        yield f"The evidence was not uploaded; it lies in {code(directory)} on the runner. There it is replayed by:\n"
        yield fence(f"agenttest replay {quoted(directory)}")
        return
    url = foot.job.artifact(foot.artifact.id)
    name = one_line(foot.artifact.name)
    title = f"[{code(name)}]({url})" if url else code(name)
    if foot.job.page:
        yield f"Fetch the evidence, which is the artifact {title}, and check every decision again:\n"
        yield fence("\n".join(commands(directory, foot)))
    else:
        place = code(folder(foot))
        yield f"Download the run's artifact {title}, unpack it as {place}, and check every decision again:\n"
        yield fence("\n".join(commands(directory, foot)))
    yield f"Each scenario step by step: open {code(f'{inside(directory, foot)}/report.html')}.\n"


def commands(directory: str, foot: Foot) -> Iterator[str]:
    """What fetches an uploaded run, where that is known, and replays it."""
    if foot.artifact and foot.job.page:
        name, place = quoted(foot.artifact.name), quoted(folder(foot))
        yield f"gh run download {foot.job.run} --repo {foot.job.remote} --name {name} --dir {place} &&"
    yield f"agenttest replay {quoted(inside(directory, foot))}"


def folder(foot: Foot) -> str:
    """Where the evidence is fetched to: each artifact to a folder of its own, as nothing is written over."""
    name = one_line(foot.artifact.name) if foot.artifact else "evidence"
    return f"{name}-{foot.job.run}".replace("/", "-") if foot.job.run else name


def inside(directory: str, foot: Foot) -> str:
    """Where the suite's own directory lies in what is fetched: of a run of several it is one of the folders."""
    whole, own = PurePosixPath(foot.ending.directory or directory), PurePosixPath(directory)
    within = own.relative_to(whole) if own.is_relative_to(whole) else PurePosixPath()
    return str(folder(foot) / within)


def quoted(word: str) -> str:
    """A word for a shell, on one line."""
    return shlex.quote(one_line(word))
