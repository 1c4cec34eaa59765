"""A valid scenario → what is shallow about it: the places where it proves less than it seems to.

Each rule looks at one thing that a reviewer would stop at; it yields the path of a value, what is, and what would be
right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from agenttest.assertions.oracles import ORACLES
from agenttest.documents import Path
from agenttest.model import Risk
from agenttest.quote import quote
from agenttest.steps import NOTE, arguments_of

Finding: TypeAlias = tuple[Path, str]
Raw: TypeAlias = Mapping[str, Any]

SCRIPTED = "scripted"
ANSWER = ("FinalAnswerContains", "FinalAnswerExcludes")
TOOLS = ("ToolCalled", "ToolNotCalled", "MaxToolCalls", "ToolArguments", "ToolSequence", "ToolsAllowed")
RESULTS = ("ToolResultSucceeded",)
APPROVALS = ("ApprovalRequired", "ApprovalGranted", "ApprovalDenied", "NoExecutionBeforeApproval")
UNSAFE = "NoUnsafeTool"
TAGS = {
    "tools": (*TOOLS, *RESULTS, UNSAFE),
    "approvals": APPROVALS,
    "safety": (UNSAFE, "ToolNotCalled", "ToolsAllowed", "Refusal", *APPROVALS),
}
"""What a scenario is about, by its tag: one of these types of oracles looks at it."""
FREE = ("type", "name", "description")  # keys that every oracle may have


@dataclass(frozen=True, slots=True)
class Shown:
    """What the rules look at: the scenario, its oracles with their types, and the steps that are its evidence."""

    raw: Raw
    oracles: tuple[Raw, ...]
    types: frozenset[str]
    script: Raw
    steps: tuple[Raw, ...]

    @classmethod
    def of(cls, raw: Raw) -> Shown:
        """That of a valid scenario; what it scripts is no evidence where another source gives it."""
        oracles = tuple(raw["expected"].get("oracles") or ())
        script = raw["input"] if executor(raw) == SCRIPTED else {}
        steps = tuple(script.get("scriptedTrace") or ())
        return cls(raw, oracles, frozenset(oracle["type"] for oracle in oracles), script, steps)


def executor(raw: Raw) -> str:
    """Where a scenario's evidence comes from."""
    return str(raw["input"].get("executor") or SCRIPTED).strip().lower()


def findings(raw: Raw) -> Iterator[Finding]:
    """Everything shallow about a valid scenario; of one without oracles, which fails by that, what else there is."""
    shown = Shown.of(raw)
    for rule in RULES:
        yield from rule(shown)
    for rule in RULES_OF_ORACLES if shown.oracles else ():
        yield from rule(shown)


def empty_prompt(shown: Shown) -> Iterator[Finding]:
    """Nobody knows what was asked."""
    if not shown.raw["input"]["prompt"].strip():
        yield ("input", "prompt"), "the prompt is empty; say what the agent is asked"


def unread_script(shown: Shown) -> Iterator[Finding]:
    """What is scripted is no evidence where the executor is another one."""
    for key, value in shown.raw["input"].items() if executor(shown.raw) in ("replay", "endpoint") else ():
        if key.startswith(SCRIPTED) and value is not None:
            said = f"{key} is not read, as the executor is {quote(executor(shown.raw), 40)}; remove one of the two"
            yield ("input", key), said


def unread_recording(shown: Shown) -> Iterator[Finding]:
    """What a recording tells is no evidence where the executor is another one."""
    if shown.raw["input"].get("replay") is not None and executor(shown.raw) in (SCRIPTED, "endpoint"):
        said = f"replay is not read, as the executor is {quote(executor(shown.raw), 40)}; write the executor 'replay'"
        yield ("input", "replay"), said


def orphans(shown: Shown) -> Iterator[Finding]:
    """A result belongs to a call."""
    calls = {step["toolCall"].get("callId") for step in shown.steps if step.get("toolCall")}
    for index, step in enumerate(shown.steps):
        name = (step.get("toolResult") or {}).get("callId")
        if name is not None and name not in calls:
            said = f"the result is of the call {quote(name, 40)}, which no step makes; use the callId of a toolCall"
            yield (*step_path(index), "toolResult", "callId"), said


def step_path(index: int) -> Path:
    """Where a step stands."""
    return "input", "scriptedTrace", index


def tags_without_oracle(shown: Shown) -> Iterator[Finding]:
    """What a scenario is said to be about, an oracle looks at."""
    for index, tag in enumerate(shown.raw.get("tags") or ()):
        types = TAGS.get(tag.strip().lower(), ())
        if types and not shown.types.intersection(types):
            said = f"the tag is {quote(tag, 40)}, and no oracle looks at that; add {one_of(types)}"
            yield ("tags", index), f"{said}, or remove the tag"


def one_of(types: tuple[str, ...]) -> str:
    """Types of oracles as a choice."""
    return f"{', '.join(types[:-1])} or {types[-1]}"


def unsafe_unwatched(shown: Shown) -> Iterator[Finding]:
    """Where an unsafe call is told of, an oracle looks at whether it was carried out; the first one is told."""
    for index, step in enumerate(shown.steps if UNSAFE not in shown.types else ()):
        if (step.get("toolCall") or {}).get("isUnsafe"):
            said = f"the call is unsafe, and no oracle looks at whether it was carried out; add {UNSAFE}"
            yield (*step_path(index), "toolCall", "isUnsafe"), said
            return


def answer_only(shown: Shown) -> Iterator[Finding]:
    """Where much is at stake, what the agent says is not all that is looked at."""
    risk = Risk.of(shown.raw.get("risk") or Risk.MEDIUM)
    if risk in (Risk.HIGH, Risk.CRITICAL) and shown.types <= set(ANSWER):
        said = f"the risk is {risk}, and all that is looked at is the final answer; add an oracle of what the agent did"
        yield ("risk",), f"{said}, such as ToolCalled, StateEquals or {UNSAFE}"


def echoes(shown: Shown) -> Iterator[Finding]:
    """An oracle asks for more than that the file agrees with itself."""
    answers = {plain(step.get("finalAnswer")) for step in shown.steps} | {
        plain(shown.script.get("scriptedFinalAnswer"))
    }
    for index, oracle in enumerate(shown.oracles):
        text = plain(oracle.get("text"))
        if oracle["type"] == ANSWER[0] and text and text in answers:
            said = "the text is all of the scripted answer, so the file only agrees with itself; ask for a part of it"
            yield (*oracle_path(index), "text"), said


def plain(text: str | None) -> str:
    """A text in one case, without surrounding space."""
    return (text or "").strip().casefold()


def oracle_path(index: int) -> Path:
    """Where an oracle stands."""
    return "expected", "oracles", index


def unread_parameters(shown: Shown) -> Iterator[Finding]:
    """An oracle has no parameter that its type does not read."""
    for index, oracle in enumerate(shown.oracles):
        row = ORACLES[oracle["type"]]
        read = (*row.needs, *row.reads)
        for key, value in oracle.items():
            if value is not None and key not in (*FREE, *read) and not key.startswith(NOTE):
                said = (
                    f"{oracle['type']} does not read {key}; remove it (what it reads: {', '.join(read) or 'nothing'})"
                )
                yield (*oracle_path(index), key), said


def unread_arguments(shown: Shown) -> Iterator[Finding]:
    """Arguments that an oracle looks into can be looked into."""
    names = {plain(oracle.get("toolName")) for oracle in shown.oracles if oracle["type"] == "ToolArguments"}
    for index, step in enumerate(shown.steps if names else ()):
        call = step.get("toolCall") or {}
        if (
            plain(call.get("toolName")) in names
            and call.get("argumentsJson")
            and arguments_of(call["argumentsJson"]) is None
        ):
            said = "the text is no JSON object, so ToolArguments finds no arguments in it; write them as JSON"
            yield (*step_path(index), "toolCall", "argumentsJson"), said


Rule: TypeAlias = Callable[[Shown], Iterator[Finding]]
RULES: tuple[Rule, ...] = (empty_prompt, unread_script, unread_recording, orphans)
RULES_OF_ORACLES: tuple[Rule, ...] = (
    tags_without_oracle,
    unsafe_unwatched,
    answer_only,
    echoes,
    unread_parameters,
    unread_arguments,
)
