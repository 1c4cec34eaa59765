"""A report that grows too large keeps every verdict; what it leaves out costs a pass."""

import json
from pathlib import Path

import pytest

from agenttest.bounds import length, shortened
from agenttest.model import Json, Reason, Status
from agenttest.replay import replay
from agenttest.settings import REPORT_BYTES
from tests.projects import BROKEN, KEPT, contract, judge, lay, observation, read, recording, saved
from tests.reporters.reports import judged, outcome


def large(folder: Path, characters: int, answers: str, *, ids: int = 60) -> None:
    """A project whose observations are as long as this altogether."""
    names = [f"s{number:02}" for number in range(ids)]
    filler = "x" * (characters // ids)
    (folder / "desk.yml").write_text(contract(*names))
    seen = recording(*(observation(name, f"{answers} {filler}") for name in names))
    (folder / "desk.observations.json").write_text(seen)


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [(KEPT, Status.INCOMPLETE, Reason.NOT_SAVED), (BROKEN, Status.FAIL, Reason.VIOLATION)],
)
def test_a_report_that_grows_too_large_keeps_its_verdicts_and_leaves_the_observations_out(
    tmp_path: Path, answer: str, status: Status, reason: Reason
) -> None:
    large(tmp_path, REPORT_BYTES, answer)

    result, (report,) = judge(tmp_path)

    found = tmp_path / str(result.directory)
    results = read(found / "behavior-results.json")
    assert (status, reason) == (result.status, result.reason)
    assert [(str(each.status), False) for each in report.scenarios] == [
        (scenario["status"], "observation" in scenario) for scenario in results["scenarios"]
    ]
    assert "so the observations are left out of it; split the suite" in results["error"]
    assert replay(found).valid


def test_a_report_at_its_bound_is_kept_whole(tmp_path: Path) -> None:
    large(tmp_path, REPORT_BYTES - 50_000, KEPT)

    result, (report,) = judge(tmp_path)

    size = (tmp_path / str(result.report)).stat().st_size
    assert REPORT_BYTES - 50_000 < size <= REPORT_BYTES
    assert (Status.PASS, True, ()) == (result.status, report.observations_kept, report.problems)


@pytest.mark.parametrize("text", ["", "abc", "é", "漢字", "a😀b", "\ud800"])
def test_a_length_is_that_of_json_in_ascii(text: str) -> None:
    assert len(json.dumps(text)) - 2 == length(text)


def test_a_report_is_held_to_its_bounds_unsaved_too(tmp_path: Path) -> None:
    large(tmp_path, REPORT_BYTES, KEPT)

    result, (report,) = judge(tmp_path, artifacts=False)

    assert (Status.INCOMPLETE, Reason.NOT_SAVED, False) == (result.status, result.reason, report.observations_kept)


@pytest.mark.parametrize("long", ["x" * 200_000, "\x01" * 40_000])  # in JSON each \x01 takes six characters
def test_long_observed_values_are_cut_where_the_report_is_too_large_without_observations(
    tmp_path: Path, long: str
) -> None:
    names = [f"s{number:02}" for number in range(30)]
    expect = "{tools: {required: [{name: look, arguments: {in: book}}]}}"
    lines = "".join(f"- {{id: {name}, prompt: p, expect: {expect}}}\n" for name in names)
    (tmp_path / "desk.yml").write_text(f"version: 1\nagent: {{}}\nscenarios:\n{lines}")
    call = {"name": "look", "arguments": {"in": long}}
    seen = recording(*(observation(name, "", tool_calls=[call]) for name in names))
    (tmp_path / "desk.observations.json").write_text(seen)

    result, (report,) = judge(tmp_path)

    assert Status.FAIL is result.status
    assert (tmp_path / str(result.report)).stat().st_size < REPORT_BYTES
    assert {True} == {len(str(outcome.observed)) <= 160 for outcome in report.outcomes}
    assert replay(tmp_path / str(result.directory)).valid


def test_short_observed_values_stay_as_they_are() -> None:
    whole: Json = {"a": [1, None]}
    cut: Json = ["x" * 300]
    scenario = judged("greets", outcome(Status.FAIL, observed=whole), outcome(Status.FAIL, observed=cut))

    shown = [outcome.observed for outcome in shortened(scenario).outcomes]

    assert [whole, '["' + "x" * 157 + "…"] == shown


def test_otherwise_observed_values_are_kept_whole(tmp_path: Path) -> None:
    lay(tmp_path, greets="x" * 250)

    assert "x" * 250 == read(saved(tmp_path) / "behavior-results.json")["scenarios"][0]["assertions"][0]["observed"]
