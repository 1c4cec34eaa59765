"""What is uploaded lies in a real blob store as it was told, and GitHub's own client finds, checks and unpacks it."""

import random
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from agenttest.github import context
from agenttest.github.artifact import Artifact, upload
from agenttest.github.http import Answer, Client
from agenttest.github.results import NotUploaded, Service, service
from tests.e2e.artifact_client import Listed, download, found, listed
from tests.e2e.azurite import Azurite
from tests.github.results_service import ResultsService, sha256


@pytest.fixture(scope="module")
def store(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Azurite]:
    with Azurite(packages, tmp_path_factory.mktemp("azurite")) as running:
        yield running


@pytest.fixture
def server(store: Azurite) -> Iterator[ResultsService]:
    with ResultsService(store=store.address) as running:
        yield running


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Names with spaces and accents, and an empty file."""
    folder = tmp_path / "run-1"
    (folder / "traces").mkdir(parents=True)
    (folder / "summary.json").write_text('{"status": "pass"}')
    (folder / "traces" / "é ü.json").write_text("[]")
    (folder / "traces" / "empty.jsonl").touch()
    return folder


@pytest.fixture
def large(run: Path) -> Path:
    """The same, and three blocks that no compression makes smaller."""
    (run / "noise.bin").write_bytes(random.Random(7).randbytes(18 << 20))
    return run


class Twice(Client):
    """Sends each block again, as after an answer that was lost."""

    def request(self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None = None) -> Answer:
        if "comp=block&" in url:
            super().request(method, url, headers=headers, body=body)
        return super().request(method, url, headers=headers, body=body)


def uploaded(server: ResultsService, folder: Path, name: str, client: type[Client] = Client) -> Artifact:
    known = service(context.read(server.variables, Path("/here")))
    assert isinstance(known, Service)
    return upload(known, client({}, 100), folder, name, mask=lambda _: None)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_real_store_holds_the_bytes_whose_digest_is_told(store: Azurite, server: ResultsService, large: Path) -> None:
    told = uploaded(server, large, "stored")

    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(store.address("stored")) as answer:
        held = answer.read()
    assert ("application/zip", told.digest, told.size) == (answer.headers["Content-Type"], sha256(held), len(held))


def test_a_real_store_takes_blocks_that_are_sent_twice(server: ResultsService, large: Path, tmp_path: Path) -> None:
    told = uploaded(server, large, "twice", Twice)

    assert download(server.variables, int(told.id), tmp_path / "out", told.digest)
    assert contents(large) == contents(tmp_path / "out")


def test_a_real_store_refuses_another_signature(store: Azurite, run: Path) -> None:
    forged = ResultsService(store=lambda name: store.address(name).replace("sig=", "sig=A"))
    with forged as server, pytest.raises(NotUploaded) as caught:
        uploaded(server, run, "forged")

    said = "the artifact was not uploaded: the storage answered with status 403 (AuthorizationFailure)"
    assert said == caught.value.message


def test_githubs_own_client_lists_what_was_uploaded(server: ResultsService, run: Path) -> None:
    told = uploaded(server, run, "evidence")

    assert [Listed(int(told.id), "evidence", 0, told.digest)] == listed(server.variables)


def test_githubs_own_client_finds_it_by_its_name(server: ResultsService, run: Path) -> None:
    told = uploaded(server, run, "by name")

    assert told.digest == found(server.variables, "by name").digest


@pytest.mark.parametrize("camel", [False, True])
def test_githubs_own_client_unpacks_the_very_files(store: Azurite, run: Path, tmp_path: Path, camel: bool) -> None:
    with ResultsService(store=store.address, camel=camel) as server:
        told = uploaded(server, run, f"unpacked {camel}")

        assert download(server.variables, int(told.id), tmp_path / "out", told.digest)

    assert contents(run) == contents(tmp_path / "out")


def test_githubs_own_client_sees_another_digest(server: ResultsService, run: Path, tmp_path: Path) -> None:
    told = uploaded(server, run, "other")

    assert not download(server.variables, int(told.id), tmp_path / "out", sha256(b""))
