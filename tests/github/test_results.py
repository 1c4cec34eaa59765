"""The environment says where artifacts go, or it is said why they go nowhere; a question is answered or refused."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.github import context
from agenttest.github.http import Client
from agenttest.github.results import NotUploaded, Service, Unavailable, ask, backend_ids, service
from tests.github import results_service as fake
from tests.github.results_service import JOB, RUN, ResultsService

JOB_VARIABLES = {"ACTIONS_RESULTS_URL": "https://results.example:8443/a/b?c", "ACTIONS_RUNTIME_TOKEN": fake.token()}


def found(variables: dict[str, str], *, always: bool = False) -> Service | Unavailable:
    return service(context.read(variables, Path("/here")), always=always)


def test_a_jobs_service_is_at_the_origin_of_its_address() -> None:
    assert Service("https://results.example:8443", fake.token(), RUN, JOB) == found(JOB_VARIABLES)


def test_nothing_of_the_token_is_shown() -> None:
    shown = repr(found(JOB_VARIABLES))

    assert "Service(origin='https://results.example:8443', longest=None)" == shown


@pytest.mark.parametrize(("said", "expected"), [("90", 90), ("0", None), ("", None), ("-1", None), ("x", None)])
def test_the_repository_says_how_long_an_artifact_is_kept(said: str, expected: int | None) -> None:
    kept = found({**JOB_VARIABLES, "GITHUB_RETENTION_DAYS": said})

    assert isinstance(kept, Service)
    assert expected == kept.longest


@pytest.mark.parametrize(
    "server", ["", "https://github.com", "https://GitHub.com/", "https://octo.ghe.com", "http://github.localhost:3000"]
)
def test_githubs_own_servers_take_artifacts(server: str) -> None:
    assert isinstance(found({**JOB_VARIABLES, "GITHUB_SERVER_URL": server}), Service)


ENTERPRISE = ["https://ghes.example", "https://ghe.com", "https://github.com.evil.example", "https://xgithub.com", "no"]


@pytest.mark.parametrize("server", ENTERPRISE)
def test_an_enterprise_server_takes_none(server: str) -> None:
    refusal = found({**JOB_VARIABLES, "GITHUB_SERVER_URL": server})

    assert isinstance(refusal, Unavailable)
    assert "actions/upload-artifact@v3-node20` and `path: ${{ steps.ID.outputs.run-directory }}`" in refusal.remedy
    assert "Gitea or Forgejo set `upload-artifact: always`" in refusal.remedy


@pytest.mark.parametrize("server", ENTERPRISE)
def test_who_insists_is_believed(server: str) -> None:
    assert isinstance(found({**JOB_VARIABLES, "GITHUB_SERVER_URL": server}, always=True), Service)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("ACTIONS_RUNTIME_TOKEN", "", "ACTIONS_RUNTIME_TOKEN is not set"),
        ("ACTIONS_RESULTS_URL", "", "ACTIONS_RESULTS_URL is no address"),
        ("ACTIONS_RESULTS_URL", "results.example", "ACTIONS_RESULTS_URL is no address"),
    ],
)
def test_outside_a_jobs_actions_there_is_no_service(variable: str, value: str, said: str) -> None:
    refusal = found({**JOB_VARIABLES, variable: value})

    assert isinstance(refusal, Unavailable)
    assert f"nothing can be uploaded here: {said}" == refusal.message
    assert "not to `run:` steps" in refusal.remedy


def unsigned(claims: Any) -> str:
    return f"x.{base64.urlsafe_b64encode(json.dumps(claims).encode()).decode()}.x"


NO_TOKENS = [
    "opaque",
    "a.b.c",
    "a.!!!!.c",
    "a..c",
    unsigned([]),
    unsigned({}),
    unsigned({"scp": 1}),
    unsigned({"scp": ""}),
    unsigned({"scp": "Actions.Results:1"}),
    unsigned({"scp": "Actions.Results:1:2:3 Other:1:2"}),
    f"x.{base64.urlsafe_b64encode(b'[' * 100_000).decode()}.x",
]


@pytest.mark.parametrize("token", NO_TOKENS)
def test_a_token_that_names_no_job_is_refused_and_not_shown(token: str) -> None:
    refusal = found({**JOB_VARIABLES, "ACTIONS_RUNTIME_TOKEN": token})

    assert isinstance(refusal, Unavailable)
    assert "ACTIONS_RUNTIME_TOKEN does not say which run and job it is for" in refusal.message
    assert token not in f"{refusal}"


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_is_a_token_or_none(token: str) -> None:
    assert None is backend_ids(token) or "." in token


def test_act_numbers_its_jobs() -> None:
    assert ("1", "2") == backend_ids(fake.token("Actions.Results:1:2"))


@pytest.fixture
def server() -> Iterator[ResultsService]:
    with ResultsService() as running:
        yield running


def asked(server: ResultsService, pauses: list[float] | None = None) -> dict[str, Any]:
    known = found(server.variables)
    assert isinstance(known, Service)
    waits = [] if pauses is None else pauses
    return dict(ask(known, Client({}, 100, sleep=waits.append), "CreateArtifact", {"name": "a", "version": 4}))


def refused(server: ResultsService) -> NotUploaded:
    with pytest.raises(NotUploaded) as caught:
        asked(server)
    return caught.value


def test_a_question_names_the_job(server: ResultsService) -> None:
    asked(server)

    (seen,) = server.requests
    assert {
        "workflow_run_backend_id": RUN,
        "workflow_job_run_backend_id": JOB,
        "name": "a",
        "version": 4,
    } == seen.fields


def test_a_question_is_asked_with_the_token(server: ResultsService) -> None:
    asked(server)

    headers = server.requests[0].headers
    assert (f"Bearer {server.token}", "application/json") == (headers["authorization"], headers["content-type"])


def test_a_busy_service_is_asked_again(server: ResultsService) -> None:
    pauses: list[float] = []
    server.faults["CreateArtifact"] = [fake.says(503, "busy"), fake.says(429, "slow down")]

    assert asked(server, pauses)["ok"]
    assert 3.0 == pauses[0]
    assert 4.5 <= pauses[1] < 6.75


@pytest.mark.parametrize("fault", [fake.answers(200, "garbage"), fake.answers(502, "<html>"), fake.closes])
def test_an_answer_that_is_none_is_asked_for_again(server: ResultsService, fault: fake.Fault) -> None:
    server.faults["CreateArtifact"] = [fault]

    assert asked(server)["ok"]
    assert 2 == len(server.requests)


@pytest.mark.parametrize(
    "body", ["garbage", "", "[]", "null", b"\xff", b"[" * 100_000, b"9" * 5000, '"' + "x" * 100_000 + '"']
)
def test_garbage_to_the_end_is_refused(server: ResultsService, body: str | bytes) -> None:
    server.faults["CreateArtifact"] = [fake.answers(200, body)] * 5

    assert (
        "the artifact was not uploaded: CreateArtifact was answered with status 200, "
        "but with nothing that the artifact service would say"
    ) == refused(server).message


@pytest.mark.parametrize("body", ["{}", '{"ok": false}', '{"ok": "yes"}', '{"msg": 7}'])
def test_an_answer_that_is_not_ok_is_no_success(server: ResultsService, body: str) -> None:
    server.faults["CreateArtifact"] = [fake.answers(200, body)]

    assert "status 200" in refused(server).message


@pytest.mark.parametrize("status", [402, 403, 429, 500])
def test_a_full_storage_is_not_asked_again(server: ResultsService, status: int) -> None:
    server.faults["CreateArtifact"] = [fake.says(status, "Insufficient Usage to create artifact")]

    said = refused(server)

    assert "the artifact was not uploaded: the account's storage for artifacts is full" == said.message
    assert "`retention-days`" in said.remedy


def test_a_name_that_is_taken_is_not_asked_for_again(server: ResultsService) -> None:
    asked(server)

    said = refused(server)

    assert "the artifact was not uploaded: the run has one with this name already" == said.message
    assert "give each job and each step its own `artifact-name`" == said.remedy
    assert 2 == len(server.requests)


def test_a_name_that_an_earlier_try_took_is_told_apart(server: ResultsService) -> None:
    server.faults["CreateArtifact"] = [fake.does_and_loses_the_answer]

    assert refused(server).message.endswith("already (perhaps by a first try of this step, whose answer was lost)")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 412])
def test_another_refusal_is_told_once(server: ResultsService, status: int) -> None:
    server.faults["CreateArtifact"] = [fake.says(status, "no such\nthing")]

    said = f"the artifact was not uploaded: CreateArtifact was answered with status {status}: no such\\nthing"
    assert said == refused(server).message


def test_a_place_without_the_service_is_asked_once(server: ResultsService) -> None:
    server.faults["CreateArtifact"] = [fake.answers(404, "404 page not found")]

    said = refused(server)

    assert "the artifact was not uploaded: CreateArtifact was answered with status 404" == said.message
    assert "upload the run directory with a step of its own, as this server knows no such service" == said.remedy


def test_a_redirect_is_not_followed(server: ResultsService) -> None:
    server.faults["CreateArtifact"] = [fake.answers(302, "moved", Location=f"{server.origin}/elsewhere")]

    assert "the artifact was not uploaded: CreateArtifact was answered with status 302" == refused(server).message
    assert 1 == len(server.requests)


def test_a_token_that_the_service_repeats_is_not_shown(server: ResultsService) -> None:
    server.faults["CreateArtifact"] = [fake.says(401, f"the token {server.token} has ended")]

    said = refused(server)

    assert "status 401: the token *** has ended" in said.message
    assert server.token not in f"{said!r}{said.__context__!r}"


def test_a_service_that_cannot_be_reached_is_named(server: ResultsService) -> None:
    server.__exit__()

    said = refused(server)

    assert "the artifact was not uploaded: 127.0.0.1 cannot be reached: connection refused" == said.message
    assert "HTTPS_PROXY and SSL_CERT_FILE" in said.remedy


def test_a_huge_answer_is_refused(server: ResultsService) -> None:
    server.faults["CreateArtifact"] = [fake.answers(200, bytes(9 << 20))]

    assert "the artifact was not uploaded: 127.0.0.1 answered with more than 8 MiB" == refused(server).message


def test_a_failed_upload_says_what_and_what_to_do() -> None:
    assert "it failed; try again" == str(NotUploaded("it failed", "try again"))
