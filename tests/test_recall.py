"""What a saved run is recalled as: the very report that was saved, whatever it is of."""

from pathlib import Path

import pytest

from agenttest.model import Filters, Shard, Status
from agenttest.recall import Recalled, recall
from agenttest.report import to_document
from tests import folders, projects, zips

CONTRACT = "desk.yml"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A contract and a folder of scenarios, in each one that is kept, one that is not, and one that is not proven."""
    projects.lay(tmp_path, kept=projects.KEPT, broken=projects.BROKEN, unseen=None)
    given = [folders.scripted(), folders.scripted(folders.BROKEN), folders.replay("gone.trace.json")]
    names = ("kept", "broken", "unseen")
    folders.lay(tmp_path, *(folders.scenario(n, g) for n, g in zip(names, given, strict=True)), bad="{}")
    return tmp_path


def recalled(path: Path) -> list[Recalled]:
    return list(recall(path))


@pytest.mark.parametrize("suite", [CONTRACT, folders.FOLDER])
def test_a_report_is_recalled_as_it_was_saved(root: Path, suite: str) -> None:
    run = projects.saved(root, suite)

    (found,) = recalled(run)

    assert projects.read(run / "behavior-results.json") == to_document(found.report)


@pytest.mark.parametrize("suite", [CONTRACT, folders.FOLDER])
def test_a_zip_is_recalled_as_the_folder_is(root: Path, suite: str, tmp_path: Path) -> None:
    run = projects.saved(root, suite)
    packed = zips.packed(run, tmp_path / "run.zip")

    (found,) = recalled(packed)

    assert projects.read(run / "behavior-results.json") == to_document(found.report)


def test_a_recorded_trace_is_recalled_with_its_file(root: Path) -> None:
    digest = folders.put(root, f"{folders.FOLDER}/r.trace.json", folders.trace("replays"))
    folders.lay(root, folders.scenario("replays", folders.replay("r.trace.json")))
    run = projects.saved(root, folders.FOLDER)

    (found,) = recalled(run)

    (source,) = [judged.source for judged in found.report.scenarios if judged.source is not None]
    assert (f"{folders.FOLDER}/r.trace.json", digest) == (source.path, source.sha256)


def test_every_suite_of_a_call_is_recalled_in_order(root: Path) -> None:
    run = projects.saved(root, CONTRACT, folders.FOLDER)

    found = recalled(run)

    assert [CONTRACT, folders.FOLDER] == [each.report.path for each in found]
    assert [each.report.directory for each in found] == [str(path) for path in sorted(run.iterdir()) if path.is_dir()]


def test_a_suite_that_was_not_valid_is_recalled_as_no_more_than_that(root: Path) -> None:
    (root / "broken.yml").write_text("version: 1\n")
    run = projects.saved(root, CONTRACT, "broken.yml")

    _, lost = recalled(run)

    assert ("broken.yml", None, Status.INCOMPLETE) == (lost.report.path, lost.report.suite, lost.report.status)
    assert ["was not saved, so of it no more is known than how it ended; run it again"] == [
        problem.message for problem in lost.report.problems
    ]


def test_what_was_asked_for_is_recalled(root: Path) -> None:
    filters = Filters((("none", "t"),), partial=True)
    folders.lay(root, folders.scenario("kept", tags=["t"]))
    run = projects.saved(root, folders.FOLDER, filters=filters, strict=True, lint="error")

    (found,) = recalled(run)

    assert (filters, True, "error") == (found.asked.filters, found.asked.strict, found.asked.lint)


def test_of_a_shard_it_is_known_what_all_shards_have(root: Path) -> None:
    run = projects.saved(root, folders.FOLDER, shard=Shard(1, 2))

    (found,) = recalled(run)

    assert ["broken", "kept", "unseen"] == [scenario.id for scenario in found.selected]
    assert found.report.shard == Shard(1, 2)
