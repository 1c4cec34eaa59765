"""Causes: what failed, or is missing, for one and the same reason stands together, in the report's order."""

import pytest

from agenttest.model import Status
from agenttest.reporters.causes import causes
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, judged, outcome

SCENARIOS = (
    judged("a", outcome(FAIL, "x"), outcome(INCOMPLETE, "m", remedy="r")),
    judged("b", outcome(FAIL, "y"), outcome(PASS, "x")),
    judged("c", outcome(FAIL, "x"), outcome(INCOMPLETE, "m", kind="tool_max_calls", remedy="r")),
    judged("d", outcome(INCOMPLETE, "m", remedy="other")),
)


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (FAIL, [("x", ["a", "c"]), ("y", ["b"])]),
        (INCOMPLETE, [("m", ["a", "c"]), ("m", ["d"])]),
        (PASS, [("x", ["b"])]),
    ],
)
def test_outcomes_of_one_status_message_and_remedy_are_one_cause(
    status: Status, told: list[tuple[str, list[str]]]
) -> None:
    found = causes(SCENARIOS, status)

    assert told == [(cause.first.message, [each.scenario.id for each, _ in cause.members]) for cause in found]
    assert {status} == {cause.status for cause in found}


def test_forty_changed_scenarios_of_three_causes_are_three_causes() -> None:
    scenarios = [judged(f"s{at}", outcome(FAIL, f"cause {at % 3}")) for at in range(40)]

    assert [14, 13, 13] == [len(cause.members) for cause in causes(scenarios, FAIL)]


def test_where_nothing_has_the_status_there_is_no_cause() -> None:
    assert [] == causes([judged("a", outcome(PASS))], FAIL)
