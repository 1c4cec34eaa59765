"""A judged scenario → its failure as text: what it is, what decided it, and each assertion that does not hold.

No word of it is obeyed by a workflow's log, which is where tests mostly run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agenttest.errors import Problem
from agenttest.github.commands import inert
from agenttest.model import Json, Judged, Outcome, Scenario, Status
from agenttest.plugin.cases import Told
from agenttest.quote import clip, one_line, quote

VALUE = 400
HEAD = 100
EVIDENCE = {
    "scripted": "scripted in the file itself, so this tests its oracles and no agent",
    "replayed": "a saved trace, which does not prove that a running agent produced it",
    "offline": "a recording, which does not prove that a running agent produced it",
}
ASK, ASK_ELSEWHERE = "name one with --endpoint", "judge it with `agenttest test --endpoint URL`, as pytest asks nobody"
FLAGS = re.compile(r"--(observations|partial)\b")  # which have another name here


def text(told: Told) -> str:
    """Everything that is wrong with a scenario, one thing a line."""
    return inert("\n".join(lines(told)))


def lines(told: Told) -> Iterator[str]:
    """The scenario, its evidence, then the assertions that do not hold."""
    judged, scenario = told.judged, told.judged.scenario
    yield f"{clip(one_line(scenario.id), HEAD)} {judged.status.upper()}{stakes(scenario)}"
    yield f"evidence: {EVIDENCE.get(told.provenance.mode, told.provenance.mode)}"
    for outcome in judged.outcomes:
        if outcome.status is not Status.PASS:
            yield from unheld(outcome, told.path)


def stakes(scenario: Scenario) -> str:
    """Its risk and its source, as far as it has them."""
    said = [f"{scenario.risk} risk"] if scenario.risk else []
    said += ["required"] if scenario.required else []
    said += [f"executor {one_line(scenario.executor)}"] if scenario.executor else []
    return f" ({', '.join(said)})" if said else ""


def unheld(outcome: Outcome, path: str) -> Iterator[str]:
    """One assertion: why, expected, actual, what would prove it, and where it stands."""
    assertion = outcome.assertion
    label = f"{assertion.label or assertion.kind}: " if assertion.summary is not None else ""
    yield f"{outcome.status.upper()}  {one_line(label + outcome.message)}"
    if outcome.status is Status.FAIL or outcome.observed is not None:
        yield f"  expected: {value(assertion.wanted)}"
        yield f"  actual:   {value(outcome.observed)}"
    if outcome.difference:
        yield f"  differs:  at {one_line(outcome.difference)}"
    if outcome.remedy:
        yield f"  to prove: {flagged(one_line(outcome.remedy))}"
    yield f"  at {one_line(path)}:{assertion.line} {one_line(assertion.name)}"


def value(found: Json) -> str:
    """A value on one line."""
    return one_line(quote(found, VALUE))


def headline(judged: Judged) -> str:
    """The first assertion that does not hold, and how many more there are."""
    short = [each for each in judged.outcomes if each.status is not Status.PASS]
    worst = next((each for each in short if each.status is judged.status), None)
    said = clip(one_line(worst.message), HEAD) if worst else "nothing was decided"
    return inert(f"{said} (and {len(short) - 1} more)" if len(short) > 1 else said)


def problems(found: Iterable[Problem]) -> str:
    """Problems of files, a line for each, with the flags as they are called here."""
    return inert("\n".join(flagged(one_line(str(problem))) for problem in found))


def flagged(said: str) -> str:
    """A text with the command line's flags as they are called here."""
    return FLAGS.sub(r"--agenttest-\1", said.replace(ASK, ASK_ELSEWHERE))
