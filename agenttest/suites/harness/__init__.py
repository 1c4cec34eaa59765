"""A folder of scenario files → `Suite`: every valid file a scenario, every other one among the suite's problems."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from agenttest.documents import Document, decode, jsonfile, schema
from agenttest.errors import InvalidInput, Problem
from agenttest.files import Project
from agenttest.model import Agent, Scenario, Suite, SuiteFile, listing
from agenttest.settings import SCENARIO_BYTES, SCENARIO_DEPTH, SCENARIO_VALUES
from agenttest.suites.harness import lint, rules, shape

KIND = "agent_scenarios"
VERSION = 1
NOBODY = Agent(None, None, 30.0, (), ())
ENDING = ".json"
RECORDINGS = (".trace.json", ".observations.json")  # what lies beside scenarios for them to be judged by


def load(project: Project, path: str) -> Suite:
    """The suite of a folder, or of one scenario file, at a path below the root; there may be nothing in it or at it."""
    names = [path] if project.kind(path) in ("file", "link") else sorted(found(project, path), key=str.casefold)
    return read(path, tuple(file_of(project, name) for name in names))


def found(project: Project, path: str) -> Iterator[str]:
    """Every scenario file in a folder and all folders in it; nothing hidden, and no recordings."""
    for name, kind in project.entries(path):
        if name.rpartition("/")[2].startswith("."):
            continue
        if kind == "folder":
            yield from found(project, name)
        elif name.lower().endswith(ENDING) and not name.lower().endswith(RECORDINGS):
            yield name


def file_of(project: Project, name: str) -> SuiteFile:
    """A file with its text, or with why it cannot be read."""
    try:
        return SuiteFile(name, project.read(name, SCENARIO_BYTES).decode("utf-8", "surrogateescape"))
    except InvalidInput as error:
        return SuiteFile(name, refused=error.problems[0].message)


def read(path: str, files: Sequence[SuiteFile]) -> Suite:
    """The suite of these files, the same whether they lie on disk or in a saved run."""
    documents: list[Document] = []
    problems: list[Problem] = []
    for file in files:
        try:
            documents.append(document(file))
        except InvalidInput as error:
            problems += error.problems
    valid, doubles = rules.unique(documents)
    scenarios = tuple(sorted(map(shape.scenario, valid), key=order))
    digest = hashlib.sha256(listing(files).encode("utf-8", "surrogatepass")).hexdigest()
    warnings = tuple(sorted(problem for each in scenarios for problem in lint.warnings(each)))
    told = tuple(sorted([*problems, *doubles]))
    return Suite(KIND, VERSION, path, "", digest, NOBODY, scenarios, tuple(files), told, warnings)


def order(scenario: Scenario) -> tuple[str, str]:
    """Scenarios stand by their ids, whatever their case."""
    return scenario.id.casefold(), scenario.id


def document(file: SuiteFile) -> Document:
    """A file's valid document; InvalidInput with every problem of the file. Places are looked up when they are asked
    for."""
    if file.refused is not None:
        raise InvalidInput(Problem(file.path, 0, 0, file.refused))
    text = decode(file.path, file.text.encode("utf-8", "surrogateescape"))
    found, problems = jsonfile.read(file.path, text, SCENARIO_DEPTH, SCENARIO_VALUES)
    told = {(problem.line, problem.column) for problem in problems}
    more = (*schema.problems(found, "scenario"), *rules.problems(found))
    problems += [problem for problem in more if (problem.line, problem.column) not in told]
    if problems:
        raise InvalidInput(sorted(set(problems)))
    return found
