"""What a trace document tells is what was observed: nothing is lost in it, and nothing is whole that was not."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest import traces
from agenttest.documents import schema
from agenttest.evaluate import judge
from agenttest.evidence import TRACED, Missing, weigh
from agenttest.model import Exchange, Judged, Observation, Recording, Scenario, ToolCall
from agenttest.sources.scripted import observation as scripted

DIGEST = "5" * 64
TEXT = st.text(max_size=6)
NAME = st.text("abAB é", min_size=1, max_size=4).filter(lambda text: text.strip() == text)
FLAG = st.booleans()
STEPS = st.one_of(
    st.fixed_dictionaries({"message": TEXT}),
    st.fixed_dictionaries({"finalAnswer": TEXT}),
    st.fixed_dictionaries(
        {
            "toolCall": st.fixed_dictionaries(
                {"toolName": NAME},
                optional={
                    "callId": TEXT,
                    "argumentsJson": TEXT | st.sampled_from(['{"a": [1.5, null]}', "[1]", "{", '{"a": NaN}']),
                    "requiresApproval": FLAG,
                    "isUnsafe": FLAG,
                    "wasBlocked": FLAG,
                },
            )
        }
    ),
    st.fixed_dictionaries(
        {
            "toolResult": st.fixed_dictionaries(
                {"toolName": NAME}, optional={"callId": TEXT, "succeeded": FLAG, "output": TEXT, "errorMessage": TEXT}
            )
        }
    ),
    st.fixed_dictionaries(
        {"stateChange": st.fixed_dictionaries({"key": TEXT, "newValue": TEXT}, optional={"oldValue": TEXT})}
    ),
    st.fixed_dictionaries(
        {
            "approval": st.fixed_dictionaries(
                {"toolName": NAME, "phase": st.sampled_from(["requested", " Resolved "])},
                optional={"decision": st.sampled_from(["approved", "DENIED"]), "scope": TEXT, "remembered": FLAG},
            )
        }
    ),
)
TIMED = st.tuples(STEPS, st.fixed_dictionaries({}, optional={"sequence": st.integers(-2, 9), "timestampUtc": TEXT}))
INPUTS = st.fixed_dictionaries(
    {"prompt": TEXT, "scriptedTrace": st.lists(TIMED.map(lambda pair: {**pair[0], **pair[1]}), max_size=5)},
    optional={
        "scriptedFinalAnswer": TEXT,
        "scriptedFinalState": st.dictionaries(TEXT, TEXT, max_size=2),
        "scriptedRefusal": FLAG,
        "scriptedSources": st.lists(NAME, max_size=2),
        "capture": st.dictionaries(st.sampled_from([*TRACED]), st.sampled_from(["complete", "partial"])),
        "metadata": st.just({"timedOut": "True"}),
    },
)
LIVE = st.builds(
    Observation,
    id=st.just("s"),
    response=st.none() | TEXT,
    response_complete=st.none() | FLAG,
    finish_reason=st.sampled_from([None, "stop", "length", "tool_calls"]),
    tool_calls=st.none()
    | st.lists(st.builds(ToolCall, NAME, st.none() | st.dictionaries(TEXT, st.integers() | TEXT))).map(tuple),
    tool_calls_complete=st.none() | FLAG,
    refusal=st.none() | FLAG,
    sources=st.none() | st.lists(NAME).map(tuple),
)


def scenario(given: dict[str, Any], name: str = "s") -> Scenario:
    return Scenario(name, "", None, None, (), 1, "s.json", input=given)


def judged(seen: Observation | None, given: dict[str, Any] | None = None, **more: Any) -> Judged:
    return replace(judge(scenario(given or {"prompt": ""}), seen), **more)


def read_back(of: Judged) -> Observation:
    """What the text of the trace's file tells."""
    return traces.observation(json.loads(traces.text(traces.document(of, DIGEST))))


@given(INPUTS)
def test_a_script_is_told_whole(given: dict[str, Any]) -> None:
    seen = scripted(scenario(given))

    assert weigh(seen) == weigh(read_back(judged(seen, given)))


@given(INPUTS)
def test_every_document_is_a_valid_trace(given: dict[str, Any]) -> None:
    document = traces.document(judged(scripted(scenario(given)), given), DIGEST)

    assert schema.accepts("trace")(json.loads(traces.text(document)))


@given(LIVE)
def test_of_an_answer_what_was_proven_is_told_and_no_more(seen: Observation) -> None:
    before, after = weigh(seen), weigh(read_back(judged(seen, {"executor": "endpoint"}, exchange=Exchange(200, 5))))

    for channel in ("response", "refusal", "sources"):
        assert unless_missing(before.channel(channel)) == unless_missing(after.channel(channel))
    assert simple(before.tools) == simple(after.tools)
    assert {True} == {isinstance(after.channel(each), Missing) for each in ("state", "results", "approvals", "trace")}


def unless_missing(value: Any) -> Any:
    return None if isinstance(value, Missing) else value


def simple(calls: Any) -> Any:
    return unless_missing(calls) and [(call.name, call.arguments) for call in calls]


def test_a_run_that_was_not_observed_is_told_as_failed() -> None:
    document = traces.document(judged(None), DIGEST)

    assert (True, {"partial"}) == (document["failed"], {*document["channels"].values()})


def test_an_error_stays_an_error_with_its_remedy() -> None:
    seen = Observation("s", error="there is no executor 'x'", remedy="write 'replay'")

    assert seen == read_back(judged(seen))


def test_the_members_are_named_as_other_programs_name_them() -> None:
    document = traces.document(judged(scripted(scenario({"scriptedFinalAnswer": "hi"}))), DIGEST)

    assert {
        "runId": traces.run_id(judged(None), DIGEST),
        "scenarioId": "s",
        "startedAtUtc": None,
        "completedAtUtc": None,
        "finalAnswer": "hi",
        "timedOut": False,
        "failed": False,
        "errorMessage": None,
        "steps": [{"kind": "FinalAnswer", "sequence": 1, "finalAnswer": "hi"}],
        "finalState": {},
    }.items() <= document.items()


def test_times_are_those_of_the_steps() -> None:
    steps = [{"message": "a", "timestampUtc": "one"}, {"message": "b"}, {"message": "c", "timestampUtc": "two"}]
    document = traces.document(judged(scripted(scenario({"scriptedTrace": steps}))), DIGEST)

    assert ("one", "two") == (document["startedAtUtc"], document["completedAtUtc"])


def test_the_run_is_named_by_what_the_trace_follows_from() -> None:
    seen = Observation("s", response="hi")
    found = [
        traces.run_id(judged(None), DIGEST),
        traces.run_id(judged(None), "6" * 64),
        traces.run_id(judged(seen, source=Recording("a.json", "1" * 64)), DIGEST),
        traces.run_id(judged(seen, source=Recording("a.json", "2" * 64)), DIGEST),
        traces.run_id(judged(seen, exchange=Exchange(200, 5)), DIGEST),
        traces.run_id(judged(replace(seen, response="ho"), exchange=Exchange(200, 5)), DIGEST),
    ]

    assert len(found) == len({*found})


def test_the_run_is_named_alike_whenever_the_same_is_seen() -> None:
    slow, fast = (judged(Observation("s", response="hi"), exchange=Exchange(200, time)) for time in (900, 5))

    assert traces.run_id(slow, DIGEST) == traces.run_id(fast, DIGEST)


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("reads-file", "reads-file-"),
        ("../up and\\down:*?", "..-up-and-down----"),
        ("a\ud800\u202e\0b", "a---b-"),
        ("é" * 200, "é" * 90 + "-"),
        ("a" * 179 + "é", "a" * 179 + "-"),
    ],
)
def test_a_file_is_named_as_every_system_allows(name: str, begins: str) -> None:
    of = replace(judged(None), scenario=scenario({}, name))

    found = traces.file_name(of, DIGEST)

    assert f"{begins}{traces.run_id(of, DIGEST)}.trace.json" == found
    assert len(found.encode()) <= 255


def test_files_of_ids_that_look_alike_are_told_apart() -> None:
    one, other = (replace(judged(None), scenario=scenario({}, name)) for name in ("a b", "a/b"))

    assert traces.file_name(one, DIGEST) != traces.file_name(other, "6" * 64)


FOREIGN: dict[str, Any] = {"scenarioId": " s ", "completedAtUtc": "then", "steps": [], "finalState": {}}


@pytest.mark.parametrize(
    ("more", "partial"),
    [
        ({}, set()),
        ({"completedAtUtc": None}, {*TRACED}),
        ({"timedOut": True}, {*TRACED}),
        ({"channels": {"state": "partial"}}, {"state"}),
        ({"channels": {"state": "complete"}, "timedOut": True}, {*TRACED} - {"state"}),
        ({"channels": {"state": "complete"}, "schema": traces.SCHEMA}, {*TRACED} - {"state"}),
    ],
)
def test_a_trace_that_did_not_come_to_its_end_is_partial(more: dict[str, Any], partial: set[str]) -> None:
    assert partial == {*traces.observation({**FOREIGN, **more}).partial}


CHANGED = [{"stateChange": {"key": key, "newValue": "step"}} for key in "ab"]


@pytest.mark.parametrize(
    ("more", "field", "value"),
    [
        ({}, "response", None),
        ({"finalAnswer": "", "steps": [{"finalAnswer": "hi"}]}, "response", ""),
        ({"steps": [{"finalAnswer": "one"}, {"finalAnswer": "two"}]}, "response", "two"),
        ({}, "refusal", None),
        ({}, "sources", None),
        ({"sources": [" a "]}, "sources", ("a",)),
        ({"steps": CHANGED, "finalState": {"a": "end"}}, "state", {"a": "end", "b": "step"}),
        ({"steps": CHANGED, "finalState": None}, "state", None),
        ({"failed": True, "errorMessage": "boom"}, "error", "boom"),
        ({"failed": True}, "error", "the trace says that the run failed, and not why"),
        ({}, "id", "s"),
    ],
)
def test_of_another_program_no_more_is_read_than_it_tells(more: dict[str, Any], field: str, value: Any) -> None:
    assert value == getattr(traces.observation({**FOREIGN, **more}), field)
