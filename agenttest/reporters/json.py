"""`Report` → its JSON document, one line for each key and each scenario."""

from __future__ import annotations

from agenttest.jsontext import spread
from agenttest.report import Report, to_document


def render(report: Report) -> str:
    """The report's document as text."""
    return spread(to_document(report))
