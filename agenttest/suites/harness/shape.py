"""A valid scenario file's document → `Scenario`, with one assertion for each of its oracles."""

from __future__ import annotations

from typing import Any

from agenttest.assertions.oracles import ORACLES
from agenttest.documents import Document
from agenttest.documents.outline import Outline
from agenttest.model import Assertion, Risk, Scenario

NO_ORACLE = "the scenario has no oracle, so it proves nothing; name at least one in expected.oracles"


def scenario(document: Document | Outline) -> Scenario:
    """The scenario of a document that the schema and the rules allow."""
    raw = document.value
    mark = document.mark(("id",))
    return Scenario(
        id=raw["id"].strip(),
        prompt=raw["input"]["prompt"],
        system_prompt=None,
        available_tools=None,
        assertions=assertions(document),
        line=mark.key_line or mark.line,
        path=document.name,
        risk=Risk.of(raw.get("risk") or Risk.MEDIUM),
        tags=tuple(dict.fromkeys(tag.strip() for tag in raw.get("tags") or ())),
        required=bool(raw["expected"].get("requiredForGates")),
        title=raw.get("name") or "",
        description=raw.get("description") or "",
        input=raw["input"],
    )


def assertions(document: Document | Outline) -> tuple[Assertion, ...]:
    """One assertion for each oracle or, where there is none, one that says so."""
    given = document.value["expected"].get("oracles")
    if not given:
        mark = document.mark(("expected",))
        place = (mark.key_line, mark.key_column)
        return (
            Assertion("expected.oracles", "ExplicitOracles", None, *place, summary="at least one", fault=NO_ORACLE),
        )
    return tuple(assertion(document, index, raw) for index, raw in enumerate(given))


def assertion(document: Document | Outline, index: int, raw: dict[str, Any]) -> Assertion:
    """The assertion of one oracle; one that lacks a parameter, or has a wrong one, is at fault."""
    mark = document.mark(("expected", "oracles", index))
    oracle = ORACLES[raw["type"]]
    fault = oracle.fault(raw["type"], raw)
    summary = oracle.wrong(raw) or oracle.summary(raw)
    expected = {name: raw[name] for name in (*oracle.needs, *oracle.reads) if raw.get(name) is not None}
    return Assertion(
        name=f"expected.oracles[{index}]",
        kind=raw["type"],
        expected=expected,
        line=mark.line,
        column=mark.column,
        label=(raw.get("name") or "").strip() or None,
        summary=summary,
        fault=fault,
    )
