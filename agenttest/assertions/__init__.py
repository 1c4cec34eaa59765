"""The ASSERTIONS table: for each kind of assertion the channel that it needs and the check that judges it."""

from agenttest.assertions import citations, refusal, response, tools
from agenttest.assertions.finding import Finding, Row, each

ASSERTIONS: dict[str, Row] = {
    "response_contains": Row(
        "response.contains", "response", each(response.contains), "the response contains the text"
    ),
    "response_excludes": Row(
        "response.excludes",
        "response",
        each(response.excludes),
        "the response does not contain the text",
        refutable=True,
    ),
    "tool_required": Row("tools.required", "tools", tools.required, "the call was made"),
    "tools_allowed": Row("tools.allowed", "tools", each(tools.allowed), "every call is allowed", refutable=True),
    "tool_forbidden": Row("tools.forbidden", "tools", each(tools.forbidden), "the tool was not called", refutable=True),
    "tool_exact_sequence": Row(
        "tools.exact_sequence", "tools", each(tools.exact_sequence), "the calls came in exactly this order"
    ),
    "tool_max_calls": Row("tools.max_calls", "tools", each(tools.max_calls), "no more calls were made", refutable=True),
    "refusal": Row("refusal", "refusal", each(refusal.refusal), "the agent answered as it must"),
    "source_required": Row("sources.required", "sources", each(citations.required), "the source is cited"),
}


def row_of(kind: str) -> Row:
    """The row of a kind of assertion, a contract's or, by its type, an oracle's."""
    found = ASSERTIONS.get(kind)
    if found is None:
        from agenttest.assertions.oracles import ORACLES

        found = ORACLES[kind].row
    return found


__all__ = ["ASSERTIONS", "Finding", "Row", "row_of"]
