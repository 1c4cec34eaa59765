"""No step of a trace keeps the token, and what a scenario's own file says is kept as the saved file says it."""

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from agenttest import suites
from agenttest.evaluate import judge
from agenttest.model import Judged, Observation, Recording, Scenario, Suite, SuiteFile
from agenttest.observations import from_document, to_document
from agenttest.redaction import Redaction
from agenttest.redaction.inputs import inputs
from agenttest.sources.scripted import observation as scripted
from agenttest.sources.written import written
from agenttest.steps import ordered
from agenttest.suites import harness
from tests.folders import CALLED, SAYS, asking, replay, scenario
from tests.folders import scripted as script
from tests.tokens import PLAIN

CALL = {"toolName": "a", "callId": "1", "argumentsJson": '{"a": 1}'}
RESULT = {"toolName": "a", "succeeded": True, "callId": "1", "output": "o", "errorMessage": "e"}
APPROVAL = {"toolName": "a", "phase": "resolved", "decision": "denied", "callId": "1", "reason": "r"}
STEPS: dict[str, dict[str, Any]] = {
    "a message": {"message": PLAIN},
    "an answer": {"finalAnswer": PLAIN},
    "a time": {"message": "m", "timestampUtc": PLAIN},
    **{f"a call's {key}": {"toolCall": {**CALL, key: PLAIN}} for key in ("toolName", "callId")},
    "a call's arguments": {"toolCall": {**CALL, "argumentsJson": json.dumps({"k": PLAIN, PLAIN: 1})}},
    **{f"a result's {key}": {"toolResult": {**RESULT, key: PLAIN}} for key in RESULT if key != "succeeded"},
    **{f"a change's {key}": {"stateChange": {"key": "k", "newValue": "v", key: PLAIN}} for key in ("key", "newValue")},
    "a change's oldValue": {"stateChange": {"key": "k", "newValue": "v", "oldValue": PLAIN}},
    **{f"an approval's {key}": {"approval": {**APPROVAL, key: PLAIN}} for key in ("toolName", "callId", "reason")},
}


def suite(*scenarios: dict[str, Any]) -> Suite:
    files = [SuiteFile(f"{place}.json", json.dumps(each)) for place, each in enumerate(scenarios)]
    return harness.read("tests/agent-scenarios", files)


def redaction(of: Suite, token: str = PLAIN) -> Redaction:
    return Redaction.of(of, token, ["http://127.0.0.1:1/"], suites.changed, partial(written, live=True))


def seen(*steps: dict[str, Any], **fields: Any) -> Observation:
    return Observation("r", steps=ordered(steps), state={}, **fields)


def redacted(observation: Observation) -> Observation:
    """What is kept of what was replayed."""
    of = suite(scenario("r", replay("r.trace.json")))
    found = redaction(of).redact(judge(of.scenarios[0], observation)).observation
    assert found is not None
    return found


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_no_step_keeps_the_token(step: dict[str, Any]) -> None:
    found = to_document(redacted(seen({"message": "first"}, step)))

    assert PLAIN not in json.dumps(found)
    assert "[REDACTED]" in json.dumps(found)


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_without_the_token_reads_back_as_it_is(step: dict[str, Any]) -> None:
    found = redacted(seen({"message": "first"}, step))

    assert found == from_document(to_document(found))


def test_state_and_what_is_said_of_a_failure_do_not_keep_the_token() -> None:
    kept = redacted(replace(seen(), state={PLAIN: PLAIN}))
    failed = redacted(Observation("r", error=f"no {PLAIN}", remedy=f"give {PLAIN}"))

    assert {"[REDACTED]": "[REDACTED]"} == kept.state
    assert ("no [REDACTED]", "give [REDACTED]") == (failed.error, failed.remedy)


def test_a_trace_without_the_token_is_the_very_same() -> None:
    of = suite(scenario("r", replay("r.trace.json")))
    before = judge(of.scenarios[0], seen({"toolCall": CALL}, {"approval": APPROVAL}))

    assert before is redaction(of).redact(before)


def own(token: str = PLAIN) -> tuple[Scenario, Judged]:
    """A scenario that scripts the token, as it is saved, and what is kept of what was judged."""
    of = suite(scenario("s", script(f"hello {PLAIN} http://127.0.0.1:1/"), CALLED, {**SAYS, "text": PLAIN}))
    found = redaction(of, token)
    return found.suite.scenarios[0], found.redact(judge(of.scenarios[0], scripted(of.scenarios[0])))


def test_what_a_file_scripts_is_kept_as_the_saved_file_scripts_it() -> None:
    saved, kept = own()

    assert scripted(saved) == kept.observation
    assert PLAIN not in str(kept.observation)
    assert ("expected.oracles[1]",) == kept.redacted


def test_what_a_file_scripts_is_left_where_the_file_is() -> None:
    saved, kept = own("hello")

    assert scripted(saved) == kept.observation


def test_the_path_of_a_recording_is_told_as_the_saved_file_names_it() -> None:
    of = suite(scenario("r", replay(f"{PLAIN}.json")))
    before = replace(judge(of.scenarios[0], seen()), source=Recording(f"{PLAIN}.json", "0" * 64))

    found = redaction(of).redact(before)

    assert "REDACTED.json" == (found.source and found.source.path)


def test_what_was_asked_is_redacted_as_ever() -> None:
    of = suite(scenario("r", asking()))

    found = redaction(of).redact(judge(of.scenarios[0], Observation("r", response=f"hello {PLAIN}")))

    assert "hello [REDACTED]" == (found.observation and found.observation.response)


def test_an_oracle_that_cannot_be_judged_was_decided_on_no_word() -> None:
    of = suite(scenario("s", script(), {"type": "ToolCalled"}))

    assert inputs(of.scenarios[0], of.scenarios[0].assertions[0], scripted(of.scenarios[0])) is None
