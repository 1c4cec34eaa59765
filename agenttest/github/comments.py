"""A pull request's comments → those that are ours, by key; a text → the one comment of its key.

A comment is ours where it begins with our mark and its author is whom our token speaks for. Anyone may write the mark;
nobody else can be the author. A comment of another's is never changed, removed or believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from agenttest.github import mark
from agenttest.github.api import Api, Refused, Reply
from agenttest.github.mark import Mark

PAGE, SMALL_PAGE = 100, 10  # a page of the longest comments is larger than an answer may be
MOST = 3000  # comments that are looked at; GitHub takes no more than 2,500
DEFAULT_LOGIN = "github-actions[bot]"  # no user's name can have brackets
FORGE_LOGINS = frozenset({"gitea-actions", "forgejo-actions"})


@dataclass(frozen=True, slots=True)
class Found:
    """A comment that begins with a mark."""

    id: int
    mark: Mark
    author: Mapping[str, Any]


class Thread:
    """The comments of one pull request."""

    def __init__(self, api: Api, number: int) -> None:
        self.api, self.number = api, number
        self.own: dict[str, list[Found]] = {}
        self.logins: list[str | None] = []
        self.look()

    def look(self) -> None:
        """Find our comments, the oldest first; whose they may be is asked only where there is one with a mark."""
        self.own = {}
        for found in self.marked():
            self.logins = self.logins or [self.api.login()]
            if ours(found.author, self.logins[0]):
                self.own.setdefault(found.mark.key, []).append(found)
        for same in self.own.values():
            same.sort(key=lambda found: found.id)

    def marked(self) -> Iterator[Found]:
        """Every comment that begins with a mark, whoever wrote it."""
        at, size = 0, PAGE
        while at < MOST:
            try:
                reply = self.page(at // size + 1, size)
            except Refused as error:
                if error.status or size == SMALL_PAGE:
                    raise
                size = SMALL_PAGE
                continue
            comments = reply.document if isinstance(reply.document, list) else []
            yield from filter(None, map(found, comments))
            at += size
            if not reply.more:
                return

    def page(self, number: int, size: int) -> Reply:
        """Some of the comments, the oldest first."""
        return self.api.get(f"issues/{self.number}/comments?per_page={size}&page={number}")

    def before(self, key: str) -> Mark | None:
        """What our comment of this key remembers."""
        return next((found.mark for found in self.own.get(key, ())), None)

    def keep(self, key: str, text: str) -> None:
        """Have one comment of this key, and this text in it: the oldest that there is, else a new one."""
        known = self.own.get(key, [])
        if not known or not self.updated(known[0], text):
            self.post(key, text)
        for other in known[1:]:
            with suppress(Refused):
                self.api.call("DELETE", f"issues/comments/{other.id}")

    def updated(self, known: Found, text: str) -> bool:
        """Give our comment this text; false where it is gone."""
        try:
            self.api.call("PATCH", f"issues/comments/{known.id}", {"body": text})
        except Refused as error:
            if error.status not in {404, 410}:
                raise
            return False
        return True

    def post(self, key: str, text: str) -> None:
        """Write a new comment; where it is not clear whether that was done, see whether it is there."""
        place = f"issues/{self.number}/comments"
        try:
            self.api.call("POST", place, {"body": text}, repeated=False)
        except Refused as error:
            if not error.unclear:
                raise
            self.look()
            if key not in self.own:
                self.api.call("POST", place, {"body": text}, repeated=False)


def found(comment: Any) -> Found | None:
    """A comment with a mark; None for every other one."""
    if not isinstance(comment, dict):
        return None
    number, body, author = comment.get("id"), comment.get("body"), comment.get("user")
    if type(number) is not int or not isinstance(body, str) or not isinstance(author, dict):
        return None
    known = mark.read(body)
    return None if known is None else Found(number, known, author)


def ours(author: Mapping[str, Any], login: str | None) -> bool:
    """Whether this is whom the token speaks for; where that is not told, the token is taken for the job's own."""
    name = author.get("login")
    if login is not None:
        return name == login
    if author.get("type") == "Bot":
        return name == DEFAULT_LOGIN
    number = author.get("id")  # a forge's own users have numbers below zero, which nobody can have who signs up
    return name in FORGE_LOGINS and isinstance(number, int) and number < 0
