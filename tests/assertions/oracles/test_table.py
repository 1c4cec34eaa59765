"""The table of oracles: each passes, fails and stays open, says what it expects, and never breaks."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.assertions import ASSERTIONS, row_of
from agenttest.assertions.oracles import ORACLES
from agenttest.assertions.oracles.oracle import RIGHT, TYPES
from agenttest.documents import schema
from agenttest.evaluate import judge
from agenttest.evidence import TRACED, Evidence, weigh
from agenttest.model import Assertion, Observation, Outcome, Payload, Scenario, Status, ToolCall
from agenttest.quote import quote
from tests import nouns
from tests.assertions.oracles.traces import asked, call, decided, result, steps


def trace(*payloads: Payload, **more: Any) -> Observation:
    """A whole trace of these steps."""
    usual = {"response": "", "refusal": False, "sources": (), "state": {}}
    return Observation("desk", **{**usual, **more}, steps=steps(*payloads))


@dataclass(frozen=True, slots=True)
class Case:
    """An oracle of each type with a trace that keeps it, one that breaks it, and what it says that it expects."""

    given: Mapping[str, Any]
    kept: Observation
    broken: Observation
    wanted: str


PAY, SEND = ToolCall("pay", {"sum": 5}, "c1", '{"sum": 5}', False, False, False), call("send", "", "c2")
MARKED, ASKED, YES, NO = call("pay", "a", "c1"), asked("pay"), decided("pay", "approved"), decided("pay", "denied")
CASES = {
    "ToolCalled": Case({"toolName": "pay"}, trace(PAY), trace(SEND), "pay"),
    "ToolNotCalled": Case({"toolName": " pay"}, trace(SEND), trace(PAY), "no calls of pay"),
    "FinalAnswerContains": Case({"text": "Yes"}, trace(response="yes."), trace(response="no."), "Yes"),
    "MaxToolCalls": Case({"maxCount": 1, "toolName": "pay"}, trace(PAY, SEND), trace(PAY, PAY), "<= 1"),
    "StateEquals": Case({"stateKey": "k", "expectedValue": "v"}, trace(state={"k": "v"}), trace(), "v"),
    "ApprovalRequired": Case({"mode": "all"}, trace(MARKED), trace(MARKED, PAY), "approval required by every call"),
    "NoUnsafeTool": Case({}, trace(call("pay", "ub")), trace(call("pay", "u")), "0 unsafe executed"),
    "FinalAnswerExcludes": Case({"text": "Yes"}, trace(response="no."), trace(response="yes."), "not Yes"),
    "ToolArguments": Case(
        {"toolName": "pay", "argumentsSubset": {"sum": 5}},
        trace(PAY),
        trace(replace(PAY, arguments={"sum": 6})),
        'pay with {"sum": 5}',
    ),
    "ToolSequence": Case({"toolNames": ["pay", "send"]}, trace(PAY, SEND), trace(SEND, PAY), "pay, send"),
    "ToolsAllowed": Case({"toolNames": ["pay"]}, trace(PAY), trace(PAY, SEND), "only pay"),
    "Refusal": Case({"expected": True}, trace(refusal=True), trace(), "a refusal"),
    "SourceCited": Case({"sourceId": "faq"}, trace(sources=("faq",)), trace(sources=("map",)), "faq"),
    "ToolResultSucceeded": Case(
        {"toolName": "pay"}, trace(PAY, result("pay")), trace(PAY, result("pay", False)), "pay succeeded"
    ),
    "ApprovalGranted": Case({"toolName": "pay"}, trace(ASKED, YES), trace(ASKED, NO), "pay approved"),
    "ApprovalDenied": Case({}, trace(ASKED, NO), trace(ASKED, YES), "denied"),
    "NoExecutionBeforeApproval": Case(
        {}, trace(MARKED, YES, result("pay")), trace(MARKED, result("pay"), YES), "0 executed before approval"
    ),
}


def outcome(kind: str, seen: Observation | None, given: Mapping[str, Any] | None = None) -> Outcome:
    return nouns.outcome(("expected.oracles[0]", kind, CASES[kind].given if given is None else given), seen)


def test_each_oracle_has_its_case() -> None:
    assert list(ORACLES) == list(CASES)


def test_the_types_are_those_of_the_schema() -> None:
    assert list(ORACLES) == schema.load("scenario")["$defs"]["oracle"]["properties"]["type"]["enum"]


@pytest.mark.parametrize("kind", ORACLES)
def test_an_oracle_that_is_kept_passes(kind: str) -> None:
    assert Status.PASS is outcome(kind, CASES[kind].kept).status


@pytest.mark.parametrize("kind", ORACLES)
def test_an_oracle_that_is_broken_fails(kind: str) -> None:
    assert Status.FAIL is outcome(kind, CASES[kind].broken).status


@pytest.mark.parametrize("kind", ORACLES)
@pytest.mark.parametrize("which", ["kept", "broken"])
def test_an_outcome_says_in_words_why_and_shows_what_was_seen(kind: str, which: str) -> None:
    found = outcome(kind, getattr(CASES[kind], which))

    assert found.message[:1].islower() or found.message.startswith(("'", "1", "2"))
    assert found.observed is not None


@pytest.mark.parametrize("kind", ORACLES)
@pytest.mark.parametrize("partial", TRACED)
@pytest.mark.parametrize("which", ["kept", "broken"])
def test_an_oracle_is_open_where_its_evidence_is_partial_and_only_there(kind: str, partial: str, which: str) -> None:
    case, channel = CASES[kind], ORACLES[kind].row.channel
    usual = Status.PASS if which == "kept" else Status.FAIL

    found = outcome(kind, replace(getattr(case, which), partial=(partial,)))

    assert (Status.INCOMPLETE if channel in TRACED[partial] else usual) is found.status


@pytest.mark.parametrize("kind", ORACLES)
def test_an_open_oracle_shows_what_already_breaks_it(kind: str) -> None:
    broken = CASES[kind].broken

    found = outcome(kind, replace(broken, partial=tuple(TRACED)))

    assert ORACLES[kind].row.refutable is (f"; seen so far: {outcome(kind, broken).message}" in found.message)


@pytest.mark.parametrize("kind", ORACLES)
def test_an_open_oracle_that_nothing_breaks_shows_nothing(kind: str) -> None:
    found = outcome(kind, replace(CASES[kind].kept, partial=tuple(TRACED)))

    assert (None, False) == (found.observed, "seen so far" in found.message)


@pytest.mark.parametrize("kind", ORACLES)
def test_an_oracle_is_open_without_an_observation(kind: str) -> None:
    assert Status.INCOMPLETE is outcome(kind, None).status


@pytest.mark.parametrize("kind", ORACLES)
def test_an_oracle_says_what_it_expects(kind: str) -> None:
    assert CASES[kind].wanted == ORACLES[kind].summary(CASES[kind].given)


@pytest.mark.parametrize(
    ("kind", "parameters", "wanted"),
    [
        ("ApprovalRequired", {}, "approval required"),
        ("ApprovalGranted", {}, "approved"),
        ("ApprovalDenied", {"toolName": "pay"}, "pay denied"),
        ("NoUnsafeTool", {"allowApproved": True}, "0 unsafe executed without approval"),
        ("ToolSequence", {"toolNames": []}, "no call"),
        ("ToolsAllowed", {"toolNames": []}, "no call"),
        ("Refusal", {"expected": False}, "no refusal"),
        ("StateEquals", {"stateKey": "k", "expectedValue": ""}, ""),
        ("MaxToolCalls", {"maxCount": 0}, "<= 0"),
    ],
)
def test_an_oracle_says_what_else_it_may_expect(kind: str, parameters: dict[str, Any], wanted: str) -> None:
    assert wanted == ORACLES[kind].summary(parameters)


@pytest.mark.parametrize("kind", ORACLES)
def test_an_oracle_is_a_row_by_its_own_name(kind: str) -> None:
    assert (kind, ORACLES[kind].row) == (ORACLES[kind].row.path, row_of(kind))


@pytest.mark.parametrize("kind", ORACLES)
def test_an_oracle_reads_a_channel_of_the_evidence(kind: str) -> None:
    assert ORACLES[kind].row.channel in {field.name for field in fields(Evidence)}


def test_no_oracle_has_the_name_of_a_contracts_assertion() -> None:
    assert set() == ASSERTIONS.keys() & ORACLES.keys()


def test_every_parameter_that_is_needed_has_words_for_what_is_right() -> None:
    assert {name for oracle in ORACLES.values() for name in oracle.needs} == RIGHT.keys() | TYPES.keys()


NEEDED = [(kind, name) for kind, oracle in ORACLES.items() for name in oracle.needs]


@pytest.mark.parametrize(("kind", "name"), NEEDED)
def test_a_parameter_that_is_needed_is_missed(kind: str, name: str) -> None:
    lacking = {key: value for key, value in CASES[kind].given.items() if key != name}
    right = RIGHT[name][1] if name in RIGHT else TYPES[name]

    expected = (name, f"the oracle {kind} needs '{name}': {right}")
    assert expected == (ORACLES[kind].wrong(lacking), ORACLES[kind].fault(kind, lacking))


WRONG: dict[str, Any] = {"toolName": " ", "text": " \t", "maxCount": -1, "stateKey": "", "sourceId": " "}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, name in NEEDED if name in WRONG])
def test_a_value_that_a_parameter_cannot_have_is_told(kind: str, name: str) -> None:
    found = ORACLES[kind].fault(kind, {**CASES[kind].given, name: WRONG[name]})

    assert f"the oracle {kind} has '{name}' {quote(WRONG[name])}; it should be {RIGHT[name][1]}" == found


def test_every_parameter_that_may_be_wrong_is_tried() -> None:
    assert RIGHT.keys() == WRONG.keys()


@pytest.mark.parametrize("kind", ORACLES)
def test_an_oracle_with_all_that_it_needs_is_without_fault(kind: str) -> None:
    assert ORACLES[kind].fault(kind, CASES[kind].given) is None


@pytest.mark.parametrize("kind", [kind for kind, oracle in ORACLES.items() if "toolName" in oracle.reads])
def test_a_blank_tool_is_every_tool_where_none_is_needed(kind: str) -> None:
    blank = {**CASES[kind].given, "toolName": "  "}

    assert ORACLES[kind].fault(kind, blank) is None
    assert Status.PASS is outcome(kind, CASES[kind].kept, {**blank, "maxCount": 2}).status


def test_an_oracle_at_fault_fails_whatever_was_seen() -> None:
    faulty = Assertion("expected.oracles[0]", "ToolCalled", {}, 1, 1, summary="toolName", fault="it needs a name")

    (found,) = judge(Scenario("desk", "", None, None, (faulty,), 1), None).outcomes

    assert Outcome(faulty, Status.FAIL, "it needs a name", "missing") == found


def test_an_oracle_with_a_wrong_value_shows_it() -> None:
    faulty = Assertion("expected.oracles[0]", "MaxToolCalls", {"maxCount": -1}, 1, 1, summary="maxCount", fault="no")

    (found,) = judge(Scenario("desk", "", None, None, (faulty,), 1), None).outcomes

    assert -1 == found.observed


PLAIN = Observation(
    "desk", "yes", True, "stop", (ToolCall("pay", {"sum": 5}), ToolCall("send", {})), True, False, ("faq",)
)
STEPPED = ("state", "results", "approvals", "trace")


@pytest.mark.parametrize("kind", [kind for kind, oracle in ORACLES.items() if oracle.row.channel in STEPPED])
def test_what_only_a_trace_shows_is_open_without_one(kind: str) -> None:
    found = outcome(kind, PLAIN)

    why = "only a trace shows tool results, approvals and state, and this is none"
    remedy = "judge the scenario by a trace: a script, or a saved one"
    assert (Status.INCOMPLETE, why, remedy) == (found.status, found.message, found.remedy)


@pytest.mark.parametrize("kind", [kind for kind, oracle in ORACLES.items() if oracle.row.channel not in STEPPED])
def test_the_rest_is_judged_without_a_trace(kind: str) -> None:
    assert Status.INCOMPLETE is not outcome(kind, PLAIN).status


def test_arguments_are_judged_without_a_trace() -> None:
    assert Status.PASS is outcome("ToolArguments", PLAIN).status


def test_arguments_that_were_not_recorded_are_open() -> None:
    found = outcome("ToolArguments", replace(PLAIN, tool_calls=(ToolCall("pay", None),)))

    assert (Status.INCOMPLETE, "the arguments of a call of 'pay' were not observed") == (found.status, found.message)


NAMES = st.sampled_from(["pay", "Pay", "send"])
IDS = st.sampled_from([None, "c1", "c2"])
PAYLOADS: st.SearchStrategy[Payload] = st.one_of(
    st.builds(call, NAMES, st.sampled_from(["", "a", "u", "b", "ub", "au", "aub"]), IDS),
    st.builds(result, NAMES, st.booleans(), IDS),
    st.builds(asked, NAMES, IDS),
    st.builds(decided, NAMES, st.sampled_from(["approved", "denied", "expired", None]), IDS),
)
HAPPENED = st.lists(PAYLOADS, max_size=8)
ANY_GIVEN = {"toolName": "pay", "maxCount": 1, "toolNames": ["pay"], "text": "no", "argumentsSubset": {"sum": 5}}
OF_STEPS = ("tools", "results", "approvals", "trace")


def judged(kind: str, payloads: list[Payload], **more: Any) -> Status:
    given = {name: value for name, value in ANY_GIVEN.items() if name in (*ORACLES[kind].needs, *ORACLES[kind].reads)}
    return outcome(kind, trace(*payloads, **more), given).status


@pytest.mark.parametrize("kind", [k for k, o in ORACLES.items() if o.row.refutable and o.row.channel in OF_STEPS])
@given(HAPPENED, HAPPENED)
def test_what_is_broken_is_not_mended_by_what_comes_after(
    kind: str, payloads: list[Payload], more: list[Payload]
) -> None:
    if judged(kind, payloads) is Status.FAIL:
        assert Status.FAIL is judged(kind, payloads + more)


@given(st.text(max_size=5), st.text(max_size=5))
def test_an_answer_that_goes_on_does_not_mend_what_stood_in_it(said: str, more: str) -> None:
    if judged("FinalAnswerExcludes", [], response=said) is Status.FAIL:
        assert Status.FAIL is judged("FinalAnswerExcludes", [], response=said + more)


@pytest.mark.parametrize("kind", [kind for kind, oracle in ORACLES.items() if oracle.row.channel in OF_STEPS])
@given(HAPPENED)
def test_whatever_happened_there_is_one_outcome(kind: str, payloads: list[Payload]) -> None:
    assert judged(kind, payloads) in Status


@given(HAPPENED, NAMES)
def test_a_tool_was_called_or_was_not(payloads: list[Payload], name: str) -> None:
    found = {
        str(outcome(kind, trace(*payloads), {"toolName": name}).status) for kind in ("ToolCalled", "ToolNotCalled")
    }

    assert {"pass", "fail"} == found


@given(HAPPENED)
def test_tools_are_named_in_any_case(payloads: list[Payload]) -> None:
    small, large = (
        [outcome(kind, trace(*payloads), {**CASES[kind].given, "toolName": name}).status for kind in CASES]
        for name in ("pay", "PAY")
    )

    assert small == large


ODD = "\ud800\u202e\x1b[31m::error::|`<b>\n" * 20
DEEP: Any = 5
for _ in range(60):
    DEEP = {"a": [DEEP]}
ODD_CALL = ToolCall(ODD, {ODD: DEEP}, ODD, ODD * 100, True, True, True)
ODD_STEPS: tuple[Payload, ...] = (
    ODD_CALL,
    replace(ODD_CALL, arguments=None),
    asked(ODD, ODD),
    decided(ODD, "denied", ODD),
    result(ODD, True, ODD),
    replace(result(ODD, False), error=ODD, output=ODD),
)
ODD_SEEN = trace(*ODD_STEPS, response=ODD * 1000, sources=(ODD,) * 1000, state={ODD: ODD * 1000, "k": ODD})
ODD_GIVEN = {
    "toolName": ODD,
    "text": ODD,
    "maxCount": 10**400,
    "stateKey": ODD,
    "expectedValue": ODD,
    "toolNames": [ODD] * 100,
    "argumentsSubset": {ODD: DEEP, "b": float("inf")},
    "expected": True,
    "sourceId": ODD,
}


@pytest.mark.parametrize("kind", ORACLES)
@pytest.mark.parametrize("seen", [ODD_SEEN, trace(), CASES["ToolResultSucceeded"].kept], ids=["odd", "empty", "plain"])
def test_no_text_breaks_an_oracle(kind: str, seen: Observation) -> None:
    found = outcome(kind, seen, ODD_GIVEN)

    assert len(found.message) < 2000
    assert len(str(found.observed)) < 6000
    assert isinstance(ORACLES[kind].summary(ODD_GIVEN), str)


def busy(count: int) -> Observation:
    """A trace of this many steps, in which every oracle has as much to do as can be."""
    four = (call("pay", "aub"), asked("pay"), decided("pay", "denied"), result("pay"))
    return trace(*(four * (count // 4)), state={str(number): "" for number in range(count)})


def effort(run: Callable[[], object]) -> int:
    """How many lines of ours are run."""
    count = 0

    def line(_frame: Any, event: str, _arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("kind", ORACLES)
def test_what_an_oracle_takes_grows_with_the_steps(kind: str) -> None:
    few, many = (weigh(busy(count)).channel(ORACLES[kind].row.channel) for count in (200, 800))

    spent = [effort(lambda seen=seen: list(ORACLES[kind].row.check([ODD_GIVEN], seen))) for seen in (few, many)]  # type: ignore[misc]

    assert spent[1] <= 5 * spent[0]
