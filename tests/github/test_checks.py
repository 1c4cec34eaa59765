"""A check run: never green before its end, filled page by page, and honest where a page is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agenttest.github.checks import Check, Conclusion, NotPosted, Posted, conclusion, post
from agenttest.model import Status
from tests.github import api_service
from tests.github.api_service import FORBIDDEN, HEAD, Line, Service, api


@pytest.fixture
def service() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def check(count: int = 0) -> Check:
    return Check("agenttest (desk)", Conclusion.FAILURE, "title", "summary", [{"path": str(n)} for n in range(count)])


@pytest.mark.parametrize(("count", "pages"), [(0, 1), (1, 1), (50, 1), (51, 2), (500, 10)])
def test_annotations_go_in_pages_of_50(service: Service, tmp_path: Path, count: int, pages: int) -> None:
    post(api(service, tmp_path), check(count))

    assert [str(n) for n in range(count)] == [each["path"] for each in service.checks[0]["annotations"]]
    assert ["POST", *["PATCH"] * pages] == service.methods


def test_it_is_in_progress_until_the_last_page(service: Service, tmp_path: Path) -> None:
    post(api(service, tmp_path), check(120))

    states = [(each.document.get("status"), each.document.get("conclusion")) for each in service.asked]
    assert [("in_progress", None), (None, None), (None, None), ("completed", "failure")] == states


def test_it_is_on_the_head_of_the_pull_request(service: Service, tmp_path: Path) -> None:
    post(api(service, tmp_path), check())

    made = service.checks[0]
    expected = ("agenttest (desk)", HEAD, "https://github.com/o/r/actions/runs/77")
    assert expected == (made["name"], made["head_sha"], made["details_url"])


def test_title_and_summary_go_with_every_page(service: Service, tmp_path: Path) -> None:
    post(api(service, tmp_path), check(120))

    outputs = [each.document["output"] for each in service.asked]
    assert [("title", "summary")] * 4 == [(each["title"], each["summary"]) for each in outputs]


def test_where_all_is_well_nothing_is_said(service: Service, tmp_path: Path) -> None:
    assert Posted() == post(api(service, tmp_path), check(120))


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_without_the_permission_one_notice_names_it(service: Service, tmp_path: Path, status: int) -> None:
    service.script = [Line("POST", "check-runs", status, FORBIDDEN)]

    expected = (
        f"no check run: the API answered {status}: Resource not accessible by integration; "
        "give the job the permission checks: write"
    )
    assert NotPosted(expected) == post(api(service, tmp_path), check())
    assert 1 == len(service.asked)


@pytest.mark.parametrize("answer", [{}, [], None, {"id": "7"}])
def test_a_check_run_without_a_number_is_none(service: Service, tmp_path: Path, answer: object) -> None:
    service.script = [Line("POST", "check-runs", 201, answer)]

    assert NotPosted("no check run: the API made a check run and did not say which") == post(
        api(service, tmp_path), check()
    )


def test_without_a_token_nothing_is_asked(service: Service, tmp_path: Path) -> None:
    found = post(api(service, tmp_path, **{"INPUT_GITHUB-TOKEN": ""}), check())

    assert (NotPosted("no check run: there is no github-token"), []) == (found, service.asked)


def test_without_a_commit_nothing_is_asked(service: Service, tmp_path: Path) -> None:
    found = post(api(service, tmp_path, {}, GITHUB_SHA=""), check())

    assert (NotPosted("no check run: it is not known which commit was judged"), []) == (found, service.asked)


def test_a_page_that_is_refused_is_left_out_and_told_of(service: Service, tmp_path: Path) -> None:
    service.script = [Line("PATCH", "check-runs", 422, {"message": "odd"}, times=1)]

    found = post(api(service, tmp_path), check(120))

    made = service.checks[0]
    assert Posted("the check run lacks 50 annotations: the API answered 422: odd") == found
    assert (70, "completed", "failure") == (len(made["annotations"]), made["status"], made["conclusion"])
    assert made["output"]["summary"].startswith("GitHub did not take 50 of the annotations; ")


def test_a_last_page_that_is_refused_leaves_it_completed(service: Service, tmp_path: Path) -> None:
    service.script = [Line("PATCH", "check-runs", 422, {"message": "odd"}, times=1)]

    found = post(api(service, tmp_path), check(7))

    assert Posted("the check run lacks 7 annotations: the API answered 422: odd") == found
    assert ("completed", "failure", 0) == tuple(
        service.checks[0][name] if name != "annotations" else len(service.checks[0][name])
        for name in ("status", "conclusion", "annotations")
    )


def test_a_check_run_that_cannot_be_completed_is_as_good_as_none(service: Service, tmp_path: Path) -> None:
    service.script = [Line("PATCH", "check-runs", 500)]

    found = post(api(service, tmp_path), check(7))

    expected = "the check run was made but could not be completed: the API answered 500"
    assert (NotPosted(expected), "in_progress") == (found, service.checks[0]["status"])


@pytest.mark.parametrize(
    ("status", "exit_code", "expected"),
    [
        (Status.PASS, 0, "success"),
        (Status.FAIL, 1, "failure"),
        (Status.INCOMPLETE, 2, "failure"),
        (Status.FAIL, 0, "neutral"),
        (Status.INCOMPLETE, 0, "neutral"),
        (Status.PASS, 2, "failure"),
    ],
)
def test_it_is_as_red_as_the_step_and_green_for_a_pass_only(status: Status, exit_code: int, expected: str) -> None:
    assert expected == conclusion(status, exit_code)
