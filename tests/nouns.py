"""Scenarios, observations and judgements in few words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agenttest import gates
from agenttest.evaluate import judge
from agenttest.model import (
    Agent,
    Assertion,
    Endpoint,
    Exchange,
    Judged,
    Observation,
    Outcome,
    Provenance,
    Scenario,
    Status,
    Suite,
    ToolCall,
)
from agenttest.report import Report

WHOLE = {"response_complete": True, "finish_reason": "stop", "tool_calls_complete": True}


def scenario(*asked: tuple[str, str, Any], name: str = "desk") -> Scenario:
    """A scenario that asks for (name, kind, expected), from line 10 on."""
    checks = tuple(Assertion(path, kind, expected, 10 + at, 5) for at, (path, kind, expected) in enumerate(asked))
    return Scenario(name, "Hello", None, None, checks, 3)


def observation(**fields: Any) -> Observation:
    """A complete observation with these fields."""
    return Observation("desk", **{**WHOLE, **fields})


def judged(*statuses: Status, name: str = "desk") -> Judged:
    """A scenario with one outcome of each status."""
    asked = scenario(
        *((f"response.contains[{at}]", "response_contains", "x") for at in range(len(statuses))), name=name
    )
    outcomes = tuple(Outcome(check, status, "so") for check, status in zip(asked.assertions, statuses, strict=True))
    return Judged(asked, None, outcomes)


def outcome(asked: tuple[str, str, Any], seen: Observation | None) -> Outcome:
    """The outcome of one thing asked."""
    (only,) = judge(scenario(asked), seen).outcomes
    return only


def endpoint(**fields: Any) -> Endpoint:
    """An endpoint on loopback that the invocation named, with these fields."""
    usual = Endpoint("invocation", "0123456789abcdef" * 4, "loopback", False, "desk-assistant", 30.0, 1024, 2_097_152)
    return replace(usual, **fields)


def live_provenance(**fields: Any) -> Provenance:
    """Where a live run's observations come from: an endpoint with these fields."""
    return Provenance("endpoint", "runtime_observed", endpoint=endpoint(**fields))


def exchange(**fields: Any) -> Exchange:
    """An exchange that brought an answer, with these fields."""
    return Exchange(
        **{"status": 200, "latency_ms": 95, "usage": {"prompt_tokens": 31, "completion_tokens": 9}, **fields}
    )


def live_scenarios() -> tuple[Judged, ...]:
    """Four scenarios of a live run: kept, though what decided it is not; violated; doubtful; without an answer."""
    says = ("response.contains[0]", "response_contains", "sk-1")
    calls = ("tools.forbidden[0]", "tool_forbidden", "send_refund")
    kept = judge(scenario(says, name="greets"), observation(response="It is sk-1."), None, exchange())
    broken = judge(
        scenario(calls, name="refunds"),
        observation(response="Done.", tool_calls=(ToolCall("send_refund", {"order": "B-1002"}),)),
        None,
        exchange(latency_ms=412, usage={"total_tokens": 1_124}),
    )
    partly = replace(
        observation(response="I would", tool_calls=()), tool_calls_complete=False, finish_reason="tool_calls"
    )
    doubt = {"tools": "finish_reason is 'tool_calls', but no call is shown"}
    doubtful = judge(scenario(calls, name="doubts"), partly, None, exchange(doubts=doubt))
    silent = Exchange(None, 30_012, remedy="see that the agent answers in time, or raise --timeout-seconds")
    lost = judge(scenario(says, name="waits"), Observation("waits", error="no answer within 30 s"), None, silent)
    unseen = replace(kept, observation=observation(response="It is *."), redacted=("response.contains[0]",))
    return unseen, broken, doubtful, lost


def live_report(scenarios: Sequence[Judged] | None = None, **fields: Any) -> Report:
    """The saved report of a live run of an endpoint with these fields."""
    found = live_scenarios() if scenarios is None else tuple(scenarios)
    agent = Agent(None, None, 30.0, (), ())
    suite = Suite("agent_behavior", 1, "desk.yml", "", "5" * 64, agent, tuple(each.scenario for each in found))
    return Report(gates.decide(found), "desk.yml", suite, found, live_provenance(**fields), "agent-test-runs/1")
