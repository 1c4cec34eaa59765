"""A step that judges folders of scenario files: what it selects, how red it is, what it shows at which place."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests import scenarios
from tests.action.job import Done, Job
from tests.e2e import desk
from tests.scenarios import FOLDER, calls, file, says

KEEPS = file("keeps", says("done"), risk="Low", tags=["care"], scriptedFinalAnswer="It is done.")
BREAKS = file("breaks", calls("water"), risk="Medium", tags=["tools"], scriptedFinalAnswer="Later.")
GRAVE = file("grave", calls("water"), risk="Critical", scriptedFinalAnswer="Later.")


def step(job: Job, *documents: Mapping[str, Any], **inputs: str) -> Done:
    """Run the step on a folder of these files."""
    folder = job.workspace / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for each in documents:
        (folder / f"{each['id']}.json").write_text(scenarios.text(each))
    return job.run({name.replace("_", "-"): word for name, word in inputs.items()})


@pytest.mark.parametrize("suite", ["", FOLDER, f"{FOLDER}/**", f"{FOLDER}/*.json", "tests/*"])
def test_a_folder_is_one_suite_however_it_is_named(job: Job, suite: str) -> None:
    done = step(job, KEEPS, BREAKS, suite=suite)

    assert (0, "pass", "2", "1") == (
        done.exit_code,
        done.outputs["status"],
        done.outputs["total"],
        done.outputs["failed"],
    )
    assert done.outputs["report-json"].endswith("/behavior-results.json")


def test_contracts_and_scenario_files_are_judged_in_one_step(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = step(job, KEEPS, suite=f"*.yml\n{FOLDER}")

    assert (0, "2") == (done.exit_code, done.outputs["total"])


@pytest.mark.parametrize(
    ("documents", "levels"),
    [((BREAKS,), ["warning"]), ((GRAVE,), ["error"]), ((GRAVE, BREAKS, KEEPS), ["error", "warning"])],
)
def test_the_risk_decides_the_level_at_the_line_of_the_file(
    job: Job, documents: tuple[Mapping[str, Any], ...], levels: list[str]
) -> None:
    done = step(job, *documents)

    places = {"error": (f"{FOLDER}/grave.json", "11"), "warning": (f"{FOLDER}/breaks.json", "14")}
    shown = [place for place in done.places if place[0] != "notice"]
    assert [(level, *places[level]) for level in levels] == shown


def test_a_pass_with_a_failure_that_no_gate_counts_says_so(job: Job) -> None:
    done = step(job, KEEPS, BREAKS)

    said = "1 failing scenario fails no gate"
    assert 0 == done.exit_code
    assert (True, True) == (said in done.log, said in done.summary)


def test_with_strict_every_failure_is_an_error(job: Job) -> None:
    done = step(job, BREAKS, strict="true")

    assert (1, "error") == (done.exit_code, done.places[0][0])


def test_a_file_that_is_not_valid_is_an_error_at_its_place_and_stands_in_the_log(job: Job) -> None:
    (job.workspace / FOLDER).mkdir(parents=True)
    (job.workspace / FOLDER / "broken.json").write_text('{\n  "id": "broken",\n  "inputs": {}\n}')

    done = step(job, KEEPS)

    assert (2, "incomplete") == (done.exit_code, done.outputs["status"])
    assert ("error", f"{FOLDER}/broken.json", "3") in done.places
    assert f"not valid: {FOLDER}/broken.json:3:3: unknown key 'inputs'" in done.log


def test_only_what_is_selected_is_judged(job: Job) -> None:
    done = step(job, KEEPS, BREAKS, tag="care,other", risk="low")

    assert (0, "1") == (done.exit_code, done.outputs["total"])


@pytest.mark.parametrize(("partial", "exit_code"), [("false", 2), ("true", 0)])
def test_a_selection_may_leave_out_what_a_gate_asks_for_where_that_is_meant(
    job: Job, partial: str, exit_code: int
) -> None:
    done = step(job, KEEPS, GRAVE, tag="care", partial=partial)

    assert exit_code == done.exit_code
    assert ("selection-complete" in done.log, exit_code == 2) == (
        True,
        any(each.properties.get("title") == "gate selection-complete" for each in done.commands),
    )


@pytest.mark.parametrize(("lint", "told"), [("warn", (0, "notice")), ("error", (1, "error"))])
def test_a_scenario_that_proves_little_is_a_hint_or_an_error(job: Job, lint: str, told: tuple[int, str]) -> None:
    done = step(job, file("whole", says("done"), risk="Low", scriptedFinalAnswer="done"), lint=lint)

    assert told == (done.exit_code, done.places[0][0])
    assert f"{FOLDER}/whole.json" == done.places[0][1]


def test_filters_are_not_of_contracts(job: Job) -> None:
    desk.lay(job.workspace, desk.KEPT)

    done = job.run({"suite": "desk.yml", "tag": "care"})

    assert (2, "invalid-input") == (done.exit_code, done.outputs["reason"])
