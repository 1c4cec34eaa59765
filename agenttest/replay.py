"""A saved run → whether it is valid: files agree with digests and each other, and every decision holds anew."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from agenttest.call import Show
from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.jsontext import spread
from agenttest.model import Reason, Status
from agenttest.quote import one_line, quote
from agenttest.report import FILES, Report, digest_of
from agenttest.runfiles import Files, opened
from agenttest.runs import STATE
from agenttest.savedrun import Damaged, Issue, SavedRun
from agenttest.verify import rejudge
from agenttest.verify.asked import shard_of

NARROWED = ("filters", "lint", "strict")  # of what was asked for, what is there only where it is not the usual
SUITES = 5
DEPTH = 8  # runs of runs in runs of runs
ENDING = ("status", "reason", "evidence_digest")
# What reading a value that is not of the form that we write may raise.
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Replay:
    """What replaying a run came to: its issues, its saved summary, and the replays of a run of runs.

    `redacted` are the outcomes, by scenario and assertion, that could not be judged anew, as words were taken out; the
    suite is not `whole` where they were taken out of its text, whose digest can then not be checked.
    """

    run: str
    issues: tuple[Issue, ...]
    saved: Mapping[str, Any]
    children: tuple[Replay, ...] = ()
    redacted: tuple[tuple[str, str], ...] = ()
    whole: bool = True

    @property
    def valid(self) -> bool:
        """Whether nothing speaks against the run or any of its children."""
        return not self.issues and all(child.valid for child in self.children)


def unseen(_: Report) -> None:
    """Shows nothing."""


def replay(path: Path, show: Show = unseen) -> Replay:
    """The replay of a run directory or of its ZIP; `show` gets each suite's report as it was judged anew.

    InvalidInput where there is none to read.
    """
    with opened(path) as files:
        return replay_files(files, show)


def replay_files(files: Files, show: Show = unseen, depth: int = DEPTH) -> Replay:
    """The same of a run whose files are at hand."""
    run = SavedRun(files)
    if not run.begun:
        names = ", ".join(list(FILES.values())[1:])
        inner = next(run.children(), None)
        right = f"; {quote(inner)} in it is one, name that" if inner else ""
        raise InvalidInput(Problem(files.place, 0, 0, f"is no run directory: it holds none of {names}{right}"))
    summary: dict[str, Any] = {}
    try:
        summary = run.summary()
        return parent(run, summary, show, depth) if "children" in summary else single(run, summary, show)
    except Damaged as damage:
        return Replay(files.place, damage.issues, summary)
    except AgentTestError as error:
        return Replay(files.place, tuple(Issue("suite-unreadable", str(each)) for each in error.problems), summary)
    except MALFORMED:  # digests may agree and yet the contents be none of ours
        return Replay(files.place, (Issue("malformed", "the files hold values that no run writes"),), summary)


def single(run: SavedRun, summary: Mapping[str, Any], show: Show) -> Replay:
    """One suite's run."""
    changed = tuple(run.file_issues(summary))
    if changed:
        return Replay(run.files.place, changed, summary)
    report, issues = rejudge(run, summary)
    show(replace(report, directory=None))
    redacted = tuple((judged.scenario.id, name) for judged in report.scenarios for name in judged.redacted)
    whole = report.suite is None or report.suite.whole
    return Replay(run.files.place, issues, summary, redacted=redacted, whole=whole)


def parent(run: SavedRun, summary: Mapping[str, Any], show: Show, depth: int) -> Replay:
    """A run of runs: each child that was saved, and the digest over all."""
    if depth == 0:
        raise Damaged(Issue("children", f"runs of runs lie in each other more than {DEPTH} deep"))
    listed = [entry for entry in summary["children"] if entry.get("directory") is not None]
    children = tuple(replay_child(run.files, entry, show, depth - 1) for entry in listed)
    own = tuple(run.file_issues(summary)) or tuple(count_issues(run, summary))
    return Replay(run.files.place, (*own, *parent_issues(summary)), summary, children)


def replay_child(files: Files, entry: Mapping[str, Any], show: Show, depth: int) -> Replay:
    """One child's replay, held against what the parent says of it."""
    name = entry["directory"]
    try:
        if name != PurePosixPath(name).name or name in ("", "..") or files.kind(name) == "link":
            return Replay(files.place, (Issue("child-place", f"{quote(name)} is no plain folder of the run"),), {})
        if files.kind(name) != "folder":
            said = f"{files.place}/{name}: does not exist; use the whole run directory"
            return Replay(f"{files.place}/{name}", (Issue("child-missing", said),), {})
        found = replay_files(files.inside(name), show, depth)
    except (InvalidInput, OSError) as error:
        return Replay(f"{files.place}/{name}", (Issue("child-missing", str(error)),), {})
    differing = [key for key in ENDING if found.saved and found.saved[key] != entry[key]]
    if "suite" in found.saved and found.saved["suite"] != entry["suite"]:
        differing.append("suite")
    more = tuple(Issue("child-differs", f"{key} is not what the parent's summary.json says") for key in differing)
    return replace(found, issues=(*found.issues, *more))


def parent_issues(summary: Mapping[str, Any]) -> Iterator[Issue]:
    """The parent's own digest and verdict against what it says of its children."""
    listed = summary["children"]
    if summary["evidence_digest"] != digest_of([entry["evidence_digest"] for entry in listed]):
        yield Issue("digest", "evidence_digest in summary.json is not that of the children")
    worst = Status.worst(Status(entry["status"]) for entry in listed)
    reasons = {entry["reason"] for entry in listed if entry["status"] == worst}
    if summary["status"] != worst or summary["reason"] not in reasons:
        said = f"summary.json says {quote(summary['status'])}, {quote(summary['reason'])}"
        yield Issue("status", f"{said}; the children make it {str(worst)!r}")
    if summary.get("exit_code") != worst.exit_code:
        yield Issue("disagreement", "exit_code in summary.json is not that of its status")
    for entry in listed:
        if entry["status"] == Status.PASS and entry.get("directory") is None:
            yield Issue("child-missing", f"{quote(entry['suite'])} is said to pass, but its run was not saved")


def unlisted(run: SavedRun, name: str) -> Issue:
    """What is said of a child that the summary does not list: a suite that was broken off, or one that is no part."""
    if run.files.kind(f"{name}/{FILES['summary']}") == "nothing":
        return Issue("unfinished", f"{quote(name)} was not finished, so the run is incomplete")
    return Issue("child-unlisted", f"{quote(name)} is not listed")


def count_issues(run: SavedRun, summary: Mapping[str, Any]) -> Iterator[Issue]:
    """No child is left out: each directory is listed and, where nothing was selected, each suite is."""
    listed = summary["children"]
    names = {entry["directory"] for entry in listed}
    yield from (unlisted(run, name) for name in run.children() if name not in names)
    state = run.json(STATE)
    if state["run_id"] != summary["run_id"]:
        yield Issue("disagreement", "the files do not agree on run_id")
    yield from call_issues(run, state, listed)
    whole = not state["asked"] and "shard" not in state
    interrupted = any(entry["reason"] == Reason.INTERRUPTED for entry in listed)
    if whole and not interrupted and len(state["suites"]) != len([entry for entry in listed if entry["suite"]]):
        yield Issue("child-unlisted", "summary.json does not list a child for each suite in state.json")


def call_issues(run: SavedRun, state: Mapping[str, Any], listed: Sequence[Mapping[str, Any]]) -> Iterator[Issue]:
    """Each child is of the shard and of the selection that the call asked for."""
    shard, asked = shard_of(state), state["asked"]
    given = {key: state[key] for key in NARROWED if key in state}
    for entry in listed:
        own = state_of(run, entry)
        if own is None:
            continue
        mine = own.get("selection", own)
        narrowed = {**mine, "strict": own.get("strict")}
        alike = all(narrowed.get(key) == value for key, value in given.items())
        if shard_of(own) != shard or (asked and mine["asked"] != asked) or not alike:
            yield Issue("disagreement", f"{quote(entry['directory'])} is of another shard or selection than state.json")


def state_of(run: SavedRun, entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """The inputs of a child; None where it has none that can be read, which its own replay says."""
    try:
        return None if entry["directory"] is None else SavedRun(run.files.inside(entry["directory"])).json(STATE)
    except (Damaged, InvalidInput, OSError, ValueError):
        return None


def as_text(found: Replay) -> str:
    """Whether the run is valid, and why not."""
    return "".join(f"{one_line(line)}\n" for line in lines(found))


def every(found: Replay) -> Iterator[Replay]:
    """A replay and all that lie in it."""
    yield found
    for child in found.children:
        yield from every(child)


def lines(found: Replay) -> Iterator[str]:
    """All issues, and the closing line."""
    for each in every(found):
        yield from (f"{each.run}: {issue.message}" for issue in each.issues)
        yield from (f"redacted, not re-evaluated: {scenario} {name}" for scenario, name in each.redacted)
        if not each.whole:
            yield f"redacted, not checked: {each.run}: that the saved suite is the one whose digest it bears"
    saved = found.saved
    verdict = f"the saved verdict, {saved['status']} ({saved['reason']})," if saved else "the run"
    if found.valid:
        kept = all(each.whole and not each.redacted for each in every(found))
        but = "" if kept else " that can be made anew"
        yield f"valid: {verdict} stands; every file, digest and decision{but} agrees"
    else:
        yield f"not valid: {verdict} cannot be relied on; run it again: agenttest test{''.join(suites_of(saved))}"


def suites_of(saved: Mapping[str, Any]) -> Iterator[str]:
    """The paths of the run's suites as arguments, as far as they are known and few."""
    named = [entry.get("suite") for entry in (saved, *saved.get("children", ()))]
    paths = [path for path in named if isinstance(path, str) and path]
    yield from (f" {shlex.quote(path)}" for path in paths[:SUITES])
    yield from [" …"] * (len(paths) > SUITES)


def as_json(found: Replay) -> str:
    """The replay as a JSON document."""
    return spread(document(found))


def document(found: Replay) -> dict[str, Any]:
    """`{ok, run, status, reason, evidence_digest, issues: [{code, message}], not_reevaluated?, children?}`."""
    own: dict[str, Any] = {key: found.saved.get(key) for key in ENDING}
    own |= {"ok": found.valid, "run": found.run}
    own["issues"] = [{"code": issue.code, "message": issue.message} for issue in found.issues]
    if found.redacted:
        own["not_reevaluated"] = [{"scenario": scenario, "assertion": name} for scenario, name in found.redacted]
    if not found.whole:
        own["not_checked"] = ["suite digest"]
    return own | ({"children": [document(child) for child in found.children]} if found.children else {})
