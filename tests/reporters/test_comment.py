"""A suite's comment: what it says, within GitHub's bounds, with no word of an agent's that is more than shown."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import Problem
from agenttest.github import jobs, mark
from agenttest.github.context import read
from agenttest.github.jobs import Job
from agenttest.github.mark import MOST as REMEMBERED
from agenttest.model import Judged, Reason, Shard, Status
from agenttest.report import Ending, Report, ending
from agenttest.reporters.comment import MOST, Comment, draft
from agenttest.reporters.fetching import Foot
from agenttest.reporters.github import plain
from tests.github import hostile
from tests.reporters.live_markdown import live
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report
from tests.reporters.reports import hostile as hostile_reports

HEAD, OLD = "1a2b3c4d" * 5, "9f8e7d6c" * 5
LINK = re.compile(r"\[[^\]]*\]\(https://github\.com/o/r/(?:blob/[0-9a-f]{40}/[A-Za-z0-9/%._~-]+#L\d+|actions/[\w/]+)\)")


@dataclass(frozen=True, slots=True)
class Uploaded:
    name: str
    id: str = "4242"


def job(commit: str = HEAD, **more: str) -> Job:
    environment = {
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_RUN_ID": "77",
        "GITHUB_SHA": commit,
        "GITHUB_JOB": "contracts",
        **more,
    }
    return jobs.read(read(environment, Path()))


def comment(found: Report, at: Job | None = None) -> Comment:
    return draft(found, at or job(), plain)


def text(
    found: Report, artifact: Uploaded | None = None, end: Ending | None = None, before: Report | None = None
) -> str:
    was = comment(before, job(OLD)).mark if before else None
    return comment(found).text(was, Foot(job(), end or ending(found), artifact))


def change(before: Report, now: Report) -> str:
    return next((line for line in text(now, before=before).split("\n") if line.startswith("Since")), "")


def desk(**statuses: object) -> Report:
    return report(*(judged(name, outcome(status)) for name, status in statuses.items()))  # type: ignore[arg-type]


BROKEN = report(
    judged("calm", outcome(PASS)),
    judged(
        "refund",
        outcome(FAIL, "it is not so", 7, expected="safe", observed="90", difference="$.amount"),
        outcome(INCOMPLETE, "no tool calls were recorded", 9, remedy="record them"),
    ),
)

EXPECTED = f"""\
## ❌ The agent breaks its contract · `desk.yml`

**1 failed** · **1 passed** of 2 scenarios at `1a2b3c4`

Since `9f8e7d6`: 1 scenario broke, 1 new

### Violations (1)

#### `response.contains`

```text
it is not so
expected  'safe'
observed  '90'
differs   at $.amount
```

- [`desk.yml:7`](https://github.com/o/r/blob/{HEAD}/desk.yml#L7) `refund` `response.contains[0]`

### Not proven (1)

#### Evidence is missing

```text
no tool calls were recorded
to prove it  record them
```

- [`desk.yml:9`](https://github.com/o/r/blob/{HEAD}/desk.yml#L9) `refund` `response.contains[0]`

Fetch the evidence, which is the artifact [`proof`](https://github.com/o/r/actions/runs/77/artifacts/4242), and check \
every decision again:

```text
gh run download 77 --repo o/r --name proof --dir proof-77 &&
agenttest replay proof-77
```

Each scenario step by step: open `proof-77/report.html`.

agenttest VERSION · [this run](https://github.com/o/r/actions/runs/77)"""


def test_a_comment_says_what_broke_and_how_to_see_it() -> None:
    found = text(BROKEN, Uploaded("proof"), before=desk(refund=PASS))

    shown = re.sub(r"agenttest \d+\.\d+\.\d+", "agenttest VERSION", found.partition("\n")[2])
    assert EXPECTED == shown


def test_a_comment_begins_with_its_mark() -> None:
    found = mark.read(text(BROKEN))

    assert comment(BROKEN).mark == found


def test_a_pass_is_told_in_few_words() -> None:
    found = text(desk(a=PASS, b=PASS)).split("\n")

    assert "## ✅ The agent keeps its contract · `desk.yml`" == found[1]
    assert "**2 passed** of 2 scenarios at `1a2b3c4`" == found[3]


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (desk(a=PASS), desk(a=FAIL), "Since `9f8e7d6`: 1 scenario broke"),
        (desk(a=INCOMPLETE), desk(a=FAIL), "Since `9f8e7d6`: 1 scenario broke"),
        (desk(a=FAIL, b=INCOMPLETE), desk(a=PASS, b=PASS), "Since `9f8e7d6`: 2 scenarios mended"),
        (desk(a=PASS), desk(a=INCOMPLETE), "Since `9f8e7d6`: 1 scenario no longer proven"),
        (desk(a=PASS), desk(b=PASS), "Since `9f8e7d6`: 1 scenario new, 1 gone"),
        (desk(a=FAIL), desk(a=FAIL), "Since `9f8e7d6`: nothing changed"),
        (
            desk(a=PASS, b=FAIL, c=FAIL),
            desk(a=FAIL, b=PASS, c=PASS, d=PASS),
            "Since `9f8e7d6`: 1 scenario broke, 2 mended, 1 new",
        ),
    ],
)
def test_what_changed_is_told_in_one_line(before: Report, now: Report, said: str) -> None:
    assert said == change(before, now)


def test_a_first_comment_tells_of_no_change() -> None:
    assert "Since" not in text(BROKEN)


def test_a_second_run_of_a_commit_says_so() -> None:
    before = comment(desk(a=PASS)).mark

    found = comment(desk(a=FAIL)).text(before, Foot(job(), ending(BROKEN)))

    assert "Since the last run of this commit: 1 scenario broke" in found.split("\n")


def test_where_passes_are_not_remembered_none_is_new() -> None:
    many = {f"s{n}": PASS for n in range(REMEMBERED + 1)}

    assert "Since `9f8e7d6`: 1 scenario broke" == change(desk(**many), desk(**{**many, "s7": FAIL}))


def test_a_memory_of_nothing_tells_of_no_change() -> None:
    before = replace(comment(desk(a=PASS)).mark, scenarios=None)

    assert "Since" not in comment(desk(a=FAIL)).text(before, Foot(job(), ending(BROKEN)))


def test_a_suite_that_could_not_begin_keeps_what_was_remembered() -> None:
    was = comment(desk(a=FAIL), job(OLD)).mark

    found = comment(invalid(Problem("desk.yml", 3, 1, "is so"))).text(was, Foot(job(), ending(BROKEN)))

    assert was == mark.read(found)
    assert "Since" not in found
    assert "- `desk.yml:3:1` `is so`" in found


@pytest.mark.parametrize("more", [{"GITHUB_JOB": "other"}, {"INPUT_INTERNAL-MATRIX": '{"a": 1}'}])
def test_two_jobs_that_judge_one_suite_have_comments_of_their_own(more: dict[str, str]) -> None:
    assert comment(BROKEN).mark.key != comment(BROKEN, job(**more)).mark.key


def test_two_suites_have_comments_of_their_own() -> None:
    assert comment(BROKEN).mark.key != comment(replace(BROKEN, path="other.yml")).mark.key


def test_two_parts_have_comments_of_their_own() -> None:
    one, two = (replace(BROKEN, shard=Shard(n, 2)) for n in (1, 2))

    assert comment(one).mark.key != comment(two).mark.key
    assert "`desk.yml`, part `1/2`" in text(one)


def test_of_several_suites_each_names_its_own_folder() -> None:
    several = replace(BROKEN, directory="runs/1/0002-desk")

    found = text(several, Uploaded("proof"), Ending(FAIL, Reason.VIOLATION, "runs/1"))

    assert "agenttest replay proof-77/0002-desk" in found.split("\n")


def test_without_an_artifact_the_runners_folder_is_named() -> None:
    found = text(BROKEN).split("\n")

    assert (
        "The evidence was not uploaded; it lies in `agent-test-runs/1` on the runner. There it is replayed by:" in found
    )
    assert "agenttest replay agent-test-runs/1" in found


def test_what_was_not_saved_cannot_be_replayed() -> None:
    found = text(replace(BROKEN, directory=None), Uploaded("proof"))

    assert "The evidence of this suite was not saved." in found.split("\n")
    assert "agenttest replay" not in found


def test_of_what_was_not_judged_there_is_no_evidence() -> None:
    found = text(invalid(Problem("desk.yml", 3, 1, "is so")), Uploaded("proof"))

    assert "evidence" not in found.lower()


def test_each_suite_has_the_digest_of_its_own_evidence() -> None:
    several = replace(BROKEN, evidence_digest="a" * 64)

    found = text(several, end=Ending(FAIL, Reason.VIOLATION, "runs/1", "b" * 64))

    assert (True, False) == (f"evidence digest `{'a' * 64}`" in found, "b" * 64 in found)


def test_a_replayed_run_is_said_to_be_one() -> None:
    found = comment(replace(BROKEN, directory=None)).text(None, Foot(job(), ending(BROKEN), replayed=True))

    assert "A saved run, replayed: every file, digest and decision of it agrees." in found.split("\n")


def test_another_forge_has_no_gh() -> None:
    forge = job(GITEA_ACTIONS="true")

    found = comment(BROKEN, forge).text(None, Foot(forge, ending(BROKEN), Uploaded("proof")))

    assert ("gh run" in found, "](http" in found) == (False, False)
    assert "agenttest replay proof-77" in found.split("\n")


def test_names_are_quoted_for_the_shell() -> None:
    found = text(replace(BROKEN, directory="a b/`x`\nrm"), Uploaded("it's; rm -rf\n/"))

    name = "'it'\"'\"'s; rm -rf\\n/'"
    place = name.replace("/", "--77")
    assert f"gh run download 77 --repo o/r --name {name} --dir {place} &&" in found.split("\n")


def test_a_file_that_github_cannot_show_is_no_link() -> None:
    found = draft(BROKEN, job(), lambda path, line: None).text(None, Foot(job(), ending(BROKEN)))

    assert "- `desk.yml:7` `refund` `response.contains[0]`" in found.split("\n")


def test_failures_of_one_cause_stand_together() -> None:
    found = text(alike(FAIL, 30))

    assert 1 == found.count("```text\nit is so")
    assert "30 places, the first 10 of which are:" in found.split("\n")
    assert 10 == found.count("desk.yml#L")


@pytest.mark.parametrize("status", [FAIL, INCOMPLETE])
def test_a_cause_is_shown_however_many_places_it_has(status: Status) -> None:
    assert "10,000 places, the first 10 of which are:" in text(alike(status, 10_000)).split("\n")


def test_the_last_comment_counts_the_suites_beside() -> None:
    found = comment(BROKEN).text(None, Foot(job(), ending(BROKEN)), more=3)

    assert "3 more suites: see the [job summary](https://github.com/o/r/actions/runs/77)." in found.split("\n")


def different(count: int, said: str) -> list[Judged]:
    return [judged(f"s{n}{said}", outcome(FAIL, f"{n} {said}", expected=said, observed=said)) for n in range(count)]


@pytest.mark.parametrize("said", ["x" * 400, "漢" * 400, "😀" * 400, "`" * 400, "é\n" * 200])
def test_a_comment_is_within_githubs_bound_and_whole(said: str) -> None:
    found = text(report(*different(3000, said)), Uploaded("proof"))

    assert len(found.encode()) <= MOST
    assert "gh run download 77 --repo o/r --name proof --dir proof-77 &&" in found.split("\n")
    assert "more causes in the run directory" in live(found)


def test_folders_of_any_length_leave_room_for_the_verdict() -> None:
    found = text(replace(report(*different(3000, "x" * 400)), directory="'" * 20_000))

    assert len(found.encode()) <= MOST
    assert "## ❌ The agent breaks its contract · `desk.yml`" in found.split("\n")


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_word_of_an_agent_or_a_stranger_is_more_than_shown(texts: list[str]) -> None:
    for found in hostile_reports([f"{each}forged" for each in texts]):
        said = live(text(found, Uploaded("proof")).partition("\n")[2])

        assert [] == re.findall(r"forged|@team|<img|</details>[^\n]", LINK.sub("", said))
        assert "](" not in LINK.sub("", said)


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_path_ends_its_link(texts: list[str]) -> None:
    for found in hostile_reports(texts):
        links = re.findall(r"\]\(([^)\n]*)\)", live(text(found)))

        assert all(re.fullmatch(r"https://github\.com/o/r/[A-Za-z0-9/%._~#-]+", link) for link in links)
