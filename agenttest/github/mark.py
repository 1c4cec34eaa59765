"""`Mark`, what a comment of ours remembers ↔ the hidden line that it begins with.

What is read is not trusted: whoever may write to the repository may edit a comment. It holds digests and words only, so
that nothing in it can end the hidden line, and decides nothing but what is said to have changed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agenttest.model import Status

DIGEST = 6  # bytes of a scenario's name
LETTERS = 8  # what they are as text
MOST = 2500  # scenarios that are remembered
KEY_LENGTH = 32
UNKNOWN, NONE = "?", "."
GROUPS = (Status.FAIL, Status.INCOMPLETE, Status.PASS)

LINE = re.compile(
    rf"<!-- agenttest:1 key=([0-9a-f]{{{KEY_LENGTH}}}) run=([0-9]{{1,15}}) commit=([0-9a-f]{{40}}|[0-9a-f]{{64}}|\.) "
    r"fail=([A-Za-z0-9+/]+|[?.]) incomplete=([A-Za-z0-9+/]+|[?.]) pass=([A-Za-z0-9+/]+|[?.]) -->"
)
START = "<!-- agenttest:1 "
LENGTH = 300 + LETTERS * MOST


@dataclass(frozen=True, slots=True)
class Mark:
    """Which comment it is, by the key of its suite and step, and what it told, of which run and commit.

    `scenarios` is the status of each by its digest; None where it is not known. Where they are not `whole`, those that
    passed are left out.
    """

    key: str
    run: int = 0
    commit: str = ""
    scenarios: Mapping[str, Status] | None = None
    whole: bool = True

    def status(self, digest: str) -> Status | None:
        """The status that a scenario had; None where there was no such scenario."""
        known = (self.scenarios or {}).get(digest)
        return known or (None if self.whole else Status.PASS)

    def line(self) -> str:
        """The mark as a line that Markdown does not show."""
        fail, incomplete, passed = (self.group(status) for status in GROUPS)
        commit = self.commit or NONE
        seen = f"fail={fail} incomplete={incomplete} pass={passed}"
        return f"{START}key={self.key} run={self.run} commit={commit} {seen} -->"

    def group(self, status: Status) -> str:
        """The digests of one status, in order."""
        if self.scenarios is None or (status is Status.PASS and not self.whole):
            return UNKNOWN
        return "".join(sorted(digest for digest, found in self.scenarios.items() if found is status)) or NONE


def key(parts: Iterable[str]) -> str:
    """The key of what these texts name together."""
    return hashlib.sha256(json.dumps([*parts]).encode()).hexdigest()[:KEY_LENGTH]


def remembered(scenarios: Mapping[str, Status]) -> tuple[Mapping[str, Status] | None, bool]:
    """What a mark keeps of scenarios by name, and whether that is the whole: those that did not pass come first."""
    whole = len(scenarios) <= MOST
    kept = {digest(name): status for name, status in scenarios.items() if whole or status is not Status.PASS}
    return (kept if len(kept) <= MOST else None), whole


def digest(name: str) -> str:
    """A scenario's name as eight letters."""
    return base64.b64encode(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:DIGEST]).decode()


def read(body: str) -> Mark | None:
    """The mark that a comment begins with; None where it begins with none, wherever else one may stand."""
    line = body[:LENGTH].split("\n")[0].rstrip("\r")
    found = LINE.fullmatch(line)
    if found is None:
        return None
    key, run, commit, *groups = found.groups()
    told = groups if groups[2] != UNKNOWN else groups[:2]
    known = all(group == NONE or len(group) % LETTERS == 0 for group in told)
    each = zip(GROUPS, map(digests, told), strict=False)
    scenarios = {digest: status for status, group in each for digest in group} if known else None
    return Mark(key, int(run), commit.strip(NONE), scenarios, whole=told is groups)


def digests(group: str) -> list[str]:
    """The digests that stand behind each other."""
    return [group[at : at + LETTERS] for at in range(0, len(group), LETTERS)] if group != NONE else []
