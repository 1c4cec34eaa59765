"""An observations file's bytes → `Observed`, or all of its problems at once."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from agenttest.documents import Document, Marks, decode, jsonfile, schema, spelled
from agenttest.documents.measure import measure
from agenttest.errors import InvalidInput, Problem
from agenttest.model import Observed, Provenance
from agenttest.observations import from_document
from agenttest.quote import quote
from agenttest.settings import OBSERVATION_VALUES, OBSERVATIONS_DEPTH, VALUES_WITH_PLACES
from agenttest.sources import ORIGINS

ALIKE = 0.7  # from here on two ids are, of at most 1
HINTS = 20  # of more unknown ids it is the file that is wrong, and looking for the nearest takes its time
MORE = 5  # scenarios that the suite does not have, and that may be in a file all the same until it is told
COMPLETE = {"response_complete": ("stop",), "tool_calls_complete": ("stop", "tool_calls")}


def load(name: str, data: bytes, ids: Collection[str]) -> Observed:
    """What the observations file `name` holds for the scenarios `ids`; raises InvalidInput with every problem."""
    value = parse(name, decode(name, data), ids)
    found = {raw["id"].strip(): from_document(raw) for raw in value["scenarios"]}
    return Observed(found, Provenance(*ORIGINS["offline"], name, hashlib.sha256(data).hexdigest()))


def parse(name: str, text: str, ids: Collection[str]) -> Any:
    """The valid value of the text. Places cost time, so they are looked up only when something is wrong."""
    try:
        value = jsonfile.parse(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return parse_with_places(name, text, ids)
    depth, count = measure(value)
    if count > OBSERVATION_VALUES * max(1, min(len(entries(value)), most(ids))):
        said = f"the file holds {count:,} values; at most {OBSERVATION_VALUES:,} for each scenario may be, record less"
        raise InvalidInput(Problem(name, 1, 1, said))
    right = depth <= OBSERVATIONS_DEPTH and schema.accepts("observations")(value)
    if not right or next(problems(Document(name, value, Marks(1, 1)), ids), None):
        return parse_with_places(name, text, ids)
    return value


def parse_with_places(name: str, text: str, ids: Collection[str]) -> Any:
    """The same with all problems of the text at their places: those of its JSON, its shape and its rules."""
    document, found = jsonfile.read(name, text, OBSERVATIONS_DEPTH, VALUES_WITH_PLACES)
    told = {(problem.line, problem.column) for problem in found}
    more = (problem for problem in problems(document, ids) if (problem.line, problem.column) not in told)
    if wrong := sorted({*found, *more}):
        raise InvalidInput(wrong)
    return document.value


def most(ids: Collection[str]) -> int:
    """For how many scenarios a file may hold values: those of the suite and, as all problems are told, some more."""
    return len(ids) + MORE


def entries(value: Any) -> list[Any]:
    """The list of observations, as far as there is one."""
    raw = value.get("scenarios") if isinstance(value, dict) else None
    return raw if isinstance(raw, list) else []


def problems(document: Document, ids: Collection[str]) -> Iterator[Problem]:
    """What the schema does not allow and, of values that it allows, what the rules do not."""
    told = set()
    for problem in schema.problems(document, "observations"):
        told.add((problem.line, problem.column))
        yield problem
    for problem in chain(id_problems(document, ids), flag_problems(document), source_problems(document)):
        if (problem.line, problem.column) not in told:
            yield problem


def id_problems(document: Document, ids: Collection[str]) -> Iterator[Problem]:
    """An observation is of a scenario that the suite has, and of each scenario there is one."""
    first: dict[str, int] = {}
    unknown = 0
    for index, item in enumerate(entries(document.value)):
        if not isinstance(item, dict) or not isinstance(item.get("id"), str):
            continue
        name, path = item["id"].strip(), ("scenarios", index, "id")
        if (was := first.setdefault(name, index)) != index:
            line = document.mark(("scenarios", was, "id")).line
            said = f"is {quote(name, 60)} again (first on line {line}); keep one observation of each scenario"
            yield document.problem(path, f"id {said}")
        elif name not in ids:
            unknown += 1
            right = meant(name, ids if unknown <= HINTS else ())
            yield document.problem(path, f"id is {quote(name, 60)}, no scenario of the suite; {right}")


def meant(name: str, ids: Collection[str]) -> str:
    """What would be right in place of an unknown id."""
    from agenttest.documents.explain import nearest

    near = nearest(name, sorted(ids), ALIKE)
    return f"did you mean {near!r}?" if near else "use the id of a scenario, or remove the entry"


def flag_problems(document: Document) -> Iterator[Problem]:
    """A stated flag may be weaker than the finish reason, never stronger."""
    for index, item in enumerate(entries(document.value)):
        finish = item.get("finish_reason") if isinstance(item, dict) else None
        if not isinstance(finish, str) or not finish.strip():
            continue
        for flag, complete in COMPLETE.items():
            if item.get(flag) is True and finish.strip() not in complete:
                said = f"is true, but finish_reason {quote(finish, 60)} does not show that; write false, or correct it"
                yield document.problem(("scenarios", index, flag), f"{flag} {said}")


def source_problems(document: Document) -> Iterator[Problem]:
    """A source object names its source."""
    for index, item in enumerate(entries(document.value)):
        listed = item.get("sources") if isinstance(item, dict) else None
        for at, source in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(source, dict) and source.get("id") is None and source.get("source") is None:
                path = ("scenarios", index, "sources", at)
                yield document.problem(path, f"{spelled(path)} names no source; give it an id")
