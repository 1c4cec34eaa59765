"""The demonstration: the good agent keeps the contract, the changed one shows each kind of trouble."""

from agenttest.demo import demo
from agenttest.model import Outcome, Status


def outcomes() -> tuple[dict[str, Outcome], ...]:
    return tuple({o.assertion.name: o for o in report.outcomes} for _, report in demo())


def test_the_good_agent_passes_and_the_changed_one_fails() -> None:
    assert [Status.PASS, Status.FAIL] == [report.status for _, report in demo()]


def test_each_report_has_a_title_of_its_own() -> None:
    assert 2 == len({title for title, _ in demo()})


def test_a_wrong_argument_is_shown_with_the_nearest_call_and_its_place() -> None:
    _, changed = outcomes()

    found = changed["tools.required[0]"]
    assert (Status.FAIL, "$.card") == (found.status, found.difference)
    assert {"name": "lock_card", "arguments": {"card": "4417", "because": "lost", "until": None}} == found.observed


def test_a_forbidden_call_is_shown() -> None:
    _, changed = outcomes()

    assert Status.FAIL is changed["tools.forbidden[0]"].status


def test_an_answer_cut_short_is_incomplete() -> None:
    _, changed = outcomes()

    assert Status.INCOMPLETE is changed["response.contains[0]"].status


def test_something_is_still_kept() -> None:
    _, changed = outcomes()

    assert Status.PASS is changed["refusal"].status
