"""A request to GitHub's REST API → its JSON, or `Refused` in words that hold no token."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from agenttest.github import jobs
from agenttest.github.context import Context
from agenttest.github.events import member, number
from agenttest.github.jobs import Job
from agenttest.quote import clip, one_line

if TYPE_CHECKING:
    from agenttest.github.http import Answer, Client

SECONDS = 30  # for all requests of a step together: what they write is of no weight for the verdict
VERSION = "2022-11-28"
PERMISSION = frozenset({401, 403, 404, 422})  # what a token that may not do a thing is told
SHOWN = 200


class Refused(Exception):
    """A request that was not done; `status` is 0 where no answer came at all."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    @property
    def forbidden(self) -> bool:
        """Whether a permission may be what is missing."""
        return self.status in PERMISSION

    @property
    def final(self) -> bool:
        """Whether it is vain to ask for anything like it."""
        return self.status in {0, 401, 403, 404}

    @property
    def unclear(self) -> bool:
        """Whether the thing may have been done all the same."""
        return self.status == 0 or self.status >= 500


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered: JSON, and whether it has a next page."""

    document: Any
    more: bool = False


class Api:
    """What one repository's token may do; `missing` says in words why nothing can be asked."""

    def __init__(self, context: Context, client: Client | None = None) -> None:
        self.job: Job = jobs.read(context)
        self.url = context.value("GITHUB_API_URL").rstrip("/")
        self.graphql = context.value("GITHUB_GRAPHQL_URL")
        self.token = context.input("github-token") or ""
        self.client = client
        self.variables = context.variables
        self.silent = ""  # why nothing answers: what has not come twice is not asked for again

    @property
    def missing(self) -> str:
        """What there is not; empty where requests can be made."""
        things = {"github-token": self.token, "GITHUB_API_URL": self.url, "GITHUB_REPOSITORY": self.job.repository}
        return next((f"there is no {name}" for name, value in things.items() if not value), "")

    def get(self, path: str) -> Reply:
        """Something of the repository."""
        return self.call("GET", path)

    def call(self, method: str, path: str, document: Any = None, *, repeated: bool = True) -> Reply:
        """Do one thing with the repository; where it must not happen twice, nothing unclear is `repeated`."""
        return self.ask(method, f"{self.url}/repos/{self.job.repository}/{path}", document, repeated=repeated)

    def ask(self, method: str, url: str, document: Any = None, *, repeated: bool = True) -> Reply:
        """The answer to a request, tried again where the server is busy or asks to wait."""
        from agenttest.github.http import Client, Unreachable
        from agenttest.github.retries import BUSY, attempts

        client = self.client = self.client or Client(self.variables, SECONDS)
        unheard: list[str] = []
        body = None if document is None else json.dumps(document, ensure_ascii=True).encode()

        def send() -> Answer:
            try:
                return client.request(method, url, headers=self.headers(body is not None), body=body)
            except Unreachable as error:
                unheard.append(str(error))
                raise Unreachable(str(error), final=error.final or not repeated or len(unheard) > 1) from None

        def again(answer: Answer) -> bool:
            return limited(answer) or (repeated and answer.status in BUSY)

        if self.silent:
            raise Refused(0, self.silent)
        try:
            return self.reply(attempts(client, send, again))
        except Unreachable as error:
            said = self.shown(str(error))
            self.silent = said if len(unheard) > 1 else ""
            raise Refused(0, said) from None

    def headers(self, with_body: bool) -> dict[str, str]:
        """What every request says."""
        sent = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self.token}",
            "X-GitHub-Api-Version": VERSION,
        }
        return sent | ({"Content-Type": "application/json"} if with_body else {})

    def reply(self, answer: Answer) -> Reply:
        """The JSON of an answer that says that the thing was done."""
        try:
            document = json.loads(answer.body) if answer.body.strip() else None
        except (ValueError, RecursionError):
            document = answer
        if not 200 <= answer.status < 300:
            raise Refused(answer.status, self.shown(words(answer.status, document)))
        if document is answer:
            raise Refused(answer.status, f"the API answered {answer.status} with what is no JSON")
        return Reply(document, 'rel="next"' in answer.headers.get("link", ""))

    def shown(self, text: str) -> str:
        """The text on a line, without the token should a server send it back."""
        return clip(one_line(text.replace(self.token, "***") if self.token else text), SHOWN)

    def pull_request(self) -> int | None:
        """The pull request's number; a fork's is asked for by its branch, and only one at the judged commit is it."""
        event = self.job.event
        if event.number is not None or event.fork is None:
            return event.number
        query = urlencode({"state": "open", "head": ":".join(event.fork), "per_page": "10"}, errors="replace")
        pulls = self.get(f"pulls?{query}").document
        found = pulls if isinstance(pulls, list) else []
        return next((number(each) for each in found if member(each, "head").get("sha") == event.commit), None)

    def login(self) -> str | None:
        """Whom the token speaks for: only GraphQL tells an app's token, only REST that of a forge without GraphQL."""
        beside = urlsplit(self.graphql)[:2] == urlsplit(self.url)[:2]
        asked = [("POST", self.graphql, {"query": "{viewer{login}}"})] if beside else []
        for method, url, document in [*asked, ("GET", f"{self.url}/user", None)]:
            try:
                found = self.ask(method, url, document).document
            except Refused as error:
                if not error.forbidden:
                    raise
                continue
            login = (member(member(found, "data"), "viewer") or member({"user": found}, "user")).get("login")
            if isinstance(login, str) and login:
                return login
        return None


def limited(answer: Answer) -> bool:
    """Whether the server asks to come again later."""
    waits = "retry-after" in answer.headers or b"secondary rate limit" in answer.body
    return answer.status == 429 or (answer.status == 403 and waits)


def words(status: int, document: Any) -> str:
    """What the API says of a thing that it does not do."""
    said: Mapping[str, Any] = document if isinstance(document, dict) else {}
    message = said.get("message")
    more = f": {message}" if isinstance(message, str) and message else ""
    moved = " (the repository or the API has moved; no redirect is followed)" if 300 <= status < 400 else ""
    return f"the API answered {status}{moved}{more}"
