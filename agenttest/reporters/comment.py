"""`Report` → a suite's comment on a pull request: verdict, what changed, causes, and how to see it for oneself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from agenttest import __version__
from agenttest.github.jobs import Job
from agenttest.github.mark import Mark, key, remembered
from agenttest.model import Outcome, Scenario, Status
from agenttest.quote import many
from agenttest.report import Report
from agenttest.reporters import entries, scenarioentries
from agenttest.reporters.fetching import Foot, evidence
from agenttest.reporters.gfm import code
from agenttest.reporters.github import Place
from agenttest.reporters.markdown import counts, headline
from agenttest.reporters.parts import PLACES, Entry, Part, bullets, bytes_of
from agenttest.reporters.standing import file_of, spared, tells_gates
from agenttest.reporters.standing import named as asserted

MOST = 60_000  # bytes; GitHub takes 65,536 characters, and however it counts them, there are no more than bytes
SLACK = 8_000  # bytes of the headline and of the commands
SHORT_COMMIT = 7
MOVES = ("broke", "no longer proven", "mended", "new", "gone")

Locate = Callable[[str, int], Place | None]


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
        if self.judged or self.directory is not None:
            yield from evidence(self.directory, foot)


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
    free = f"; {spared(report)}" if spared(report) else ""
    said = f"{counts(found)}{at}{free}" if found else f"No scenario was judged{at}"
    verdict = headline(report.status, report.verdict.reason, gated=tells_gates(report))
    return f"## {verdict} · {code(report.path)}{part}\n\n{said}"


def body(report: Report, named: entries.Name, room: int) -> str:
    """What is wrong and what is not proven, whole entries in so many bytes; the earlier ones have first claim."""
    texts = []
    for part, found in (
        (Part("Problems", "problem"), entries.problems(report)),
        (Part("Violations", "cause"), entries.violations(report, named)),
        (Part("Not proven", "cause"), entries.unproven(report, named)),
        (Part("Tolerated", "cause", open_to=0), scenarioentries.tolerated(report, named)),
        (Part("Gates", "gate", open_to=0), scenarioentries.gates(report)),
        (Part("Warnings", "warning", open_to=0), scenarioentries.warnings(report)),
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

    def named(report: Report, scenario: Scenario, outcome: Outcome) -> str:
        path, line = file_of(report, scenario), outcome.assertion.line
        if path not in known:
            known[path] = locate(path, line) is not None
        place = code(f"{path}:{line}")
        url = job.line(path, line) if known[path] else ""
        linked = f"[{place}]({url})" if url else place
        return f"{linked} {code(scenario.id)} {code(asserted(outcome.assertion))}"

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


def closing(digest: str, foot: Foot, more: int) -> Iterator[str]:
    """Which suites have no comment of their own, and what made this one."""
    page = foot.job.page
    if more:
        place = f"the [job summary]({page})" if page else "the job summary"
        yield f"{many(more, 'more suite')}: see {place}.\n"
    run = f" · [this run]({page})" if page else ""
    yield f"agenttest {__version__}{run}{f' · evidence digest {code(digest)}' if digest else ''}"
