"""A step on a pull request: its comment and its check run, and no verdict that hangs on them."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.action.job import Done, Job
from tests.e2e import desk
from tests.github import api_service
from tests.github.api_service import FORBIDDEN, TOKEN, Line, Service


@pytest.fixture
def service() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def step(job: Job, service: Service, observed: dict[str, Any] = desk.BROKEN, **inputs: str) -> Done:
    """Run the step in a pull request's job."""
    desk.lay(job.workspace, observed)
    found = api_service.context(service.url, job.side)
    given = {
        "suite": "desk.yml",
        "github-token": TOKEN,
        **{name.replace("_", "-"): word for name, word in inputs.items()},
    }
    return job.run(given, **{name: found.value(name) for name in found.variables})


def levels(done: Done) -> list[str]:
    return [each.name for each in done.commands if each.name in {"error", "warning", "notice"}]


def test_a_step_writes_one_comment_and_renews_it(job: Job, service: Service) -> None:
    step(job, service)

    step(job, service, desk.KEPT)

    (body,) = service.bodies
    assert "## ✅ The agent keeps its contract · `desk.yml`" == body.split("\n")[1]
    assert "Since the last run of this commit: 1 scenario mended" in body.split("\n")


def test_without_the_permission_a_step_is_as_it_was(job: Job, service: Service) -> None:
    service.script = [Line("GET", "comments", 403, FORBIDDEN)]
    never = step(job, service, comment="never")

    done = step(job, service)

    assert (1, levels(never), never.outputs["status"]) == (done.exit_code, levels(done), done.outputs["status"])
    assert "Resource not accessible" not in done.log


def test_a_comment_that_must_be_warns_where_it_cannot(job: Job, service: Service) -> None:
    service.script = [Line("GET", "comments", 403, FORBIDDEN)]

    done = step(job, service, comment="always")

    assert 1 == done.exit_code
    (warning,) = [each for each in done.commands if each.name == "warning"]
    assert warning.data.endswith("give the job the permission pull-requests: write")


def test_a_check_run_takes_the_place_of_annotations(job: Job, service: Service) -> None:
    done = step(job, service, check_run="true")

    assert (1, []) == (done.exit_code, levels(done))
    assert [("desk.yml", "failure")] * 2 == [
        (a["path"], a["annotation_level"]) for a in service.checks[0]["annotations"]
    ]
    assert "failure" == service.checks[0]["conclusion"]


def test_without_its_permission_annotations_take_the_place_of_a_check_run(job: Job, service: Service) -> None:
    service.script = [Line("POST", "check-runs", 403, FORBIDDEN)]

    done = step(job, service, check_run="true")

    assert (1, ["error", "error", "notice"]) == (done.exit_code, sorted(levels(done)))
    (notice,) = [each for each in done.commands if each.name == "notice"]
    assert notice.data.endswith("give the job the permission checks: write")


@pytest.mark.parametrize("status", [401, 404])
def test_no_token_is_ever_seen(job: Job, service: Service, status: int) -> None:
    service.script = [Line(method, "/", status, {"message": f"Bearer {TOKEN}"}) for method in ("GET", "POST")]

    done = step(job, service, comment="always", check_run="true")

    assert TOKEN not in done.log + done.summary + "".join(done.outputs.values())


def test_a_step_is_done_where_nothing_answers(job: Job) -> None:
    done = step(job, Service("http://127.0.0.1:9"), comment="always", check_run="true")

    assert (1, ["error", "error", "notice", "warning"]) == (done.exit_code, sorted(levels(done)))
