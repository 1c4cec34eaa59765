"""ASSERTIONS with their lessons → SARIF's description of the tool: a rule for each kind, in words that teach it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from agenttest import __version__
from agenttest.assertions import ASSERTIONS, row_of
from agenttest.assertions.lessons import LESSONS, UNPROVEN, Lesson
from agenttest.model import Reason

HOME = "https://pypi.org/project/agent-test-action/"
LEFT_OUT = "results-left-out"
NOTICES = {  # what is said, and what to do
    Reason.MISSING_EVIDENCE: ("Something could not be proven, as evidence is missing.", "Record what is missing."),
    Reason.INVALID_INPUT: ("The suite, its observations or a setting is not valid.", "Correct what the message names."),
    Reason.ENDPOINT: ("The agent could not be observed.", "See that the agent runs and can be reached."),
    Reason.BUDGET: (
        "The run's budget was used up before everything was judged.",
        "Raise the limit or split the suite.",
    ),
    Reason.NOT_SAVED: ("The evidence could not be saved.", "See that the run directory can be written."),
    Reason.INTERRUPTED: ("The run was interrupted before everything was judged.", "Run it again."),
    Reason.INTERNAL: ("agenttest itself failed.", "Report this as a bug, with the files that led to it."),
    Reason.VIOLATION: ("The suite's policy is not kept.", "See in the report which gates do not hold."),
    LEFT_OUT: ("There are more results than a SARIF file may usefully hold.", "See the report in the run directory."),
}


@dataclass(frozen=True, slots=True)
class Where:
    """What an assertion is written in: the file, the language of the file, the tag of its rules."""

    file: str
    language: str
    tag: str


CONTRACT, SCENARIO = Where("contract", "yaml", "contract"), Where("scenario file", "json", "scenario")
BARE, SHALLOW = "ExplicitOracles", "shallow-scenario"
SHARED: dict[str, tuple[str, Lesson]] = {  # by rule its channel and its lesson, of what has no row of its own
    BARE: (
        "oracles",
        Lesson(
            "The scenario has no oracle",
            "A scenario says in expected.oracles what has to hold; with none it could not fail, so it proves nothing.",
            "It fails where the list is empty or not there.",
            "Name at least one oracle that looks at what the scenario is about.",
            '"oracles": [{"type": "ToolCalled", "toolName": "read_file"}]',
        ),
    ),
    SHALLOW: (
        "oracles",
        Lesson(
            "The scenario proves little",
            "What a scenario is about, by its risk, its tags and its trace, should be what its oracles look at.",
            "It is said where a reviewer would stop; the message says why. It breaks nothing, unless lint is error.",
            "Add the oracle that the message names, or take away what the scenario is not about.",
            '"oracles": [{"type": "NoUnsafeTool"}]',
        ),
    ),
}


@cache
def kinds() -> dict[str, int]:
    """Every rule with its place among all: those of contracts, then those of scenario files."""
    from agenttest.assertions.oracles import ORACLES

    return {kind: index for index, kind in enumerate(dict.fromkeys((*ASSERTIONS, *ORACLES, *SHARED)))}


@cache
def contract_kinds() -> dict[str, int]:
    """The rules of contracts with their places."""
    return {kind: index for index, kind in enumerate(ASSERTIONS)}


def index_of(kind: str) -> int:
    """The place of a rule among all."""
    known = contract_kinds()
    return known[kind] if kind in known else kinds()[kind]


def driver(*, oracles: bool = False) -> dict[str, Any]:
    """The tool, with a rule for each kind of assertion, of `oracles` too, and a word for each notification."""
    return {
        "name": "agenttest",
        "informationUri": HOME,
        "semanticVersion": __version__,
        "rules": [rule(kind) for kind in (kinds() if oracles else contract_kinds())],
        "notifications": [notice(name, *told) for name, told in NOTICES.items()],
    }


def notice(name: str, text: str, remedy: str) -> dict[str, Any]:
    """A sort of notification, with every text that GitHub asks for."""
    texts = {"shortDescription": text, "fullDescription": text, "help": remedy}
    return {"id": name} | {key: {"text": words} for key, words in texts.items()}


def rule(kind: str) -> dict[str, Any]:
    """A kind of assertion, in words that teach it."""
    if kind in ASSERTIONS:
        return taught(kind, ASSERTIONS[kind].path, ASSERTIONS[kind].channel, LESSONS[kind], CONTRACT)
    from agenttest.assertions.oracles.lessons import ORACLE_LESSONS

    channel, lesson = SHARED[kind] if kind in SHARED else (row_of(kind).channel, ORACLE_LESSONS[kind])
    return taught(kind, kind, channel, lesson, SCENARIO)


def taught(kind: str, title: str, channel: str, lesson: Lesson, where: Where) -> dict[str, Any]:
    """A rule; `title` is what its kind is called `where` it is written."""
    parts = {"What it demands": lesson.demand, "Why it fails": lesson.failure, "What to do": lesson.remedy}
    told = [f"{title}: {text}" for title, text in parts.items()]
    shown = [f"**{title}.** {text}" for title, text in parts.items()]
    level = "note" if kind == SHALLOW else "error"
    return {
        "id": kind,
        "shortDescription": {"text": f"{lesson.title}."},
        "fullDescription": {"text": lesson.demand},
        "help": {
            "text": "\n\n".join([*told, UNPROVEN, f"In a {where.file}:\n{lesson.example}"]),
            "markdown": "\n\n".join(
                [f"### `{title}`", *shown, UNPROVEN, f"```{where.language}\n{lesson.example}\n```"]
            ),
        },
        "defaultConfiguration": {"level": level},
        "properties": {
            "precision": "very-high",
            "problem.severity": "recommendation" if kind == SHALLOW else "error",
            "tags": ["agent", where.tag, channel],
        },
    }
