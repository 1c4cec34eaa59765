"""Reports of one step → the pull request: a comment for each suite, and a check run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agenttest.github import checks
from agenttest.github.checks import Check, NotPosted, Posted
from agenttest.github.inputs import When
from agenttest.github.jobs import Job
from agenttest.model import Status
from agenttest.report import Ending, Report
from agenttest.reporters import checkrun
from agenttest.reporters.comment import Comment, Locate, draft
from agenttest.reporters.fetching import Foot
from agenttest.reporters.github import plain
from agenttest.reporters.markdown import Summary

if TYPE_CHECKING:
    from agenttest.github.api import Api, Refused
    from agenttest.github.comments import Thread

MOST = 10  # suites that have a comment of their own; the others only keep one that they have
PERMISSION = "pull-requests: write"
GRAVEST = (Status.FAIL, Status.INCOMPLETE, Status.PASS)


@dataclass(frozen=True, slots=True)
class Said:
    """What is to be told of comments that were not written: a `warning` where they were asked for, else to debug."""

    text: str
    warning: bool


class Comments:
    """Takes reports one by one; keeps what the comments of the ten gravest say, and of the others the verdicts."""

    def __init__(self, mode: When, job: Job, locate: Locate = plain) -> None:
        self.mode, self.job, self.locate = mode, job, locate
        self.gravest: list[Comment] = []
        self.others: list[Comment] = []

    def add(self, report: Report) -> None:
        """Take note of a suite. A part of one is left to the job that joins all, unless comments are asked for."""
        part = report.shard is not None and self.mode is When.AUTO
        if self.mode is When.NEVER or not report.path or part:
            return
        self.gravest.append(draft(report, self.job, self.locate))
        self.gravest.sort(key=lambda comment: GRAVEST.index(comment.status))
        self.others += [comment.short for comment in self.gravest[MOST:]]
        del self.gravest[MOST:]

    def write(self, api: Api, foot: Foot) -> list[Said]:
        """Have one comment for each suite on the pull request; what kept it from being so."""
        if not self.gravest:
            return []
        if api.missing:
            return [self.told(api.missing)]
        from agenttest.github.api import Refused
        from agenttest.github.comments import Thread

        try:
            number = api.pull_request()
            if number is None:
                return [self.told("this event has no pull request")]
            thread = Thread(api, number)
        except Refused as error:
            return [self.refused(error)]
        return list(self.keep(thread, foot))

    def keep(self, thread: Thread, foot: Foot) -> Iterator[Said]:
        """Write the comments, the gravest first, until one is forbidden; a suite beyond the ten keeps what it has."""
        from agenttest.github.api import Refused

        for at, comment in enumerate([*self.gravest, *self.others]):
            key, before = comment.mark.key, thread.before(comment.mark.key)
            if before and before.run > comment.mark.run > 0:
                yield Said("a newer run has commented on the pull request already", warning=False)
            elif at < MOST or before:
                try:
                    thread.keep(key, comment.text(before, foot, len(self.others) if at == MOST - 1 else 0))
                except Refused as error:
                    yield self.refused(error)
                    if error.final:
                        return

    def refused(self, error: Refused) -> Said:
        """That the API did not let us, and which permission it wants."""
        remedy = f"; give the job the permission {PERMISSION}" if error.forbidden else ""
        return self.told(f"{error}{remedy}")

    def told(self, why: str) -> Said:
        """That there is no comment, and why."""
        return Said(f"no comment on the pull request: {why}", warning=self.mode is When.ALWAYS)


class CheckRun(checkrun.CheckRun):
    """Takes reports one by one and posts one check run for all."""

    def post(self, api: Api, ending: Ending, found: Summary, exit_code: int) -> Posted | NotPosted:
        """Post it on the judged commit, as red as the step is; where it is not posted, annotations take its place."""
        said = checkrun.summary(found, ending)
        conclusion = checks.conclusion(ending.status, exit_code)
        return checks.post(
            api, Check(api.job.name, conclusion, checkrun.title(found, ending), said, self.annotations())
        )
