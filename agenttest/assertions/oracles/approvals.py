"""Checks of approval: that it is needed, how it was decided, and that nothing is carried out before it."""

from __future__ import annotations

from collections.abc import Iterator

from agenttest.assertions.finding import Finding
from agenttest.assertions.oracles.attempts import APPROVED, REFUSED, REQUESTED, RESOLVED, Answer, Attempt, Trace
from agenttest.assertions.oracles.calls import joined, never
from agenttest.assertions.oracles.letters import fold
from agenttest.assertions.oracles.oracle import Parameters
from agenttest.model import Approval, Status
from agenttest.quote import many, quote

DENIED = "denied"
HOW = {
    None: "without approval",
    REQUESTED: "before approval was decided",
    RESOLVED: "though it is not told how approval was decided",
    DENIED: "though approval was denied",
}
"""By how approval stood how a call was carried out that was not approved."""


def required(given: Parameters, trace: Trace) -> Iterator[Finding]:
    """A call needs approval, or was asked approval for: one at least or, where the mode is `all`, each."""
    tool = name_of(given)
    made = [each for each in trace.attempts if fits(tool, each.call.name)]
    needing = [each for each in made if each.call.requires_approval or each.asked]
    asked = [told for told in approvals(trace, tool) if told.phase == REQUESTED]
    if mode_of(given) == "all" and len(needing) < len(made):
        free = f"{many(len(made) - len(needing), 'call')} of {many(len(made), 'call')}{of(tool)}"
        yield Finding(f"{free} needed no approval", f"{len(needing)} of {len(made)}")
    elif needing or asked:
        said = f"approval was needed by {many(len(needing), 'call')}" if needing else "approval was asked for"
        yield Finding(said, len(needing) or REQUESTED, status=Status.PASS)
    elif made:
        yield Finding(f"no call{of(tool)} needed approval", "not required")
    else:
        yield Finding(never(tool, trace.calls).message if tool else "no tool was called", "no matching tool call")


def granted(given: Parameters, trace: Trace) -> Iterator[Finding]:
    """Approval was decided, once at least, and granted."""
    yield decided(name_of(given), trace, APPROVED, "granted")


def denied(given: Parameters, trace: Trace) -> Iterator[Finding]:
    """Approval was decided, once at least, and denied."""
    yield decided(name_of(given), trace, DENIED, DENIED)


def decided(tool: str, trace: Trace, decision: str, wanted: str) -> Finding:
    """Whether approval was decided in this way."""
    told = approvals(trace, tool)
    shown = joined([word(each) for each in told])
    decisions = [each.decision for each in told if each.phase == RESOLVED]
    if decision in decisions:
        return Finding(f"approval{of(tool)} was {wanted}", shown, status=Status.PASS)
    if not told:
        return Finding(f"approval{of(tool)} was neither asked for nor decided", "no matching approval")
    if not decisions:
        return Finding(f"approval{of(tool)} was asked for, and never decided", shown)
    last = decisions[-1] or "not told"
    return Finding(f"approval{of(tool)} was not {wanted}; the last decision was {last}", shown)


def before_execution(_: Parameters, trace: Trace) -> Iterator[Finding]:
    """No call that needs approval has a result that came before it was approved."""
    early = [(each, answer) for each in trace.attempts if (answer := too_early(each)) is not None]
    if early:
        more = f"; {len(early):,} such calls in all" if len(early) > 1 else ""
        yield Finding(unapproved(*early[0]) + more, joined([shown(*each) for each in early]))
        return
    needing = [each for each in trace.attempts if needs(each)]
    said = "every call that needs approval waited for it" if needing else "no call needed approval"
    yield Finding(said, 0, status=Status.PASS)


def needs(attempt: Attempt) -> bool:
    """Whether a call needs approval: it says so, or approval of this very call was told of."""
    return bool(attempt.call.requires_approval) or attempt.end.own is not None


def too_early(attempt: Attempt) -> Answer | None:
    """The first result that shows that a call was carried out without being approved before.

    A failure shows nothing of the kind where the call was blocked, or approval refused: it tells just that.
    """
    for answer in attempt.answers if needs(attempt) else ():
        stands = answer.standing.last
        kept_back = not answer.succeeded and (attempt.call.blocked or stands in REFUSED)
        if stands != APPROVED and not kept_back:
            return answer
    return None


def unapproved(attempt: Attempt, answer: Answer) -> str:
    """What is wrong with a call that was carried out."""
    stood = answer.standing.last
    how = HOW.get(stood, "though approval had expired")
    return f"{quote(attempt.call.name)} was carried out {how}, with a result at step {answer.step.sequence}"


def shown(attempt: Attempt, answer: Answer) -> str:
    """A call that was carried out too early, with its steps."""
    return f"{attempt.call.name} (called at step {attempt.step.sequence}, result at step {answer.step.sequence})"


def approvals(trace: Trace, tool: str) -> list[Approval]:
    """All that is told of approval of a tool or, where none is named, of all."""
    found = [step.payload for step in trace.steps if isinstance(step.payload, Approval)]
    return [told for told in found if fits(tool, told.tool)]


def name_of(given: Parameters) -> str:
    """The named tool; nothing where all are meant."""
    return str(given.get("toolName") or "").strip()


def mode_of(given: Parameters) -> str:
    """`any` or `all`."""
    return str(given.get("mode") or "any").strip().lower()


def fits(tool: str, name: str) -> bool:
    """Whether a name is that of the tool, in any case, where one is meant."""
    return not tool or fold(tool) == fold(name)


def of(tool: str) -> str:
    """Of which tool, where one is meant."""
    return f" of {quote(tool)}" if tool else ""


def word(told: Approval) -> str:
    """What an approval tells, in a word."""
    return f"{told.tool} {told.decision or told.phase if told.phase == RESOLVED else told.phase}"
