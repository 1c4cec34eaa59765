"""A step's comments and its check run on a pull request, against a service of our own."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from agenttest.errors import Problem
from agenttest.github.api import Api
from agenttest.github.checks import NotPosted, Posted
from agenttest.github.inputs import When
from agenttest.model import Shard
from agenttest.pullrequest import CheckRun, Comments, Said
from agenttest.report import Ending, Report, ending
from agenttest.reporters.fetching import Foot
from agenttest.reporters.markdown import Summary
from tests.github import api_service
from tests.github.api_service import FORBIDDEN, STRANGER, Line, Service, api
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report

GOOD, BAD, UNCLEAR = alike(PASS, 2), alike(FAIL, 2), alike(INCOMPLETE, 2)
PERMISSION = "give the job the permission pull-requests: write"


@dataclass(frozen=True, slots=True)
class Uploaded:
    name: str
    id: str


@pytest.fixture
def service() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def written(found: Api, *reports: Report, mode: When = When.AUTO, artifact: Uploaded | None = None) -> list[Said]:
    comments = Comments(mode, found.job)
    for each in reports:
        comments.add(each)
    return comments.write(found, Foot(found.job, ending(reports[0]), artifact))


def headlines(service: Service) -> list[str]:
    return [body.split("\n")[1] for body in service.bodies]


def test_a_suite_has_one_comment_through_all_runs(service: Service, tmp_path: Path) -> None:
    for run, found in (("77", GOOD), ("78", BAD), ("79", UNCLEAR), ("79", GOOD)):
        written(api(service, tmp_path, GITHUB_RUN_ID=run), found)

    assert ["## ✅ The agent keeps its contract · `desk.yml`"] == headlines(service)


@pytest.mark.parametrize("found", [GOOD, BAD, UNCLEAR, invalid(Problem("desk.yml", 1, 1, "is so"))])
def test_every_verdict_has_a_comment(service: Service, tmp_path: Path, found: Report) -> None:
    assert [] == written(api(service, tmp_path), found)
    assert 1 == len(service.comments)


def test_what_changed_since_the_last_commit_is_told(service: Service, tmp_path: Path) -> None:
    event = {"pull_request": {"number": 5, "head": {"sha": "9f8e7d6c" * 5}}}
    written(api(service, tmp_path, event), GOOD)
    written(api(service, tmp_path), BAD)

    assert "Since `9f8e7d6`: 2 scenarios broke" in service.bodies[0].split("\n")


def test_a_scenario_of_a_new_name_is_new_and_the_old_gone(service: Service, tmp_path: Path) -> None:
    for name in ("old", "new"):
        written(api(service, tmp_path), report(judged(name, outcome(PASS))))

    assert "Since the last run of this commit: 1 scenario new, 1 gone" in service.bodies[0].split("\n")


def test_an_older_run_changes_no_newer_comment(service: Service, tmp_path: Path) -> None:
    written(api(service, tmp_path, GITHUB_RUN_ID="78"), GOOD)

    found = written(api(service, tmp_path, GITHUB_RUN_ID="77"), BAD, mode=When.ALWAYS)

    assert [Said("a newer run has commented on the pull request already", warning=False)] == found
    assert ["## ✅ The agent keeps its contract · `desk.yml`"] == headlines(service)


def test_a_run_that_is_not_known_is_not_older(service: Service, tmp_path: Path) -> None:
    written(api(service, tmp_path, GITHUB_RUN_ID="78"), GOOD)

    written(api(service, tmp_path, GITHUB_RUN_ID=""), BAD)

    assert ["## ❌ The agent breaks its contract · `desk.yml`"] == headlines(service)


def test_two_suites_have_two_comments_the_gravest_first(service: Service, tmp_path: Path) -> None:
    for _ in range(2):
        written(api(service, tmp_path), GOOD, replace(BAD, path="other.yml"))

    assert [
        "## ❌ The agent breaks its contract · `other.yml`",
        "## ✅ The agent keeps its contract · `desk.yml`",
    ] == headlines(service)


def test_two_jobs_do_not_fight_over_one_comment(service: Service, tmp_path: Path) -> None:
    for job, found in (("a", GOOD), ("b", BAD), ("a", GOOD), ("b", BAD)):
        written(api(service, tmp_path, GITHUB_JOB=job), found)

    assert 2 == len(service.comments)


def test_a_strangers_mark_is_not_believed(service: Service, tmp_path: Path) -> None:
    written(api(service, tmp_path), GOOD)
    service.comments[0]["user"] = dict(STRANGER)
    forged = service.bodies[0]

    written(api(service, tmp_path), BAD)

    assert (forged, 2, False) == (service.bodies[0], len(service.comments), "Since" in service.bodies[1])


@pytest.mark.parametrize("state", ["fail=AAA incomplete=. pass=.", "fail=? incomplete=? pass=?"])
def test_a_memory_that_is_garbage_is_none(service: Service, tmp_path: Path, state: str) -> None:
    import re

    written(api(service, tmp_path), GOOD)
    service.comments[0]["body"] = re.sub(r"fail=\S+ incomplete=\S+ pass=\S+", state, service.bodies[0])

    written(api(service, tmp_path), BAD)

    assert (1, False) == (len(service.comments), "Since" in service.bodies[0])


def test_ten_suites_have_comments_and_the_last_counts_the_others(service: Service, tmp_path: Path) -> None:
    good = [replace(GOOD, path=f"good{n}.yml") for n in range(11)]

    written(api(service, tmp_path), *good, BAD)

    assert 10 == len(service.comments)
    assert "## ❌ The agent breaks its contract · `desk.yml`" == headlines(service)[0]
    assert [False] * 9 + [True] == ["2 more suites: see the [job summary]" in body for body in service.bodies]


def test_a_suite_beyond_the_ten_keeps_the_comment_that_it_has(service: Service, tmp_path: Path) -> None:
    bad = [replace(BAD, path=f"bad{n}.yml") for n in range(10)]
    written(api(service, tmp_path), BAD)

    written(api(service, tmp_path), GOOD, *bad)

    assert (11, "## ✅ The agent keeps its contract · `desk.yml`") == (len(service.comments), headlines(service)[0])


def test_the_artifact_is_named_with_the_commands_that_fetch_it(service: Service, tmp_path: Path) -> None:
    written(api(service, tmp_path), BAD, artifact=Uploaded("proof", "4242"))

    assert "gh run download 77 --repo o/r --name proof --dir proof-77 &&" in service.bodies[0].split("\n")


@pytest.mark.parametrize(("mode", "count"), [(When.AUTO, 0), (When.ALWAYS, 1), (When.NEVER, 0)])
def test_a_part_of_a_suite_is_left_to_the_job_that_joins_all(
    service: Service, tmp_path: Path, mode: When, count: int
) -> None:
    found = written(api(service, tmp_path), replace(BAD, shard=Shard(1, 3)), mode=mode)

    assert ([], count) == (found, len(service.comments))


def test_never_asks_nothing(service: Service, tmp_path: Path) -> None:
    assert ([], []) == (written(api(service, tmp_path), BAD, mode=When.NEVER), service.asked)


def test_what_is_of_no_suite_has_no_comment(service: Service, tmp_path: Path) -> None:
    assert ([], []) == (written(api(service, tmp_path), invalid(path="")), service.asked)


@pytest.mark.parametrize("mode", [When.AUTO, When.ALWAYS])
@pytest.mark.parametrize("status", [401, 403, 404, 422])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_without_the_permission_only_always_warns(
    service: Service, tmp_path: Path, method: str, status: int, mode: When
) -> None:
    service.script = [Line(method, "comments", status, FORBIDDEN)]

    found = written(api(service, tmp_path), BAD, mode=mode)

    said = f"the API answered {status}: Resource not accessible by integration; {PERMISSION}"
    assert [Said(f"no comment on the pull request: {said}", mode is When.ALWAYS)] == found


@pytest.mark.parametrize("mode", [When.AUTO, When.ALWAYS])
@pytest.mark.parametrize(
    ("event", "more", "why"),
    [
        ({}, {}, "this event has no pull request"),
        (None, {"INPUT_GITHUB-TOKEN": ""}, "there is no github-token"),
        (None, {"GITHUB_API_URL": ""}, "there is no GITHUB_API_URL"),
    ],
)
def test_where_there_is_nothing_to_comment_on_only_always_warns(
    service: Service, tmp_path: Path, event: Any, more: dict[str, str], why: str, mode: When
) -> None:
    found = written(api(service, tmp_path, event, **more), BAD, mode=mode)

    assert [Said(f"no comment on the pull request: {why}", mode is When.ALWAYS)] == found
    assert [] == service.asked


@pytest.mark.parametrize("line", [Line("GET", "comments", 500), Line("GET", "comments", 200, raw=b"<")])
def test_a_broken_api_is_told_of(service: Service, tmp_path: Path, line: Line) -> None:
    service.script = [line]

    (found,) = written(api(service, tmp_path), BAD)

    assert (True, False) == (found.text.startswith("no comment on the pull request: the API answered"), found.warning)


def test_an_api_that_cannot_be_reached_is_told_of(tmp_path: Path) -> None:
    (found,) = written(api(Service("http://127.0.0.1:9"), tmp_path), BAD)

    assert found.text.startswith("no comment on the pull request: 127.0.0.1 cannot be reached")


def test_a_refusal_for_all_is_told_once(service: Service, tmp_path: Path) -> None:
    service.script = [Line("POST", "comments", 403, FORBIDDEN)]

    found = written(api(service, tmp_path), *(replace(BAD, path=f"{n}.yml") for n in range(5)))

    assert (1, ["GET", "POST"]) == (len(found), service.methods)


def test_a_refusal_of_one_comment_leaves_the_others(service: Service, tmp_path: Path) -> None:
    service.script = [Line("POST", "comments", 422, {"message": "odd"}, times=1)]

    found = written(api(service, tmp_path), *(replace(BAD, path=f"{n}.yml") for n in range(3)))

    assert (1, 2) == (len(found), len(service.comments))


def posted(found: Api, end: Ending, exit_code: int, *reports: Report) -> Posted | NotPosted:
    check, summary = CheckRun(), Summary()
    for each in reports:
        check.add(each)
        summary.add(each)
    return check.post(found, end, summary, exit_code)


def test_a_check_run_tells_of_all_suites(service: Service, tmp_path: Path) -> None:
    assert Posted() == posted(api(service, tmp_path), ending(BAD), 1, BAD, replace(UNCLEAR, path="other.yml"))

    (made,) = service.checks
    expected = ("agenttest (contracts)", "failure", "❌ The agent breaks its contract")
    assert expected == (made["name"], made["conclusion"], made["output"]["title"])
    assert ["desk.yml", "desk.yml", "other.yml", "other.yml"] == [each["path"] for each in made["annotations"]]
    assert made["output"]["summary"].startswith("## ❌ The agent breaks its contract")


def test_a_check_run_is_neutral_where_the_step_is_spared(service: Service, tmp_path: Path) -> None:
    posted(api(service, tmp_path), ending(BAD), 0, BAD)

    assert "neutral" == service.checks[0]["conclusion"]


def test_a_check_run_without_its_permission_names_it(service: Service, tmp_path: Path) -> None:
    service.script = [Line("POST", "check-runs", 403, FORBIDDEN)]

    found = posted(api(service, tmp_path), ending(BAD), 1, BAD)

    assert isinstance(found, NotPosted)
    assert found.notice.endswith("give the job the permission checks: write")
