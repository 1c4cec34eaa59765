"""The job summary: what is wrong first, within its budget, and nothing in it acts that an agent said."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import Problem
from agenttest.model import Reason, Status
from agenttest.quote import UNSEEN
from agenttest.report import Ending, Report
from agenttest.reporters import markdown, reporter
from agenttest.reporters.markdown import Summary
from tests import nouns
from tests.github import hostile
from tests.reporters.live_markdown import live
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report
from tests.reporters.reports import hostile as hostile_reports

TAGS = re.compile(r"<[^>]*>?")
OURS = {"<details>", "</details>", "<summary>", "</summary>"}
MIXED = report(
    judged("broken", outcome(FAIL, "it is not so", 7, expected="safe", observed="90 days")),
    judged("missing", outcome(INCOMPLETE, "no observation", 9, remedy="record it")),
    judged("kept", outcome(PASS)),
)


def summary(*reports: Report, budget: int = 900 << 10, failures_only: bool = False, **ending: object) -> str:
    found = Summary(failures_only=failures_only)
    for each in reports:
        found.add(each)
    status = Status.worst(each.status for each in reports)
    reason = next(each.verdict.reason for each in reports if each.status is status)
    return found.text(replace(Ending(status, reason), **ending), budget)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "headline"),
    [
        (alike(PASS, 2), "## ✅ The agent keeps its contract"),
        (alike(FAIL, 2), "## ❌ The agent breaks its contract"),
        (alike(INCOMPLETE, 2), "## ⚠️ Not proven: evidence is missing"),
        (invalid(Problem("desk.yml", 3, 1, "x")), "## ⚠️ Not judged: the input is not valid"),
    ],
)
def test_the_verdict_comes_first(found: Report, headline: str) -> None:
    assert summary(found).startswith(headline + "\n")


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_headline(reason: Reason) -> None:
    assert reason in markdown.HEADLINES


def test_the_counts_and_what_is_wrong_follow_in_a_line_each() -> None:
    lines = summary(MIXED).splitlines()

    assert "**1 failed** · **1 incomplete** · **1 passed** of 3 scenarios in `desk.yml`" == lines[2]
    assert "`it is not so`" == lines[4]


def test_several_suites_are_counted() -> None:
    assert "of 6 scenarios in 2 suites" in summary(MIXED, replace(MIXED, path="other.yml"))


def test_a_violation_shows_expected_and_observed_and_its_place() -> None:
    text = summary(MIXED)

    assert "it is not so\nexpected  'safe'\nobserved  '90 days'\n```\n" in text
    assert "- `desk.yml:7` `broken` `response.contains[0]`\n" in text


def test_what_is_missing_comes_with_its_remedy_and_place() -> None:
    text = summary(MIXED)

    assert "no observation\nto prove it  record it\n" in text
    assert "- `desk.yml:9` `missing`" in text


def test_a_scenario_that_lacks_one_thing_for_several_kinds_is_named_once() -> None:
    lacks = [outcome(INCOMPLETE, "none", 7), outcome(INCOMPLETE, "none", 8, kind="tool_max_calls")]

    text = summary(report(judged("only", *lacks)))

    assert 1 == text.count("Evidence is missing")
    assert 1 == text.count("`only`")


def test_every_scenario_of_one_cause_is_named() -> None:
    text = summary(alike(FAIL, 30))

    assert 1 == text.count("```text\nit is so")
    assert all(f"- `desk.yml:{n + 1}` `s{n:03}`" in text for n in range(30))
    assert "<details><summary>20 more places</summary>" in text


def test_one_cause_in_several_suites_is_shown_once() -> None:
    text = summary(*(replace(alike(FAIL, 2), path=f"{name}.yml") for name in "abc"))

    assert 1 == text.count("```text\nit is so")
    assert "6 places:" in text
    assert "`c.yml:2` `s001`" in text


def test_kept_scenarios_are_folded_and_at_most_500() -> None:
    text = summary(alike(PASS, 600))

    assert "<details><summary>Passed (600)</summary>" in text
    assert 500 == text.count("- `desk.yml:3`")
    assert "… 100 more scenarios in the run directory.\n\n</details>" in text


def test_failures_only_leaves_out_what_passed() -> None:
    assert "`kept`" not in summary(MIXED, failures_only=True)
    assert "" == summary(alike(PASS, 2), failures_only=True)


def test_what_a_recording_proves_is_said() -> None:
    text = summary(MIXED, evidence_digest="d" * 64)

    assert (
        "`unverified_fixture`: checked from a recording, which does not prove that a running agent produced it" in text
    )
    assert all(f"`{digest}`" in text for digest in ("5" * 64, "a" * 64, "d" * 64))
    assert "`desk.observations.json`" in text


def test_the_next_command_is_exact() -> None:
    assert "```text\nagenttest replay 'agent runs/1'\n```" in summary(MIXED, directory="agent runs/1")


def test_all_problems_are_shown_with_their_places() -> None:
    text = summary(invalid(Problem("desk.yml", 3, 1, "no `x`"), Problem("desk.yml", 0, 0, "b"), Problem("", 0, 0, "c")))

    assert "- `desk.yml:3:1` ``no `x` ``\n- `desk.yml` `b`\n- `c`\n" in text.replace("`` no", "``no")


def test_what_kept_a_run_from_being_saved_is_shown_beside_its_verdict() -> None:
    text = summary(replace(MIXED, problems=(Problem("runs/1", 0, 0, "cannot be written"),)))

    assert "- `runs/1` `cannot be written`" in text


def test_a_violation_before_an_interruption_stays_one() -> None:
    text = summary(MIXED, status=FAIL, reason=Reason.INTERRUPTED)

    assert "breaks its contract" in text
    assert "Not everything was judged: `interrupted`." in text


@pytest.mark.parametrize("budget", [0, 100, 500, 1000, 2000, 4000, 10_000, 44_000, 900 << 10])
@pytest.mark.parametrize("reports", [[MIXED], [alike(FAIL, 250)], [alike(PASS, 600)], [MIXED, alike(INCOMPLETE, 250)]])
def test_the_budget_holds_in_bytes_and_nothing_is_cut_in_the_middle(budget: int, reports: list[Report]) -> None:
    text = summary(*reports, budget=budget)

    assert budget >= len(text.encode())
    assert set(TAGS.findall(live(text))) <= OURS
    assert text.count("<details>") == text.count("</details>")


def test_what_does_not_fit_is_still_named() -> None:
    long = [judged(f"s{n:03}", outcome(FAIL, f"é{n}", n + 1, observed="漢" * 600)) for n in range(250)]

    text = summary(report(*long), budget=44_000)

    assert all(f"`s{n:03}`" in text for n in range(250))
    assert re.search(r"… \d+ more causes in the run directory:", text)


def test_thousands_of_suites_are_kept_no_larger_than_can_be_shown() -> None:
    found = Summary()
    for n in range(2000):
        cause = outcome(FAIL, f"cause {n}", observed="x" * 500)
        found.add(report(judged(f"s{n}", cause), path=f"{n}.yml"))

    kept = [entry.text for entry in found.violations.entries.values()]
    assert 1 << 20 > sum(map(len, [*kept, *found.violations.names]))
    assert 900 << 10 >= len(found.text(Ending(FAIL, Reason.VIOLATION)).encode())
    assert "2,000 scenarios in 2,000 suites" in found.text(Ending(FAIL, Reason.VIOLATION))


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_word_of_an_agent_acts(texts: list[str]) -> None:
    marked = [f"{text}forged{text}" for text in texts]

    text = summary(*hostile_reports(marked))

    assert "forged" not in live(text)
    assert set(TAGS.findall(live(text))) <= OURS
    assert not UNSEEN.search(text)
    text.encode()


@given(st.lists(hostile.texts, min_size=7, max_size=7), st.integers(0, 5000))
def test_no_word_of_an_agent_acts_where_room_is_scarce(texts: list[str], budget: int) -> None:
    text = summary(*hostile_reports([f"{text}forged" for text in texts]), budget=budget)

    assert "forged" not in live(text)
    assert budget >= len(text.encode())


def test_one_report_alone_is_a_summary_too() -> None:
    assert summary(MIXED, directory=MIXED.directory) == reporter("markdown")(MIXED)


def test_a_live_run_says_who_was_asked_by_whose_word_and_how() -> None:
    shown = summary(nouns.live_report(kind="isolated", source="contract", authenticated=True))

    assert (
        f"- `desk.yml` (SHA-256 `{'5' * 64}`) judged from the answers of an isolated endpoint, `runtime_observed`: "
        "observed while the agent ran; saved in `agent-test-runs/1`\n"
        "  - endpoint named by the contract, fingerprint `0123456789ab`; a token was sent; model `desk-assistant`\n"
        "  - 4 exchanges (1 failed), 95–30,012 ms, 1,204 tokens; at most 30 s, 1,024 tokens and 2,097,152 bytes each\n"
        "  - 1 assertion was decided on words that are redacted here\n"
    ) in shown


def test_each_exchange_has_a_line() -> None:
    shown = summary(nouns.live_report())

    assert (
        "<details><summary>Exchanges (4)</summary>\n\n"
        "- `desk.yml:3` `greets` HTTP 200, 95 ms, 40 tokens; "
        "decided on words that are redacted here: `response.contains[0]`\n"
        "- `desk.yml:3` `refunds` HTTP 200, 412 ms, 1,124 tokens\n"
        "- `desk.yml:3` `doubts` HTTP 200, 95 ms, 40 tokens\n"
        "- `desk.yml:3` `waits` no answer, 30,012 ms\n"
    ) in shown


def test_failures_alone_leave_the_exchanges_out() -> None:
    assert "Exchanges" not in summary(nouns.live_report(), failures_only=True)
