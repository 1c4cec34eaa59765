"""A saved run's directory → whether it is valid: every file against its digest, every decision made anew."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from agenttest.errors import AgentTestError, InvalidInput, Problem
from agenttest.jsontext import spread
from agenttest.quote import one_line, quote
from agenttest.report import FILES, digest_of
from agenttest.reporters.text import render
from agenttest.savedrun import Damaged, Issue, SavedRun
from agenttest.verify import rejudge

SUITES = 5


@dataclass(frozen=True, slots=True)
class Replay:
    """What replaying one run came to: its issues, what its summary says, and of a run of runs the children's replays."""

    run: str
    issues: tuple[Issue, ...]
    saved: Mapping[str, Any]
    text: str = ""
    children: tuple[Replay, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether nothing speaks against the run or any of its children."""
        return not self.issues and all(child.valid for child in self.children)


def replay(folder: Path) -> Replay:
    """The replay of a run directory; InvalidInput where there is none to read."""
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise InvalidInput(Problem(str(folder), 0, 0, f"{what}; name a run directory, such as .agenttest/runs/RUN"))
    saved = SavedRun(folder)
    if not saved.begun:
        raise InvalidInput(
            Problem(str(folder), 0, 0, f"is no run directory: it holds none of {', '.join(list(FILES.values())[1:])}")
        )
    try:
        summary = saved.summary()
    except Damaged as damage:
        return Replay(str(folder), damage.issues, {})
    return parent(saved, summary) if "children" in summary else single(saved, summary)


def single(saved: SavedRun, summary: Mapping[str, Any]) -> Replay:
    """One suite's run."""
    issues = [*saved.file_issues(summary)]
    text = ""
    if not issues:
        try:
            report, found = rejudge(saved, summary)
            issues, text = list(found), render(replace(report, directory=None))
        except Damaged as damage:
            issues = list(damage.issues)
        except AgentTestError as error:
            issues = [Issue("suite-unreadable", str(problem)) for problem in error.problems]
        except (AttributeError, KeyError, TypeError, ValueError):  # digests agree, yet the contents are not ours
            issues = [Issue("malformed", "the files agree with their digests, but hold values that no run writes")]
    return Replay(str(saved.folder), tuple(issues), summary, text)


def parent(saved: SavedRun, summary: Mapping[str, Any]) -> Replay:
    """A run of runs: each child that was saved, and the digest over all."""
    listed = [entry for entry in summary["children"] if isinstance(entry, dict)]
    children = tuple(replay_child(saved.folder, entry) for entry in listed if entry.get("directory") is not None)
    issues = (*saved.file_issues(summary), *parent_issues(summary, listed))
    return Replay(str(saved.folder), issues, summary, "", children)


def replay_child(folder: Path, entry: Mapping[str, Any]) -> Replay:
    """One child's replay, held against what the parent says of it."""
    name = str(entry["directory"])
    if name != PurePosixPath(name).name or name in (".", "..") or (folder / name).is_symlink():
        return Replay(
            str(folder / PurePosixPath(name).name),
            (Issue("child-place", f"{quote(name)} is no plain folder of the run"),),
            {},
        )
    try:
        found = replay(folder / name)
    except InvalidInput as error:
        return Replay(str(folder / name), (Issue("child-missing", str(error)),), {})
    differing = [
        key for key in ("status", "reason", "evidence_digest") if found.saved and found.saved.get(key) != entry.get(key)
    ]
    more = tuple(Issue("child-differs", f"{key} is not what the parent's summary.json says") for key in differing)
    return Replay(found.run, (*found.issues, *more), found.saved, found.text, found.children)


def parent_issues(summary: Mapping[str, Any], listed: list[dict[str, Any]]) -> Iterator[Issue]:
    """The parent's own digest and verdict against its children's."""
    if summary.get("evidence_digest") != digest_of([entry.get("evidence_digest") for entry in listed]):
        yield Issue("digest", "evidence_digest in summary.json is not that of the children")
    statuses = {str(entry.get("status")) for entry in listed}
    worst = "fail" if "fail" in statuses else "pass" if statuses == {"pass"} else "incomplete"
    if summary.get("status") != worst:
        yield Issue(
            "status", f"status in summary.json is {quote(summary.get('status'))}, the children make it {worst!r}"
        )


def as_text(found: Replay) -> str:
    """The replay for people: the saved report, then whether it is valid and why not."""
    shown = "".join(f"{child.text}\n" if child.text else "" for child in found.children) or (
        f"{found.text}\n" if found.text else ""
    )
    return shown + "".join(f"{one_line(line)}\n" for line in lines(found))


def lines(found: Replay) -> Iterator[str]:
    """The issues of a run and its children, and the closing line with the command that comes next."""
    for each in (found, *found.children):
        yield from (f"{each.run}: {issue.message}" for issue in each.issues)
    saved = found.saved
    verdict = f"the saved verdict, {saved['status']} ({saved.get('reason')})," if "status" in saved else "the run"
    if found.valid:
        yield f"valid: {verdict} stands; every file, digest and decision agrees"
    else:
        yield f"not valid: {verdict} cannot be relied on; run it again: agenttest test{''.join(suites_of(saved))}"


def suites_of(saved: Mapping[str, Any]) -> Iterator[str]:
    """The paths of the run's suites as arguments, as far as they are known and few."""
    children = saved.get("children")
    entries = [saved, *(children if isinstance(children, list) else [])]
    paths = [entry["suite"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("suite"), str)]
    yield from (f" {shlex.quote(path)}" for path in paths[:SUITES] if path)
    yield from ["…"] * (len(paths) > SUITES)


def as_json(found: Replay) -> str:
    """The replay as a JSON document."""
    return spread(document(found))


def document(found: Replay) -> dict[str, Any]:
    """`{ok, run, status, reason, evidence_digest, issues: [{code, message}], children?}`."""
    own: dict[str, Any] = {key: found.saved.get(key) for key in ("status", "reason", "evidence_digest")}
    own |= {"ok": found.valid, "run": found.run}
    own["issues"] = [{"code": issue.code, "message": issue.message} for issue in found.issues]
    return own | ({"children": [document(child) for child in found.children]} if found.children else {})
