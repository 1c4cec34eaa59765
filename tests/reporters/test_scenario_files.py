"""Runs of scenario files in every format: what is at stake, what fails no gate, which file and line it stands in."""

from dataclasses import replace
from pathlib import Path

import pytest

from agenttest.errors import Problem
from agenttest.github import context as contexts
from agenttest.github import jobs
from agenttest.model import Reason, Status
from agenttest.report import Ending, Report, ending
from agenttest.reporters import checkrun, github, html, markdown, reporter, text
from agenttest.reporters.comment import draft
from agenttest.reporters.fetching import Foot
from agenttest.reporters.github import plain
from tests import scenarios
from tests.github.runner_grammar import commands
from tests.reporters.html.pages import words
from tests.reporters.reports import PASS, alike
from tests.scenarios import FOLDER, file, says

WHOLE, TOLERATED = scenarios.whole(), scenarios.tolerated()
SPARED = "1 failing scenario fails no gate, being of low or medium risk and not required"


def shown(report: Report) -> list[tuple[str, str | None, str | None, str | None]]:
    """The annotations: level, title, file, line."""
    return [
        (each.name, each.properties.get("title"), each.properties.get("file"), each.properties.get("line"))
        for each in commands(github.render(report))
    ]


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_pass_with_a_failure_that_no_gate_counts_says_so(form: str) -> None:
    assert SPARED in reporter(form)(TOLERATED)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "sarif", "junit"])
def test_every_format_tells_risk_and_tags(form: str) -> None:
    came = reporter(form)(WHOLE)

    assert all(word in came for word in ("Critical", "safety", "medium-breaks"))


@pytest.mark.parametrize("form", ["text", "markdown", "html", "junit"])
def test_every_format_for_people_tells_every_gate(form: str) -> None:
    came = reporter(form)(WHOLE)

    assert [] == [gate.name for gate in WHOLE.verdict.gates if gate.name not in came]


@pytest.mark.parametrize("form", ["text", "markdown", "html", "sarif", "junit"])
def test_no_format_has_the_folder_with_a_line_for_a_place(form: str) -> None:
    came = reporter(form)(WHOLE)

    assert f"{FOLDER}:" not in came
    assert f"{FOLDER}/medium-breaks.json" in came


def test_the_second_line_of_a_text_says_what_a_script_proves() -> None:
    (_, second, *_) = text.render(TOLERATED).splitlines()

    assert "scripted: the scenarios script their own traces, which tests the oracles and not an agent" == second


def test_of_several_sources_each_is_counted() -> None:
    (_, second, *_) = text.render(WHOLE).splitlines()

    assert "mixed: 3 scripted, 1 replayed; what is scripted tests the oracles and not an agent" == second


def test_a_log_tells_files_that_are_not_valid_which_the_command_line_has_told_already() -> None:
    said = f"not valid: {FOLDER}/broken.json:1:1: the file lacks the key 'expected'"

    assert (True, False) == (said in text.folded(WHOLE)[2], said in text.render(WHOLE))


def test_what_was_not_saved_is_told_apart_from_files_that_are_not_valid() -> None:
    report = scenarios.with_problem(WHOLE, Problem("agent-test-runs", 0, 0, "no space left"))

    told = [line for line in text.render(report).splitlines() if line.startswith("not saved")]

    assert ["not saved: agent-test-runs: no space left"] == told


def test_a_contract_has_no_word_of_gates() -> None:
    contract = alike(PASS, 1)

    assert [] == words(html.render(contract), "table")
    assert "gates" not in text.render(contract) + markdown.render(contract)


@pytest.mark.parametrize(
    ("report", "headline"),
    [(WHOLE, "A gate does not hold"), (TOLERATED, "Every gate holds")],
    ids=["fail", "pass"],
)
def test_the_headline_is_of_the_gates_as_there_may_be_no_agent(report: Report, headline: str) -> None:
    summary = markdown.Summary()
    summary.add(report)

    assert headline in checkrun.title(summary, ending(report))
    assert headline in markdown.render(report).splitlines()[0]
    assert [headline] == [word.split(" ", 1)[1] for word in words(html.render(report), "h1")]


def test_the_risk_decides_the_level_of_an_annotation() -> None:
    assert [
        ("error", "invalid input", f"{FOLDER}/broken.json", "1"),
        ("error", "invalid input", f"{FOLDER}/broken.json", "1"),
        (
            "error",
            "critical-breaks: expected.oracles[0] FinalAnswerContains violated (Critical)",
            f"{FOLDER}/critical-breaks.json",
            "68",
        ),
        (
            "error",
            "critical-breaks: expected.oracles[1] NoUnsafeTool violated (Critical)",
            f"{FOLDER}/critical-breaks.json",
            "72",
        ),
        (
            "error",
            "low-required: expected.oracles[0] FinalAnswerContains not proven (Low, required)",
            f"{FOLDER}/low-required.json",
            "11",
        ),
        (
            "warning",
            "medium-breaks: expected.oracles[0] ToolCalled violated (Medium, fails no gate)",
            f"{FOLDER}/medium-breaks.json",
            "12",
        ),
        ("notice", "shallow scenario", f"{FOLDER}/high-keeps.json", "3"),
        ("notice", "shallow scenario", f"{FOLDER}/high-keeps.json", "17"),
    ] == shown(WHOLE)


def test_a_check_run_has_the_same_levels() -> None:
    check = checkrun.CheckRun()
    check.add(WHOLE)

    assert [*["failure"] * 5, "warning", *["notice"] * 2] == [each["annotation_level"] for each in check.annotations()]


def test_a_gate_that_nothing_explains_is_annotated() -> None:
    assert [("error", "gate scenario-discovery", FOLDER, "1")] == shown(scenarios.report())


def test_a_hint_does_not_hide_why_a_run_is_not_a_pass() -> None:
    shallow = scenarios.report(file("a", says("a"), scriptedFinalAnswer="a"))
    unsaved = replace(shallow, verdict=replace(shallow.verdict, status=Status.INCOMPLETE, reason=Reason.NOT_SAVED))

    assert ["warning", "notice"] == [level for level, *_ in shown(unsaved)]


def comment(report: Report) -> str:
    job = jobs.read(contexts.read({"GITHUB_RUN_ID": "77", "GITHUB_SHA": "1a2b3c4d" * 5}, Path()))
    return draft(report, job, plain).text(None, Foot(job, Ending(report.status, report.verdict.reason)))


def test_a_comment_tells_what_fails_no_gate_and_the_gates() -> None:
    said = comment(WHOLE)

    assert f"; {SPARED}" in said
    parts = ("Tolerated (1)", "Gates (6)", "Warnings (2)", f"`{FOLDER}/medium-breaks.json:12`")
    assert [] == [part for part in parts if part not in said]


def test_summary_of_a_pass_names_the_tolerated_cause() -> None:
    assert "### Tolerated (1)" in markdown.render(TOLERATED)


def test_of_several_suites_the_index_says_which_has_failures_that_no_gate_counts() -> None:
    index = html.Index()
    for each in (TOLERATED, alike(PASS, 1)):
        index.add(each)

    page = index.text(Ending(Status.PASS, Reason.KEPT))

    assert SPARED in words(page, "p", "free")
    assert ["✓ Every gate holds"] == words(page, "h1")
