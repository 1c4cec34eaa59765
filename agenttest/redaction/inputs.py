"""An assertion and what was observed → what it was decided on, as far as words decided it."""

from __future__ import annotations

from collections.abc import Mapping

from agenttest.assertions import row_of
from agenttest.evidence import Missing, weigh
from agenttest.model import Assertion, Json, Observation, Scenario, Step, ToolCall
from agenttest.observations import call_document
from agenttest.steps import record


def inputs(scenario: Scenario, assertion: Assertion, seen: Observation | None) -> Json:
    """What is expected and what was seen, each as far as the assertion looks at it; None where no evidence is whole,
    as then no word of it decides, or where what is asked cannot be judged at all."""
    if assertion.fault is not None:
        return None
    channel = weigh(seen, partial=scenario.partial).channel(row_of(assertion.kind).channel)
    if isinstance(channel, Missing):
        return None
    kind = assertion.kind
    if isinstance(channel, Mapping):
        return [assertion.expected, channel]
    steps = [record(each) for each in channel if isinstance(each, Step)] if not isinstance(channel, bool | str) else []
    if steps:
        return [assertion.expected, steps]
    if isinstance(channel, bool | str):
        return [assertion.expected, channel]
    calls = [call for call in channel if isinstance(call, ToolCall)]
    if kind == "tool_required":  # entries of the kind share out the calls among them
        asked = [each.expected for each in scenario.assertions if each.kind == kind]
        return [asked, [call_document(call) for call in calls]]
    if kind == "ToolArguments":
        return [assertion.expected, [call_document(call) for call in calls]]
    if kind == "tool_max_calls":
        return [assertion.expected, len(calls)]
    return [
        assertion.expected,
        [each if isinstance(each, str) else each.name for each in channel if not isinstance(each, Step)],
    ]
