"""Shards merged are the run that was not sharded; whatever is not there, or not valid, is no pass."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenttest.files import Project
from agenttest.model import Reason, Shard, Status
from agenttest.replay import replay
from agenttest.report import Report, digest_of, to_document
from agenttest.run import run
from agenttest.settings import Settings
from tests import zips
from tests.projects import (
    BROKEN,
    KEPT,
    contract,
    judge,
    lay,
    merge,
    observation,
    read,
    recording,
    reseal,
    runs,
    saved,
    sharded,
    write,
)

FILES = ["events.jsonl", "state.json", "behavior-results.json", "summary.json"]
SUITES = {
    "pass": dict.fromkeys("abcdefg", KEPT),
    "fail": {**dict.fromkeys("abcdefg", KEPT), "c": BROKEN},
    "incomplete": {**dict.fromkeys("abcdefg", KEPT), "c": None},
}


def evidence(reports: list[Report]) -> list[dict[str, Any]]:
    """All that the digests of the reports cover."""
    left_out = ("harness", "issues", "error", "artifacts")
    return [{key: value for key, value in to_document(each).items() if key not in left_out} for each in reports]


def without_provenance(reports: list[Report]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in each.items() if key not in ("provenance", "evidence_digest")}
        for each in evidence(reports)
    ]


@pytest.mark.parametrize("answers", SUITES.values(), ids=SUITES)
@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_merged_shards_are_the_run_that_was_not_sharded(
    tmp_path: Path, answers: dict[str, str | None], count: int
) -> None:
    lay(tmp_path, **answers)
    whole, reports = judge(tmp_path)
    parts = sharded(tmp_path, count=count) if count > 1 else [saved(tmp_path)]

    result, merged = merge(tmp_path, *parts)

    assert evidence(reports) == evidence(merged)
    assert (whole.status, whole.reason, whole.scenarios, whole.evidence_digest, whole.several) == (
        result.status,
        result.reason,
        result.scenarios,
        result.evidence_digest,
        result.several,
    )
    assert replay(tmp_path / str(result.directory)).valid


@pytest.mark.parametrize("scenarios", [(), ("a",), ("[ab]",), ("nobody", "a"), ("nobody",)])
def test_merged_shards_of_several_suites_are_the_run_that_was_not_sharded(
    tmp_path: Path, scenarios: tuple[str, ...]
) -> None:
    suites = [lay(tmp_path, f"{name}.yml", **answers) for name, answers in SUITES.items()]
    lay(tmp_path, "one.yml", a=KEPT)
    suites += ["one.yml", "nowhere.yml"]
    whole, _ = judge(tmp_path, *suites, scenarios=scenarios)

    result, _ = merge(tmp_path, *sharded(tmp_path, *suites, scenarios=scenarios))

    first, second = (read(tmp_path / str(each.directory) / "summary.json") for each in (whole, result))
    assert first["children"] == second["children"]
    assert (whole.status, whole.reason, whole.evidence_digest) == (result.status, result.reason, result.evidence_digest)
    assert replay(tmp_path / str(result.directory)).valid


@pytest.mark.parametrize("status", SUITES)
def test_shards_may_each_have_recorded_only_their_own_scenarios(tmp_path: Path, status: str) -> None:
    lay(tmp_path, **SUITES[status])
    _, reports = judge(tmp_path)
    parts = []
    for index in (1, 2, 3):
        lay(tmp_path, **SUITES[status])
        _, (report,) = judge(tmp_path, shard=Shard(index, 3))
        own = [observation(j.scenario.id, j.observation.response or "") for j in report.scenarios if j.observation]
        (tmp_path / f"seen-{index}.json").write_text(recording(*own))
        parts.append(saved(tmp_path, shard=Shard(index, 3), observations=f"seen-{index}.json"))

    result, merged = merge(tmp_path, *parts)

    assert without_provenance(reports) == without_provenance(merged)
    assert replay(tmp_path / str(result.directory)).valid
    came = merged[0].provenance
    assert came is not None
    assert "seen-1.json, seen-2.json, seen-3.json" == came.path
    digests = sorted(hashlib.sha256((tmp_path / f"seen-{n}.json").read_bytes()).hexdigest() for n in (1, 2, 3))
    assert hashlib.sha256(json.dumps(digests, separators=(",", ":")).encode()).hexdigest() == came.source_digest


def test_runs_are_taken_from_folders_and_zips_in_any_order(tmp_path: Path) -> None:
    lay(tmp_path, **SUITES["fail"])
    whole, _ = judge(tmp_path)
    one, two, three = sharded(tmp_path)
    places = [zips.packed(three, tmp_path / "3.zip", "top/"), one, zips.packed(two, tmp_path / "2.zip"), one]

    result, _ = merge(tmp_path, *places)

    assert whole.evidence_digest == result.evidence_digest


def test_several_suites_are_taken_from_zips(tmp_path: Path) -> None:
    suites = [lay(tmp_path, f"{name}.yml", **answers) for name, answers in SUITES.items()]
    whole, _ = judge(tmp_path, *suites)
    (tmp_path / "ev/x").mkdir(parents=True)
    for number, part in enumerate(sharded(tmp_path, *suites)):
        zips.packed(part, tmp_path / f"ev/x/{number}.zip", "top/" * number)

    result, _ = merge(tmp_path, tmp_path / "ev")

    assert (whole.status, whole.evidence_digest) == (result.status, result.evidence_digest)


def test_whole_runs_of_several_calls_are_merged_to_one_of_several_suites(tmp_path: Path) -> None:
    places = [saved(tmp_path, lay(tmp_path, f"{name}.yml", **answers)) for name, answers in SUITES.items()]

    result, reports = merge(tmp_path, *places)

    assert [Status.PASS, Status.FAIL, Status.INCOMPLETE] == [report.status for report in reports]
    assert (Status.FAIL, True) == (result.status, replay(tmp_path / str(result.directory)).valid)


def test_a_suite_named_twice_is_judged_twice_as_it_was(tmp_path: Path) -> None:
    lay(tmp_path, a=KEPT, b=KEPT)
    lay(tmp_path, "other.yml", c=KEPT)
    suites = ("desk.yml", "other.yml", "./desk.yml")
    whole, _ = judge(tmp_path, *suites)

    result, _ = merge(tmp_path, *sharded(tmp_path, *suites, count=2))

    assert whole.evidence_digest == result.evidence_digest
    assert replay(tmp_path / str(result.directory)).valid


@pytest.mark.parametrize("lacking", [1, 2, 3])
@pytest.mark.parametrize(("answers", "status"), [(SUITES["pass"], "incomplete"), (SUITES["incomplete"], "incomplete")])
def test_without_a_shard_there_is_no_pass_and_the_report_names_it(
    tmp_path: Path, answers: dict[str, str | None], status: str, lacking: int
) -> None:
    lay(tmp_path, **answers)
    parts = sharded(tmp_path)
    del parts[lacking - 1]

    result, (report,) = merge(tmp_path, *parts)

    assert (status, Reason.MISSING_EVIDENCE) == (result.status, result.reason)
    assert {"missing_shards": [f"{lacking}/3"]}.items() <= to_document(report).items()
    assert "all-shards-present" in report.verdict.unheld
    said = {o.message for o in report.outcomes if o.message.startswith("shard")}
    assert {f"shard {lacking}/3 is not there"} == said
    found = replay(tmp_path / str(result.directory))
    assert (True, status) == (found.valid, found.saved["status"])


def test_without_a_shard_a_violation_stays_one(tmp_path: Path) -> None:
    lay(tmp_path, **dict.fromkeys("abcdefg", BROKEN))

    result, _ = merge(tmp_path, *sharded(tmp_path)[1:])

    assert (Status.FAIL, Reason.VIOLATION) == (result.status, result.reason)
    assert replay(tmp_path / str(result.directory)).valid


def test_without_a_shard_that_holds_nothing_there_is_no_pass(tmp_path: Path) -> None:
    lay(tmp_path, a=KEPT, b=KEPT)
    parts = sharded(tmp_path)
    (empty,) = [part for part in parts if not read(part / "behavior-results.json")["scenarios"]]
    parts.remove(empty)

    result, (report,) = merge(tmp_path, *parts)

    assert (Status.INCOMPLETE, [Status.PASS] * 2) == (result.status, [each.status for each in report.scenarios])
    assert ("all-shards-present",) == report.verdict.unheld
    assert replay(tmp_path / str(result.directory)).valid


def test_a_merged_run_that_lacks_a_shard_lacks_it_when_it_is_merged_again(tmp_path: Path) -> None:
    lay(tmp_path, a=KEPT, b=KEPT)
    parts = sharded(tmp_path)
    (empty,) = [part for part in parts if not read(part / "behavior-results.json")["scenarios"]]
    parts.remove(empty)
    once, _ = merge(tmp_path, *parts)

    again, _ = merge(tmp_path, tmp_path / str(once.directory))

    assert (once.status, once.evidence_digest) == (again.status, again.evidence_digest)


def test_a_suite_that_only_the_missing_shard_has_judged_is_not_forgotten(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", y=KEPT)
    parts = sharded(tmp_path, *suites)
    only_b = [part for part in parts if "b.yml" in json.dumps(read(part / "summary.json")["children"])]

    result, reports = merge(tmp_path, *[part for part in parts if part not in only_b])

    assert (Status.INCOMPLETE, ["a.yml", "b.yml"]) == (result.status, [report.path for report in reports])
    assert replay(tmp_path / str(result.directory)).valid


def test_of_shards_that_hold_nothing_all_suites_are_told(tmp_path: Path) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=KEPT)
    parts = sharded(tmp_path, *suites, count=9)
    empty = [part for part in parts if read(part / "summary.json")["children"][0]["suite"] == ""]

    result, reports = merge(tmp_path, *empty)

    assert (Status.INCOMPLETE, ["a.yml", "b.yml"]) == (result.status, [report.path for report in reports])


@pytest.mark.parametrize("count", [1, 2])
def test_what_ended_all_shards_early_is_told_once(tmp_path: Path, count: int) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", y=KEPT)
    asked = ("x", "nobody")
    parts = (
        sharded(tmp_path, *suites, count=count, scenarios=asked)
        if count > 1
        else [saved(tmp_path, *suites, scenarios=asked)]
    )

    result, (kept, early) = merge(tmp_path, *parts)

    which = "shard 1/2" if count > 1 else "the run"
    said = f"{which} ended with invalid-input, as its log says; correct that and run it again"
    assert [f"{parts[0]}: {said}"] == [str(problem) for problem in early.problems]
    assert (Status.PASS, Status.INCOMPLETE, Reason.INVALID_INPUT) == (kept.status, result.status, result.reason)


def interrupted(root: Path, *suites: str, **settings: Any) -> Path:
    """A run that was interrupted after its first suite."""

    def show(report: Report) -> None:
        if report.suite is not None:
            raise KeyboardInterrupt

    result = run(Project.at(root), Settings(suites, **settings), show)
    return root / str(result.directory)


@pytest.mark.parametrize("scenarios", [(), ("x",), ("*",)])
def test_an_interrupted_run_is_no_pass(tmp_path: Path, scenarios: tuple[str, ...]) -> None:
    suites = lay(tmp_path, "a.yml", x=KEPT), lay(tmp_path, "b.yml", x=BROKEN)
    place = interrupted(tmp_path, *suites, scenarios=scenarios)
    assert replay(place).valid

    result, _ = merge(tmp_path, place)

    assert Status.INCOMPLETE is result.status
    assert replay(tmp_path / str(result.directory)).valid


def damaged_file(name: str, damage: Callable[[bytes], bytes]) -> Callable[[Path, Path], Path]:
    def change(part: Path, _: Path) -> Path:
        (part / name).write_bytes(damage((part / name).read_bytes()))
        return part

    return change


def damaged_zip(damage: Callable[[bytes], bytes]) -> Callable[[Path, Path], Path]:
    def change(part: Path, root: Path) -> Path:
        place = zips.packed(part, root / "part.zip")
        place.write_bytes(damage(place.read_bytes()))
        return place

    return change


def other_contract_version(part: Path, root: Path) -> Path:
    suite = root / "desk.yml"
    suite.write_text(suite.read_text().replace("Greet me", "Greet us"))
    return saved(root, shard=Shard(2, 3))


def removed(part: Path, _: Path) -> Path:
    shutil.rmtree(part)
    return part


def unfinished(part: Path, _: Path) -> Path:
    (part / "summary.json").unlink()
    return part


DAMAGE: list[Callable[[Path, Path], Path]] = [
    *(damaged_file(name, lambda data: data.replace(b"hello", b"hallo", 1) + b" ") for name in FILES[:3]),
    *(damaged_file(name, lambda data: data[: len(data) // 2]) for name in FILES),
    *(damaged_file(name, lambda data: b"") for name in FILES),
    damaged_file("summary.json", lambda data: data.replace(b'"exit_code": ', b'"exit_code": 1')),
    damaged_zip(lambda data: data[:-30]),
    damaged_zip(lambda data: data[: len(data) // 2]),
    damaged_zip(lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:]),
    damaged_zip(lambda data: b"hello"),
    other_contract_version,
    removed,
    unfinished,
]


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize(("answer", "status"), [(KEPT, "incomplete"), (BROKEN, "fail")])
def test_a_shard_that_is_not_valid_is_as_good_as_missing(
    tmp_path: Path, damage: Callable[[Path, Path], Path], answer: str, status: str
) -> None:
    lay(tmp_path, **dict.fromkeys("abcdefg", answer))
    one, two, three = sharded(tmp_path)
    two = damage(two, tmp_path)

    result, (report,) = merge(tmp_path, one, two, three)

    assert (status, ["2/3"]) == (result.status, to_document(report)["missing_shards"])
    assert replay(tmp_path / str(result.directory)).valid


def test_a_shard_that_is_not_valid_is_named_with_what_is_wrong(tmp_path: Path) -> None:
    lay(tmp_path, **SUITES["pass"])
    one, two, three = sharded(tmp_path)
    (two / "events.jsonl").unlink()

    _, (report,) = merge(tmp_path, one, two, three)

    (said,) = {o.message for o in report.outcomes if o.status is Status.INCOMPLETE}
    assert f"shard 2/3 is not there; {two}: is not valid: events.jsonl does not exist" == said


def test_of_many_that_are_not_valid_the_first_are_named(tmp_path: Path) -> None:
    lay(tmp_path, **SUITES["pass"])
    one, two, _ = sharded(tmp_path)

    _, (report,) = merge(tmp_path, one, two, *(tmp_path / f"no{number}" for number in range(5)))

    (said,) = {o.message for o in report.outcomes if o.status is Status.INCOMPLETE}
    assert ([3, True]) == [said.count("does not exist"), said.endswith("; 2 more are not valid")]


@pytest.mark.parametrize(("answer", "status"), [(KEPT, "incomplete"), (BROKEN, "fail")])
def test_beside_all_shards_a_run_that_is_not_valid_is_no_pass(tmp_path: Path, answer: str, status: str) -> None:
    lay(tmp_path, a=answer, b=KEPT)
    parts = sharded(tmp_path, count=2)

    result, reports = merge(tmp_path, *parts, tmp_path / "nowhere")

    assert (status, ["desk.yml", f"{tmp_path}/nowhere"]) == (result.status, [report.path for report in reports])
    found = replay(tmp_path / str(result.directory))
    assert (True, status) == (found.valid, found.saved["status"])


def test_beside_a_whole_run_one_that_is_not_valid_is_no_pass(tmp_path: Path) -> None:
    good, bad = (saved(tmp_path, lay(tmp_path, f"{name}.yml", x=KEPT)) for name in "ab")
    (bad / "state.json").unlink()

    result, _ = merge(tmp_path, good, bad)

    assert Status.INCOMPLETE is result.status


def without_b(part: Path) -> None:
    """Leave the suite b.yml out of a shard's run, as if none of its scenarios fell into the shard."""
    summary = read(part / "summary.json")
    left = [entry for entry in summary["children"] if entry["suite"] != "b.yml"]
    for entry in [entry for entry in summary["children"] if entry not in left]:
        shutil.rmtree(part / entry["directory"])
    worst = Status.worst(Status(entry["status"]) for entry in left)
    reason = next(entry["reason"] for entry in left if entry["status"] == worst)
    digest = digest_of([entry["evidence_digest"] for entry in left])
    ending = {"status": worst, "reason": reason, "exit_code": worst.exit_code, "evidence_digest": digest}
    write(part / "summary.json", {**summary, **ending, "children": left})
    assert replay(part).valid


@pytest.mark.parametrize("forged", [[0], [1], [0, 1]])
@pytest.mark.parametrize("scenarios", [(), ("[a-g]",)])
def test_a_suite_left_out_of_a_shards_run_is_no_pass_where_it_can_be_known(
    tmp_path: Path, forged: list[int], scenarios: tuple[str, ...]
) -> None:
    suites = [lay(tmp_path, name, **SUITES["pass"]) for name in ("a.yml", "b.yml")]
    parts = sharded(tmp_path, *suites, count=2, scenarios=scenarios)
    for index in forged:
        without_b(parts[index])

    result, reports = merge(tmp_path, *parts)

    known = len(forged) == 1 or not scenarios  # a selection may leave a suite out of all shards
    assert (Status.INCOMPLETE if known else Status.PASS, known) == (
        result.status,
        "b.yml" in [report.path for report in reports],
    )
    assert replay(tmp_path / str(result.directory)).valid


def forged(merged: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    """A merged run whose state is changed, all digests made anew."""
    state = read(merged / "state.json")
    change(state["merged"])
    write(merged / "state.json", state)
    reseal(merged)
    return merged


@pytest.fixture
def lacking(tmp_path: Path) -> Path:
    """A merged run that lacks a shard which holds nothing: only `merged.missing` keeps it from a pass."""
    lay(tmp_path, a=KEPT, b=KEPT)
    parts = [part for part in sharded(tmp_path) if read(part / "behavior-results.json")["scenarios"]]
    result, _ = merge(tmp_path, *parts)
    return tmp_path / str(result.directory)


@pytest.mark.parametrize(
    "change",
    [
        lambda merged: merged.update(missing=[]),
        lambda merged: merged.update(missing=[{"index": 1, "count": 3}, {"index": 2, "count": 3}]),
        lambda merged: merged.update(count=4),
        lambda merged: merged.update(count=2),
        lambda merged: merged.update(count=10**9),
        lambda merged: merged.update(count=True),
        lambda merged: merged.update(count=3.0),
        lambda merged: merged.update(count="3"),
        lambda merged: merged.update(count=None),
        lambda merged: merged.update(missing=None),
        lambda merged: merged.update(missing={}),
        lambda merged: merged.update(missing="1/3"),
        lambda merged: merged.update(missing=["1/3"]),
        lambda merged: merged.update(missing=[{"index": True, "count": 3}]),
        lambda merged: merged.update(missing=[{"index": 1.0, "count": 3}]),
        lambda merged: merged.update(missing=[{"index": 0, "count": 3}]),
        lambda merged: merged.update(missing=[{"index": 4, "count": 3}]),
        lambda merged: merged.update(missing=[{"index": 10**400, "count": 3}]),
        lambda merged: merged.update(missing=merged["missing"] * 2),
        lambda merged: merged.update(missing=merged["missing"] * 100_000),
        lambda merged: merged["missing"][0].update(more=1),
        lambda merged: merged["missing"][0].pop("count"),
        lambda merged: merged["missing"].append(5),
        lambda merged: merged.clear(),
    ],
)
def test_a_merged_run_that_says_it_lacks_something_else_is_not_valid(
    lacking: Path, change: Callable[[dict[str, Any]], Any]
) -> None:
    found = replay(forged(lacking, change))

    assert (False, True) == (found.valid, bool(found.issues))


def test_a_merged_run_is_of_no_shard(lacking: Path) -> None:
    write(lacking / "state.json", {**read(lacking / "state.json"), "shard": "1/3"})
    reseal(lacking)

    assert not replay(lacking).valid


def test_what_a_missing_shard_should_have_seen_was_seen_by_nobody(tmp_path: Path) -> None:
    lay(tmp_path, **SUITES["pass"])
    whole, _ = merge(tmp_path, *sharded(tmp_path))
    place = tmp_path / str(whole.directory)
    results, state = read(place / "behavior-results.json"), read(place / "state.json")
    state["merged"]["missing"] = [{"index": 2, "count": 3}]
    gates = [*results["gates"], {"name": "all-shards-present", "status": "incomplete", "message": "missing: 2/3"}]
    results.update(missing_shards=["2/3"], gates=gates)
    ending = {"status": "incomplete", "reason": "missing-evidence"}
    events = read(place / "events.jsonl")
    events[-1].update(ending)
    write(place / "events.jsonl", events)
    write(place / "state.json", state)
    write(place / "behavior-results.json", {**results, **ending})
    write(place / "summary.json", {**read(place / "summary.json"), **ending, "exit_code": 2})
    reseal(place)

    assert {"merged"} == {issue.code for issue in replay(place).issues}


@pytest.mark.parametrize(
    "places",
    [
        lambda root, parts: [],
        lambda root, parts: [root / "empty"],
        lambda root, parts: [root / "nowhere", root / "desk.yml"],
        lambda root, parts: [*parts, saved(root)],
        lambda root, parts: [*parts, saved(root, shard=Shard(1, 2))],
        lambda root, parts: [*parts, saved(root, scenarios=("a",))],
    ],
)
def test_what_cannot_be_merged_is_refused_and_nothing_is_saved(
    tmp_path: Path, places: Callable[[Path, list[Path]], list[Path]]
) -> None:
    lay(tmp_path, **SUITES["pass"])
    (tmp_path / "empty").mkdir()
    given = places(tmp_path, sharded(tmp_path))
    before = runs(tmp_path)

    result, reports = merge(tmp_path, *given)

    assert (Status.INCOMPLETE, Reason.INVALID_INPUT, None) == (result.status, result.reason, result.directory)
    assert all(report.suite is None and report.problems for report in reports)
    assert before == runs(tmp_path)


def test_a_run_that_changes_between_two_looks_is_as_good_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, **SUITES["pass"])
    parts = sharded(tmp_path)
    from agenttest import merge as module

    seen = module.groups(parts)
    (parts[0] / "events.jsonl").unlink()
    monkeypatch.setattr(module, "groups", lambda places: seen)

    result, (report,) = merge(tmp_path, *parts)

    assert (Status.INCOMPLETE, ["1/3"]) == (result.status, to_document(report)["missing_shards"])
    assert any(o.message == "shard 1/3 is not what it was a moment ago" for o in report.outcomes)


@given(
    ids=st.lists(st.text("abcxyz", min_size=1, max_size=4), min_size=1, max_size=12, unique=True),
    answers=st.lists(st.sampled_from([KEPT, KEPT, BROKEN, None]), min_size=12, max_size=12),
    count=st.integers(2, 6),
    pattern=st.sampled_from(["", "a*", "[abc]*"]),
    lacking=st.sets(st.integers(0, 5), max_size=2),
)
@settings(max_examples=15)
def test_any_suite_in_any_number_of_shards_is_as_if_it_were_whole_or_lacks_what_is_not_there(
    ids: list[str], answers: list[str | None], count: int, pattern: str, lacking: set[int]
) -> None:
    with TemporaryDirectory() as folder:
        root, asked = Path(folder), (pattern,) if pattern else ()
        (root / "desk.yml").write_text(contract(*ids))
        seen = [observation(name, answer) for name, answer in zip(ids, answers, strict=False) if answer is not None]
        (root / "desk.observations.json").write_text(recording(*seen))
        whole, reports = judge(root, scenarios=asked)
        if whole.directory is None:  # nothing is selected
            return
        parts = sharded(root, count=count, scenarios=asked)
        kept = [part for index, part in enumerate(parts) if index not in lacking] or parts[:1]

        result, merged = merge(root, *kept)

        told = {j.scenario.id: j.status for part in kept for j in reports_of(part)}
        expected = {j.scenario.id: told.get(j.scenario.id, Status.INCOMPLETE) for j in reports[0].scenarios}
        assert expected == {j.scenario.id: j.status for j in merged[0].scenarios}
        if len(kept) == count:
            assert evidence(reports) == evidence(merged)
        else:
            assert (Status.FAIL if Status.FAIL in expected.values() else Status.INCOMPLETE) is result.status
        assert replay(root / str(result.directory)).valid


def reports_of(part: Path) -> list[Any]:
    shown: list[Report] = []
    replay(part, shown.append)
    return list(shown[0].scenarios)
