"""What a step says while it runs: a log that folds, annotations within the runner's number, and a summary that fits."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenttest.files import Project
from tests.action.job import Done, Job
from tests.e2e import desk
from tests.github import api_service
from tests.github.api_service import FORBIDDEN, TOKEN, Line, Service
from tests.github.results_service import ResultsService, answers

SHOWN = 10  # annotations of each level in one step
SUMMARY_LIMIT = 1 << 20


@pytest.fixture
def service() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def many(folder: Path, suites: int, scenarios: int, response: str = "no") -> str:
    """Contracts of many scenarios, half of them violated and half not proven, each for a reason of its own."""
    for suite in range(suites):
        rows = [f"  - {{id: s{n}, prompt: x, expect: {{response: {{contains: ['é{n}']}}}}}}" for n in range(scenarios)]
        (folder / f"many{suite}.yml").write_text("version: 1\nagent: {}\nscenarios:\n" + "\n".join(rows) + "\n")
        seen = [{"id": f"s{n}", "response": response, "response_complete": n % 2 == 0} for n in range(scenarios)]
        recording = json.dumps({"version": 1, "scenarios": seen})
        (folder / f"many{suite}.observations.json").write_text(recording)
    return "many*.yml"


def levels(done: Done) -> Counter[str]:
    return Counter(each.name for each in done.commands if each.name in {"error", "warning", "notice"})


def on_a_pull_request(job: Job, service: Service, more: dict[str, str] | None = None, **inputs: str) -> Done:
    found = api_service.context(service.url, job.side)
    given = {"github-token": TOKEN, **{name.replace("_", "-"): word for name, word in inputs.items()}}
    return job.run(given, **{**{name: found.value(name) for name in found.variables}, **(more or {})})


def unfolded(log: str) -> str:
    """What is seen of a log while its groups are closed."""
    seen, folds = [], 0
    for line in log.split("\n"):
        folds += line.startswith("::group::") - line.startswith("::endgroup::")
        seen += [] if folds else [line]
    return "\n".join(seen)


def test_each_suite_is_a_group_and_every_group_is_closed(job: Job) -> None:
    done = job.run({"suite": many(job.workspace, 3, 4)})

    assert ["group", "endgroup"] * 3 == [each.name for each in done.folds]
    assert [f"many{n}.yml  4 scenarios, 4 assertions" for n in range(3)] == [each.data for each in done.folds[::2]]


def test_what_is_violated_is_seen_and_what_is_kept_is_folded_away(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    desk.lay(job.workspace, desk.KEPT, "other")

    seen = unfolded(job.run({"suite": "desk.yml\nother.yml"}).log)

    assert "FAIL  the forbidden 'pay_refund' was called once" in seen
    assert "3 assertions kept" not in seen
    assert "pass (kept, exit 0)" in seen


def test_no_level_has_more_annotations_than_the_runner_shows(job: Job) -> None:
    done = job.run({"suite": many(job.workspace, 3, 40)})

    assert {"error": SHOWN, "warning": SHOWN} == levels(done)
    assert ["51 more like these; see the job summary and the run directory"] * 2 == [
        [each.data for each in done.commands if each.name == level][-1] for level in ("error", "warning")
    ]


@pytest.mark.parametrize("word", ["auto", "always"])
def test_our_own_annotations_count_among_them(job: Job, service: Service, word: str) -> None:
    suite = many(job.workspace, 12, 20)
    service.script = [Line("GET", "comments", 403, FORBIDDEN), Line("POST", "check-runs", 403, FORBIDDEN)]
    with ResultsService() as artifacts:
        artifacts.faults["CreateArtifact"] = [answers(403)]
        wanted = {"comment": "always", "check_run": "true", "upload_artifact": word}
        done = on_a_pull_request(job, service, artifacts.variables, suite=suite, **wanted)

    assert {"error": SHOWN, "warning": SHOWN, "notice": 1} == levels(done)
    own = [each.data for each in done.commands if not each.properties]
    assert 1 == sum("the artifact was not uploaded" in said for said in own)
    assert 1 == sum("pull-requests: write" in said for said in own)


def test_refusals_of_many_comments_leave_room_for_the_contracts_lines(job: Job, service: Service) -> None:
    suite = many(job.workspace, 12, 20)
    service.script = [Line("POST", "comments", 422, {"message": f"Validation failed {n}"}, times=1) for n in range(12)]

    done = on_a_pull_request(job, service, suite=suite, comment="always")

    warnings = [each for each in done.commands if each.name == "warning"]
    assert SHOWN == len(warnings)
    assert 4 == sum("Validation failed" in each.data for each in warnings)
    assert 10 == sum(done.log.count(f"Validation failed {n};") for n in range(12))


def test_what_is_refused_the_same_way_twice_is_said_once(job: Job, service: Service) -> None:
    for stem in ("one", "two"):
        desk.lay(job.workspace, desk.KEPT, stem)
    service.script = [Line("POST", "comments", 422, {"message": "Validation failed"})]

    done = on_a_pull_request(job, service, suite="*.yml", comment="always")

    assert {"warning": 1} == levels(done)


def test_a_check_run_takes_all_that_annotations_do_not_show(job: Job, service: Service) -> None:
    done = on_a_pull_request(job, service, suite=many(job.workspace, 1, 200), check_run="true")

    assert (1, {}) == (done.exit_code, levels(done))
    (check,) = service.checks
    assert {"failure": 100, "warning": 100} == Counter(each["annotation_level"] for each in check["annotations"])


def test_a_file_is_read_once_for_all_its_annotations(
    job: Job, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    reading = Project.read

    def noted(self: Project, name: str, limit: int) -> bytes:
        read.append(name)
        return reading(self, name, limit)

    suite = many(job.workspace, 1, 200)
    monkeypatch.setattr(Project, "read", noted)
    on_a_pull_request(job, service, suite=suite, check_run="true")

    assert 2 == read.count("many0.yml")


@pytest.mark.parametrize("before", [0, 600_000, 1_040_000])
def test_a_summary_of_everything_is_within_the_limit(job: Job, service: Service, before: int) -> None:
    suite = many(job.workspace, 8, 250, "漢" * 900)
    (job.side / "summary").write_text("x" * before)
    with ResultsService() as artifacts:
        wanted = {"comment": "always", "check_run": "true", "upload_artifact": "always"}
        done = on_a_pull_request(job, service, artifacts.variables, suite=suite, **wanted)

    assert 1 == done.exit_code
    assert SUMMARY_LIMIT >= len(done.summary.encode())
    assert "8 suites" in done.summary[before:]


def test_the_closing_line_is_always_there(job: Job) -> None:
    desk.lay(job.workspace, desk.CUT_SHORT)

    done = job.run({"suite": "desk.yml", "fail-on": "fail"})

    run = done.outputs["run-directory"]
    assert f"agenttest: incomplete (missing-evidence, exit 2); saved in {run}\nthe step exits 0, as fail-on asks\n" in (
        done.log
    )


@pytest.mark.parametrize("message", ["::error::forged", "##[error]forged", "\n::stop-commands::forged\n", "a" * 9000])
def test_nothing_that_a_server_says_is_obeyed(job: Job, service: Service, message: str) -> None:
    words: dict[str, Any] = {"message": message}
    service.script = [Line("GET", "comments", 422, words), Line("POST", "check-runs", 422, words)]
    with ResultsService() as artifacts:
        artifacts.faults["CreateArtifact"] = [answers(400, json.dumps({"code": message, "msg": message}))]
        desk.lay(job.workspace, desk.BROKEN)
        wanted = {"comment": "always", "check_run": "true"}
        done = on_a_pull_request(job, service, artifacts.variables, suite="desk.yml", **wanted)

    assert {"error": 2, "warning": 2, "notice": 1} == levels(done)
    assert all(len(each.data) < 1000 for each in done.commands)
    assert "forged" not in done.summary
