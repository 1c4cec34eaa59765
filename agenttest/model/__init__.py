"""The nouns that every stage passes on: frozen values, and `Status` with its one ranking."""

from agenttest.model.judged import Gate, Judged, Outcome, Verdict
from agenttest.model.seen import EXECUTORS, Endpoint, Exchange, Observation, Observed, Provenance, Recording, Seen
from agenttest.model.status import Problem, Reason, Risk, Status
from agenttest.model.steps import Approval, Json, Payload, StateChange, Step, StepKind, ToolCall, ToolResult
from agenttest.model.suite import (
    NO_FILTERS,
    Agent,
    Assertion,
    Filters,
    Merged,
    Scenario,
    Shard,
    Suite,
    SuiteFile,
    Tool,
    listing,
)

__all__ = [
    "EXECUTORS",
    "NO_FILTERS",
    "Agent",
    "Approval",
    "Assertion",
    "Endpoint",
    "Exchange",
    "Filters",
    "Gate",
    "Json",
    "Judged",
    "Merged",
    "Observation",
    "Observed",
    "Outcome",
    "Payload",
    "Problem",
    "Provenance",
    "Reason",
    "Recording",
    "Risk",
    "Scenario",
    "Seen",
    "Shard",
    "StateChange",
    "Status",
    "Step",
    "StepKind",
    "Suite",
    "SuiteFile",
    "Tool",
    "ToolCall",
    "ToolResult",
    "Verdict",
    "listing",
]
