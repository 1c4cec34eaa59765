"""A scenario file's text → `Valid`: its scenario and what is shallow about it; or all of its problems at once.

Places cost more than all the rest. Of a file that is right only those are looked up that its scenario keeps.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from agenttest.documents import Document, Marks, decode, jsonfile, schema
from agenttest.documents.measure import counted, measure
from agenttest.documents.outline import EACH, Outline, Parts, outline
from agenttest.errors import InvalidInput, Problem
from agenttest.model import Scenario, SuiteFile
from agenttest.settings import SCENARIO_DEPTH, SCENARIO_VALUES
from agenttest.suites.harness import lint, rules, shape

KEPT: Parts = {"id": {}, "expected": {"oracles": {EACH: {}}}}
"""The parts whose places a scenario keeps."""
MOST = 1_000  # problems, or warnings, that are told of one file


@dataclass(frozen=True, slots=True)
class Valid:
    """A file's scenario, the place of its id, and the warnings about it."""

    scenario: Scenario
    line: int
    column: int
    warnings: tuple[Problem, ...] = ()


def read(file: SuiteFile) -> Valid:
    """What is in a file; InvalidInput with every problem of it."""
    if file.refused is not None:
        raise InvalidInput(Problem(file.path, 0, 0, file.refused))
    found = outlined(file) or placed(file)
    place = found.mark(("id",))
    return Valid(shape.scenario(found), place.line, place.column, warnings(found, file))


def outlined(file: SuiteFile) -> Outline | None:
    """The outline of a file in which all is right."""
    if not encoded(file.text) or count(file.text) > SCENARIO_VALUES:
        return None
    try:
        found = outline(file.path, file.text, KEPT)
    except (ValueError, RecursionError):
        return None
    return found if flat(file.text, found.value) and right(file.path, found.value) else None


def encoded(text: str) -> bool:
    """Whether the text was UTF-8, and no byte of it stands as a lone surrogate."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def count(text: str) -> int:
    """How many values a text holds, as far as that may be too many; most texts are too short for that."""
    return counted(text) if len(text) > SCENARIO_VALUES else 0


def flat(text: str, value: Any) -> bool:
    """Whether a text's value nests no deeper than it may; in most texts there are too few brackets for that."""
    return text.count("{") + text.count("[") <= SCENARIO_DEPTH or measure(value)[0] <= SCENARIO_DEPTH


def right(name: str, value: Any) -> bool:
    """Whether the schema and the rules allow the value."""
    return schema.accepts("scenario")(value) and not any(rules.problems(Document(name, value, Marks(1, 1))))


def placed(file: SuiteFile) -> Document:
    """The document of a file with all of its places, if nothing is wrong with it after all."""
    name, text = file.path, text_of(file)
    if (held := count(text)) > SCENARIO_VALUES:
        most = f"at most {SCENARIO_VALUES:,} may be"
        said = f"the file holds {held:,} values (keys count); {most}, tell less of the trace"
        raise InvalidInput(Problem(name, 1, 1, said))
    document, found = jsonfile.read(name, text, SCENARIO_DEPTH)
    if schema.accepts("observations")(document.value):
        said = "the file holds observations, and no scenario; let its name end in .observations.json"
        raise InvalidInput(document.problem((), said))
    told = {(problem.line, problem.column) for problem in found}
    more = chain(schema.problems(document, "scenario", MOST + 1), rules.problems(document))
    found += [problem for problem in islice(more, 2 * MOST) if (problem.line, problem.column) not in told]
    if found:
        raise InvalidInput(first(name, sorted(set(found))))
    return document


def text_of(file: SuiteFile) -> str:
    """A file's text; InvalidInput where it is not written in UTF-8."""
    text = decode(file.path, file.text.encode("utf-8", "surrogateescape"))
    if "\0" in text[:2]:
        raise InvalidInput(Problem(file.path, 1, 1, "the file is UTF-16; save it as UTF-8"))
    return text


def first(name: str, problems: list[Problem]) -> list[Problem]:
    """The problems, the first of them where they are too many to be read."""
    if len(problems) <= MOST:
        return problems
    return [Problem(name, 0, 0, f"more than {MOST:,} things are wrong in the file; these are told"), *problems[:MOST]]


def warnings(found: Document | Outline, file: SuiteFile) -> tuple[Problem, ...]:
    """What is shallow about a valid scenario. Other places than those it keeps are looked up only then."""
    shallow = list(islice(lint.findings(found.value), MOST))
    if not shallow:
        return ()
    document = jsonfile.read(file.path, file.text, SCENARIO_DEPTH)[0] if isinstance(found, Outline) else found
    return tuple(document.problem(path, said) for path, said in shallow)
