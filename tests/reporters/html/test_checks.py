"""Each outcome stands at the evidence that decided it, with what was expected and observed."""

import pytest

from agenttest.assertions import ASSERTIONS
from agenttest.model import Status, ToolCall
from agenttest.reporters.html import checks
from agenttest.reporters.html.checks import Check, Place, placed, together
from agenttest.reporters.html.difference import Line, Sign
from tests import nouns
from tests.reporters.html.pages import outcome

FIND, SEND = ToolCall("find", {"order": 1}), ToolCall("send", {"order": 1, "amount": 39})
DELETE = ToolCall("delete", {})


def places(kind: str, expected: object, *calls: ToolCall, **seen: object) -> list[Place]:
    made = nouns.outcome((f"{kind}[0]", kind, expected), nouns.observation(tool_calls=calls, **seen))
    return list(placed([made], calls))


def only(kind: str, expected: object, *calls: ToolCall, **seen: object) -> Check:
    made = nouns.outcome((f"{kind}[0]", kind, expected), nouns.observation(tool_calls=calls, **seen))
    return together([made])[0]


def lines(kind: str, expected: object, *calls: ToolCall, **seen: object) -> list[tuple[str, str]]:
    return [(str(line.sign), line.text) for line in only(kind, expected, *calls, **seen).lines]


@pytest.mark.parametrize(
    ("kind", "expected", "calls", "place"),
    [
        ("tool_forbidden", "delete", (FIND, DELETE, DELETE), 1),
        ("tool_forbidden", "delete", (FIND,), "tools"),
        ("tools_allowed", ["find"], (FIND, SEND), 1),
        ("tools_allowed", ["find"], (FIND,), "tools"),
        ("tool_max_calls", 1, (FIND, SEND), 1),
        ("tool_max_calls", 2, (FIND, SEND), "tools"),
        ("tool_exact_sequence", ["send"], (FIND, SEND), "tools"),
        ("tool_required", {"name": "send", "arguments": {"amount": 39}}, (FIND, SEND), 1),
        ("tool_required", {"name": "send", "arguments": {"amount": 40}}, (FIND, SEND), 1),
        ("tool_required", {"name": "ask"}, (FIND, SEND), "tools"),
    ],
)
def test_what_one_call_decides_stands_there_and_the_rest_at_all_calls(
    kind: str, expected: object, calls: tuple[ToolCall, ...], place: Place
) -> None:
    assert [place] == places(kind, expected, *calls)


@pytest.mark.parametrize("kind", [kind for kind, row in ASSERTIONS.items() if row.channel != "tools"])
def test_what_another_channel_decides_stands_there(kind: str) -> None:
    assert [ASSERTIONS[kind].channel] == places(kind, "x", response="y", refusal=True, sources=())


def test_two_wishes_stand_at_the_calls_that_serve_them() -> None:
    wishes = [("tools.required[0]", "tool_required", {"name": "send"})]
    wishes += [("tools.required[1]", "tool_required", {"name": "send", "arguments": {"amount": 39}})]
    calls = (SEND, ToolCall("send", {"amount": 1}))
    judged = nouns.scenario(*wishes)
    from agenttest.evaluate import judge

    found = placed(judge(judged, nouns.observation(tool_calls=calls)).outcomes, calls)

    assert {0: "tools.required[1]", 1: "tools.required[0]"} == {at: each[0].names[0][0] for at, each in found.items()}


def test_an_undecided_assertion_stands_at_the_call_that_already_breaks_it() -> None:
    assert [1] == places("tool_forbidden", "delete", FIND, DELETE, finish_reason="length")


@pytest.mark.parametrize(
    ("kind", "expected", "calls", "shown"),
    [
        ("response_contains", "two\nlines", (), [("expected", "two"), ("expected", "lines")]),
        ("response_excludes", "answer", (), [("observed", "answer")]),
        ("tool_required", {"name": "ask", "arguments": {"a": 1}}, (), [("expected", "ask"), ("expected", '{"a": 1}')]),
        (
            "tool_required",
            {"name": "send", "arguments": {"amount": 40}},
            (SEND,),
            [
                ("same", "{"),
                ("expected", '  "amount": 40,'),
                ("observed", '  "amount": 39,'),
                ("more", '  "order": 1'),
                ("same", "}"),
            ],
        ),
        ("tool_exact_sequence", ["send"], (FIND, SEND), [("observed", "find"), ("same", "send")]),
        ("tool_max_calls", 0, (FIND,), [("expected", "at most 0"), ("observed", "find")]),
        ("refusal", True, (), [("expected", "the agent refuses"), ("observed", "the agent does not refuse")]),
        ("source_required", "policy", (), [("expected", "policy")]),
        ("tool_forbidden", "find", (FIND,), []),
    ],
)
def test_expected_and_observed_are_lines(
    kind: str, expected: object, calls: tuple[ToolCall, ...], shown: list[tuple[str, str]]
) -> None:
    assert shown == lines(kind, expected, *calls, response="an answer", refusal=False, sources=())


def test_every_assertion_has_its_own_way_to_differ() -> None:
    assert list(ASSERTIONS) == list(checks.DIFFERENCES)


def test_a_value_that_was_shortened_is_shown_as_it_is() -> None:
    (check,) = together([outcome("tool_exact_sequence", ["send"], "so", '["find", …')])

    assert (Line(Sign.EXPECTED, '["send"]'), Line(Sign.OBSERVED, '"[\\"find\\", …"')) == check.lines


def test_what_is_kept_shows_what_was_asked_for() -> None:
    assert "'answer'" == only("response_contains", "answer", response="an answer").asked


def test_assertions_that_lack_the_same_stand_together() -> None:
    made = [outcome(kind, "x", "none", None, status=Status.INCOMPLETE) for kind in ("refusal", "source_required")]

    assert [(("refusal[0]", 7), ("source_required[0]", 7))] == [check.names for check in together(made)]


def test_an_assertion_that_is_already_broken_stands_alone() -> None:
    made = [outcome("tool_forbidden", "x", "none", each, status=Status.INCOMPLETE) for each in (None, ["x"])]

    assert 2 == len(together(made))


def test_the_gravest_check_comes_first() -> None:
    made = [outcome("refusal", True, str(status), None, status=status) for status in Status]

    assert [Status.FAIL, Status.INCOMPLETE, Status.PASS] == [check.status for check in together(made)]


def test_the_signs_are_those_that_there_are() -> None:
    assert (Sign.EXPECTED,) == only("response_contains", "x", response="y").signs
