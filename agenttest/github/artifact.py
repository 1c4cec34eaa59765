"""A folder → an artifact of the workflow run, that anyone who may read the run can download."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

from agenttest.archive import Archived, archive
from agenttest.errors import NotSaved
from agenttest.github.blob import Blob
from agenttest.github.commands import maskable
from agenttest.github.context import Context
from agenttest.github.http import Client, address
from agenttest.github.results import LATER, SERVER, NotUploaded, Service, ask, named
from agenttest.model import Json, Shard
from agenttest.quote import UNSEEN, quote

SECONDS = 120.0  # for all of an upload; a step must not hang on it
VERSION = 4  # 7 with `mime_type` is what GitHub's own client sends today; act takes no field that it does not know
ZIP = "application/zip"
NAME = "agent-test-evidence"
REFUSED = '"', ":", "<", ">", "|", "*", "?", "\r", "\n", "\\", "/"


@dataclass(frozen=True, slots=True)
class Artifact:
    """What was uploaded; `digest` is `sha256:` and the hash of the ZIP's bytes in hex, `size` their number."""

    id: str
    name: str
    digest: str
    size: int
    archived: Archived


def upload(
    service: Service,
    client: Client,
    folder: Path,
    name: str,
    *,
    retention_days: int | None = None,
    mask: Callable[[str], None],
) -> Artifact:
    """Upload the folder's files under a name that is new in this run; NotUploaded says why it could not be.

    `mask` is given every text that must not be seen in a log, before it is used. The artifact's name is taken only
    when the first block is full, so a small folder that cannot be read takes none.
    """

    secrets: list[str] = []

    def signed() -> str:
        url = created(service, client, name, retention_days)
        secrets.extend((url, *masks(url, service.token)))
        for secret in secrets[1:]:
            mask(secret)
        return url

    blob = Blob(client, signed, ZIP)
    try:
        archived = packed(folder, blob)
        digest = f"sha256:{blob.sha256.hexdigest()}"
        number = finalized(service, client, name, blob.size, digest)
    except NotUploaded as error:
        raise NotUploaded(without(error.message, secrets), error.remedy) from None
    return Artifact(number, name, digest, blob.size, archived)


def packed(folder: Path, blob: Blob) -> Archived:
    """The folder's files as a ZIP in the store."""
    try:
        archived = archive(folder, blob.add)
    except NotSaved as error:
        raise NotUploaded(f"the artifact was not uploaded: {error}", LATER) from None
    if not archived.files:
        raise NotUploaded(f"the artifact was not uploaded: {folder.name} holds {archived}", "name a folder with files")
    blob.finish()
    return archived


def without(said: str, secrets: Sequence[str]) -> str:
    """A server's words without what it may have been told."""
    for secret in secrets:
        said = said.replace(secret, "***")
    return said


def created(service: Service, client: Client, name: str, retention_days: int | None) -> str:
    """The signed address that the artifact's bytes go to."""
    fields: dict[str, Json] = {"name": name, "version": VERSION}
    if retention_days is not None:
        fields["expires_at"] = expiry(min(retention_days, service.longest or retention_days), datetime.now(UTC))
    url = named(ask(service, client, "CreateArtifact", fields), "signed_upload_url")
    if isinstance(url, str) and address(url):
        return url
    raise NotUploaded("the artifact was not uploaded: CreateArtifact gave no address to upload to", LATER)


def finalized(service: Service, client: Client, name: str, size: int, digest: str) -> str:
    """The id that the artifact has once the service knows that it is whole."""
    said = ask(service, client, "FinalizeArtifact", {"name": name, "size": str(size), "hash": digest})
    number = named(said, "artifact_id")
    shown = str(number) if isinstance(number, int) else number
    if isinstance(shown, str) and re.fullmatch("[0-9]{1,20}", shown):
        return shown
    raise NotUploaded("the artifact may not be whole: FinalizeArtifact gave it no number", LATER)


def expiry(days: int, now: datetime) -> str:
    """The moment after so many days, as the service reads it."""
    return (now + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def masks(signed_url: str, token: str) -> list[str]:
    """What no log may show: the token, and the signature as it is and as it reads."""
    pairs = [pair.partition("=") for pair in urlsplit(signed_url).query.split("&")]
    found = [token, *(text for key, _, value in pairs if key == "sig" for text in (value, unquote(value)))]
    return [text for text in dict.fromkeys(found) if maskable(text)]


def url(context: Context, artifact: str) -> str:
    """The page from which a browser downloads an artifact."""
    server = (context.value("GITHUB_SERVER_URL") or SERVER).rstrip("/")
    repository, run = context.value("GITHUB_REPOSITORY"), context.value("GITHUB_RUN_ID")
    return f"{server}/{repository}/actions/runs/{run}/artifacts/{artifact}"


def artifact_name(given: str | None, matrix_json: str, shard: Shard | None) -> str:
    """The artifact's name: the one given, or the default with what tells this job from the others of its run.

    `agent-test-evidence-2of3` for a part of the scenarios, `agent-test-evidence-1a2b3c4d` in a matrix, and both, in
    this order, where a matrix has more in it than the part alone: such a name says which part it is and stays unique.
    """
    if given is not None and given != NAME:
        return given
    part = [f"{shard.index}of{shard.count}"] if shard else []
    return "-".join([NAME, *part, *leg(matrix_json, shard)])


def leg(matrix_json: str, shard: Shard | None) -> list[str]:
    """What tells this leg of a matrix from the others, if there is a matrix that the shard does not already name."""
    try:
        matrix = json.loads(matrix_json)
        canonical = json.dumps(matrix, sort_keys=True, separators=(",", ":"))
    except (ValueError, RecursionError):
        return []
    if not isinstance(matrix, dict) or not matrix:
        return []
    if shard and [str(value) for value in matrix.values()] in ([str(shard.index)], [str(shard)]):
        return []
    return [hashlib.sha256(canonical.encode()).hexdigest()[:8]]


def name_problem(name: str) -> str | None:
    """What is wrong with an artifact's name, in words for whoever wrote it."""
    if not name.strip():
        return "is empty; give the artifact a name"
    if any(character in REFUSED for character in name) or UNSEEN.search(name):
        return (
            f"is {quote(name)}; should hold none of {' '.join(REFUSED[:7])} \\ / and no line ends or unseen characters"
        )
    return None
