"""A folder becomes an artifact whose bytes have the digest that is told, under a name that is its own."""

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.github import artifact as module
from agenttest.github import context
from agenttest.github.artifact import Artifact, artifact_name, expiry, masks, name_problem, upload, url
from agenttest.github.http import Client
from agenttest.github.results import NotUploaded, Service, service
from agenttest.model import Shard
from tests.github import results_service as fake
from tests.github.proxy import Proxy
from tests.github.results_service import SIGNATURE, ResultsService


@pytest.fixture
def server() -> Iterator[ResultsService]:
    with ResultsService() as running:
        yield running


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run-1"
    (folder / "traces").mkdir(parents=True)
    (folder / "summary.json").write_text("{}")
    (folder / "traces/é ü.json").write_text("[]")
    (folder / ".env").write_text("TOKEN=x")
    return folder


def known(server: ResultsService) -> Service:
    found = service(context.read(server.variables, Path("/here")))
    assert isinstance(found, Service)
    return found


def uploaded(server: ResultsService, folder: Path, name: str = "evidence", days: int | None = None) -> Artifact:
    client = Client({}, 100, sleep=lambda _: None)
    return upload(known(server), client, folder, name, retention_days=days, mask=lambda _: None)


def refused(server: ResultsService, folder: Path) -> NotUploaded:
    with pytest.raises(NotUploaded) as caught:
        uploaded(server, folder)
    return caught.value


@pytest.mark.parametrize("camel", [False, True])
def test_what_is_stored_is_what_is_told(run: Path, camel: bool) -> None:
    with ResultsService(camel=camel) as server:
        told = uploaded(server, run)

    stored = server.artifacts["evidence"]
    assert ("4242", "evidence", fake.sha256(stored.data)) == (told.id, told.name, told.digest)
    assert (len(stored.data or b""), told.digest) == (told.size, stored.digest)


def test_what_is_stored_is_a_whole_archive(server: ResultsService, run: Path) -> None:
    uploaded(server, run)

    with zipfile.ZipFile(io.BytesIO(server.artifacts["evidence"].data or b"")) as stored:
        assert None is stored.testzip()
        assert ["summary.json", "traces/é ü.json"] == stored.namelist()


def test_equal_folders_have_equal_digests(server: ResultsService, run: Path) -> None:
    assert uploaded(server, run, "one").digest == uploaded(server, run, "two").digest


def test_what_is_left_out_is_told(server: ResultsService, run: Path) -> None:
    assert "2 files, left out: 1 that may hold secrets (.env)" == str(uploaded(server, run).archived)


def test_the_service_is_asked_in_the_form_that_all_servers_take(server: ResultsService, run: Path) -> None:
    uploaded(server, run)

    fields = server.asked("CreateArtifact")[0].fields
    assert ({"name": "evidence", "version": 4}) == {name: fields[name] for name in fields if "backend" not in name}


def test_each_step_of_an_upload_is_done_once(server: ResultsService, run: Path) -> None:
    uploaded(server, run)

    seen = [fake.kind(each.target) for each in server.requests]
    assert ["CreateArtifact", "block", "blocklist", "FinalizeArtifact"] == seen


@pytest.mark.parametrize(("days", "longest", "expected"), [(5, None, 5), (5, 90, 5), (90, 30, 30)])
def test_an_artifact_is_kept_no_longer_than_the_repository_allows(
    server: ResultsService, run: Path, days: int, longest: int | None, expected: int
) -> None:
    limited, before = replace(known(server), longest=longest), datetime.now(UTC)

    upload(limited, Client({}, 100), run, "evidence", retention_days=days, mask=lambda _: None)

    kept = datetime.fromisoformat(server.artifacts["evidence"].expires_at or "") - before
    assert expected == round(kept.total_seconds() / 86400)


def test_a_moment_is_written_as_the_service_reads_it() -> None:
    assert "2027-01-05T03:04:05Z" == expiry(30, datetime(2026, 12, 6, 3, 4, 5, 678, tzinfo=UTC))


def test_secrets_are_masked_before_the_address_is_used(server: ResultsService, run: Path) -> None:
    order: list[str] = []
    server.faults["block"] = [lambda handler: (order.append("sent"), handler.reply(500, b""))[1]]

    upload(known(server), Client({}, 100, sleep=lambda _: None), run, "evidence", mask=order.append)

    assert [server.token, SIGNATURE, "aB/0+c+d9xYz==", "sent"] == order


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://a/b?sig=12345678", ["12345678"]),
        ("https://a/b?sig=1234567%20&x=1", ["1234567%20", "1234567 "]),
        ("https://a/b?sig=12345678%0Ae", ["12345678%0Ae"]),
        ("https://a/b?sig=short&se=2026-01-01", []),
        ("https://a/b?signature=12345678", []),
        ("https://a/b", []),
    ],
)
def test_the_signature_is_masked_in_both_forms(address: str, expected: list[str]) -> None:
    assert ["token-of-the-job", *expected] == masks(address, "token-of-the-job")


@pytest.mark.parametrize("held", [[], [".env"], [".git"]])
def test_a_folder_without_files_takes_no_name(server: ResultsService, tmp_path: Path, held: list[str]) -> None:
    for name in held:
        (tmp_path / name).write_text("x")

    assert "holds 0 files" in refused(server, tmp_path).message
    assert [] == server.requests


def test_a_folder_that_cannot_be_read_takes_no_name(server: ResultsService, tmp_path: Path) -> None:
    said = refused(server, tmp_path / "gone")

    assert "the artifact was not uploaded: gone: changed while it was archived" in said.message
    assert [] == server.requests


@pytest.mark.parametrize("answer", ['{"ok": true}', '{"ok": true, "signed_upload_url": 7}', '{"ok":1}'])
def test_an_answer_without_an_address_is_refused(server: ResultsService, run: Path, answer: str) -> None:
    server.faults["CreateArtifact"] = [fake.answers(200, answer)]

    assert "the artifact was not uploaded: CreateArtifact" in refused(server, run).message


@pytest.mark.parametrize("address", ["", "/blob", "file:///etc/passwd", "http://", "https://a b/"])
def test_an_address_that_is_none_is_refused(server: ResultsService, run: Path, address: str) -> None:
    server.faults["CreateArtifact"] = [fake.answers(200, json.dumps({"ok": True, "signed_upload_url": address}))]

    assert "the artifact was not uploaded: CreateArtifact gave no address to upload to" == refused(server, run).message


@pytest.mark.parametrize("number", ['""', "null", '"x"', '"1\\n::error::x"', "true", "-1", '"' + "1" * 21 + '"'])
def test_a_number_that_is_none_is_refused(server: ResultsService, run: Path, number: str) -> None:
    server.faults["FinalizeArtifact"] = [fake.answers(200, f'{{"ok": true, "artifact_id": {number}}}')]

    assert "the artifact may not be whole: FinalizeArtifact gave it no number" == refused(server, run).message


def test_a_number_may_be_written_as_one(server: ResultsService, run: Path) -> None:
    server.faults["FinalizeArtifact"] = [fake.answers(200, '{"ok": true, "artifactId": 7}')]

    assert "7" == uploaded(server, run).id


def test_everything_may_go_by_a_proxy(server: ResultsService, run: Path) -> None:
    with Proxy(server.server.server_port) as proxy:
        client = Client({"HTTP_PROXY": f"http://{proxy.place}"}, 100)
        upload(known(server), client, run, "evidence", mask=lambda _: None)

    assert 4 == len(proxy.asked)
    assert server.artifacts["evidence"].digest == fake.sha256(server.artifacts["evidence"].data)


def test_the_end_of_the_time_is_told(server: ResultsService, run: Path) -> None:
    server.faults["block"] = [fake.hangs]

    with pytest.raises(NotUploaded) as caught:
        upload(known(server), Client({}, 0.5), run, "evidence", mask=lambda _: None)

    said = "the artifact was not uploaded: 127.0.0.1 gave no whole answer before the time was up"
    assert said == caught.value.message
    assert "with a step of its own where the way is slow" in caught.value.remedy


def test_an_interrupt_sends_nothing_more(server: ResultsService, run: Path) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        upload(known(server), Client({}, 100), run, "evidence", mask=interrupted)

    assert 1 == len(server.requests)


def test_an_artifacts_page_is_that_of_the_run() -> None:
    job = context.read({"GITHUB_REPOSITORY": "octo/desk", "GITHUB_RUN_ID": "77"}, Path("/here"))

    assert "https://github.com/octo/desk/actions/runs/77/artifacts/4242" == url(job, "4242")


def test_an_artifacts_page_is_on_the_runs_server() -> None:
    job = context.read(
        {"GITHUB_REPOSITORY": "o/d", "GITHUB_RUN_ID": "7", "GITHUB_SERVER_URL": "https://git.example/"}, Path("/here")
    )

    assert "https://git.example/o/d/actions/runs/7/artifacts/1" == url(job, "1")


MATRIX = '{"os": "linux", "python": 3.12}'


@pytest.mark.parametrize(
    ("given", "matrix", "shard", "expected"),
    [
        (None, "null", None, "agent-test-evidence"),
        ("agent-test-evidence", "{}", None, "agent-test-evidence"),
        (None, "", None, "agent-test-evidence"),
        (None, "garbage", None, "agent-test-evidence"),
        (None, "[1]", None, "agent-test-evidence"),
        (None, '"text"', None, "agent-test-evidence"),
        (None, MATRIX, None, "agent-test-evidence-f321dbbe"),
        ("agent-test-evidence", MATRIX, None, "agent-test-evidence-f321dbbe"),
        (None, "null", Shard(2, 3), "agent-test-evidence-2of3"),
        (None, MATRIX, Shard(2, 3), "agent-test-evidence-2of3-f321dbbe"),
        (None, '{"shard": 2}', Shard(2, 3), "agent-test-evidence-2of3"),
        (None, '{"shard": "2/3"}', Shard(2, 3), "agent-test-evidence-2of3"),
        (None, '{"shard": 1}', Shard(2, 3), "agent-test-evidence-2of3-74a59174"),
        ("mine", MATRIX, Shard(2, 3), "mine"),
    ],
)
def test_a_default_name_tells_the_jobs_of_a_run_apart(
    given: str | None, matrix: str, shard: Shard | None, expected: str
) -> None:
    assert expected == artifact_name(given, matrix, shard)


def test_the_order_of_a_matrix_does_not_matter() -> None:
    assert artifact_name(None, MATRIX, None) == artifact_name(None, '{"python":3.12,"os":"linux"}', None)


@given(st.text(), st.none() | st.integers(1, 9).map(lambda index: Shard(index, 9)))
def test_every_default_name_is_one_that_the_service_takes(matrix: str, shard: Shard | None) -> None:
    assert None is name_problem(artifact_name(None, matrix, shard))


@pytest.mark.parametrize("matrix", ["[" * 100_000, "9" * 5000, '{"a": "\\ud800"}'])
def test_a_strange_matrix_harms_nothing(matrix: str) -> None:
    assert artifact_name(None, matrix, None).startswith("agent-test-evidence")


@pytest.mark.parametrize("character", [*'":<>|*?\r\n\\/', "\x00", "\u202e", "\ud800"])
def test_a_character_that_the_service_refuses_is_a_problem(character: str) -> None:
    said = name_problem(f"my{character}name")

    assert said
    assert 'should hold none of " : < > | * ? \\ /' in said


@pytest.mark.parametrize("name", ["", " "])
def test_a_name_of_nothing_is_a_problem(name: str) -> None:
    assert "is empty; give the artifact a name" == name_problem(name)


@pytest.mark.parametrize("name", ["a", "my evidence", "é", "a.b-c_d", "名前"])
def test_a_name_of_letters_is_none(name: str) -> None:
    assert None is name_problem(name)


def test_the_version_is_the_one_that_all_servers_take() -> None:
    assert 4 == module.VERSION
