"""`Report` → a suite's comment on a pull request: verdict, what changed, causes, and how to see it for oneself."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol

from agenttest import __version__
from agenttest.github.jobs import Job
from agenttest.github.mark import Mark, key, remembered
from agenttest.model import Outcome, Status
from agenttest.quote import one_line
from agenttest.report import Ending, Report
from agenttest.reporters import entries
from agenttest.reporters.gfm import code, fence
from agenttest.reporters.github import Place
from agenttest.reporters.markdown import counts, headline
from agenttest.reporters.parts import PLACES, Entry, Part, bullets, bytes_of, many

MOST = 60_000  # bytes; GitHub takes 65,536 characters, and however it counts them, there are no more than bytes
SLACK = 8_000  # bytes of the headline and of the commands
SHORT_COMMIT = 7
MOVES = ("broke", "no longer proven", "mended", "new", "gone")

Locate = Callable[[str, int], Place | None]


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


@dataclass(frozen=True, slots=True)
class Comment:
    """What one suite's comment says, but for what is known only when it is written."""

    status: Status
    head: str
    body: str
    mark: Mark
    directory: str | None
    digest: str
    judged: bool

    @property
    def short(self) -> Comment:
        """The verdict alone."""
        return replace(self, body="")

    def text(self, before: Mark | None, foot: Foot, more: int = 0) -> str:
        """The whole comment; `before` is what the comment told that it takes the place of, `more` the suites beside."""
        mark = self.mark if before is None or self.mark.scenarios is not None else replace(before, run=self.mark.run)
        said = f"{mark.line()}\n{self.head}", changed(before, self.mark), self.body
        proof, last = "\n".join(self.evidence(foot)), "\n".join(closing(self.digest, foot, more))
        whole = apart(*said, proof, last)
        return whole if bytes_of(whole) <= MOST else apart(*said, last)

    def evidence(self, foot: Foot) -> Iterator[str]:
        """Where the evidence is, and the commands that fetch and replay it; nothing where nothing was judged."""
        if self.directory is not None:
            yield from evidence(self.directory, foot)
        elif self.judged:
            yield "The evidence of this suite was not saved."


def draft(report: Report, job: Job, locate: Locate) -> Comment:
    """What a report's comment says. `locate` gives the place of a file in the repository, or None."""
    scenarios, whole = remembered({judged.scenario.id: judged.status for judged in report.scenarios})
    shard = str(report.shard or "")
    mark = Mark(key((report.path, shard, *job.place)), job.run, job.commit, scenarios, whole)
    if report.suite is None:
        mark = replace(mark, scenarios=None)
    room = MOST - SLACK - bytes_of(mark.line())
    return Comment(
        status=report.status,
        head=head(report, job),
        body=body(report, linked(job, locate), room),
        mark=mark,
        directory=report.directory,
        digest=report.evidence_digest or "",
        judged=report.suite is not None,
    )


def head(report: Report, job: Job) -> str:
    """The verdict, the counts, and which commit was judged."""
    found = Counter(judged.status for judged in report.scenarios)
    part = f", part {code(str(report.shard))}" if report.shard else ""
    at = f" at {code(job.commit[:SHORT_COMMIT])}" if job.commit else ""
    said = f"{counts(found)}{at}" if found else f"No scenario was judged{at}"
    return f"## {headline(report.status, report.verdict.reason)} · {code(report.path)}{part}\n\n{said}"


def body(report: Report, named: entries.Name, room: int) -> str:
    """What is wrong and what is not proven, whole entries in so many bytes; the earlier ones have first claim."""
    texts = []
    for part, found in (
        (Part("Problems", "problem"), entries.problems(report)),
        (Part("Violations", "cause"), entries.violations(report, named)),
        (Part("Not proven", "cause"), entries.unproven(report, named)),
    ):
        for entry in found:
            part.add(few(entry))
        text = part.text(room)
        room -= bytes_of(text)
        texts.append(text)
    return apart(*texts)


def few(entry: Entry) -> Entry:
    """An entry with no more places than are seen at once: a comment is short, and the run directory has them all."""
    if len(entry.names) <= PLACES:
        return entry
    places = f"{many(len(entry.names), 'place')}, the first {PLACES} of which are:"
    return Entry(f"{entry.head}\n{places}\n\n{bullets(entry.names[:PLACES])}\n", entry.message, [], entry.key)


def apart(*blocks: str) -> str:
    """The blocks that say something, with an empty line between them."""
    return "\n\n".join(block.rstrip("\n") for block in blocks if block)


def linked(job: Job, locate: Locate) -> entries.Name:
    """How a place is named: as a link to its line at the commit, where there is such a line."""
    known: dict[str, bool] = {}

    def named(report: Report, scenario: str, outcome: Outcome) -> str:
        path, line = report.path, outcome.assertion.line
        if path not in known:
            known[path] = locate(path, line) is not None
        place = code(f"{path}:{line}")
        url = job.line(path, line) if known[path] else ""
        return f"{f'[{place}]({url})' if url else place} {code(scenario)} {code(outcome.assertion.name)}"

    return named


def changed(before: Mark | None, now: Mark) -> str:
    """In one line what is not as the last comment told; nothing where there was none, or nothing can be compared."""
    if before is None or before.scenarios is None or now.scenarios is None:
        return ""
    same = before.commit and before.commit == now.commit
    since = "the last run of this commit" if same else code(before.commit[:SHORT_COMMIT]) if before.commit else ""
    moved = Counter(filter(None, (move(digest, before, now) for digest in {**before.scenarios, **now.scenarios})))
    found = [(moved[word], word) for word in MOVES if moved[word]]
    if not found:
        return f"Since {since or 'the last run'}: nothing changed"
    (count, word), *rest = found
    said = [f"{many(count, 'scenario')} {word}", *(f"{count:,} {word}" for count, word in rest)]
    return f"Since {since or 'the last run'}: {', '.join(said)}"


def move(digest: str, before: Mark, now: Mark) -> str:
    """What became of a scenario."""
    was, is_now = before.status(digest), now.status(digest)
    if was is is_now:
        return ""
    if was is None:
        return "new"
    return {None: "gone", Status.FAIL: "broke", Status.PASS: "mended", Status.INCOMPLETE: "no longer proven"}[is_now]


def evidence(directory: str, foot: Foot) -> Iterator[str]:
    """Where the evidence is, and the commands that fetch and replay it."""
    if foot.artifact is None:
        yield f"The evidence was not uploaded; it lies in {code(directory)} on the runner. There it is replayed by:\n"
        yield fence(f"agenttest replay {quoted(directory)}")
        return
    url = foot.job.artifact(foot.artifact.id)
    name = one_line(foot.artifact.name)
    title = f"[{code(name)}]({url})" if url else code(name)
    if foot.job.page:
        yield f"Fetch the evidence, which is the artifact {title}, and check every decision again:\n"
        fetched = f"gh run download {foot.job.run} --repo {foot.job.remote} --name {quoted(name)} --dir evidence"
        yield fence(f"{fetched}\nagenttest replay {quoted(inside(directory, foot.ending))}")
    else:
        yield f"Download the run's artifact {title}, unpack it as `evidence`, and check every decision again:\n"
        yield fence(f"agenttest replay {quoted(inside(directory, foot.ending))}")


def inside(directory: str, ending: Ending) -> str:
    """Where the suite's own directory lies in what is fetched: of a run of several it is one of the folders."""
    whole, own = PurePosixPath(ending.directory or directory), PurePosixPath(directory)
    within = own.relative_to(whole) if own.is_relative_to(whole) else PurePosixPath()
    return str("evidence" / within)


def quoted(word: str) -> str:
    """A word for a shell, on one line."""
    return shlex.quote(one_line(word))


def closing(digest: str, foot: Foot, more: int) -> Iterator[str]:
    """Which suites have no comment of their own, and what made this one."""
    page = foot.job.page
    if more:
        place = f"the [job summary]({page})" if page else "the job summary"
        yield f"{many(more, 'more suite')}: see {place}.\n"
    run = f" · [this run]({page})" if page else ""
    yield f"agenttest {__version__}{run}{f' · evidence digest {code(digest)}' if digest else ''}"
