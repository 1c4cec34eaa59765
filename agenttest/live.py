"""Live flags or inputs as they were given, and the environment → `Live`, or None where nothing live is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agenttest.errors import InvalidInput, Problem
from agenttest.quote import quote
from agenttest.settings import FLAG, Live

TOKEN = 8192  # characters
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SENDABLE = re.compile(r"[ -~\x80-\xff]+")  # what an HTTP header can hold


@dataclass(frozen=True, slots=True)
class Asked:
    """What was given, as it was given: None is not given, and False not allowed."""

    endpoint: str | None = None
    auth_env: str | None = None
    ca_file: str | None = None
    model: str | None = None
    timeout_seconds: float | None = None
    concurrency: int | None = None
    wait_for_endpoint: float | None = None
    allow_contract_endpoint: bool = False
    allow_isolated: bool = False
    allow_remote: bool = False

    def given(self) -> Iterator[str]:
        """The names of what was given, as fields."""
        for name in self.__slots__:
            if getattr(self, name) is not None and getattr(self, name) is not False:
                yield name


def live(asked: Asked, environment: Mapping[str, str], flag: str = FLAG) -> Live | None:
    """What a live run may do. InvalidInput with all that is wrong; `flag` is how a name is written, with hyphens."""
    given = list(asked.given())
    if not given:
        return None
    problems = list(alone(asked, given, flag))
    token = None
    if asked.auth_env is not None:
        token = environment.get(asked.auth_env, "")
        problems += auth_problems(asked, token, spelled(flag, "auth_env"))
    if problems:
        raise InvalidInput(problems)
    return Live(
        endpoint=asked.endpoint,
        contract_endpoint=asked.allow_contract_endpoint,
        isolated=asked.allow_isolated,
        remote=asked.allow_remote,
        token=token,
        ca_file=asked.ca_file,
        model=asked.model,
        timeout_seconds=asked.timeout_seconds,
        concurrency=1 if asked.concurrency is None else asked.concurrency,
        wait_seconds=asked.wait_for_endpoint or 0.0,
    )


def alone(asked: Asked, given: list[str], flag: str) -> Iterator[Problem]:
    """What has no use where no endpoint may be asked."""
    if asked.endpoint is None and not asked.allow_contract_endpoint:
        right = f"give {spelled(flag, 'endpoint')}, or {spelled(flag, 'allow_contract_endpoint')}"
        for name in given:
            yield Problem(spelled(flag, name), 0, 0, f"is given, but no endpoint; {right}")


def auth_problems(asked: Asked, token: str, flag: str) -> Iterator[Problem]:
    """What keeps the token from being sent. Its value is never shown."""
    name = asked.auth_env or ""
    if not NAME.fullmatch(name):
        yield Problem(flag, 0, 0, f"is {quote(name, 60)}; give the name of an environment variable")
    elif asked.endpoint is None and asked.allow_contract_endpoint:
        said = "a contract does not decide who gets the token; name the endpoint yourself"
        yield Problem(flag, 0, 0, f"is given without an endpoint of yours: {said}")
    elif not token:
        yield Problem(flag, 0, 0, f"names {name}, which is not set, or empty; set it to the token")
    elif len(token) > TOKEN:
        yield Problem(flag, 0, 0, f"names {name}, which has {len(token):,} characters; a token has at most {TOKEN:,}")
    elif not SENDABLE.fullmatch(token) or token != token.strip():
        said = "holds a line end, space around it or a character that no HTTP header can hold; set it to the token"
        yield Problem(flag, 0, 0, f"names {name}, whose value {said} alone")


def spelled(flag: str, name: str) -> str:
    """A name as it is written where it was given."""
    return flag.format(name.replace("_", "-"))
