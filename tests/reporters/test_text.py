"""The text for people: every scenario in a line, every cause once, the verdict and the next command at the end."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.errors import Problem
from agenttest.model import Merged, Reason, Shard, Status, Verdict
from agenttest.quote import UNSEEN
from agenttest.reporters.text import COLOURS, LABELS, Look, colour, render
from tests import nouns
from tests.github import hostile
from tests.reporters.reports import FAIL, INCOMPLETE, PASS, alike, invalid, judged, outcome, report
from tests.reporters.reports import hostile as hostile_reports


def lines(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


def test_a_report_of_one_violation_reads_so() -> None:
    found = report(judged("greets", outcome(FAIL, "it is not so", expected=["a"], observed="b", difference="$[0]")))

    assert render(found) == (
        "desk.yml  1 scenario, 1 assertion\n"
        "offline: observations from desk.observations.json (unverified fixture)\n"
        "\n"
        "  FAIL        greets  1 violated of 1 assertion\n"
        "\n"
        "FAIL  it is not so\n"
        '  expected  ["a"]\n'
        "  observed  'b'\n"
        "  differs   at $[0]\n"
        "  at desk.yml:7  greets  response.contains[0]\n"
        "\n"
        "FAIL (violation, exit 1): 1 failed of 1 scenario (1 violated)\n"
        "saved in agent-test-runs/1\n"
        "replay: agenttest replay agent-test-runs/1\n"
    )


@pytest.mark.parametrize(
    ("statuses", "told"),
    [
        ([PASS], "1 assertion kept"),
        ([PASS, PASS], "2 assertions kept"),
        ([FAIL, PASS], "1 violated of 2 assertions"),
        ([FAIL, INCOMPLETE, PASS], "1 violated, 1 not provable of 3 assertions"),
        ([INCOMPLETE], "1 not provable of 1 assertion"),
    ],
)
def test_a_scenarios_line_counts_what_is_not_kept(statuses: list[Status], told: str) -> None:
    shown = render(report(judged("greets", *map(outcome, statuses))))

    status = Status.worst(statuses)
    assert [f"  {LABELS[status].ljust(10)}  greets  {told}"] == lines(shown, f"  {LABELS[status]} ")


def test_scenarios_stand_in_the_suites_order_one_below_the_other() -> None:
    shown = render(report(judged("long-one", outcome(PASS)), judged("b", outcome(FAIL)), judged("a", outcome(PASS))))

    assert ["long-one  ", "b         ", "a         "] == [line[14:24] for line in shown.splitlines()[3:6]]


def test_violations_come_before_what_is_not_provable() -> None:
    shown = render(report(judged("a", outcome(INCOMPLETE, "unseen")), judged("b", outcome(FAIL, "broken"))))

    assert shown.index("FAIL  broken") < shown.index("incomplete  unseen")


def test_what_is_not_provable_says_what_would_prove_it_and_compares_nothing() -> None:
    shown = render(report(judged("a", outcome(INCOMPLETE, "unseen", remedy="record it"))))

    assert ["  to prove it  record it"] == lines(shown, "  to prove it")
    assert [] == lines(shown, "  expected")


@pytest.mark.parametrize(
    ("count", "more"), [(8, []), (9, ["  and at 1 more place"]), (40, ["  and at 32 more places"])]
)
def test_a_cause_is_told_once_with_its_first_places(count: int, more: list[str]) -> None:
    shown = render(alike(FAIL, count))

    assert ["FAIL  it is so"] == lines(shown, "FAIL  ")
    assert 8 == len(lines(shown, "  at "))
    assert more == lines(shown, "  and at")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        ("a'b\n", '"a\'b\\n"'),
        (["a", {"b": None}], '["a", {"b": null}]'),
        ("x" * 401, f"'{'x' * 380}'… (401 characters)"),
    ],
)
def test_values_are_told_on_one_line_and_not_too_long(value: object, told: str) -> None:
    shown = render(report(judged("a", outcome(FAIL, observed=value))))  # type: ignore[arg-type]

    assert [f"  observed  {told}"] == lines(shown, "  observed")


@pytest.mark.parametrize(
    ("statuses", "told"),
    [
        ([PASS], "pass (kept, exit 0): 1 passed of 1 scenario (1 kept)"),
        ([PASS, FAIL], "FAIL (violation, exit 1): 1 passed, 1 failed of 2 scenarios (1 kept, 1 violated)"),
        (
            [PASS, FAIL, INCOMPLETE],
            "FAIL (violation, exit 1): 1 passed, 1 failed, 1 incomplete of 3 scenarios "
            "(1 kept, 1 violated, 1 not provable)",
        ),
        ([], "incomplete (missing-evidence, exit 2): no scenario was judged"),
    ],
)
def test_the_verdict_stands_with_all_counts(statuses: list[Status], told: str) -> None:
    scenarios = [judged(f"s{at}", outcome(status)) for at, status in enumerate(statuses)]

    assert told in render(report(*scenarios)).splitlines()


def test_many_are_counted_in_thousands() -> None:
    assert render(alike(PASS, 1234)).startswith("desk.yml  1,234 scenarios, 1,234 assertions\n")


def test_what_was_not_saved_is_told_before_the_verdict() -> None:
    found = replace(
        report(judged("a", outcome(PASS))),
        verdict=Verdict(INCOMPLETE, Reason.NOT_SAVED),
        directory=None,
        problems=(Problem("runs/x", 0, 0, "cannot be written\nat all"),),
    )

    assert [
        "not saved: runs/x: cannot be written\\nat all",
        "incomplete (not-saved, exit 2): 1 passed of 1 scenario (1 kept)",
    ] == render(found).splitlines()[-2:]


def test_a_report_without_provenance_names_none() -> None:
    found = replace(report(judged("a", outcome(PASS))), provenance=None)

    assert "offline" not in render(found)


@pytest.mark.parametrize(("count", "told"), [(1, "1 problem"), (2, "2 problems")])
def test_of_a_run_that_could_not_begin_all_problems_are_told(count: int, told: str) -> None:
    problems = [Problem("desk.yml", at + 1, 2, f"is wrong {at}") for at in range(count)]

    assert [
        *(f"desk.yml:{at + 1}:2: is wrong {at}" for at in range(count)),
        "",
        f"incomplete (invalid-input, exit 2): {told} to correct, then run the same command again",
    ] == render(invalid(*problems)).splitlines()


def test_places_and_runs_are_told_from_where_the_reader_stands() -> None:
    shown = render(replace(alike(FAIL, 1), directory="a b/run"), Look(prefix="../"))

    assert ["  at ../desk.yml:1  s000  response.contains[0]"] == lines(shown, "  at ")
    assert ["saved in ../a b/run", "replay: agenttest replay '../a b/run'"] == shown.splitlines()[-2:]


def test_colours_change_nothing_but_the_colour() -> None:
    found = report(judged("a", outcome(PASS)), judged("b", outcome(FAIL)), judged("c", outcome(INCOMPLETE)))

    shown = render(found, Look(colour))

    for code in COLOURS.values():
        assert f"\033[{code}m" in shown
        shown = shown.replace(f"\033[{code}m", "")
    assert render(found) == shown.replace("\033[0m", "")


@given(st.lists(hostile.texts, min_size=7, max_size=7))
def test_no_word_of_an_agent_begins_a_line_or_acts(words: list[str]) -> None:
    for found in hostile_reports(words):
        shown = render(found)

        assert shown.count("\n") == len(shown.splitlines())
        assert not UNSEEN.search(shown)


@pytest.mark.parametrize(
    ("of", "told"),
    [
        ({"shard": Shard(2, 3)}, "shard 2/3 of the suite; all shards together decide"),
        ({"merged": Merged(3)}, "merged from 3 shards"),
        ({"merged": Merged(4, (Shard(1, 4), Shard(3, 4)))}, "merged from 2 of 4 shards; missing: 1/4, 3/4"),
    ],
)
def test_a_part_or_a_merged_whole_says_so_below_its_provenance(of: dict[str, Any], told: str) -> None:
    shown = render(replace(report(judged("greets", outcome(PASS))), **of))

    assert told == shown.splitlines()[2]


def test_a_shard_that_holds_nothing_says_so() -> None:
    shown = render(replace(report(), shard=Shard(2, 3)))

    assert "shard 2/3: none of the suite's scenarios falls into it; all shards together decide" in shown.splitlines()


def test_a_live_run_says_who_answered_and_what_was_exchanged() -> None:
    assert [
        "live: answers of a loopback endpoint, model 'desk-assistant' (runtime observed)",
        "4 exchanges (1 failed), 95–30,012 ms, 1,204 tokens",
        "",
    ] == render(nouns.live_report()).splitlines()[1:4]


def test_an_agent_that_was_not_asked_has_no_exchanges() -> None:
    found = nouns.live_report([nouns.judged(INCOMPLETE)])

    assert "" == render(found).splitlines()[2]


def test_what_was_decided_unseen_is_said_before_the_verdict() -> None:
    *_, said, verdict, _, _ = render(nouns.live_report()).splitlines()

    assert "1 assertion was decided on words that are redacted here" == said
    assert verdict.startswith("FAIL (violation, exit 1)")
