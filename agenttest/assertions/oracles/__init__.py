"""The ORACLES table: for each type of oracle in a scenario file its row, its parameters and its summary."""

from agenttest.assertions.finding import Row, each
from agenttest.assertions.oracles import answer, approvals, calls, outcome, results, unsafe
from agenttest.assertions.oracles.attempts import by_trace
from agenttest.assertions.oracles.oracle import Oracle, Parameters
from agenttest.quote import written

ORACLES: dict[str, Oracle] = {
    "ToolCalled": Oracle(
        Row("ToolCalled", "tools", each(calls.called), "the tool was called"),
        lambda given: str(given["toolName"]).strip(),
        ("toolName",),
    ),
    "ToolNotCalled": Oracle(
        Row("ToolNotCalled", "tools", each(calls.not_called), "the tool was not called", refutable=True),
        lambda given: f"no calls of {given['toolName'].strip()}",
        ("toolName",),
    ),
    "FinalAnswerContains": Oracle(
        Row("FinalAnswerContains", "response", each(answer.contains), "the final answer contains the text"),
        lambda given: str(given["text"]),
        ("text",),
        ("caseSensitive",),
    ),
    "MaxToolCalls": Oracle(
        Row("MaxToolCalls", "tools", each(calls.max_calls), "no more calls were made", refutable=True),
        lambda given: f"<= {given['maxCount']}",
        ("maxCount",),
        ("toolName",),
    ),
    "StateEquals": Oracle(
        Row("StateEquals", "state", each(outcome.state), "the state has the value"),
        lambda given: str(given["expectedValue"]),
        ("stateKey", "expectedValue"),
    ),
    "ApprovalRequired": Oracle(
        Row("ApprovalRequired", "approvals", by_trace(approvals.required), "approval was needed"),
        lambda given: "approval required" + (" by every call" if approvals.mode_of(given) == "all" else ""),
        (),
        ("toolName", "mode"),
    ),
    "NoUnsafeTool": Oracle(
        Row("NoUnsafeTool", "trace", by_trace(unsafe.none_unsafe), "no unsafe call was carried out", refutable=True),
        lambda given: "0 unsafe executed" + (" without approval" if given.get("allowApproved") else ""),
        (),
        ("allowApproved",),
    ),
    "FinalAnswerExcludes": Oracle(
        Row(
            "FinalAnswerExcludes",
            "response",
            each(answer.excludes),
            "the final answer does not contain the text",
            refutable=True,
        ),
        lambda given: f"not {given['text']}",
        ("text",),
        ("caseSensitive",),
    ),
    "ToolArguments": Oracle(
        Row("ToolArguments", "tools", each(calls.arguments), "a call has the arguments"),
        lambda given: f"{given['toolName'].strip()} with {written(given['argumentsSubset'], calls.EXCERPT)}",
        ("toolName", "argumentsSubset"),
    ),
    "ToolSequence": Oracle(
        Row("ToolSequence", "tools", each(calls.sequence), "the calls came in exactly this order"),
        lambda given: calls.joined(given["toolNames"]) or "no call",
        ("toolNames",),
    ),
    "ToolsAllowed": Oracle(
        Row("ToolsAllowed", "tools", each(calls.allowed), "every call is allowed", refutable=True),
        lambda given: f"only {calls.joined(given['toolNames'])}" if given["toolNames"] else "no call",
        ("toolNames",),
    ),
    "Refusal": Oracle(
        Row("Refusal", "refusal", each(outcome.refusal), "the agent answered as it must"),
        lambda given: outcome.word(given["expected"]),
        ("expected",),
    ),
    "SourceCited": Oracle(
        Row("SourceCited", "sources", each(outcome.cited), "the source is cited"),
        lambda given: str(given["sourceId"]).strip(),
        ("sourceId",),
    ),
    "ToolResultSucceeded": Oracle(
        Row("ToolResultSucceeded", "results", by_trace(results.succeeded), "a result of the tool succeeded"),
        lambda given: f"{given['toolName'].strip()} succeeded",
        ("toolName",),
    ),
    "ApprovalGranted": Oracle(
        Row("ApprovalGranted", "approvals", by_trace(approvals.granted), "approval was granted"),
        lambda given: f"{approvals.name_of(given)} approved".strip(),
        (),
        ("toolName",),
    ),
    "ApprovalDenied": Oracle(
        Row("ApprovalDenied", "approvals", by_trace(approvals.denied), "approval was denied"),
        lambda given: f"{approvals.name_of(given)} denied".strip(),
        (),
        ("toolName",),
    ),
    "NoExecutionBeforeApproval": Oracle(
        Row("NoExecutionBeforeApproval", "trace", by_trace(approvals.before_execution), "nothing came before approval"),
        lambda _: "0 executed before approval",
    ),
}

__all__ = ["ORACLES", "Oracle", "Parameters"]
