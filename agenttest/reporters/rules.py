"""ASSERTIONS with their lessons → SARIF's description of the tool: a rule for each kind, in words that teach it."""

from __future__ import annotations

from typing import Any

from agenttest import __version__
from agenttest.assertions import ASSERTIONS
from agenttest.assertions.lessons import LESSONS, UNPROVEN
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


def driver() -> dict[str, Any]:
    """The tool, with a rule for each kind of assertion and a word for each notification."""
    return {
        "name": "agenttest",
        "informationUri": HOME,
        "semanticVersion": __version__,
        "rules": [rule(kind) for kind in ASSERTIONS],
        "notifications": [notice(name, *told) for name, told in NOTICES.items()],
    }


def notice(name: str, text: str, remedy: str) -> dict[str, Any]:
    """A sort of notification, with every text that GitHub asks for."""
    texts = {"shortDescription": text, "fullDescription": text, "help": remedy}
    return {"id": name} | {key: {"text": words} for key, words in texts.items()}


def rule(kind: str) -> dict[str, Any]:
    """A kind of assertion, in words that teach it."""
    lesson, row = LESSONS[kind], ASSERTIONS[kind]
    parts = {"What it demands": lesson.demand, "Why it fails": lesson.failure, "What to do": lesson.remedy}
    told = [f"{title}: {text}" for title, text in parts.items()]
    shown = [f"**{title}.** {text}" for title, text in parts.items()]
    return {
        "id": kind,
        "shortDescription": {"text": f"{lesson.title}."},
        "fullDescription": {"text": lesson.demand},
        "help": {
            "text": "\n\n".join([*told, UNPROVEN, f"In a contract:\n{lesson.example}"]),
            "markdown": "\n\n".join([f"### `{row.path}`", *shown, UNPROVEN, f"```yaml\n{lesson.example}\n```"]),
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {
            "precision": "very-high",
            "problem.severity": "error",
            "tags": ["agent", "contract", row.channel],
        },
    }
