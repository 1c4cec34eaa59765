"""What a live run saw → an observations file, by which the same suite can be judged again without an agent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agenttest.documents.measure import measure
from agenttest.jsontext import spread
from agenttest.model import Observation
from agenttest.observations import to_document
from agenttest.settings import OBSERVATION_VALUES, OBSERVATIONS_BYTES, OBSERVATIONS_DEPTH

RECORDED = "observations.json"


def recording(seen: Iterable[Observation | None]) -> dict[str, Any]:
    """The file's value, with an entry for each scenario that was observed."""
    return {"version": 1, "scenarios": [to_document(each) for each in seen if each is not None]}


def written(recorded: dict[str, Any]) -> str:
    """The file's text; nothing where it would be larger than an observations file may be."""
    depth, count = measure(recorded)
    if depth > OBSERVATIONS_DEPTH or count > OBSERVATION_VALUES * max(1, len(recorded["scenarios"])):
        return ""
    text = spread(recorded)
    return text if len(text.encode()) <= OBSERVATIONS_BYTES else ""
