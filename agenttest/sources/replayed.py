"""The file that a scenario is replayed from → `Seen`: a saved trace, or its entry of an observations file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from agenttest import steprules, traces
from agenttest.documents import Document, Marks, decode, jsonfile, schema
from agenttest.documents.measure import measure
from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.model import Observation, Recording, Scenario, Seen
from agenttest.names import misread
from agenttest.quote import quote
from agenttest.settings import SCENARIO_DEPTH, TRACE_BYTES, TRACE_VALUES, VALUES_WITH_PLACES
from agenttest.sources import normalized

UNUSABLE = re.compile("[\0\ud800-\udfff]")  # in no path that a text can name
AT_HAND = 4  # files
IDS = 5  # of a file's, told where the one that is looked for is not among them
NAME_IT = "name a saved trace, or an observations file, in input.replay.trace, as seen from the scenario file's folder"
RECORD = "record it again, or name another file in input.replay.trace"
FORMS = {"trace": "a trace", "observations": "observations"}


@dataclass(frozen=True, slots=True)
class Recorded:
    """A file, of which form it is, and the observations in it by scenario; or what is wrong with it."""

    source: Recording
    form: str = "trace"
    found: Mapping[str, Observation] = field(default_factory=dict)
    damage: str | None = None


class Unread(Exception):
    """Nothing can be taken from the file: why, what would be right, and which file it is where it could be read."""

    def __init__(self, message: str, remedy: str, source: Recording | None = None) -> None:
        super().__init__(message)
        self.message, self.remedy, self.source = message, remedy, source


class Shelf:
    """The recordings of a project. The last ones are kept at hand, as scenarios may share them."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.kept: dict[str, Recorded] = {}

    def seen(self, scenario: Scenario) -> Seen:
        """What the scenario's recording shows of it; an observation with an error where that is nothing."""
        try:
            return taken(scenario, self.recorded(place(scenario)))
        except Unread as unread:
            failed = Observation(scenario.id, error=unread.message, remedy=unread.remedy)
            return Seen(failed, source=unread.source)

    def recorded(self, path: str) -> Recorded:
        """The file at a path below the root, read but once as long as few others are."""
        if path not in self.kept:
            if len(self.kept) == AT_HAND:
                del self.kept[next(iter(self.kept))]
            try:
                self.kept[path] = opened(path, self.project.read(path, TRACE_BYTES))
            except InvalidInput as error:
                raise Unread(str(error), NAME_IT) from error
        return self.kept[path]


def place(scenario: Scenario) -> str:
    """The path below the root of a scenario's recording, which the file names as seen from its own folder."""
    raw = (scenario.input or {}).get("replay")
    if not isinstance(raw, Mapping):
        raise Unread("the executor 'replay' has no input.replay", NAME_IT)
    given = str(raw["trace"]).strip()
    inner = PurePosixPath(given)
    parts = list(PurePosixPath(scenario.path or "").parent.parts)
    for part in inner.parts:
        if part == ".." and not parts:
            raise Unread(f"input.replay.trace is {quote(given)}, which is outside the project", NAME_IT)
        parts = parts[:-1] if part == ".." else [*parts, part]
    if ".git" in map(str.lower, parts):
        raise Unread(f"input.replay.trace is {quote(given)}, which is Git's own", NAME_IT)
    if inner.is_absolute() or "\\" in given or UNUSABLE.search(given) or not parts:
        raise Unread(f"input.replay.trace is {quote(given)}, no relative path with '/' between folders", NAME_IT)
    path = PurePosixPath(*parts).as_posix()
    if said := misread(Path(path)):
        raise Unread(f"input.replay.trace is {quote(given)}, which {said}", NAME_IT)
    return path


def opened(path: str, data: bytes) -> Recorded:
    """What a file's bytes hold, or what is wrong with them."""
    source = Recording(path, hashlib.sha256(data).hexdigest())
    try:
        return contents(source, data)
    except InvalidInput as error:
        more = f" (and {len(error.problems) - 1:,} more)" if len(error.problems) > 1 else ""
        return Recorded(source, damage=f"{error.problems[0]}{more}")


def contents(source: Recording, data: bytes) -> Recorded:
    """What the bytes of a file hold; InvalidInput where they are neither a trace nor observations."""
    text = decode(source.path, data)
    value = value_of(source.path, text)
    if isinstance(value, dict) and "scenarios" in value and "steps" not in value:
        ids = {item["id"].strip() for item in normalized.entries(value) if is_named(item)}
        return Recorded(source, "observations", normalized.load(source.path, data, ids).observations)
    if not is_trace(value):
        raise InvalidInput(problems(source.path, text))
    if said := traces.contradiction(value):
        raise InvalidInput(Problem(source.path, 0, 0, said))
    observation = traces.observation(value)
    return Recorded(source, "trace", {observation.id: observation})


def is_named(entry: Any) -> bool:
    """Whether an entry of an observations file has an id."""
    return isinstance(entry, dict) and isinstance(entry.get("id"), str)


def value_of(path: str, text: str) -> Any:
    """The JSON value of a text; InvalidInput where it is none, or a larger one than a trace may be."""
    try:
        value = jsonfile.parse(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise InvalidInput(problems(path, text)) from None
    depth, count = measure(value)
    if count > TRACE_VALUES:
        said = f"the file holds {count:,} values; at most {TRACE_VALUES:,} may be, so record less in one"
        raise InvalidInput(Problem(path, 1, 1, said))
    if depth > SCENARIO_DEPTH:
        raise InvalidInput(problems(path, text))
    return value


def is_trace(value: Any) -> bool:
    """Whether a value is a trace: places cost time, so they are looked up only when something is wrong."""
    if not schema.accepts("trace")(value):
        return False
    return not any(steprules.problems(Document("", value, Marks(1, 1)), ("steps",), value["steps"]))


def problems(path: str, text: str) -> list[Problem]:
    """Everything that keeps a text from being a trace, at its places."""
    document, found = jsonfile.read(path, text, SCENARIO_DEPTH, VALUES_WITH_PLACES)
    steps = document.value.get("steps") if isinstance(document.value, dict) else None
    found += [*schema.problems(document, "trace"), *steprules.problems(document, ("steps",), steps)]
    return sorted(set(found)) or [Problem(path, 0, 0, "is no trace that can be read")]


def taken(scenario: Scenario, recorded: Recorded) -> Seen:
    """The scenario's observation out of its recording; Unread where that is not the one that was meant."""
    check(scenario, recorded)
    source, seen = recorded.source, recorded.found.get(scenario.id)
    if seen is None:
        said = f"{source.path} tells of {told(recorded)}, and not of {quote(scenario.id, 60)}"
        raise Unread(said, "record this scenario, or name its own recording in input.replay.trace", source)
    if seen.error is not None:
        said = f"{source.path}: the run that it is of failed: {quote(seen.error)}"
        seen = replace(seen, error=said, remedy="record it again, without an error")
    return Seen(seen, source=source)


def check(scenario: Scenario, recorded: Recorded) -> None:
    """Unread where the recording is damaged, or not the very file, or of the form, that the scenario names."""
    raw: Any = (scenario.input or {}).get("replay")
    digest, form, source = raw.get("sha256"), raw.get("format"), recorded.source
    if digest is not None and digest.lower() != source.sha256:
        said = f"{source.path} has the SHA-256 {source.sha256}, and input.replay.sha256 is {digest.lower()}"
        raise Unread(said, "see what has changed, then record that digest, or bring the file back as it was", source)
    if recorded.damage is not None:
        raise Unread(recorded.damage, RECORD, source)
    if form is not None and form != recorded.form:
        said = f"{source.path} holds {FORMS[recorded.form]}, and input.replay.format is {quote(form)}"
        raise Unread(said, f"write {recorded.form!r}, or leave the format out", source)


def told(recorded: Recorded) -> str:
    """The scenarios that a recording tells of, the first of them where they are many."""
    names = sorted(recorded.found)
    return ", ".join(quote(name, 60) for name in names[:IDS]) + ", …" * (len(names) > IDS) or "no scenario"
