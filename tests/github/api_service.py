"""GitHub's REST API, as far as we use it, on 127.0.0.1: it keeps what it is given, and does as its script says."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from agenttest.github.api import Api
from agenttest.github.context import Context, read
from agenttest.github.http import Client

TOKEN = "ghs_0123456789abcdefghijklmnopqrstuvwxyz"
BOT = {"login": "github-actions[bot]", "id": 41898282, "type": "Bot"}
STRANGER = {"login": "stranger", "id": 7, "type": "User"}
HEAD = "1a2b3c4d" * 5
FORBIDDEN = {"message": "Resource not accessible by integration", "status": "403"}
COMMENT_MOST = 65_536


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that came in."""

    method: str
    path: str
    document: Any
    headers: Mapping[str, str]


@dataclass(slots=True)
class Line:
    """What happens to requests of a method whose path holds `place`: `done`, they are done all the same."""

    method: str
    place: str
    status: int = 500
    document: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int = 1 << 30
    raw: bytes | None = None
    done: bool = False
    drop: bool = False
    seconds: float = 0


@dataclass(slots=True)
class Service:
    """The repository `o/r` with one pull request's comments, check runs, and whom the token speaks for."""

    url: str = ""
    user: Mapping[str, Any] = field(default_factory=lambda: BOT)
    graphql: bool = True
    comments: list[dict[str, Any]] = field(default_factory=list)
    checks: list[dict[str, Any]] = field(default_factory=list)
    pulls: list[dict[str, Any]] = field(default_factory=list)
    script: list[Line] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    @property
    def methods(self) -> list[str]:
        return [each.method for each in self.asked]

    @property
    def bodies(self) -> list[str]:
        return [each["body"] for each in self.comments]

    def comment(self, body: str, user: Mapping[str, Any] = BOT) -> dict[str, Any]:
        """A comment that is there already."""
        made = {"id": 100 + len(self.comments), "body": body, "user": dict(user)}
        self.comments.append(made)
        return made

    def answer(self, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        """What becomes of a request."""
        parts = urlsplit(asked.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        for (method, pattern), act in ROUTES.items():
            if method == asked.method and (found := re.fullmatch(pattern, parts.path)):
                return act(self, asked.document, [*found.groups()], query)
        return 404, {"message": "Not Found"}, {}


Act = Callable[[Service, Any, list[str], dict[str, str]], tuple[int, Any, dict[str, str]]]


def list_comments(service: Service, _: Any, parts: list[str], query: dict[str, str]) -> Any:
    size, page = int(query["per_page"]), int(query["page"])
    shown = service.comments[(page - 1) * size : page * size]
    more = len(service.comments) > page * size
    link = f'<{service.url}/x?page={page + 1}>; rel="next", <{service.url}/x?page=9>; rel="last"'
    return 200, shown, {"Link": link} if more else {}


def add_comment(service: Service, document: Any, parts: list[str], query: dict[str, str]) -> Any:
    if len(document["body"]) > COMMENT_MOST:
        return 422, {"message": "Body is too long (maximum is 65536 characters)"}, {}
    return 201, service.comment(document["body"], service.user), {}


def change_comment(service: Service, document: Any, parts: list[str], query: dict[str, str]) -> Any:
    for comment in service.comments:
        if comment["id"] == int(parts[0]):
            comment["body"] = document["body"]
            return 200, comment, {}
    return 404, {"message": "Not Found"}, {}


def remove_comment(service: Service, document: Any, parts: list[str], query: dict[str, str]) -> Any:
    service.comments[:] = [each for each in service.comments if each["id"] != int(parts[0])]
    return 204, None, {}


def add_check(service: Service, document: Any, parts: list[str], query: dict[str, str]) -> Any:
    check = {"id": 1 + len(service.checks), **document, "annotations": []}
    service.checks.append(check)
    return 201, {"id": check["id"]}, {}


def change_check(service: Service, document: Any, parts: list[str], query: dict[str, str]) -> Any:
    check, added = service.checks[int(parts[0]) - 1], document["output"].get("annotations", [])
    if len(added) > 50 or len(document["output"]["summary"]) > 65_535:
        return 422, {"message": "Invalid request"}, {}
    check["annotations"] += added
    check.update(document)
    return 200, {"id": check["id"]}, {}


def list_pulls(service: Service, document: Any, parts: list[str], query: dict[str, str]) -> Any:
    return 200, [each for each in service.pulls if each["head"]["label"] == query["head"]], {}


def viewer(service: Service, document: Any, parts: list[str], query: dict[str, str]) -> Any:
    return (200, {"data": {"viewer": {"login": service.user["login"]}}}, {}) if service.graphql else (404, {}, {})


def user(service: Service, document: Any, parts: list[str], query: dict[str, str]) -> Any:
    return (403, FORBIDDEN, {}) if service.user.get("type") == "Bot" else (200, service.user, {})


ROUTES: dict[tuple[str, str], Act] = {
    ("GET", r"/repos/o/r/issues/5/comments"): list_comments,
    ("POST", r"/repos/o/r/issues/5/comments"): add_comment,
    ("PATCH", r"/repos/o/r/issues/comments/(\d+)"): change_comment,
    ("DELETE", r"/repos/o/r/issues/comments/(\d+)"): remove_comment,
    ("POST", r"/repos/o/r/check-runs"): add_check,
    ("PATCH", r"/repos/o/r/check-runs/(\d+)"): change_check,
    ("GET", r"/repos/o/r/pulls"): list_pulls,
    ("POST", r"/graphql"): viewer,
    ("GET", r"/user"): user,
}


class Handler(BaseHTTPRequestHandler):
    """One connection to the service."""

    protocol_version = "HTTP/1.1"
    service: Service

    def handle_one(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        asked = Asked(
            self.command,
            self.path,
            json.loads(data) if data else None,
            {name.lower(): value for name, value in self.headers.items()},
        )
        self.service.asked.append(asked)
        line = next((each for each in self.service.script if each.times and matches(each, asked)), None)
        if line is None:
            self.send(*self.service.answer(asked))
            return
        line.times -= 1
        time.sleep(line.seconds)
        if line.done:
            self.service.answer(asked)
        if line.drop:
            self.close_connection = True
            return
        self.send(line.status, line.document, dict(line.headers), line.raw)

    do_GET = do_POST = do_PATCH = do_DELETE = handle_one  # noqa: N815

    def send(self, status: int, document: Any, headers: dict[str, str], raw: bytes | None = None) -> None:
        data = raw if raw is not None else b"" if document is None else json.dumps(document).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


def matches(line: Line, asked: Asked) -> bool:
    return line.method == asked.method and line.place in asked.path


@contextmanager
def running() -> Iterator[Service]:
    """A service that answers until the block ends."""
    service = Service()
    handler = type("Bound", (Handler,), {"service": service})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    service.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def context(url: str, folder: Path, event: Any = None, **more: str) -> Context:
    """The context of a pull request's job, whose API is at this address."""
    payload = folder / "event.json"
    payload.write_text(json.dumps({"pull_request": {"number": 5, "head": {"sha": HEAD}}} if event is None else event))
    environment = {
        "GITHUB_API_URL": url,
        "GITHUB_GRAPHQL_URL": f"{url}/graphql",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_EVENT_PATH": str(payload),
        "GITHUB_SHA": "f" * 40,
        "GITHUB_RUN_ID": "77",
        "GITHUB_WORKFLOW": "Agents",
        "GITHUB_WORKFLOW_REF": "o/r/.github/workflows/agents.yml@refs/pull/5/merge",
        "GITHUB_JOB": "contracts",
        "GITHUB_ACTION": "__self",
        "INPUT_GITHUB-TOKEN": TOKEN,
        **more,
    }
    return read({name: value for name, value in environment.items() if value}, folder)


def api(service: Service, folder: Path, event: Any = None, seconds: float = 30, **more: str) -> Api:
    """What talks to the service; it does not really wait."""
    found = context(service.url, folder, event, **more)
    return Api(found, Client(found.variables, seconds, service.slept.append))
