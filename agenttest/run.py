"""The spine: suites and observations → reports and one result, every stage once, in order."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace

from agenttest import discovery, observing, report, rundir, runs, suites
from agenttest.call import Result, Run, Show, Watch, concluded, open_parent, runs_folder
from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.files import Project
from agenttest.gates import Asked, Policy
from agenttest.judging import decide, judge_all
from agenttest.model import Judged, Reason, Scenario, Suite
from agenttest.observing import Sight
from agenttest.report import Report
from agenttest.settings import Settings
from agenttest.sources.origins import asks

NOBODY_ASKS = (
    "has no selected scenario whose executor is 'endpoint', so the agent would not be asked; leave the live flags out, "
    "or select scenarios that ask it"
)


def run(project: Project, settings: Settings, show: Show, watch: Watch | None = None) -> Result:
    """Judge every suite of the settings; `show` gets each report as soon as it is done, and nothing else keeps it."""
    this = Run(project, settings, show, time.monotonic() + settings.limits.max_seconds, watch or Watch())
    return concluded(this, judge_suites)


def judge_suites(this: Run) -> None:
    """Every suite, one after another."""
    check(this.project, this.settings)
    open_parent(this)
    for name in this.settings.suites:
        run_suite(this, name)
        if Reason.INTERRUPTED in this.early and this.several:
            raise KeyboardInterrupt(this.watch.cancelled[0])
    nowhere(this)


def check(project: Project, settings: Settings) -> None:
    """Settings within their bounds, or InvalidInput with all that are not."""
    problems = [*settings.limits.problems(), *(settings.live.problems() if settings.live else ())]
    if problems:
        raise InvalidInput(problems)
    discovery.cleaned(settings.scenarios)
    runs_folder(project, settings)


def run_suite(this: Run, name: str) -> None:
    """One suite from its file to its finished report; a suite that cannot be run has a report that says why."""
    path = name
    try:
        path = this.project.relative(name)
        suite = suites.load(this.project, path)
        chosen = choose(this, suite)
        if not chosen and this.several and suite.files is None:
            return
        sight = look(this, suite, chosen)
    except AgentTestError as error:
        this.finish(report.invalid(path, error.problems, error.reason))
        return
    kept = sight.redaction.suite if sight.redaction else suite
    start = rundir.Start(kept, chosen, sight.provenance, this.settings, redaction=sight.redaction)
    this.early.clear()
    with this.watch.hold() if this.settings.live else nullcontext():
        this.finish(evaluate(this, start, judge_all(chosen, sight, this.early)))


def choose(this: Run, suite: Suite) -> tuple[Scenario, ...]:
    """The selected scenarios. A pattern that matches nothing is invalid at once where there is one suite."""
    patterns, filters = discovery.cleaned(this.settings.scenarios), this.settings.filters
    missing = discovery.unmatched(suite, patterns)
    this.matched.update(set(patterns) - set(missing))
    if missing and not this.several and suite.files is None:
        raise InvalidInput(discovery.matches_nothing(pattern, suite) for pattern in missing)
    if filters.given and suite.files is None:
        said = "is a contract, whose scenarios have no risk and no tags; select of it with --scenario"
        raise InvalidInput(Problem(suite.path, 0, 0, said))
    chosen = discovery.select(suite, patterns, this.settings.shard, filters)
    most = this.settings.limits.max_scenarios
    if most is not None and len(chosen) > most:
        said = f"is {most}, but {len(chosen)} scenarios of {suite.path} are selected; raise it or select fewer"
        raise InvalidInput(Problem("--max-scenarios", 0, 0, said))
    return chosen


def look(this: Run, suite: Suite, chosen: tuple[Scenario, ...]) -> Sight:
    """What the suite is judged by: its recording, an agent that is asked, or what its files name."""
    live = this.settings.live
    call = observing.Call(this.project, this.settings, this.deadline, this.watch.cancelled)
    if suite.files is not None:
        selected = selected_of(this.settings, suite)
        note_asking(this, suite, selected)
        return observing.told(call, suite, chosen, selected)
    this.asking = True
    return observing.recorded(call, suite, chosen) if live is None else observing.answered(call, live, suite, chosen)


def note_asking(this: Run, suite: Suite, selected: Sequence[Scenario]) -> None:
    """InvalidInput where an agent is named and the one suite does not ask it, as a pass would say more than it is."""
    this.asking = this.asking or asks(selected)
    if this.settings.live is not None and not this.asking and not this.several:
        raise InvalidInput(Problem(suite.path, 0, 0, NOBODY_ASKS))


def selected_of(settings: Settings, suite: Suite) -> tuple[Scenario, ...]:
    """The selected scenarios of all shards."""
    return discovery.select(suite, discovery.cleaned(settings.scenarios), None, settings.filters)


def evaluate(this: Run, start: rundir.Start, judged: Iterable[Judged]) -> Report:
    """The suite's report: scenarios judged and written down one by one, decided by the gates, saved."""
    recorder = begin(this, start)
    this.unfinished = recorder.directory
    try:
        scenarios = tuple(recorded(this, recorder, judged, len(start.chosen)))
        suite, policy = start.suite, policy_of(start)
        verdict = decide(scenarios, start.merged, this.early, policy)
        report = Report(verdict, suite.path, suite, scenarios, start.provenance, problems=suite.problems)
        report = replace(report, selection=policy.selection)
        finished = recorder.finish(replace(report, shard=start.settings.shard, merged=start.merged))
    finally:
        recorder.close()
    this.unfinished = None
    return finished


def policy_of(start: rundir.Start) -> Policy:
    """What decides on a suite beside its scenarios."""
    return Policy.of(start.suite, start.chosen, asked_of(start.settings), selected_of(start.settings, start.suite))


def asked_of(settings: Settings) -> Asked:
    """What the settings say of the verdict."""
    return Asked(discovery.cleaned(settings.scenarios), settings.filters, settings.strict, settings.lint)


def recorded(this: Run, recorder: rundir.Recorder, scenarios: Iterable[Judged], count: int) -> Iterator[Judged]:
    """The scenarios, each written down as it comes; how far a live run is, which takes its time, is told."""
    for number, judged in enumerate(scenarios, 1):
        recorder.record(judged)
        if this.settings.live is not None:
            this.watch.progress(judged, number, count)
        yield judged


def begin(this: Run, start: rundir.Start) -> rundir.Recorder:
    """What writes the run down, or only holds it to the report's bounds where nothing is to be saved."""
    if not this.settings.artifacts:
        return rundir.Unsaved(start)
    if this.parent is None:
        return rundir.recorder(this.project, this.where, start, this.settings.run_name)
    name = runs.child_name(len(this.done), start.suite.path)
    return rundir.recorder(this.project, this.parent.directory, start, name)


def nowhere(this: Run) -> None:
    """InvalidInput for every pattern that named no scenario in any suite; a report where a shard has none either."""
    asked = discovery.cleaned(this.settings.scenarios)
    missing = [pattern for pattern in asked if pattern not in this.matched]
    if missing and this.several:
        raise InvalidInput(discovery.matches_nothing(pattern, None) for pattern in missing)
    if this.several and not this.done:
        said = f"is {this.settings.shard}, into which no scenario falls; all shards together decide, so merge them"
        this.finish(report.invalid("", [Problem("--shard", 0, 0, said)], Reason.MISSING_EVIDENCE))
    if this.settings.live is not None and this.several and this.done and not this.asking:
        raise InvalidInput(Problem("", 0, 0, f"the call {NOBODY_ASKS}"))
