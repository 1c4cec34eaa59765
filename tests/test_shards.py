"""Which runs are parts of one whole: wherever they lie, in whatever form, and only where they fit."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agenttest.errors import InvalidInput
from agenttest.gates import ALL
from agenttest.model import Reason, Shard
from agenttest.shards import Group, groups
from tests import zips
from tests.projects import BROKEN, KEPT, lay, read, reseal, saved, sharded, write
from tests.test_replay_of_several import state_with_its_digest

NONE = "name a run directory, such as .agenttest/runs/RUN, or the ZIP of one"

ALONE = "name the runs of one call's shards alone (a merged run is a whole one)"


def only(*places: Path) -> Group:
    """The one group of these places, of which nothing is broken."""
    (found,), broken = groups(places)
    assert [] == broken
    return found


def refused(*places: Path) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        groups(places)
    return [str(problem) for problem in caught.value.problems]


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    lay(tmp_path, **dict.fromkeys("abcde", KEPT))
    return sharded(tmp_path)


def test_runs_say_which_shards_of_which_call_they_are(shards: list[Path]) -> None:
    found = only(*reversed(shards))

    assert (("desk.yml",), ALL, 3, [1, 2, 3], True) == (
        found.call,
        found.asked,
        found.count,
        sorted(found.parts),
        found.whole,
    )


def test_a_run_of_no_shard_is_the_one_of_one(tmp_path: Path) -> None:
    lay(tmp_path, a=KEPT)

    found = only(saved(tmp_path))

    assert (1, [Shard(1, 1)]) == (found.count, [part.shard for part in found.parts.values()])


def test_runs_are_found_in_folders_unpacked_or_not(tmp_path: Path, shards: list[Path]) -> None:
    one, two, three = shards
    shutil.copytree(one, tmp_path / "ev/evidence-1")
    (tmp_path / "ev/x/y").mkdir(parents=True)
    zips.packed(two, tmp_path / "ev/x/evidence.zip")
    shutil.copytree(three, tmp_path / "ev/x/y/run")
    (tmp_path / "ev/readme.txt").write_text("no run")
    (tmp_path / "ev/.empty").mkdir()

    assert [1, 2, 3] == sorted(only(tmp_path / "ev").parts)


def test_a_folder_beside_the_runs_that_has_none_is_told(tmp_path: Path, shards: list[Path]) -> None:
    shutil.copytree(shards[0], tmp_path / "ev/evidence-1")
    (tmp_path / "ev/evidence-2").mkdir()

    (_,), broken = groups([tmp_path / "ev"])

    assert [f"{tmp_path}/ev/evidence-2"] == [problem.path for problem in broken]


def test_deeper_than_artifacts_lie_is_not_looked_for(tmp_path: Path, shards: list[Path]) -> None:
    shutil.copytree(shards[0], tmp_path / "ev" / Path(*"abcdefgh") / "run")

    assert [f"{tmp_path}/ev: is no run directory: it holds none of "] == [
        said[: said.index("events")] for said in refused(tmp_path / "ev")
    ]


def test_a_link_to_a_run_is_taken_and_one_to_a_folder_told_but_not_entered(tmp_path: Path, shards: list[Path]) -> None:
    (tmp_path / "ev").mkdir()
    (tmp_path / "ev/up").symlink_to(tmp_path / "ev")
    (tmp_path / "ev/run").symlink_to(shards[0])

    (found,), broken = groups([tmp_path / "ev"])

    assert ([1], [f"{tmp_path}/ev/up"]) == ([*found.parts], [problem.path for problem in broken])


def test_the_same_shard_may_come_twice(tmp_path: Path, shards: list[Path]) -> None:
    again = zips.packed(shards[1], tmp_path / "again.zip")

    assert [1, 2, 3] == sorted(only(*shards, again, shards[0]).parts)


def test_one_shard_with_other_evidence_is_refused(tmp_path: Path, shards: list[Path]) -> None:
    lay(tmp_path, **dict.fromkeys("abcde", BROKEN))
    (again,) = [saved(tmp_path, shard=Shard(2, 3))]

    said = f"is shard 2/3 with other evidence than {str(shards[1])!r}; name one of them"
    assert [f"{again}: {said}"] == refused(*shards, again)


def test_two_whole_runs_with_other_evidence_are_refused(tmp_path: Path) -> None:
    lay(tmp_path, a=KEPT)
    first = saved(tmp_path)
    lay(tmp_path, a=f"{KEPT} again")

    assert f"is the same call with other evidence than {str(first)!r}" in refused(first, saved(tmp_path))[0]


def test_shards_of_different_counts_are_refused(tmp_path: Path, shards: list[Path]) -> None:
    other = saved(tmp_path, shard=Shard(2, 4))

    said = f"is shard 2/4, others are of 3 shards; {ALONE}"
    assert [f"{other}: {said}"] == refused(*shards, other)


def test_a_whole_run_among_shards_is_refused(tmp_path: Path, shards: list[Path]) -> None:
    whole = saved(tmp_path)

    assert [f"{whole}: is no shard but a whole run, others are of 3 shards; {ALONE}"] == refused(*shards, whole)
    assert [f"{shards[0]}: is shard 1/3, others are whole runs; {ALONE}"] == refused(whole, *shards)


def test_a_suite_in_runs_of_different_calls_is_refused(tmp_path: Path, shards: list[Path]) -> None:
    selected = saved(tmp_path, scenarios=("a",))

    assert ["desk.yml: is in runs of different calls; merge those of one"] == refused(*shards, selected)


def test_runs_of_different_calls_that_share_no_suite_are_groups_of_their_own(tmp_path: Path) -> None:
    runs = [saved(tmp_path, lay(tmp_path, f"{name}.yml", x=KEPT)) for name in "ab"]

    found, _ = groups(runs)

    assert [["a.yml"], ["b.yml"]] == [group.suites for group in found]


def test_nothing_given_is_refused() -> None:
    assert ["no saved run is given; name the runs to merge, or a folder that holds them"] == refused()


def test_places_without_a_run_are_each_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.zip").write_text("hello")

    said = refused(tmp_path / "empty", tmp_path / "text.zip", tmp_path / "nowhere")

    assert [True, True, True] == [
        "is no run directory" in said[0],
        said[1] == f"{tmp_path}/text.zip: is a file, and no ZIP; {NONE}",
        said[2] == f"{tmp_path}/nowhere: does not exist; {NONE}",
    ]


def test_a_run_that_is_not_valid_is_told_beside_those_that_are(shards: list[Path]) -> None:
    (shards[1] / "state.json").write_text("{}")

    (found,), (problem,) = groups(shards)

    said = "is not valid: state.json: it is not as it was written: size or SHA-256 differ"
    assert ([1, 3], False, f"{shards[1]}: {said}") == (sorted(found.parts), found.whole, str(problem))


def test_a_run_that_was_killed_at_once_is_told(tmp_path: Path, shards: list[Path]) -> None:
    (tmp_path / "ev/20260101T000000Z-00000000").mkdir(parents=True)

    _, broken = groups([*shards, tmp_path / "ev"])

    assert ["summary.json is missing" in str(problem) for problem in broken] == [True]


def test_suites_stand_in_the_order_of_the_call_however_they_were_spelled(tmp_path: Path) -> None:
    lay(tmp_path, "b.yml", x=KEPT)
    lay(tmp_path, "sub/a.yml", x=KEPT)

    found = only(*sharded(tmp_path, "./b.yml", f"{tmp_path}/sub/a.yml", count=2))

    assert ["b.yml", "sub/a.yml"] == found.suites


def test_a_suite_that_no_shard_has_judged_is_one_of_the_call_unless_a_selection_left_it_out(tmp_path: Path) -> None:
    lay(tmp_path, "a.yml", x=KEPT)
    lay(tmp_path, "b.yml", y=KEPT)
    runs = {asked: sharded(tmp_path, "a.yml", "b.yml", count=2, scenarios=asked) for asked in [(), ("x",)]}
    with_a = {asked: [run for run in of if "0001-a" in [f.name for f in run.iterdir()]] for asked, of in runs.items()}

    assert [["a.yml", "b.yml"], ["a.yml"]] == [only(*of).suites for of in with_a.values()]


def test_what_ended_a_call_early_is_known(tmp_path: Path) -> None:
    lay(tmp_path, "a.yml", x=KEPT)
    lay(tmp_path, "b.yml", y=KEPT)

    found = only(*sharded(tmp_path, "a.yml", "b.yml", count=2, scenarios=("x", "nobody")))

    assert [(Reason.INVALID_INPUT, Shard(1, 2))] == [(reason, part.shard) for reason, part in found.early.items()]


HOSTILE: list[Any] = [
    None,
    True,
    5,
    "",
    "0/3",
    "4/3",
    "1/1000000000",
    "1/1001",
    "1/" + "9" * 5000,
    "1/3\n2/3",
    "-1/3",
    "1.0/3",
    "\u0661/3",
    {"index": True},
    {"index": 1, "count": 3},
    [1, 3],
    1e308,
]


@pytest.mark.parametrize("shard", HOSTILE, ids=lambda value: repr(value)[:20])
def test_a_run_of_no_possible_shard_is_not_valid(shards: list[Path], shard: Any) -> None:
    write(shards[1] / "state.json", {**read(shards[1] / "state.json"), "shard": shard})
    reseal(shards[1])

    (found,), broken = groups(shards)

    assert ([1, 3], 1) == (sorted(found.parts), len(broken))


def with_state(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def apply(run: Path) -> None:
        state = read(run / "state.json")
        change(state)
        state_with_its_digest(run, state)

    return apply


@pytest.mark.parametrize(
    "change",
    [
        *(with_state(lambda state, shard=shard: state.update(shard=shard)) for shard in [*HOSTILE, "2/2", "1/3"]),  # type: ignore[misc]
        with_state(lambda state: state.pop("shard")),
        with_state(lambda state: state.update(asked=["x"])),
        with_state(lambda state: state.update(asked=5)),
        with_state(lambda state: state.update(asked=[{}])),
        with_state(lambda state: state.update(asked=[["x"]])),
        with_state(lambda state: state.update(asked={"x": 1})),
        with_state(lambda state: state.update(suites=None)),
        with_state(lambda state: state.update(suites=[[]])),
        with_state(lambda state: state.update(suites=["other.yml"])),
        with_state(lambda state: state.pop("suites")),
        with_state(lambda state: state.pop("asked")),
    ],
)
def test_a_run_of_runs_that_says_of_itself_what_cannot_be_is_not_valid(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    lay(tmp_path, "a.yml", x=KEPT, y=KEPT)
    lay(tmp_path, "b.yml", x=KEPT, y=KEPT)
    one, two = sharded(tmp_path, "a.yml", "b.yml", count=2)
    change(one)

    (found,), broken = groups([one, two])

    assert ([2], 1) == (sorted(found.parts), len(broken))


@pytest.mark.parametrize("to", ["self", "x" * 300])
def test_a_link_that_leads_nowhere_is_told(tmp_path: Path, shards: list[Path], to: str) -> None:
    shutil.copytree(shards[0], tmp_path / "ev/run")
    (tmp_path / "ev/self").symlink_to(to)

    (_,), broken = groups([tmp_path / "ev"])

    assert [f"{tmp_path}/ev/self"] == [problem.path for problem in broken]
