"""GitHub's REST API: what is asked and how often, what is said of a refusal, and no token in any text."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agenttest.github.api import Refused
from tests.github import api_service
from tests.github.api_service import FORBIDDEN, HEAD, TOKEN, Line, Service, api

FORK = {"workflow_run": {"event": "pull_request", "head_sha": HEAD, "head_branch": "a/b & c", "pull_requests": []}}
FORK["workflow_run"]["head_repository"] = {"owner": {"login": "stranger"}}


@pytest.fixture
def service() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def refusal(service: Service, folder: Path, method: str = "GET", **more: str) -> Refused:
    with pytest.raises(Refused) as found:
        api(service, folder, **more).call(method, "issues/5/comments?per_page=1&page=1", repeated=method == "GET")
    return found.value


def test_a_request_says_who_asks_and_which_version_is_meant(service: Service, tmp_path: Path) -> None:
    api(service, tmp_path).call("POST", "issues/5/comments", {"body": "x"})

    sent = service.asked[0].headers
    expected = ("application/vnd.github+json", "2022-11-28", f"Bearer {TOKEN}", "application/json")
    names = ("accept", "x-github-api-version", "authorization", "content-type")
    assert expected == tuple(sent[name] for name in names)


@pytest.mark.parametrize(
    ("variable", "thing"),
    [
        ("INPUT_GITHUB-TOKEN", "github-token"),
        ("GITHUB_API_URL", "GITHUB_API_URL"),
        ("GITHUB_REPOSITORY", "GITHUB_REPOSITORY"),
    ],
)
def test_what_is_missing_is_named(service: Service, tmp_path: Path, variable: str, thing: str) -> None:
    assert f"there is no {thing}" == api(service, tmp_path, **{variable: ""}).missing


def test_nothing_is_missing_in_a_job(service: Service, tmp_path: Path) -> None:
    assert "" == api(service, tmp_path).missing


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_a_refusal_has_the_words_of_the_api_and_is_asked_for_once(
    service: Service, tmp_path: Path, status: int
) -> None:
    service.script = [Line("GET", "comments", status, FORBIDDEN)]

    found = refusal(service, tmp_path)

    assert (status, True) == (found.status, found.forbidden)
    assert f"the API answered {status}: Resource not accessible by integration" == str(found)
    assert 1 == len(service.asked)


@pytest.mark.parametrize(
    "line",
    [
        Line("GET", "comments", 500, times=1),
        Line("GET", "comments", 503, times=2),
        Line("GET", "comments", 429, {"message": "x"}, {"Retry-After": "2"}, times=1),
        Line("GET", "comments", 403, {"message": "You have exceeded a secondary rate limit"}, times=1),
        Line("GET", "comments", 403, {"message": "x"}, {"Retry-After": "1"}, times=1),
        Line("GET", "comments", drop=True, times=1),
    ],
)
def test_a_busy_server_is_asked_again(service: Service, tmp_path: Path, line: Line) -> None:
    service.script = [line]

    assert [] == api(service, tmp_path).get("issues/5/comments?per_page=1&page=1").document


def test_the_server_says_how_long_to_wait(service: Service, tmp_path: Path) -> None:
    service.script = [Line("GET", "comments", 429, headers={"Retry-After": "7"}, times=1)]

    api(service, tmp_path).get("issues/5/comments?per_page=1&page=1")

    assert [7.0] == service.slept


def test_a_wait_beyond_the_end_is_not_waited(service: Service, tmp_path: Path) -> None:
    service.script = [Line("GET", "comments", 429, headers={"Retry-After": "3600"})]

    assert (429, []) == (refusal(service, tmp_path).status, service.slept)


@pytest.mark.parametrize("line", [Line("POST", "comments", 502), Line("POST", "comments", drop=True)])
def test_what_must_not_happen_twice_is_asked_for_once(service: Service, tmp_path: Path, line: Line) -> None:
    service.script = [line]

    assert (True, 1) == (refusal(service, tmp_path, "POST").unclear, len(service.asked))


@pytest.mark.parametrize("status", [301, 302, 307])
def test_no_redirect_is_followed(service: Service, tmp_path: Path, status: int) -> None:
    service.script = [Line("GET", "comments", status, headers={"Location": f"{service.url}/user"})]

    found = refusal(service, tmp_path)

    assert (status, ["GET"]) == (found.status, service.methods)
    assert "no redirect is followed" in str(found)


@pytest.mark.parametrize("raw", [b"<html>", b"\xff\xfe", b"[" * 100_000, b"9" * 5000 + b"x"])
def test_what_is_no_json_is_refused(service: Service, tmp_path: Path, raw: bytes) -> None:
    service.script = [Line("GET", "comments", 200, raw=raw)]

    assert "the API answered 200 with what is no JSON" == str(refusal(service, tmp_path))


def test_a_token_that_is_sent_back_is_not_shown(service: Service, tmp_path: Path) -> None:
    service.script = [Line("GET", "comments", 403, {"message": f"{'x' * 150} Bearer {TOKEN} {TOKEN}"})]

    assert TOKEN[:8] not in str(refusal(service, tmp_path))


def test_a_token_that_is_no_header_is_not_shown(service: Service, tmp_path: Path) -> None:
    found = refusal(service, tmp_path, **{"INPUT_GITHUB-TOKEN": f"{TOKEN}\r\nX-Forged: 1"})

    assert (0, False) == (found.status, TOKEN in str(found))


def test_an_error_shows_no_token_in_its_cause(service: Service, tmp_path: Path) -> None:
    service.script = [Line("POST", "comments", drop=True)]

    found = refusal(service, tmp_path, "POST")

    assert (True, None) == (found.__suppress_context__, found.__cause__)


def test_a_slow_server_is_left_at_the_end(service: Service, tmp_path: Path) -> None:
    service.script = [Line("GET", "comments", 200, [], seconds=600)]

    with pytest.raises(Refused, match="before the time was up"):
        api(service, tmp_path, seconds=0.3).get("issues/5/comments?per_page=1&page=1")


def test_an_address_where_nobody_listens_is_refused(tmp_path: Path) -> None:
    service = Service("http://127.0.0.1:9")

    assert (0, [3.0]) == (refusal(service, tmp_path).status, service.slept)


def test_an_address_where_nobody_listened_twice_is_not_asked_again(tmp_path: Path) -> None:
    service = Service("http://127.0.0.1:9")
    found = api(service, tmp_path)

    for _ in range(3):
        with pytest.raises(Refused, match="cannot be reached"):
            found.get("pulls")

    assert [3.0] == service.slept


def test_a_forks_pull_request_is_found_by_its_branch(service: Service, tmp_path: Path) -> None:
    label = "stranger:a/b & c"
    service.pulls = [
        {"number": 4, "head": {"label": label, "sha": "0" * 40}},
        {"number": 5, "head": {"label": label, "sha": HEAD}},
    ]

    assert 5 == api(service, tmp_path, FORK).pull_request()


@pytest.mark.parametrize("pulls", [[], {"message": "x"}, [{"number": "5", "head": {"sha": HEAD}}], [None], "x"])
def test_where_there_is_no_pull_request_at_the_commit_there_is_none(
    service: Service, tmp_path: Path, pulls: object
) -> None:
    service.script = [Line("GET", "/pulls", 200, pulls)]

    assert None is api(service, tmp_path, FORK).pull_request()


def test_graphql_tells_whom_an_apps_token_speaks_for(service: Service, tmp_path: Path) -> None:
    service.user = {"login": "our-app[bot]", "id": 9, "type": "Bot"}

    assert ("our-app[bot]", ["POST"]) == (api(service, tmp_path).login(), service.methods)


def test_a_forge_without_graphql_is_asked_by_rest(service: Service, tmp_path: Path) -> None:
    service.user = {"login": "gitea-actions", "id": -2}

    assert "gitea-actions" == api(service, tmp_path, GITHUB_GRAPHQL_URL="").login()


def test_the_token_goes_to_no_other_host_than_the_apis(service: Service, tmp_path: Path) -> None:
    found = api(service, tmp_path, GITHUB_GRAPHQL_URL="http://127.0.0.1:9/graphql").login()

    assert (None, ["GET"]) == (found, service.methods)


@pytest.mark.parametrize("answer", [{"data": None, "errors": []}, {"data": {"viewer": {"login": 7}}}, [], None, "x"])
def test_an_odd_answer_names_nobody(service: Service, tmp_path: Path, answer: object) -> None:
    service.script = [Line("POST", "graphql", 200, answer)]

    assert None is api(service, tmp_path).login()


def test_a_body_is_ascii_whatever_is_in_it(service: Service, tmp_path: Path) -> None:
    api(service, tmp_path).call("POST", "issues/5/comments", {"body": "漢😀\ud800"})

    assert json.dumps("漢😀\ud800") == json.dumps(service.bodies[0])
