"""A run's files → their values, or what is damaged about them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenttest.documents import jsonfile
from agenttest.errors import InvalidInput
from agenttest.quote import quote
from agenttest.recording import RECORDED
from agenttest.report import FILES, SCHEMA_VERSION
from agenttest.runfiles import Files
from agenttest.runs import CHILD, NAME, STATE, VIEWS

LIMIT = 256 * 1024 * 1024
DOCUMENT = 64 * 1024 * 1024  # bytes of a file that is one JSON value, which takes a multiple of them
VALUES = 4_000_000  # of one document
EVENTS = 1_000_000
CORE = [name for key, name in FILES.items() if key != "run_dir"]
REWRITTEN = (
    "its line ends were rewritten (CRLF), as a Git checkout or a transfer in text mode does; "
    "keep runs out of that with a line such as `agent-test-runs/** -text` in .gitattributes, and use the original"
)


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that speaks against a saved run; `code` is stable."""

    code: str
    message: str


class Damaged(Exception):
    """The run cannot be checked any further."""

    def __init__(self, *issues: Issue) -> None:
        super().__init__()
        self.issues = issues


class SavedRun:
    """Reads the files of one run, and nothing outside it."""

    def __init__(self, files: Files) -> None:
        self.files = files

    @property
    def begun(self) -> bool:
        """Whether this is a run's directory: by its files or, if a run was killed before there were any, its name."""
        if any(self.files.kind(name) != "nothing" for name in CORE):
            return True
        return bool(NAME.fullmatch(self.files.name) or CHILD.fullmatch(self.files.name))

    def children(self) -> Iterator[str]:
        """The names of the directories of runs in this one, as a run of runs has them."""
        for name in self.files.folders():
            if any(self.files.kind(f"{name}/{file}") != "nothing" for file in CORE):
                yield name

    def summary(self) -> dict[str, Any]:
        """The file that makes a run complete."""
        name = FILES["summary"]
        if self.files.kind(name) == "nothing":
            raise Damaged(Issue("unfinished", f"{name} is missing: the run was not finished, so it is incomplete"))
        found = self.json(name)
        if found.get("schema_version") != SCHEMA_VERSION:
            raise Damaged(Issue("schema-version", f"schema_version in {name} is not {SCHEMA_VERSION}"))
        for key in ("status", "reason", "evidence_digest"):
            if not isinstance(found.get(key), str):
                raise Damaged(Issue("summary", f"{name} does not say its {key}"))
        if "children" in found:
            check_children(name, found["children"])
        check_files(name, found.get("files"), [STATE] if "children" in found else CORE)
        return found

    def file_issues(self, summary: Mapping[str, Any]) -> Iterator[Issue]:
        """Every listed file that is not there as it was written, and every view that is there and is not listed."""
        yield from (
            Issue("file-unlisted", f"{name}: it is there, and {FILES['summary']} does not list it")
            for name in (*VIEWS.values(), RECORDED)
            if name not in summary["files"] and self.files.kind(name) != "nothing"
        )
        for name, entry in summary["files"].items():
            try:
                data = self.bytes(name)
            except Damaged as damage:
                yield from damage.issues
                continue
            if (
                not isinstance(entry, dict)
                or hashlib.sha256(data).hexdigest() != entry.get("sha256")
                or len(data) != entry.get("size")
            ):
                changed = REWRITTEN if unwound(data, entry) else "it is not as it was written: size or SHA-256 differ"
                yield Issue("file-changed", f"{name}: {changed}")

    def bytes(self, name: str, limit: int = LIMIT) -> bytes:
        """One file's bytes."""
        try:
            return self.files.read(name, limit)
        except InvalidInput as error:
            code = "file-missing" if self.files.kind(name) == "nothing" else "file-unreadable"
            raise Damaged(Issue(code, f"{name} {error.problems[0].message.split(';')[0]}")) from error

    def json(self, name: str) -> dict[str, Any]:
        """One file's JSON object."""
        data = self.bytes(name, DOCUMENT)
        if sum(map(data.count, (b",", b"[", b"{"))) > VALUES:  # each value takes many times its memory on disk
            raise Damaged(Issue("not-json", f"{name} holds more values than any run writes"))
        try:
            found = jsonfile.parse(data.decode())
        except (ValueError, RecursionError) as error:
            raise Damaged(Issue("not-json", f"{name} is not the JSON that was written")) from error
        if not isinstance(found, dict):
            raise Damaged(Issue("not-json", f"{name} holds no JSON object"))
        if b"\r\n" in data:
            raise Damaged(Issue("line-ends", f"{name}: {REWRITTEN}"))
        return found

    def events(self) -> list[dict[str, Any]]:
        """The journal's events."""
        name = FILES["events"]
        found = []
        data = self.bytes(name)
        rest = data[data.rfind(b"\n") + 1 :]
        if rest:
            raise Damaged(Issue("journal", f"{name} ends inside a line: {quote(rest.decode('utf-8', 'replace'), 60)}"))
        for number, raw in enumerate(io.BytesIO(data), 1):
            line = raw[:-1].decode("utf-8", "replace")
            if number > EVENTS:
                raise Damaged(Issue("journal", f"{name} holds more than {EVENTS:,} events, which no run has"))
            try:
                event = jsonfile.parse(line)
            except (ValueError, RecursionError) as error:
                raise Damaged(Issue("not-json", f"{name}:{number} is not the JSON that was written")) from error
            if not isinstance(event, dict) or not isinstance(event.get("event"), str):
                raise Damaged(Issue("journal", f"{name}:{number} is no event: {quote(line, 60)}"))
            found.append(event)
        return found


def check_files(name: str, listed: Any, needed: Sequence[str]) -> None:
    """The run's other files are all listed."""
    others = [file for file in needed if file != name]
    if not (isinstance(listed, dict) and set(others) <= listed.keys()):
        raise Damaged(Issue("files", f"{name} does not list {', '.join(others)}"))


def check_children(name: str, listed: Any) -> None:
    """The children of a run of runs are listed, each with what is known of it, and no directory twice."""
    if not (isinstance(listed, list) and all(isinstance(entry, dict) for entry in listed)):
        raise Damaged(Issue("children", f"children in {name} is no list of objects"))
    for entry in listed:
        wrong = [key for key in ("suite", "status", "reason", "evidence_digest") if not isinstance(entry.get(key), str)]
        if wrong or not isinstance(entry.get("directory"), str | None):
            raise Damaged(Issue("children", f"a child in {name} does not say its {(*wrong, 'directory')[0]}"))
    directories = [entry["directory"] for entry in listed if entry["directory"] is not None]
    if len(set(directories)) != len(directories):
        raise Damaged(Issue("children", f"{name} lists a directory twice"))


def unwound(data: bytes, entry: Any) -> bool:
    """Whether the file would be as it was written with plain line feeds."""
    plain = data.replace(b"\r\n", b"\n")
    return plain != data and isinstance(entry, dict) and hashlib.sha256(plain).hexdigest() == entry.get("sha256")
