"""An observations file's bytes → `Observed`, or all of its problems at once."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from agenttest.documents import Document, Marks, decode, jsonfile, schema
from agenttest.errors import InvalidInput, Problem
from agenttest.model import Observed, Provenance
from agenttest.observations import from_document
from agenttest.quote import quote
from agenttest.settings import OBSERVATION_VALUES, OBSERVATIONS_DEPTH

TRUST = "unverified_fixture"
RESPONSE_COMPLETE = ("stop",)
CALLS_COMPLETE = ("stop", "tool_calls")


def load(name: str, data: bytes, ids: Collection[str]) -> Observed:
    """What the observations file `name` holds for the scenarios `ids`; raises InvalidInput with every problem."""
    value = parse(name, decode(name, data).removeprefix("\ufeff"), ids)
    found = {raw["id"].strip(): from_document(raw) for raw in value["scenarios"]}
    return Observed(found, Provenance("observation_file", TRUST, name, hashlib.sha256(data).hexdigest()))


def parse(name: str, text: str, ids: Collection[str]) -> Any:
    """The valid value of the text. Places cost time, so they are looked up only when something is wrong."""
    try:
        value = jsonfile.parse(text)
    except (ValueError, RecursionError):
        value = jsonfile.read(name, text, OBSERVATIONS_DEPTH).value
    if next(problems(Document(name, value, Marks(1, 1)), ids), None):
        raise InvalidInput(sorted(set(problems(jsonfile.read(name, text, OBSERVATIONS_DEPTH), ids))))
    return value


def problems(document: Document, ids: Collection[str]) -> Iterator[Problem]:
    """What the schema and the rules do not allow."""
    yield from too_large(document)
    yield from schema.problems(document, "observations")
    seen: dict[str, int] = {}
    raw = document.value.get("scenarios") if isinstance(document.value, dict) else None
    for index, item in enumerate(raw if isinstance(raw, list) else ()):
        if isinstance(item, dict):
            yield from id_problems(document, index, item, ids, seen)
            yield from flag_problems(document, index, item)
            yield from source_problems(document, index, item)


def too_large(document: Document) -> Iterator[Problem]:
    """Nesting and the number of values stay within their bounds."""
    raw = document.value.get("scenarios") if isinstance(document.value, dict) else None
    most = OBSERVATION_VALUES * max(1, len(raw) if isinstance(raw, list) else 0)
    depth, count = measure(document.value)
    if depth > OBSERVATIONS_DEPTH:
        yield document.problem((), f"nests {depth} levels deep; at most {OBSERVATIONS_DEPTH} are allowed")
    if count > most:
        yield document.problem(
            (), f"holds {count:,} values; at most {OBSERVATION_VALUES:,} for each scenario are allowed"
        )


def measure(value: Any) -> tuple[int, int]:
    """How deep a JSON value nests and how many values it holds, keys counted too."""
    depth, count, level = 0, 1, [value]
    while level := [item for item in level if type(item) is dict or type(item) is list]:
        depth += 1
        inner: list[Any] = []
        for item in level:
            count += len(item) * (2 if type(item) is dict else 1)
            inner += item.values() if type(item) is dict else item
        level = inner
    return depth, count


def id_problems(
    document: Document, index: int, item: Mapping[str, Any], ids: Collection[str], seen: dict[str, int]
) -> Iterator[Problem]:
    """An observation is of a scenario that the suite has, and of each scenario there is one."""
    if not isinstance(item.get("id"), str):
        return
    name, path = item["id"].strip(), ("scenarios", index, "id")
    if name in seen:
        line = document.mark(("scenarios", seen[name], "id")).line
        yield document.problem(path, f"{quote(name)} is observed twice (first on line {line}); keep one observation")
    elif name not in ids:
        from agenttest.documents.explain import nearest

        near = nearest(name, sorted(ids))
        right = f"did you mean {near!r}?" if near else "use the id of a scenario, or remove the entry"
        yield document.problem(path, f"{quote(name)} is no scenario of the suite; {right}")
    seen.setdefault(name, index)


def flag_problems(document: Document, index: int, item: Mapping[str, Any]) -> Iterator[Problem]:
    """A stated flag may be weaker than the finish reason, never stronger."""
    if not isinstance(item.get("finish_reason"), str):
        return
    finish = item["finish_reason"].strip()
    for flag, complete in (("response_complete", RESPONSE_COMPLETE), ("tool_calls_complete", CALLS_COMPLETE)):
        if item.get(flag) is True and finish not in complete:
            right = "state false, or the finish reason that was seen"
            said = f"is true, but finish_reason {quote(finish, 60)} does not show that; {right}"
            yield document.problem(("scenarios", index, flag), said)


def source_problems(document: Document, index: int, item: Mapping[str, Any]) -> Iterator[Problem]:
    """A source object names its source."""
    listed = item.get("sources")
    for at, source in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(source, dict) and source.get("id") is None and source.get("source") is None:
            yield document.problem(("scenarios", index, "sources", at), "names no source; give it an id")
