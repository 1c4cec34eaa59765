"""A step's inputs that select scenarios of files → `Filters`, with a problem for each that means nothing."""

from __future__ import annotations

from dataclasses import dataclass

from agenttest.errors import Problem
from agenttest.github.context import Context
from agenttest.github.given import lines, on, problem, text
from agenttest.model import Filters, Risk
from agenttest.quote import quote

SWITCHES = ("partial",)
NAMES = ("tag", "risk", "min-risk", *SWITCHES)


@dataclass(frozen=True, slots=True)
class Selected:
    """Which scenarios are asked for, as far as that is told rightly, and all that is wrong."""

    filters: Filters
    problems: tuple[Problem, ...]


def read(context: Context) -> Selected:
    """The inputs of action.yml that select by tag and risk: each line of `tag` asks for one of its tags."""
    tags = [tuple(word.strip() for word in line.split(",") if word.strip()) for line in lines(context, "tag")]
    blank = () in tags
    said = "has a line without a tag; give one tag a line, or several with commas between them"
    risks = {name: risk_of(context, name) for name in ("risk", "min-risk")}
    known = {name: found if isinstance(found, Risk) else None for name, found in risks.items()}
    filters = Filters(tuple(filter(None, tags)), known["risk"], known["min-risk"], on(context, "partial"))
    wrong = [found for found in risks.values() if isinstance(found, Problem)]
    return Selected(filters, (*([problem("tag", said)] if blank else ()), *wrong))


def risk_of(context: Context, name: str) -> Risk | Problem | None:
    """The risk that an input names, in any case; None where it is not given."""
    given = text(context, name)
    try:
        return None if given is None else Risk.of(given)
    except ValueError:
        return problem(name, f"is {quote(given)}; give one of {', '.join(risk.lower() for risk in Risk)}")
