"""The ORACLES table: for each type of oracle in a scenario file its row, its parameters and its summary."""

from agenttest.assertions.finding import Row, each
from agenttest.assertions.oracles import answer, calls
from agenttest.assertions.oracles.oracle import Oracle, Parameters

ORACLES: dict[str, Oracle] = {
    "ToolCalled": Oracle(
        Row("ToolCalled", "tools", each(calls.called), "the tool was called"),
        lambda given: str(given["toolName"]).strip(),
        ("toolName",),
    ),
    "FinalAnswerContains": Oracle(
        Row("FinalAnswerContains", "response", each(answer.contains), "the final answer contains the text"),
        lambda given: str(given["text"]),
        ("text",),
        ("caseSensitive",),
    ),
}

__all__ = ["ORACLES", "Oracle", "Parameters"]
