"""A server in the place of GitHub's artifact service and of the blob store behind it, with faults on demand.

    with ResultsService() as service:
        service.faults["CreateArtifact"] = [answers(503), answers(503)]
        upload(…, Client(service.variables, 10), …)
        service.artifacts["agent-test-evidence"].data

The RPCs take the fields that @actions/artifact sends, and no others; the store has the rules of Put Block and Put Block
List. `store` puts another store, such as Azurite, in the place of this one.
"""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import re
import socket
import ssl
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

SERVICE = "/twirp/github.actions.results.api.v1.ArtifactService/"
RUN, JOB = "ce7f54c7-61c7-4aae-887f-30da475f5f1a", "ca395085-040a-526b-2ce8-bdc85f692774"
# Lower-case escapes, a plus sign and padding: an address that is written anew is no longer the signed one.
SIGNATURE = "aB%2f0+c%2Bd9xYz%3d="
QUERY = f"sv=2021-12-02&se=2026-12-01T00%3a00%3A00Z&sig={SIGNATURE}"
FIELDS = {
    "CreateArtifact": {"name", "version", "expires_at"},
    "FinalizeArtifact": {"name", "size", "hash"},
    "ListArtifacts": {"name_filter", "id_filter"},
    "GetSignedArtifactURL": {"name"},
}


def token(scope: str = f"Actions.Example Actions.Results:{RUN}:{JOB}", **claims: Any) -> str:
    """A runtime token as the runner gives it."""
    parts = ({"alg": "none"}, {"scp": scope, "iss": "https://results.example", **claims})
    shown = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*shown, "c2lnbmF0dXJl"])


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def fields(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.body)
        return said


@dataclass(slots=True)
class Stored:
    """An artifact, from the moment that its name is taken."""

    id: int
    name: str
    expires_at: str | None
    blocks: dict[str, bytes] = field(default_factory=dict)
    data: bytes | None = None
    digest: str | None = None


Fault = Callable[["Handler"], None]


class ResultsService:
    """The service, running while it is a context; `faults` holds by method, `block` or `blocklist` what to do first."""

    def __init__(self, *, camel: bool = False, store: Callable[[str], str] | None = None, tls: Any = None) -> None:
        self.camel, self.store = camel, store
        self.token = token()
        self.artifacts: dict[str, Stored] = {}
        self.requests: list[Seen] = []
        self.faults: defaultdict[str, list[Fault]] = defaultdict(list)
        self.over = threading.Event()
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.service = self  # type: ignore[attr-defined]
        self.scheme = "https" if tls else "http"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.configure_cert(context)
            self.server.socket = context.wrap_socket(
                self.server.socket, server_side=True, do_handshake_on_connect=False
            )

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def origin(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server.server_port}"

    @property
    def variables(self) -> dict[str, str]:
        """What the runner would say of this service."""
        return {
            "ACTIONS_RESULTS_URL": f"{self.origin}/some/path?of=theirs",
            "ACTIONS_RUNTIME_TOKEN": self.token,
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "octo/desk",
            "GITHUB_RUN_ID": "77",
        }

    def asked(self, what: str) -> list[Seen]:
        """The requests of one kind: an RPC's method, `block` or `blocklist`."""
        return [seen for seen in self.requests if kind(seen.target) == what]

    def address(self, artifact: Stored) -> str:
        """The signed address of an artifact's bytes."""
        return self.store(artifact.name) if self.store else f"{self.origin}/blob/{artifact.id}.zip?{QUERY}"


class Server(http.server.ThreadingHTTPServer):
    """A server that says nothing of clients that go away."""

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    body = b""

    @property
    def service(self) -> ResultsService:
        found: ResultsService = self.server.service  # type: ignore[attr-defined]
        return found

    def handle_any(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.service.requests.append(Seen(self.command, self.path, headers, self.body))
        what = kind(self.path)
        if self.service.faults[what]:
            self.service.faults[what].pop(0)(self)
        elif self.path.startswith(SERVICE):
            self.rpc(what)
        elif re.match(r"/blob/\d+\.zip\?", self.path):
            self.blob(what)
        else:
            self.reply(404, b"404 page not found")

    do_GET = do_PUT = do_POST = handle_any  # noqa: N815

    def rpc(self, method: str) -> None:
        if self.headers.get("Authorization") != f"Bearer {self.service.token}":
            return self.fail(401, "unauthenticated", "the token is not ours")
        fields = json.loads(self.body)
        if (fields.pop("workflow_run_backend_id", 0), fields.pop("workflow_job_run_backend_id", 0)) != (RUN, JOB):
            return self.fail(403, "permission_denied", "no such job")
        if unknown := fields.keys() - FIELDS.get(method, set()):
            return self.fail(500, "internal", f"unknown field {sorted(unknown)}")
        answer: Callable[[dict[str, Any]], None] = getattr(self, f"rpc_{method}")
        return answer(fields)

    def rpc_CreateArtifact(self, fields: dict[str, Any]) -> None:  # noqa: N802
        if not isinstance(fields["version"], int) or re.search(r'[":<>|*?\r\n\\/]', fields["name"]):
            return self.fail(400, "invalid_argument", "a field is not what it should be")
        if fields["name"] in self.service.artifacts:
            said = "an artifact with this name already exists on the workflow run"
            return self.fail(409, "already_exists", said)
        number = 4242 + len(self.service.artifacts)
        made = self.service.artifacts[fields["name"]] = Stored(number, fields["name"], fields.get("expires_at"))
        return self.say({"ok": True, "signed_upload_url": self.service.address(made), "new_field": {}})

    def rpc_FinalizeArtifact(self, fields: dict[str, Any]) -> None:  # noqa: N802
        stored = self.service.artifacts[fields["name"]]
        stored.digest = fields["hash"]
        if self.service.store is None and stored.data is None:
            return self.fail(412, "failed_precondition", "nothing was uploaded")
        if stored.data is not None and int(fields["size"]) != len(stored.data):
            return self.fail(400, "invalid_argument", "the size is another")
        return self.say({"ok": True, "artifact_id": str(stored.id)})

    def rpc_ListArtifacts(self, fields: dict[str, Any]) -> None:  # noqa: N802
        names, numbers = fields.get("name_filter"), fields.get("id_filter")
        listed = [
            {
                "workflow_run_backend_id": RUN,
                "workflow_job_run_backend_id": JOB,
                "database_id": str(stored.id),
                "name": stored.name,
                "size": str(len(stored.data or b"")),
                "created_at": "2026-12-01T00:00:00Z",
                "digest": stored.digest,
            }
            for stored in self.service.artifacts.values()
            if stored.digest and names in (None, stored.name) and numbers in (None, str(stored.id))
        ]
        self.say({"artifacts": listed})

    def rpc_GetSignedArtifactURL(self, fields: dict[str, Any]) -> None:  # noqa: N802
        self.say({"signed_url": self.service.address(self.service.artifacts[fields["name"]])})

    def blob(self, what: str) -> None:
        path, _, query = self.path.partition("?")
        number = int(path.removeprefix("/blob/").removesuffix(".zip"))
        stored = next((each for each in self.service.artifacts.values() if each.id == number), None)
        if not (query + "&").startswith(QUERY + "&") or "Authorization" in self.headers:
            return self.error(403, "AuthenticationFailed")
        if stored is None:
            return self.error(404, "BlobNotFound")
        if self.command == "GET" and stored.data is not None:
            return self.reply(200, stored.data, {"Content-Type": "application/zip"})
        if "Content-Length" not in self.headers:
            return self.error(411, "MissingContentLengthHeader")
        if "x-ms-version" not in self.headers or self.command != "PUT":
            return self.error(400, "MissingRequiredHeader")
        return self.block(stored) if what == "block" else self.block_list(stored)

    def block(self, stored: Stored) -> None:
        (name,) = parse_qs(urlsplit(self.path).query).get("blockid", [""])
        try:
            length = len(base64.b64decode(name, validate=True))
        except ValueError:
            length = 0
        if not 0 < length <= 64 or not self.body:
            return self.error(400, "InvalidQueryParameterValue")
        if any(len(other) != len(name) for other in stored.blocks):
            return self.error(400, "InvalidBlobOrBlock")
        stored.blocks[name] = self.body
        return self.reply(201, b"")

    def block_list(self, stored: Stored) -> None:
        names = re.findall(r"<Latest>([^<]*)</Latest>", self.body.decode())
        if not set(names) <= stored.blocks.keys():
            return self.error(400, "InvalidBlockList")
        stored.data = b"".join(stored.blocks[name] for name in names)
        return self.reply(201, b"")

    def say(self, said: dict[str, Any]) -> None:
        self.reply(200, json.dumps(camel(said) if self.service.camel else said).encode())

    def fail(self, status: int, code: str, message: str) -> None:
        self.reply(status, json.dumps({"code": code, "msg": message}).encode())

    def error(self, status: int, code: str) -> None:
        """As the blob store says it; its words show the signature."""
        said = f"<Error><Code>{code}</Code><Message>Signature {SIGNATURE} did not match</Message></Error>"
        self.reply(status, said.encode(), {"x-ms-error-code": code})

    def reply(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def hang_up(self) -> None:
        """End the connection here and now."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def kind(target: str) -> str:
    """What a request is: an RPC's method, `block`, `blocklist`, or its path."""
    place = urlsplit(target)
    asked = parse_qs(place.query).get("comp")
    return asked[0] if asked else place.path.removeprefix(SERVICE)


def camel(value: Any) -> Any:
    """The value with its fields named as act names them."""
    if isinstance(value, list):
        return [camel(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {re.sub("_([a-z])", lambda found: found[1].upper(), name): camel(each) for name, each in value.items()}


def answers(status: int, body: str | bytes = b"{}", **headers: str) -> Fault:
    """A fault: this very answer."""
    content = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.reply(status, content, named)


def says(status: int, message: str) -> Fault:
    """A fault: an error in the service's form."""
    return lambda handler: handler.fail(status, "resource_exhausted", message)


def hangs(handler: Handler) -> None:
    """A fault: no answer, as long as the service runs."""
    handler.service.over.wait()
    handler.hang_up()


def trickles(handler: Handler) -> None:
    """A fault: an answer whose head comes byte by byte and never ends."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not handler.service.over.wait(0.02):
        try:
            handler.wfile.write(b"x")
        except OSError:
            break
    handler.close_connection = True


def trickles_a_body(handler: Handler) -> None:
    """A fault: a body that comes byte by byte and never ends."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    while not handler.service.over.wait(0.02):
        try:
            handler.wfile.write(b" ")
        except OSError:
            break
    handler.close_connection = True


def closes(handler: Handler) -> None:
    """A fault: the connection ends before any answer."""
    handler.hang_up()


def closes_within_the_body(handler: Handler) -> None:
    """A fault: the connection ends before the body does."""
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"ok": true')
    handler.hang_up()


def does_and_loses_the_answer(handler: Handler) -> None:
    """A fault: the work is done, but nobody hears of it."""
    handler.reply = lambda *_: handler.hang_up()  # type: ignore[method-assign]
    handler.rpc(kind(handler.path))


def sha256(data: bytes | None) -> str:
    """A digest as the service writes it."""
    return "sha256:" + hashlib.sha256(data or b"").hexdigest()
