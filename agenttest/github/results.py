"""A step's `Context` → the `Service` that keeps artifacts, or why there is none; a question to it → its answer."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from agenttest.github.context import Context
from agenttest.github.http import Answer, Client, Unreachable, address
from agenttest.github.retries import BUSY, attempts
from agenttest.model import Json
from agenttest.quote import clip, one_line

SERVER = "https://github.com"
SCOPE = "Actions.Results"
PATH = "/twirp/github.actions.results.api.v1.ArtifactService/"
QUOTA = "insufficient usage"
NO_SUCH_PLACE, NAME_TAKEN = 404, 409
OWN_STEP = "upload the run directory with a step of its own"
LATER = "run the job again later; the run directory stays in the workspace until the job ends"


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why nothing can be uploaded here, and what would change that."""

    message: str
    remedy: str


class NotUploaded(Exception):
    """An upload that failed: what happened, and what the user can do; no token and no signed address is in it."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message, remedy)
        self.message, self.remedy = message, remedy

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Service:
    """Where this job's artifacts go; `longest` is the most days that the repository keeps one, None if unsaid."""

    origin: str
    token: str = field(repr=False)
    run: str = field(repr=False)
    job: str = field(repr=False)
    longest: int | None = None


def service(context: Context, *, always: bool = False) -> Service | Unavailable:
    """The service of this job; `always` is for servers of others that speak the same protocol."""
    if not always and is_enterprise(context.value("GITHUB_SERVER_URL")):
        return Unavailable(
            "this server looks like GitHub Enterprise Server, which takes no artifacts of this kind",
            "add a step with `uses: actions/upload-artifact@v3-node20` and "
            "`path: ${{ steps.ID.outputs.run-directory }}`, or on Gitea or Forgejo set `upload-artifact: always`",
        )
    token, place = context.value("ACTIONS_RUNTIME_TOKEN"), address(context.value("ACTIONS_RESULTS_URL"))
    if not token or place is None:
        missing = "ACTIONS_RESULTS_URL is no address" if token else "ACTIONS_RUNTIME_TOKEN is not set"
        return Unavailable(
            f"nothing can be uploaded here: {missing}",
            "use the action as a step of a job, with `uses:`; the runner hands these to actions, not to `run:` steps",
        )
    ids = backend_ids(token)
    if ids is None:
        return Unavailable(
            "nothing can be uploaded here: ACTIONS_RUNTIME_TOKEN does not say which run and job it is for",
            f"update the runner, or {OWN_STEP}",
        )
    origin = f"{place.scheme}://{place.netloc.rpartition('@')[2]}"
    return Service(origin, token, *ids, longest=days(context.value("GITHUB_RETENTION_DAYS")))


def is_enterprise(server: str) -> bool:
    """The test that GitHub's own client makes of GITHUB_SERVER_URL; Gitea and Forgejo look the same."""
    place = address(server or SERVER)
    host = (place.hostname or "") if place else ""
    return host != "github.com" and not host.endswith((".ghe.com", ".localhost"))


def backend_ids(token: str) -> tuple[str, str] | None:
    """The run and the job that the token is for, as its payload says; whether that is true is the server's business."""
    try:
        payload = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        scopes = [scope.split(":") for scope in claims["scp"].split()]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return next(((scope[1], scope[2]) for scope in scopes if scope[0] == SCOPE and len(scope) == 3), None)


def days(text: str) -> int | None:
    """A number of days; 0, which act says, is no number."""
    return int(text) if re.fullmatch("[1-9][0-9]{0,3}", text) else None


def ask(service: Service, client: Client, method: str, fields: Mapping[str, Json]) -> Mapping[str, Json]:
    """What the service answers to one of its methods; NotUploaded where that is no success."""
    ids = {"workflow_run_backend_id": service.run, "workflow_job_run_backend_id": service.job}
    headers = {"Authorization": f"Bearer {service.token}", "Content-Type": "application/json"}
    body = json.dumps({**ids, **fields}).encode()
    tries: list[str] = []

    def send() -> Answer:
        tries.append(method)
        return client.request("POST", service.origin + PATH + method, headers=headers, body=body)

    try:
        answer = attempts(client, send, worth_another)
    except Unreachable as error:
        raise unreachable(error, client) from None
    said = parsed(answer)
    if 200 <= answer.status < 300 and said is not None and said.get("ok") is True:
        return said
    raise refused(answer, said or {}, method, service.token, again=len(tries) > 1)


def worth_another(answer: Answer) -> bool:
    """Whether an answer may be another one later: the server is busy, or something between here and it answered."""
    said = parsed(answer)
    if said is None:
        return answer.status != NO_SUCH_PLACE and not 300 <= answer.status < 400
    return answer.status in BUSY and QUOTA not in words(said).lower()


def parsed(answer: Answer) -> Mapping[str, Json] | None:
    """The answer's fields, or None where it is no JSON object."""
    try:
        said = json.loads(answer.body)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def named(said: Mapping[str, Json], name: str) -> Json:
    """A field by its name, which servers write in two ways: `signed_url` and `signedUrl`."""
    first, *rest = name.split("_")
    return said.get(name, said.get(first + "".join(part.capitalize() for part in rest)))


def words(said: Mapping[str, Json]) -> str:
    """What the server says of an error."""
    said_so = said.get("msg")
    return said_so if isinstance(said_so, str) else ""


def unreachable(error: Unreachable, client: Client) -> NotUploaded:
    """No answer, as a failed upload."""
    reach = "let the runner reach that host (HTTPS_PROXY and SSL_CERT_FILE are obeyed), or " + LATER
    remedy = reach if client.left else f"{OWN_STEP} where the way is slow, or {LATER}"
    return NotUploaded(f"the artifact was not uploaded: {error}", remedy)


def refused(answer: Answer, said: Mapping[str, Json], method: str, token: str, *, again: bool) -> NotUploaded:
    """An answer that is no success, as a failed upload."""
    if QUOTA in words(said).lower():
        return NotUploaded(
            "the artifact was not uploaded: the account's storage for artifacts is full",
            "delete old artifacts or set a shorter `retention-days`; GitHub counts anew every few hours",
        )
    if answer.status == NAME_TAKEN:
        mine = " (perhaps by a first try of this step, whose answer was lost)" if again else ""
        return NotUploaded(
            f"the artifact was not uploaded: the run has one with this name already{mine}",
            "give each job and each step its own `artifact-name`",
        )
    what = f"{method} was answered with status {answer.status}"
    if detail := clip(one_line(words(said).replace(token, "***"))):
        what += f": {detail}"
    elif 200 <= answer.status < 300:
        what += ", but with nothing that the artifact service would say"
    remedy = f"{OWN_STEP}, as this server knows no such service" if answer.status == NO_SUCH_PLACE else LATER
    return NotUploaded(f"the artifact was not uploaded: {what}", remedy)
