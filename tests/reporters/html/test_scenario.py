"""A scenario opens to what happened, step by step, and says what is not known."""

import re
from dataclasses import replace

import pytest

from agenttest.model import Judged, Status, Tool, ToolCall
from agenttest.reporters.html.scenario import ANSWER, CALLS, Step, anchor, line, view
from agenttest.reporters.html.words import Mark, Part
from tests import nouns
from tests.reporters.html.pages import asked, page_of

WISH = ("response.contains[0]", "response_contains", "yes")
REQUIRED = ("tools.required[0]", "tool_required", {"name": "send"})


def steps(judged: Judged, **report: object) -> dict[str, Step]:
    return {step.label: step for step in view(judged, page_of(judged, **report)).steps}


def test_the_steps_are_in_the_order_in_which_things_happen() -> None:
    judged = asked(WISH, response="yes", tool_calls=(ToolCall("send", {}),), refusal=True, sources=("a",))
    judged = replace(judged, scenario=replace(judged.scenario, system_prompt="Be kind."))

    assert ["System prompt", "Prompt", "Calls", "Call 1", "Answer", "Refusal", "Sources", "End"] == list(steps(judged))


def test_what_nobody_asked_for_and_nobody_did_is_left_out() -> None:
    assert ["Prompt", "Calls", "Answer", "End"] == list(steps(asked(WISH, response="yes", refusal=False, sources=())))


def test_the_prompt_names_the_tools_of_the_scenario() -> None:
    judged = asked(WISH, response="yes")
    judged = replace(judged, scenario=replace(judged.scenario, available_tools=("find", "send")))

    assert "tools: find, send" == steps(judged)["Prompt"].note


def test_or_those_of_the_agent() -> None:
    judged = asked(WISH, response="yes")
    report = page_of(judged)
    assert report.suite is not None
    suite = replace(report.suite, agent=replace(report.suite.agent, tools=(Tool("look", "", {}),)))

    assert "tools: look" == steps(judged, suite=suite)["Prompt"].note


def test_each_check_stands_at_its_step() -> None:
    found = steps(asked(WISH, REQUIRED, response="yes", tool_calls=(ToolCall("send", {}),)))

    assert {"Call 1": "tools.required[0]", "Answer": "response.contains[0]"} == {
        label: step.checks[0].names[0][0] for label, step in found.items() if step.checks
    }


def test_every_assertion_is_at_some_step() -> None:
    wishes = [(f"tools.forbidden[{n}]", "tool_forbidden", f"t{n}") for n in range(100)]
    judged = asked(*wishes, tool_calls=tuple(ToolCall(f"t{n}", {}) for n in range(100)))

    names = [name for step in view(judged, page_of(judged)).steps for check in step.checks for name, _ in check.names]

    assert sorted(name for name, _, _ in wishes) == sorted(names)


def test_the_answer_shows_what_was_found_in_it() -> None:
    parts = steps(asked(WISH, ("response.excludes[0]", "response_excludes", "no"), response="yes, no"))["Answer"].parts

    assert (Part("yes", Mark.KEPT), Part(", "), Part("no", Mark.BROKEN)) == parts


def test_of_a_long_answer_the_beginning_is_shown() -> None:
    parts = steps(asked(WISH, response="y" * (ANSWER + 5)))["Answer"].parts

    assert Part("5 characters left out", Mark.GAP) == parts[-1]


def test_a_call_shows_its_arguments() -> None:
    step = steps(asked(REQUIRED, tool_calls=(ToolCall("send", {"a": 1}),)))["Call 1"]

    assert ("send", ['{"a": 1}']) == (step.name, [each.text for each in step.lines])


def test_or_says_that_they_were_not_observed() -> None:
    step = steps(asked(REQUIRED, tool_calls=(ToolCall("send", None),)))["Call 1"]

    assert "its arguments were not observed" == step.note


def test_another_call_that_breaks_the_contract_is_marked_too() -> None:
    calls = (ToolCall("delete", {}), ToolCall("find", {}), ToolCall("delete", {}))

    found = steps(asked(("tools.forbidden[0]", "tool_forbidden", "delete"), tool_calls=calls))

    assert [True, False, True] == [found[f"Call {n}"].offending for n in (1, 2, 3)]
    assert Status.FAIL is found["Call 3"].status


def test_of_many_calls_the_first_are_shown_and_those_that_decided_something() -> None:
    calls = (*(ToolCall("find", {}) for _ in range(100)), ToolCall("send", {}))

    found = steps(asked(REQUIRED, tool_calls=calls))

    shown = [each for each in found if each.startswith("Call ")]
    assert [*(f"Call {n + 1}" for n in range(CALLS)), "Call 101"] == shown
    assert f"101 calls, of which {CALLS + 1} are shown" == found["Calls"].note


@pytest.mark.parametrize(
    ("label", "fields", "note"),
    [
        ("Answer", {}, "not observed"),
        ("Answer", {"response": ""}, "an empty text"),
        ("Calls", {}, "not observed"),
        ("Calls", {"tool_calls": ()}, "no call"),
        ("Refusal", {}, "not observed"),
        ("Refusal", {"refusal": False}, "the agent did not refuse"),
        ("Refusal", {"refusal": True}, "the agent refused"),
        ("Sources", {}, "not observed"),
        ("Sources", {"sources": ()}, "none cited"),
        ("Sources", {"sources": tuple(map(str, range(101)))}, "101 sources, of which 100 are shown"),
    ],
)
def test_nothing_is_said_to_be_nothing_and_unknown_to_be_unknown(
    label: str, fields: dict[str, object], note: str
) -> None:
    wishes = (("refusal", "refusal", True), ("sources.required[0]", "source_required", "x"))

    assert note == steps(asked(*wishes, **fields))[label].note


def test_what_may_not_be_all_says_so() -> None:
    found = steps(asked(WISH, response="yes", tool_calls=(), tool_calls_complete=None))

    assert "tool_calls_complete is not stated" == found["Calls"].warning


def test_unless_a_check_says_so_already() -> None:
    found = steps(asked(REQUIRED, tool_calls=(), tool_calls_complete=None))

    assert ("", "tool_calls_complete is not stated") == (found["Calls"].warning, found["Calls"].checks[0].message)


def test_the_end_says_what_is_stated() -> None:
    step = steps(asked(WISH, finish_reason=None, tool_calls_complete=None))["End"]

    assert ("finish_reason not stated", "response_complete true", "tool_calls_complete not stated") == step.items


def test_an_error_holds_all_checks_and_what_was_seen_all_the_same() -> None:
    found = steps(asked(WISH, REQUIRED, error="HTTP 500", response="ye", tool_calls=None))

    assert ["Prompt", "Error", "Answer"] == list(found)
    assert [2, 0] == [sum(len(check.names) for check in found[label].checks) for label in ("Error", "Answer")]


def test_a_scenario_without_an_observation_says_so_once() -> None:
    judged = replace(asked(WISH, REQUIRED), observation=None)

    found = steps(judged)

    assert ["Prompt", "Observation"] == list(found)
    assert "nothing was observed" == found["Observation"].note


def test_observations_that_were_left_out_are_not_said_to_be_missing() -> None:
    found = steps(asked(WISH, response="yes"), observations_kept=False)

    assert ["Prompt", "Observation"] == list(found)
    assert "left out" in found["Observation"].note
    assert "events.jsonl" in found["Observation"].note


def test_a_line_has_no_steps() -> None:
    judged = asked(WISH, response="yes")

    assert replace(view(judged, page_of(judged)), steps=()) == line(judged, page_of(judged))


def test_an_anchor_is_the_same_in_every_run_and_holds_no_word_of_the_suites() -> None:
    assert "scenario-2cf24dba5fb0a30e" == anchor("hello")
    assert re.fullmatch("scenario-[0-9a-f]{16}", anchor("<script>\ud800"))


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("greets", ("HTTP 200", "95 ms", "prompt_tokens 31", "completion_tokens 9")),
        ("waits", ("no answer", "30,012 ms")),
    ],
)
def test_an_exchange_is_the_last_step(name: str, facts: tuple[str, ...]) -> None:
    (judged,) = [each for each in nouns.live_scenarios() if each.scenario.id == name]

    assert ("Exchange", facts) == (view(judged, nouns.live_report()).steps[-1].label, steps(judged)["Exchange"].items)


def test_a_doubt_about_a_channel_that_nobody_asked_for_is_shown() -> None:
    doubtful = replace(
        asked(WISH, response="yes", tool_calls=(), tool_calls_complete=False),
        exchange=nouns.exchange(doubts={"tools": "there is tool markup in the text"}),
    )

    assert "there is tool markup in the text" == steps(doubtful)["Calls"].warning
