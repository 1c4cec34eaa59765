"""A run of runs is as valid as its children, and what it says of them."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agenttest.files import Project
from agenttest.model import Shard
from agenttest.replay import DEPTH, Replay, as_json, as_text, replay
from agenttest.report import digest_of
from agenttest.run import run
from agenttest.settings import Settings
from tests.projects import BROKEN, KEPT, judge, lay, read, reseal, saved, told, write


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """A run of a kept, a broken and an invalid suite."""
    return saved(tmp_path, lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=BROKEN), "nowhere.yml")


def codes(found: Replay) -> list[str]:
    return [issue.code for each in (found, *found.children) for issue in each.issues]


def test_a_run_of_runs_is_valid_with_all_its_children(parent: Path) -> None:
    found = replay(parent)

    assert (True, [], ["0001-a", "0002-b"]) == (
        found.valid,
        codes(found),
        [Path(child.run).name for child in found.children],
    )


def test_a_run_of_runs_shows_every_childs_report_and_names_all_suites(parent: Path) -> None:
    (parent / "state.json").unlink()

    shown = told(parent)

    assert [1, 1] == [shown.count(f"{name}  1 scenario, 2 assertions\n") for name in ("a.yml", "b.yml")]
    assert shown.endswith("run it again: agenttest test a.yml b.yml nowhere.yml\n")


def test_of_many_suites_the_first_are_named(tmp_path: Path) -> None:
    suites = [lay(tmp_path, f"{name} x.yml", x=KEPT) for name in "abcdef"]
    five, six = saved(tmp_path, *suites[:5]), saved(tmp_path, *suites)
    for found in (five, six):
        (found / "state.json").unlink()

    first = " test 'a x.yml' 'b x.yml' 'c x.yml' 'd x.yml' 'e x.yml'"
    assert [first, f"{first} …"] == [
        told(found).strip()[-len(first) - 2 * more :] for more, found in ((0, five), (1, six))
    ]


def test_json_holds_the_childrens_replays(parent: Path) -> None:
    (parent / "0002-b/state.json").unlink()

    told = json.loads(as_json(replay(parent)))

    assert [False, True, False] == [each["ok"] for each in (told, *told["children"])]
    assert ["file-missing"] == [issue["code"] for issue in told["children"][1]["issues"]]


def summary(parent: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change a parent's summary, with its digest made anew."""
    document = read(parent / "summary.json")
    change(document)
    document["evidence_digest"] = digest_of([child["evidence_digest"] for child in document["children"]])
    write(parent / "summary.json", document)


def acquitted(child: Path) -> None:
    """A violation that says that it is a pass, all digests made anew."""
    results, told = read(child / "behavior-results.json"), read(child / "summary.json")
    for part in (results, told):
        part.update(status="pass", reason="kept")
    told["exit_code"] = 0
    write(child / "behavior-results.json", results)
    write(child / "summary.json", told)
    reseal(child)


def child_deleted(parent: Path) -> None:
    shutil.rmtree(parent / "0001-a")


def child_replaced(parent: Path) -> None:
    lay(parent.parents[2], "a.yml", x=f"{KEPT} again")
    shutil.rmtree(parent / "0001-a")
    shutil.move(saved(parent.parents[2], "a.yml"), parent / "0001-a")


def child_of_another_suite(parent: Path) -> None:
    shutil.copyfile(parent.parents[2] / "a.yml", parent.parents[2] / "c.yml")
    shutil.copyfile(parent.parents[2] / "a.observations.json", parent.parents[2] / "c.observations.json")
    shutil.rmtree(parent / "0001-a")
    shutil.move(saved(parent.parents[2], "c.yml"), parent / "0001-a")


def child_of_another_suite_with_its_digest(parent: Path) -> None:
    child_of_another_suite(parent)
    digest = read(parent / "0001-a/summary.json")["evidence_digest"]
    summary(parent, lambda told: told["children"][0].update(evidence_digest=digest))


def children_swapped(parent: Path) -> None:
    (parent / "0001-a").rename(parent / "x")
    (parent / "0002-b").rename(parent / "0001-a")
    (parent / "x").rename(parent / "0002-b")


def child_acquitted_alone(parent: Path) -> None:
    acquitted(parent / "0002-b")


def child_and_parent_acquitted(parent: Path) -> None:
    acquitted(parent / "0002-b")
    digest = read(parent / "0002-b/summary.json")["evidence_digest"]
    summary(parent, lambda told: told["children"][1].update(status="pass", reason="kept", evidence_digest=digest))
    summary(parent, lambda told: told.update(status="incomplete", reason="invalid-input", exit_code=2))


def child_is_a_link(parent: Path) -> None:
    shutil.move(parent / "0001-a", parent.parent / "elsewhere")
    (parent / "0001-a").symlink_to(parent.parent / "elsewhere")


def child_is_a_file(parent: Path) -> None:
    shutil.rmtree(parent / "0001-a")
    (parent / "0001-a").write_text("")


def child_without_its_summary(parent: Path) -> None:
    (parent / "0001-a/summary.json").unlink()


def another_child(parent: Path) -> None:
    shutil.copytree(parent / "0001-a", parent / "0003-c")


def verdict_of_the_parent(parent: Path) -> None:
    summary(parent, lambda told: told.update(status="pass", reason="kept", exit_code=0))


def reason_of_the_parent(parent: Path) -> None:
    summary(parent, lambda told: told.update(reason="kept"))


def exit_code_of_the_parent(parent: Path) -> None:
    summary(parent, lambda told: told.update(exit_code=0))


def name_of_the_parent(parent: Path) -> None:
    summary(parent, lambda told: told.update(run_id="20260101T000000Z-00000000"))


def verdict_of_a_child_in_the_parent(parent: Path) -> None:
    summary(parent, lambda told: told["children"][1].update(status="pass", reason="kept"))
    summary(parent, lambda told: told.update(status="incomplete", reason="invalid-input", exit_code=2))


def child_not_listed(parent: Path) -> None:
    summary(parent, lambda told: told["children"].pop(1))
    summary(parent, lambda told: told.update(status="incomplete", reason="invalid-input", exit_code=2))


def child_not_listed_nor_there(parent: Path) -> None:
    shutil.rmtree(parent / "0002-b")
    child_not_listed(parent)


def no_children(parent: Path) -> None:
    summary(parent, lambda told: told.update(children=[], status="incomplete", exit_code=2))


def pass_without_a_run(parent: Path) -> None:
    shutil.rmtree(parent / "0001-a")
    summary(parent, lambda told: told["children"][0].update(directory=None))


def digest_of_the_parent(parent: Path) -> None:
    write(parent / "summary.json", {**read(parent / "summary.json"), "evidence_digest": "0" * 64})


def state_of_the_parent(parent: Path) -> None:
    state = read(parent / "state.json")
    write(parent / "state.json", {**state, "suites": state["suites"][:2]})


def state_with_its_digest(parent: Path, state: Any) -> None:
    write(parent / "state.json", state)
    data = (parent / "state.json").read_bytes()
    entry = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    summary(parent, lambda told: told["files"].update({"state.json": entry}))


def suites_with_their_digest(parent: Path) -> None:
    state = read(parent / "state.json")
    state_with_its_digest(parent, {**state, "suites": state["suites"][:2]})


def state_of_garbage(parent: Path) -> None:
    state_with_its_digest(parent, {"run_id": read(parent / "summary.json")["run_id"], "asked": None, "suites": 5})


def status_of_no_kind(parent: Path) -> None:
    summary(parent, lambda told: told["children"][0].update(status="great"))


def child_in(place: str) -> Callable[[Path], None]:
    def change(parent: Path) -> None:
        summary(parent, lambda told: told["children"][0].update(directory=place))

    change.__name__ = f"child_in_{place[:20]!r}"
    return change


def shard_of_the_parent(parent: Path) -> None:
    state_with_its_digest(parent, {**read(parent / "state.json"), "shard": "1/2"})


def shard_of_no_kind(parent: Path) -> None:
    state_with_its_digest(parent, {**read(parent / "state.json"), "shard": {"index": True}})


def selection_of_the_parent(parent: Path) -> None:
    state_with_its_digest(parent, {**read(parent / "state.json"), "asked": ["x"]})


CHANGES = [
    shard_of_the_parent,
    shard_of_no_kind,
    selection_of_the_parent,
    child_deleted,
    child_replaced,
    child_of_another_suite,
    child_of_another_suite_with_its_digest,
    children_swapped,
    child_acquitted_alone,
    child_and_parent_acquitted,
    child_is_a_link,
    child_is_a_file,
    child_without_its_summary,
    another_child,
    verdict_of_the_parent,
    reason_of_the_parent,
    exit_code_of_the_parent,
    name_of_the_parent,
    verdict_of_a_child_in_the_parent,
    child_not_listed,
    child_not_listed_nor_there,
    no_children,
    pass_without_a_run,
    digest_of_the_parent,
    state_of_the_parent,
    suites_with_their_digest,
    state_of_garbage,
    status_of_no_kind,
    *map(
        child_in, ["", ".", "..", "../elsewhere", "/tmp", "0001-a/", "./0001-a", "0002-b", "a\0b", "\ud800", "x" * 5000]
    ),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_run_of_runs_is_not_valid(parent: Path, change: Callable[[Path], None]) -> None:
    change(parent)

    found = replay(parent)

    assert (False, True) == (found.valid, bool(codes(found)))
    assert found.run in as_text(found)
    assert not json.loads(as_json(found))["ok"]


def test_a_suite_left_out_by_a_selection_is_none_that_is_missing(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", y=KEPT)

    assert replay(saved(tmp_path, *suites, scenarios=("y",))).valid


def test_the_parent_of_a_shard_says_its_shard_and_names_suites_as_its_children_do(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT, y=KEPT), lay(tmp_path, "b.yml", x=KEPT, y=KEPT)

    parent = saved(tmp_path, f"./{suites[0]}", str(tmp_path / suites[1]), "../c.yml", shard=Shard(2, 2))

    state = read(parent / "state.json")
    assert ("2/2", ["a.yml", "b.yml", "../c.yml"]) == (state["shard"], state["suites"])
    assert replay(parent).valid


def test_an_interrupted_run_of_runs_is_valid_as_far_as_it_goes(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=KEPT)

    def show(report: Any) -> None:
        if report.path == "a.yml":
            raise KeyboardInterrupt

    result = run(Project.at(tmp_path), Settings(suites), show)

    assert ("incomplete", "interrupted") == (result.status, result.reason)
    assert replay(tmp_path / str(result.directory)).valid


def wrapped(inner: Path, place: Path) -> Path:
    """A run of runs around another, as a merge of shards is."""
    place.mkdir()
    shutil.move(inner, place / "0001-x")
    told = read(place / "0001-x/summary.json")
    state = {"schema_version": 1, "run_id": place.name, "suites": ["a.yml"], "asked": []}
    child = {key: told[key] for key in ("status", "reason", "evidence_digest")}
    children = [{**child, "suite": "a.yml", "directory": "0001-x"}]
    own = {key: told[key] for key in ("schema_version", "kind", "status", "reason", "exit_code")}
    write(place / "summary.json", {**own, "run_id": place.name, "children": children, "files": {}})
    state_with_its_digest(place, state)
    return place


@pytest.mark.parametrize(("depth", "valid"), [(1, True), (DEPTH, True), (DEPTH + 1, False), (3 * DEPTH, False)])
def test_runs_of_runs_may_lie_in_each_other_to_some_depth(tmp_path: Path, depth: int, valid: bool) -> None:
    lay(tmp_path, "a.yml", x=BROKEN)
    run = saved(tmp_path, "a.yml")
    for level in range(depth):
        run = wrapped(run, tmp_path / f"level{level}")

    found = replay(run)

    assert valid is found.valid
    assert valid is ("FAIL        x" in told(run))


def test_issues_deep_inside_are_told(tmp_path: Path) -> None:
    lay(tmp_path, "a.yml", x=BROKEN)
    run = wrapped(wrapped(saved(tmp_path, "a.yml"), tmp_path / "inner"), tmp_path / "outer")
    (run / "0001-x/0001-x/state.json").unlink()

    assert f"{run}/0001-x/0001-x: state.json does not exist" in told(run).splitlines()


def test_a_large_number_of_children_is_replayed(tmp_path: Path) -> None:
    suites = [lay(tmp_path, f"s{number}.yml", x=KEPT) for number in range(50)]

    result, _ = judge(tmp_path, *suites)

    assert 50 == len(replay(tmp_path / str(result.directory)).children)


def test_a_suite_that_was_broken_off_is_told_as_such(parent: Path) -> None:
    (parent / "0009-late").mkdir()
    (parent / "0009-late/state.json").write_text("{}")

    assert "'0009-late' was not finished, so the run is incomplete" in told(parent)
