"""Reports of one step → its log, annotations, job summary and outputs, and whatever of them is published."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from agenttest.call import Result
from agenttest.errors import AgentTestError, Problem
from agenttest.files import Project
from agenttest.github import envfiles, inputs
from agenttest.github.commands import Level, debug
from agenttest.github.context import Context
from agenttest.github.envfiles import EnvFile
from agenttest.github.inputs import Inputs
from agenttest.github.liveinputs import worded
from agenttest.github.log import Log
from agenttest.github.masks import masks
from agenttest.model import Judged, Reason, Status
from agenttest.publish import Publisher, Told
from agenttest.quote import clip, one_line
from agenttest.report import Ending, Report, invalid
from agenttest.reporters.fetching import commands, evidence
from agenttest.reporters.github import Annotations, Place, plain
from agenttest.reporters.markdown import Summary
from agenttest.reporters.text import LABELS, folded
from agenttest.runs import VIEWS
from agenttest.settings import OBSERVATIONS_BYTES
from agenttest.signals import interruptible

PACKAGE = Path(__file__).parent
FILES = 256  # whose number of lines is remembered
TOLD = 4  # of a level, of the step itself; the suites' annotations have to be seen beside them
NAME = 80  # characters of a scenario's name
OUTPUTS = {"report-html": "html", "sarif-file": "sarif", "junit-file": "junit"}  # each the path of a view


class Step:
    """Takes reports as they come, shows them in the log, and keeps what is written at the end."""

    def __init__(self, log: Log, asked: Inputs, context: Context) -> None:
        self.log, self.asked, self.debugging = log, asked, context.debug
        self.project: Project | None = None
        self.worst: Status | None = None
        self.validity: int | None = None  # of replayed runs, as an exit code
        self.cancelled = False  # so time is short, and nothing is published
        self.traces: list[str] = []
        self.lines = lru_cache(FILES)(self.line_count)
        self.summary = Summary(failures_only=asked.summary is inputs.Summary.FAILURES)
        self.annotations = Annotations(self.locate)
        self.publisher = Publisher(context, asked, self.locate, log.command)
        for command in masks((asked.live and asked.live.token) or ""):
            log.command(command)

    def show(self, report: Report) -> None:
        """Take note of a suite's report, and show it in the log."""
        report = replace(report, problems=tuple(map(worded, report.problems)))
        self.note(report)
        self.log_report(report)

    def note(self, report: Report) -> None:
        """Take note of a report for everything that is written at the end."""
        self.worst = Status.worst({report.status, self.worst or report.status})
        self.summary.add(report)
        self.annotations.add(report)
        self.publisher.add(report)

    def progress(self, judged: Judged, number: int, count: int) -> None:
        """A line in the log for each scenario of a live run."""
        self.log.follow(progress(judged, number, count))

    def recall(self, report: Report) -> None:
        """Show the report of a saved run, and publish it where that is asked for; its lines are annotated no more."""
        self.summary.add(report)
        self.publisher.add(report)
        self.log_report(report)

    def log_report(self, report: Report) -> None:
        """The text report, its long list folded away."""
        if not self.log.full:
            title, hidden, seen = folded(report)
            if title:
                self.log.fold(title, hidden)
            self.log.show(seen)

    def locate(self, path: str, line: int) -> Place | None:
        """Where GitHub can show something: in a plain file below the workspace, at a line that it has."""
        place = plain(path, line)
        lines = self.lines(path) if place and self.project else 0
        return (path, min(place[1], lines)) if place and lines else None

    def line_count(self, path: str) -> int:
        """How many lines a file has, 1 where it is empty; 0 where it is none that can be read."""
        if self.project is None or self.project.kind(path) != "file":
            return 0
        try:
            return max(1, line_count(self.project.read(path, OBSERVATIONS_BYTES)))
        except AgentTestError:
            return 0

    def ended(self, problems: Iterable[Problem], reason: Reason) -> Result:
        """The result of a run that ended early: what was seen counts, and a violation stays one."""
        report = invalid("", problems, reason)
        self.log.say("\n".join(one_line(str(problem)) for problem in report.problems))
        self.note(report)
        return Result(self.worst or report.status, reason, dict(self.summary.scenarios), None, None, "")

    def fault(self, error: Exception, before: Result | None = None) -> Result:
        """The result where our own code failed, which is never a violation; what was saved `before` is still there."""
        self.traces.append("".join(traceback.format_exception(error)))
        ended = self.ended([Problem("", 0, 0, told(error))], Reason.INTERNAL)
        return replace(before or ended, status=Status.INCOMPLETE, reason=Reason.INTERNAL)

    def explain(self, _: Result) -> None:
        """Where our own code failed, for those who debug the step."""
        if self.debugging:
            self.log.command("".join(f"{debug(trace)}\n" for trace in self.traces))

    def exit_code(self, result: Result) -> int:
        """The step's exit code, which no input makes 0 where our own code failed, or not all was done that must be."""
        if result.reason is Reason.INTERNAL:
            return 2
        code = self.asked.fail_on.exit_code(result.status)
        if self.validity is not None:
            code = 0 if self.asked.fail_on is inputs.FailOn.NEVER else self.validity
        return 2 if self.publisher.failed and code == 0 else code

    def publish(self, result: Result) -> None:
        """Upload the run directory and comment on the pull request; no comment says that a damaged run is valid."""
        if self.cancelled:
            return
        with self.cancellable():
            folder = self.project.root / result.directory if self.project and result.directory else None
            self.tell(self.publisher.upload(folder))
            self.guide(result)
            if not self.validity:
                self.tell(self.publisher.comment(ending(result)))

    def guide(self, result: Result) -> None:
        """Say how to fetch and replay what was uploaded."""
        if self.publisher.artifact and result.directory:
            self.log.say("\n".join(commands(result.directory, self.publisher.foot(ending(result)))))

    @contextmanager
    def cancellable(self) -> Iterator[None]:
        """Requests that a cancelled job ends, so that there is time to write what the runner reads."""
        try:
            with interruptible():
                yield
        except KeyboardInterrupt as error:
            self.cancelled = True
            self.tell([(Level.WARNING, f"interrupted by {error}, so not everything was published")])

    def tell(self, said: Iterable[Told]) -> None:
        """Say something of the step itself, as an annotation or in the log."""
        for level, text in said:
            own = self.annotations.own[level] if level else []
            if level is None or len(own) == TOLD:
                self.log.say(one_line(text))
            elif text not in own:
                self.annotations.tell(level, text)

    def annotate(self, result: Result) -> None:
        """Post the check run, else write the annotations, where they are asked for."""
        posted, notice = False, ""
        if self.project is not None and not self.cancelled:
            with self.cancellable():
                posted, notice = self.publisher.check(ending(result), self.summary, self.exit_code(result))
        if notice:
            self.tell([(Level.NOTICE, notice)])
        if posted or self.asked.annotations is inputs.Annotations.NEVER:
            self.annotations.forget()
        self.log.command(self.annotations.text())

    def summarize(self, summary: EnvFile, result: Result) -> None:
        """Add to the job summary as much as was asked for and fits."""
        if self.asked.summary is inputs.Summary.NEVER:
            return
        foot = self.publisher.foot(ending(result))
        proof = evidence(result.directory, foot) if result.directory or self.validity == 0 else ()
        text = self.summary.text(foot.ending, envfiles.summary_budget(summary), proof)
        if text:
            envfiles.write_summary(summary, text)
        elif self.asked.summary is inputs.Summary.AUTO:
            envfiles.warn("the job summary has no room left, so this step adds nothing to it")


def ending(result: Result) -> Ending:
    """How the call ended, as reporters take it."""
    return Ending(result.status, result.reason, result.directory, result.evidence_digest)


def line_count(data: bytes) -> int:
    """How many lines a file has, however many that are."""
    ends = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    return ends + (not data.endswith((b"\n", b"\r")))


def told(error: Exception) -> str:
    """What is said of a fault of our own, and where in our code it came up."""
    ours = [
        frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(PACKAGE)
    ]
    place = f" at {Path(ours[-1].filename).relative_to(PACKAGE.parent)}:{ours[-1].lineno}" if ours else ""
    words = f": {clip(one_line(str(error)))}" if str(error) else ""
    what = f"{type(error).__name__}{place}{words}"
    return f"agenttest itself failed ({what}); please report this as a bug, with the files that led to it"


def progress(judged: Judged, number: int, count: int) -> str:
    """How far a live run is: the scenario that was just judged, and how long its answer took or why there was none."""
    seen, exchange = judged.observation, judged.exchange
    facts = (
        f"{exchange.latency_ms:,} ms" if exchange else clip(next((outcome.message for outcome in judged.outcomes), ""))
    )
    if judged.unanswered and seen:
        facts += f"  {clip(str(seen.error))}"
    label = LABELS[judged.status].ljust(max(map(len, LABELS.values())))
    return f"  {number:>{len(str(count))}}/{count}  {label}  {clip(judged.scenario.id, NAME)}  {facts}"


def closing(result: Result, exit_code: int, *, replayed: bool) -> str:
    """The last lines of the log: the verdict, where the evidence is, and why the step is not as red as the verdict."""
    verdict = f"agenttest: {result.status} ({result.reason}, exit {result.status.exit_code})"
    lines = [verdict + (f"; saved in {one_line(result.directory)}" if result.directory else "")]
    if exit_code != result.status.exit_code:
        why = "a replay tells whether a run is valid, not whether it passed" if replayed else "as fail-on asks"
        lines.append(f"the step exits {exit_code}, {why}")
    return "\n".join(lines)


def outputs(result: Result) -> dict[str, str]:
    """The step's outputs: words, numbers, and paths below the workspace; never a word of an agent's."""
    counts = {status: result.scenarios.get(status, 0) for status in Status}
    saved = result.directory if result.report else None
    return {
        "status": result.status,
        "reason": result.reason,
        "exit-code": str(result.status.exit_code),
        "passed": str(counts[Status.PASS]),
        "failed": str(counts[Status.FAIL]),
        "incomplete": str(counts[Status.INCOMPLETE]),
        "total": str(sum(counts.values())),
        "run-directory": result.directory or "",
        "report-json": result.report or "",
        **{name: f"{saved}/{VIEWS[view]}" if saved else "" for name, view in OUTPUTS.items()},
        "evidence-digest": result.evidence_digest,
    }
