"""A run whose files are whole, or were sealed anew after a change: only judging it again can tell, and does."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agenttest.model import Shard
from agenttest.replay import Replay, replay
from agenttest.settings import Limits
from tests.projects import (
    BROKEN,
    KEPT,
    contract,
    lay,
    merge,
    observation,
    read,
    recording,
    reseal,
    saved,
    sharded,
    write,
)

EVENTS, STATE, RESULTS, SUMMARY = "events.jsonl", "state.json", "behavior-results.json", "summary.json"
Files = dict[str, Any]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A violation, a pass and a scenario that was not observed."""
    lay(tmp_path, breaks=BROKEN, keeps=KEPT, unseen=None)
    return saved(tmp_path)


def changed(run: Path, change: Callable[[Files], Any]) -> Replay:
    """The replay after a change of the files' values, with all digests made anew."""
    files = {name: read(run / name) for name in (EVENTS, STATE, RESULTS, SUMMARY)}
    change(files)
    for name, value in files.items():
        write(run / name, value)
    reseal(run)
    return replay(run)


def codes(found: Replay) -> list[str]:
    return [issue.code for issue in found.issues]


def test_a_run_sealed_anew_without_a_change_is_valid(run: Path) -> None:
    assert [] == codes(changed(run, lambda files: None))


def outcome(files: Files, scenario: int, assertion: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = files[RESULTS]["scenarios"][scenario]["assertions"][assertion]
    return found


def acquit(files: Files) -> None:
    """Turn the violation into a pass, and everything that counts it, but for the evidence."""
    outcome(files, 0).update(status="pass", message="the response contains the text")
    files[RESULTS]["scenarios"][0]["status"] = "pass"
    for event in files[EVENTS]:
        if event.get("scenario") == "breaks" and event.get("status") == "fail":
            event["status"] = "pass"
    files[RESULTS]["summary"].update(passed_scenarios=2, failed_scenarios=0, passed_assertions=4, failed_assertions=0)
    files[RESULTS]["coverage"]["by_assertion"]["response_contains"].update(passed=2, failed=0)
    set_in(RESULTS, "gates", 0, "status")("pass")(files)
    ending = {"status": "incomplete", "reason": "missing-evidence"}
    for part in (files[RESULTS], files[SUMMARY], files[EVENTS][-1]):
        part.update(ending)
    files[SUMMARY]["exit_code"] = 2


def test_a_violation_made_a_pass_everywhere_is_noticed(run: Path) -> None:
    found = changed(run, acquit)

    assert {"decision"} == set(codes(found))
    assert any("'breaks'" in issue.message for issue in found.issues)


def test_all_that_counts_a_violation_agrees_once_its_evidence_is_changed_too(run: Path) -> None:
    def forge(files: Files) -> None:
        acquit(files)
        seen = files[RESULTS]["scenarios"][0]["observation"]
        files[EVENTS][1]["observation"]["response"] = seen["response"] = KEPT
        judged = [files[RESULTS]["scenarios"][at]["observation"] for at in (0, 1)]
        text = json.dumps(judged, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        files[RESULTS]["provenance"]["selected_digest"] = hashlib.sha256(text.encode()).hexdigest()

    assert [] == codes(changed(run, forge))  # unsigned runs can be forged as a whole: docs/evidence.md


def without(scenario: str) -> Callable[[Files], None]:
    """Leave a scenario out of everything that tells what was judged."""

    def change(files: Files) -> None:
        files[EVENTS] = [event for event in files[EVENTS] if event.get("scenario") != scenario]
        results = files[RESULTS]
        results["scenarios"] = [each for each in results["scenarios"] if each["id"] != scenario]

    return change


def unselected(scenario: str) -> Callable[[Files], None]:
    """And out of the selection."""

    def change(files: Files) -> None:
        without(scenario)(files)
        for part in (files[STATE]["selection"], files[EVENTS][0]):
            part["scenarios"] = [each for each in part["scenarios"] if each != scenario]

    return change


@pytest.mark.parametrize("scenario", ["breaks", "keeps", "unseen"])
@pytest.mark.parametrize("left_out", [without, unselected])
def test_a_scenario_left_out_is_noticed(
    run: Path, scenario: str, left_out: Callable[[str], Callable[[Files], None]]
) -> None:
    assert [] != codes(changed(run, left_out(scenario)))


def weaken(files: Files) -> None:
    """Make the saved contract ask for less, with its digest everywhere."""
    suite = files[STATE]["suite"]
    suite["text"] = suite["text"].replace("contains: [hello]", "contains: [good]", 1)
    digest = hashlib.sha256(suite["text"].encode()).hexdigest()
    suite["digest"] = files[RESULTS]["contract"]["digest"] = files[EVENTS][0]["suite_digest"] = digest


def set_in(name: str, *path: str | int) -> Callable[[Any], Callable[[Files], None]]:
    """A change of the value at a place of a file."""

    def to(value: Any) -> Callable[[Files], None]:
        def change(files: Files) -> None:
            inner = files[name]
            for part in path[:-1]:
                inner = inner[part]
            inner[path[-1]] = value

        return change

    return to


def insert(at: int, event: dict[str, Any]) -> Callable[[Files], None]:
    return lambda files: files[EVENTS].insert(at, event)


def drop(*places: int) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        kept = [event for at, event in enumerate(files[EVENTS]) if at not in {*places}]
        files[EVENTS] = kept

    return change


CHANGES: dict[str, Callable[[Files], Any]] = {
    "the contract asks for less": weaken,
    "the contract's text, not its digest": set_in(STATE, "suite", "text")(contract("breaks", "keeps", "unseen") + "\n"),
    "the contract's path": set_in(STATE, "suite", "path")("other.yml"),
    "the contract's version": set_in(STATE, "suite", "version")(2),
    "a contract that is none": set_in(STATE, "suite", "text")("- 5"),
    "an observation in the report": set_in(RESULTS, "scenarios", 0, "observation", "response")(KEPT),
    "an observation in the journal": set_in(EVENTS, 1, "observation", "response")(KEPT),
    "an observation that was never made": set_in(EVENTS, 9, "observation")(observation("unseen", KEPT)),
    "an observation of another scenario": set_in(EVENTS, 1, "observation", "id")("keeps"),
    "an observation of no scenario": set_in(EVENTS, 1, "observation", "id")("nobody"),
    "an observation that no recording may hold": set_in(EVENTS, 1, "observation", "response")(["hello"]),
    "an expectation": lambda files: outcome(files, 0).update(expected=BROKEN),
    "a place": lambda files: outcome(files, 0).update(line=99),
    "a kind": lambda files: outcome(files, 0).update(kind="response_excludes"),
    "an assertion left out": lambda files: files[RESULTS]["scenarios"][0]["assertions"].pop(),
    "an assertion twice": lambda files: files[RESULTS]["scenarios"][0]["assertions"].append(outcome(files, 0)),
    "scenarios in another order": lambda files: files[RESULTS]["scenarios"].reverse(),
    "a scenario twice": lambda files: files[RESULTS]["scenarios"].append(files[RESULTS]["scenarios"][0]),
    "a count": set_in(RESULTS, "summary", "failed_scenarios")(0),
    "the coverage": set_in(RESULTS, "coverage", "completed")(6),
    "the gates": set_in(RESULTS, "gates")([]),
    "the artifacts": set_in(RESULTS, "artifacts")({}),
    "a further key": set_in(RESULTS, "approved")(True),
    "true for one": set_in(RESULTS, "schema_version")(True),
    "a float for an integer": set_in(RESULTS, "summary", "scenario_count")(3.0),
    "the exit code": set_in(SUMMARY, "exit_code")(0),
    "the status in the summary": set_in(SUMMARY, "status")("pass"),
    "the status in the report": set_in(RESULTS, "status")("pass"),
    "the status in the journal": set_in(EVENTS, -1, "status")("pass"),
    "the reason in the summary": set_in(SUMMARY, "reason")("kept"),
    "a status that is none": set_in(SUMMARY, "status")("great"),
    "the run's name": set_in(SUMMARY, "run_id")("20260101T000000Z-00000000"),
    "the run's name in the state": set_in(STATE, "run_id")("20260101T000000Z-00000000"),
    "the time in the summary": set_in(SUMMARY, "started_at")("2026-01-01T00:00:00.000Z"),
    "the time in the journal": set_in(EVENTS, 0, "time")("2026-01-01T00:00:00.000Z"),
    "the tool": set_in(SUMMARY, "tool", "version")("99"),
    "the duration": set_in(RESULTS, "harness", "duration_ms")(-1),
    "the kind of the run": set_in(SUMMARY, "kind")("other"),
    "the kind in the state": set_in(STATE, "kind")("other"),
    "the mode": set_in(STATE, "mode")("live"),
    "the trust": lambda files: [
        part["provenance"].update(trust="runtime_observed") for part in (files[STATE], files[RESULTS])
    ],
    "the kind of evidence": lambda files: [
        part["provenance"].update(kind="endpoint") for part in (files[STATE], files[RESULTS])
    ],
    "the digest of the observations": set_in(RESULTS, "provenance", "source_digest")("0" * 64),
    "the digest of the selected": set_in(RESULTS, "provenance", "selected_digest")("0" * 64),
    "the selection": set_in(STATE, "selection", "scenarios")(["breaks"]),
    "the patterns": set_in(STATE, "selection", "asked")(["keeps"]),
    "blank patterns": set_in(STATE, "selection", "asked")(["  "]),
    "the suite in the journal": set_in(EVENTS, 0, "suite")("other.yml"),
    "the selection in the journal": set_in(EVENTS, 0, "scenarios")(["keeps"]),
    "no journal": drop(*range(14)),
    "a journal without its start": drop(0),
    "a journal without its end": drop(13),
    "a journal of its start alone": drop(*range(1, 14)),
    "no observation in the journal": drop(1),
    "no decision in the journal": drop(2),
    "no end of a scenario in the journal": drop(4),
    "two starts": insert(1, {"event": "run_started"}),
    "two ends": insert(13, {"event": "run_completed", "status": "fail"}),
    "a decision twice": lambda files: files[EVENTS].insert(3, files[EVENTS][2]),
    "another decision": set_in(EVENTS, 2, "status")("pass"),
    "an event that no run has": insert(5, {"event": "approved_by_hand"}),
    "events in another order": lambda files: files[EVENTS].insert(2, files[EVENTS].pop(3)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_sealed_anew_is_noticed(run: Path, change: Callable[[Files], Any]) -> None:
    assert [] != codes(changed(run, change))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (set_in(STATE, "suite")(None), ["state: state.json holds no suite"]),
        (set_in(STATE, "suite", "text")(5), ["state: state.json holds no suite"]),
        (
            CHANGES["the contract's text, not its digest"],
            ["suite-digest: the suite's text in state.json does not have the digest that stands beside it"],
        ),
        (set_in(STATE, "selection", "asked")({}), ["selection: the patterns in state.json are no list of texts"]),
        (CHANGES["the patterns"], ['selection: the selection in state.json is not what ["keeps"] selects']),
        (CHANGES["blank patterns"], ["suite-unreadable: --scenario: is blank; give the id of a scenario, or a glob"]),
        (
            CHANGES["an observation that no recording may hold"],
            ["observation: events.jsonl holds an invalid observation: response is a list; should be a text"],
        ),
        (
            CHANGES["the trust"],
            ["provenance: state.json gives the observations a kind or trust that no offline run has"],
        ),
        (CHANGES["no journal"], ["journal: events.jsonl does not go from run_started to run_completed"]),
        (
            CHANGES["another decision"],
            ["decision: events.jsonl tells another story than the evidence: decision 'breaks' 'response.contains[0]'"],
        ),
        (
            CHANGES["no end of a scenario in the journal"],
            ["journal: events.jsonl tells another story than the evidence: scenario_completed 'breaks'"],
        ),
        (CHANGES["the run's name in the state"], ["disagreement: the files do not agree on run_id"]),
        (CHANGES["the exit code"], ["disagreement: exit_code in summary.json is not that of its status"]),
        (
            CHANGES["the gates"],
            [
                "decision: gates in behavior-results.json is not what the evidence gives: "
                """'[{"name":"all-scenarios-pass","status":"fail"},"""
                """{"name":"evidence-complete","status":"incomplete"}]'"""
            ],
        ),
        (
            lambda files: files[RESULTS]["scenarios"].pop(),
            ["decision: scenario 'unseen' in behavior-results.json is not what the evidence gives"],
        ),
        (set_in(RESULTS, "scenarios")(None), ["malformed: the files hold values that no run writes"]),
    ],
)
def test_what_is_wrong_is_told(run: Path, change: Callable[[Files], Any], told: list[str]) -> None:
    assert told == [f"{issue.code}: {issue.message}" for issue in changed(run, change).issues]


def test_a_digest_that_was_not_made_anew_is_noticed(run: Path) -> None:
    for name in (RESULTS, SUMMARY):
        write(run / name, {**read(run / name), "evidence_digest": "0" * 64})
    events = read(run / EVENTS)
    write(run / EVENTS, [*events[:-1], {**events[-1], "evidence_digest": "0" * 64}])
    summary = read(run / SUMMARY)
    for name in summary["files"]:
        data = (run / name).read_bytes()
        summary["files"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    write(run / SUMMARY, summary)

    assert ["digest"] == codes(replay(run))


WORDS = {"message": "it is otherwise", "remedy": "do something else", "observed": "something", "difference": "$.x"}


def test_words_may_be_better_in_a_newer_version(run: Path) -> None:
    assert [] == codes(changed(run, lambda files: outcome(files, 0).update(WORDS)))


def lowered(reason: str) -> Callable[[Files], None]:
    """Let a run that judged everything say that it is incomplete."""

    def change(files: Files) -> None:
        for part in (files[RESULTS], files[SUMMARY], files[EVENTS][-1]):
            part.update(status="incomplete", reason=reason)
        files[SUMMARY]["exit_code"] = 2

    return change


def test_time_is_no_cause_where_everything_was_observed(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)
    seen = observation("greets", KEPT, response_complete=False, finish_reason="length", tool_calls_complete=False)
    (tmp_path / "desk.observations.json").write_text(recording(seen))

    assert [] != codes(changed(saved(tmp_path), lowered("budget")))


def test_a_run_whose_time_ran_out_is_valid(tmp_path: Path) -> None:
    lay(tmp_path, first=KEPT, second=KEPT)
    run = saved(tmp_path, limits=Limits(max_seconds=1e-9))

    assert "budget" == read(run / SUMMARY)["reason"]
    assert [] == codes(replay(run))


@pytest.mark.parametrize("reason", ["budget", "not-saved", "interrupted", "missing-evidence"])
@pytest.mark.parametrize("answer", [KEPT, BROKEN])
def test_a_run_is_not_incomplete_without_a_cause(tmp_path: Path, reason: str, answer: str) -> None:
    lay(tmp_path, greets=answer)

    assert [] != codes(changed(saved(tmp_path), lowered(reason)))


def test_a_pass_whose_report_lacks_the_observations_is_noticed(tmp_path: Path) -> None:
    lay(tmp_path, greets=KEPT)

    found = changed(saved(tmp_path), lambda files: files[RESULTS]["scenarios"][0].pop("observation"))

    assert [] != codes(found)


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    """A shard that holds a part of its suite's scenarios, and all of them kept."""
    lay(tmp_path, **dict.fromkeys("abcdefg", KEPT))
    return saved(tmp_path, shard=Shard(2, 3))


def as_shard(told: str | None) -> Callable[[Files], None]:
    """Say everywhere that a run is of another shard, or of none."""

    def change(files: Files) -> None:
        for part in (files[STATE], files[RESULTS]):
            part["shard"] = told
            if told is None:
                del part["shard"]

    return change


def test_a_shard_sealed_anew_without_a_change_is_valid(shard: Path) -> None:
    assert [] == codes(changed(shard, as_shard("2/3")))


@pytest.mark.parametrize("told", [None, "1/3", "3/3", "2/2", "1/1", "2/4"])
def test_a_shard_cannot_be_another_one_or_the_whole(shard: Path, told: str | None) -> None:
    assert ["selection"] == codes(changed(shard, as_shard(told)))


@pytest.mark.parametrize("told", ["", "4/3", "0/3", "2/1001", "2/1000000000", 5, None, True, {"index": True}, [2, 3]])
def test_a_shard_that_cannot_be_is_an_issue(shard: Path, told: Any) -> None:
    found = changed(shard, lambda files: files[STATE].update(shard=told))

    assert codes(found) in (["shard"], ["malformed"])


@pytest.mark.parametrize("part", [STATE, RESULTS])
def test_a_shard_is_told_alike_in_all_files(shard: Path, part: str) -> None:
    assert [] != codes(changed(shard, lambda files: files[part].pop("shard")))


def whole_pass(files: Files) -> None:
    """Say everywhere that a merged run lacks nothing and passes, but for the evidence."""
    files[STATE]["merged"]["missing"] = []
    del files[RESULTS]["missing_shards"]
    files[RESULTS]["gates"] = [gate for gate in files[RESULTS]["gates"] if gate["name"] != "all-shards-present"]
    for part in (files[RESULTS], files[SUMMARY], files[EVENTS][-1]):
        part.update(status="pass", reason="kept")
    files[SUMMARY]["exit_code"] = 0


def without_one(root: Path, *ids: str) -> Path:
    """A merged run of kept scenarios that lacks the shard which holds the fewest of them."""
    lay(root, **dict.fromkeys(ids, KEPT))
    _, *parts = sorted(sharded(root), key=lambda part: len(read(part / RESULTS)["scenarios"]))
    result, _ = merge(root, *parts)
    return root / str(result.directory)


def test_what_a_merged_run_lacks_cannot_be_sealed_away(tmp_path: Path) -> None:
    assert "decision" in codes(changed(without_one(tmp_path, *"abcd"), whole_pass))


def test_a_merged_run_forged_as_a_whole_says_no_more_than_its_evidence(tmp_path: Path) -> None:
    run = without_one(tmp_path, *"ab")  # each was observed and is kept, as the missing shard holds none

    assert [] == codes(changed(run, whole_pass))
