"""A saved run decided again: by the same outcomes, more strictly if that is asked, and never of files that changed."""

from dataclasses import replace
from pathlib import Path

import pytest

from agenttest.files import Project
from agenttest.gates import ALL, Asked
from agenttest.model import Filters, Gate, Reason, Status
from agenttest.recall import recall
from agenttest.report import Report
from agenttest.standing import decide_again
from tests import folders, projects

STALE = "stale: {} since the run; run it again: agenttest test {}"


def again(root: Path, run: Path, asked: Asked = ALL) -> Report:
    (report,) = [decide_again(Project.at(root), each, asked) for each in recall(run)]
    return report


def gate(report: Report, name: str) -> Gate:
    (found,) = [each for each in report.verdict.gates if each.name == name]
    return found


def stale(report: Report) -> str:
    """Why the evidence is not complete."""
    return gate(report, "evidence-complete").message


@pytest.mark.parametrize(
    ("answer", "risk", "status"),
    [(folders.KEPT, "High", Status.PASS), (folders.BROKEN, "High", Status.FAIL), (folders.BROKEN, "Low", Status.PASS)],
)
def test_without_a_change_it_is_decided_as_before(tmp_path: Path, answer: str, risk: str, status: Status) -> None:
    folders.lay(tmp_path, folders.scenario("greets", folders.scripted(answer), risk=risk))
    run = projects.saved(tmp_path, folders.FOLDER)

    found = again(tmp_path, run)

    assert (status, next(recall(run)).report.verdict) == (found.status, found.verdict)


def test_a_strict_decision_counts_every_scenario(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("greets", folders.scripted(folders.BROKEN), risk="Low"))
    run = projects.saved(tmp_path, folders.FOLDER)

    assert Status.FAIL is again(tmp_path, run, Asked(strict=True)).status


def test_a_run_that_was_strict_stays_so(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("greets", folders.scripted(folders.BROKEN), risk="Low"))
    run = projects.saved(tmp_path, folders.FOLDER, strict=True)

    assert Status.FAIL is again(tmp_path, run).status


def test_a_shallow_scenario_can_be_made_an_error(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("greets", {**folders.scripted(), "prompt": " "}))
    run = projects.saved(tmp_path, folders.FOLDER)

    assert (Status.PASS, Status.FAIL) == (
        again(tmp_path, run).status,
        again(tmp_path, run, Asked(lint="error")).status,
    )


def test_what_a_selection_left_out_can_be_accepted(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("a", risk="High"), folders.scenario("b", tags=["t"]))
    run = projects.saved(tmp_path, folders.FOLDER, filters=Filters((("t",),)))

    found = again(tmp_path, run), again(tmp_path, run, Asked(filters=Filters(partial=True)))

    assert [Status.INCOMPLETE, Status.PASS] == [each.status for each in found]


def changed(root: Path, what: str) -> None:
    """A change of the folder of scenarios."""
    folder = root / folders.FOLDER
    if what == "another text":
        (folder / "000.json").write_text((folder / "000.json").read_text() + "\n")
    elif what == "one more":
        folders.put(root, f"{folders.FOLDER}/001.json", folders.scenario("more"))
    elif what == "one less":
        (folder / "000.json").unlink()
    elif what == "not valid":
        (folder / "000.json").write_text("{")
    else:
        folder.rename(root / "elsewhere")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("another text", f"'{folders.FOLDER}/000.json' has changed"),
        ("one more", f"'{folders.FOLDER}/001.json' has come"),
        ("one less", f"'{folders.FOLDER}/000.json' is gone"),
        ("not valid", f"'{folders.FOLDER}/000.json' has changed"),
        ("all gone", f"'{folders.FOLDER}/000.json' is gone"),
    ],
)
def test_a_run_of_scenarios_that_changed_is_stale(tmp_path: Path, what: str, said: str) -> None:
    folders.lay(tmp_path, folders.scenario("greets"))
    run = projects.saved(tmp_path, folders.FOLDER)
    changed(tmp_path, what)

    found = again(tmp_path, run)

    assert (Status.INCOMPLETE, Reason.MISSING_EVIDENCE) == (found.status, found.verdict.reason)
    assert STALE.format(said, folders.FOLDER) == stale(found)


def test_a_stale_run_that_is_violated_stays_violated(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("greets", folders.scripted(folders.BROKEN), risk="High"))
    run = projects.saved(tmp_path, folders.FOLDER)
    changed(tmp_path, "another text")

    found = again(tmp_path, run)

    assert (Status.FAIL, Status.INCOMPLETE) == (found.status, gate(found, "evidence-complete").status)


@pytest.mark.parametrize(("name", "text"), [("desk.yml", "\n"), ("desk.yml", "x"), ("desk.observations.json", " ")])
def test_a_run_of_a_contract_or_a_recording_that_changed_is_stale(tmp_path: Path, name: str, text: str) -> None:
    projects.lay(tmp_path, greets=projects.KEPT)
    run = projects.saved(tmp_path)
    (tmp_path / name).write_text((tmp_path / name).read_text() + text)

    assert STALE.format(f"'{name}' has changed", "desk.yml") == stale(again(tmp_path, run))


@pytest.mark.parametrize("name", ["desk.yml", "desk.observations.json"])
def test_a_run_of_a_contract_or_a_recording_that_is_gone_is_stale(tmp_path: Path, name: str) -> None:
    projects.lay(tmp_path, greets=projects.KEPT)
    run = projects.saved(tmp_path)
    (tmp_path / name).unlink()

    assert STALE.format(f"'{name}' is gone", "desk.yml") == stale(again(tmp_path, run))


def test_a_run_by_a_trace_that_changed_is_stale(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("greets", folders.replay("r.trace.json")))
    folders.put(tmp_path, f"{folders.FOLDER}/r.trace.json", folders.trace("greets"))
    run = projects.saved(tmp_path, folders.FOLDER)
    folders.put(tmp_path, f"{folders.FOLDER}/r.trace.json", folders.trace("greets", "good day"))

    said = STALE.format(f"'{folders.FOLDER}/r.trace.json' has changed", folders.FOLDER)
    assert said == stale(again(tmp_path, run))


def test_a_run_that_was_judged_by_other_things_than_its_trace_tells_is_stale(tmp_path: Path) -> None:
    folders.lay(tmp_path, folders.scenario("greets", folders.replay("r.trace.json")))
    folders.put(tmp_path, f"{folders.FOLDER}/r.trace.json", folders.trace("greets", folders.BROKEN))
    (saved,) = recall(projects.saved(tmp_path, folders.FOLDER))
    (judged,) = saved.report.scenarios
    assert judged.observation is not None
    forged = replace(judged, observation=replace(judged.observation, response=folders.KEPT))
    other = replace(saved, report=replace(saved.report, scenarios=(forged,)))

    found = decide_again(Project.at(tmp_path), other, ALL)

    said = STALE.format(f"'{folders.FOLDER}/r.trace.json' tells something else", folders.FOLDER)
    assert said == stale(found)


def test_what_could_not_be_decided_is_said_beside_what_changed(tmp_path: Path) -> None:
    projects.lay(tmp_path, greets=None)
    run = projects.saved(tmp_path)
    (tmp_path / "desk.yml").write_text(projects.contract("greets", "more"))

    said = stale(again(tmp_path, run))

    assert f"'greets' cannot be decided whole; {STALE.format(quoted('desk.yml') + ' has changed', 'desk.yml')}" == said


def quoted(text: str) -> str:
    return repr(text)
