"""One call of the program: what its suites share while it goes on, and the result that it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from agenttest import report, runs
from agenttest.errors import AgentTestError, Problem
from agenttest.files import Project
from agenttest.model import Judged, Reason, Status
from agenttest.report import Report
from agenttest.settings import Settings

if TYPE_CHECKING:
    from agenttest.signals import Cancellation

Show: TypeAlias = Callable[[Report], None]
Progress: TypeAlias = Callable[[Judged, int, int], None]


@dataclass(frozen=True, slots=True)
class Watch:
    """Who looks on: `progress` gets each scenario of a live run with its number and how many there are; signals are
    noted in `cancellation`."""

    progress: Progress = lambda _judged, _number, _count: None
    cancellation: Cancellation | None = None

    @property
    def cancelled(self) -> Sequence[str]:
        """The names of the signals that came, and come."""
        return self.cancellation.came if self.cancellation else ()

    def hold(self) -> AbstractContextManager[None]:
        """Let the first signal only be noted."""
        return self.cancellation.hold() if self.cancellation else nullcontext()


@dataclass(frozen=True, slots=True)
class Result:
    """One call: its worst status and why, scenario counts, and where it was saved, below the project root."""

    status: Status
    reason: Reason
    scenarios: Mapping[Status, int]
    directory: str | None
    report: str | None
    evidence_digest: str
    several: bool = False


@dataclass(slots=True)
class Run:
    """What all suites of one call share, and what is known of those that are done."""

    project: Project
    settings: Settings
    show: Show
    deadline: float
    watch: Watch = field(default_factory=Watch)
    parent: runs.Parent | None = None
    done: list[runs.Child] = field(default_factory=list)
    counts: Counter[Status] = field(default_factory=Counter)
    matched: set[str] = field(default_factory=set)
    early: set[Reason] = field(default_factory=set)
    unfinished: str | None = None
    asking: bool = False

    @property
    def several(self) -> bool:
        """Whether this is a run of runs."""
        return len(self.settings.suites) > 1

    @property
    def where(self) -> str:
        """The folder of all run directories, below the root; empty for the root itself."""
        return runs_folder(self.project, self.settings)

    def finish(self, finished: Report) -> None:
        """Count a report, note it for the parent, and show it."""
        self.counts.update(judged.status for judged in finished.scenarios)
        self.done.append(runs.child(finished))
        if self.parent is not None:
            self.parent.add(finished)
        self.show(finished)


def runs_folder(project: Project, settings: Settings) -> str:
    """The folder of a run directory, below the root; empty for the root itself, which needs a name for the run."""
    given = settings.run_directory
    return "" if settings.run_name and not given else project.relative(given)


def open_parent(this: Run) -> None:
    """The directory of a run of runs, where this is one that is saved."""
    if this.several and this.settings.artifacts:
        this.parent = runs.Parent(this.project, this.where, this.settings)


def concluded(this: Run, work: Callable[[Run], None]) -> Result:
    """The result of some work, whatever ends it early."""
    try:
        work(this)
    except AgentTestError as error:
        this.finish(report.invalid("", error.problems, error.reason))
    except KeyboardInterrupt as error:
        this.finish(report.invalid("", [interrupted(this, error)], Reason.INTERRUPTED))
    return conclude(this)


def interrupted(this: Run, error: KeyboardInterrupt) -> Problem:
    """What is said of a run that a signal ended; its directory, if it has one, is left unfinished."""
    left = f"; {this.unfinished} is left unfinished" if this.unfinished else ""
    return Problem(
        "", 0, 0, f"interrupted by {str(error) or 'SIGINT'}{left}; what was judged before counts, run it again"
    )


def conclude(this: Run) -> Result:
    """The worst of all reports, and where the call was saved."""
    status = Status.worst(child.status for child in this.done)
    reason = next((child.reason for child in this.done if child.status is status), Reason.INVALID_INPUT)
    counts = {each: this.counts[each] for each in (Status.PASS, Status.FAIL, Status.INCOMPLETE)}
    if this.several:
        return conclude_several(this, Result(status, reason, counts, None, None, runs.digest(this.done), several=True))
    last = this.done[-1] if this.done else None
    saved = this.unfinished or (last.directory if last else None)
    results = f"{saved}/{report.FILES['behavior_results']}" if saved and not this.unfinished else None
    return Result(status, reason, counts, saved, results, last.evidence_digest if last else "")


def conclude_several(this: Run, result: Result) -> Result:
    """The result of a run of runs, whose summary is written last; where it cannot be, a pass becomes incomplete."""
    if this.parent is None:
        return result
    problem = this.parent.finish(this.done, result.status, result.reason)
    if problem is None:
        return replace(result, directory=this.parent.directory, report=f"{this.parent.directory}/{runs.SUMMARY}")
    this.show(report.invalid("", [problem], Reason.NOT_SAVED))
    lost = result.status is Status.PASS
    return replace(result, status=Status.INCOMPLETE, reason=Reason.NOT_SAVED) if lost else result
