"""A saved run of scenario files: whatever is changed in it, and sealed anew, judging it again tells."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agenttest.model import NO_FILTERS, Filters, Risk, Status
from agenttest.replay import Replay, replay
from agenttest.report import digest_of
from agenttest.settings import Limits
from tests import folders
from tests.folders import BROKEN, FOLDER, call, put, scenario, scripted, trace
from tests.projects import judge, observation, read, reseal, saved, write
from tests.test_verify_values import EVENTS, RESULTS, STATE, SUMMARY, Files, places, replayed, value_at

TRACE = "traces/replayed.trace.json"
RISKS = Filters(min_risk=Risk.MEDIUM)


def lay(root: Path) -> str:
    """A violation of high risk, one of low risk, a pass, two replayed ones, one with an executor that there is not, and
    two files that are no scenario."""
    named = put(root, f"{FOLDER}/{TRACE}", trace("replayed", "hello", call("read_file", callId="c1")))
    put(root, f"{FOLDER}/all.observations.json", {"version": 1, "scenarios": [observation("recorded", "hello")]})
    return folders.lay(
        root,
        scenario("breaks", scripted(BROKEN), risk="High", tags=["a", "b"]),
        scenario("breaks-too", scripted(BROKEN, call(), {"stateChange": {"key": "k", "newValue": "v"}}), risk="Low"),
        scenario("keeps"),
        scenario("recorded", folders.replay("all.observations.json"), folders.SAYS),
        scenario("replayed", folders.replay(TRACE, sha256=named)),
        scenario("unknown", {"prompt": "", "executor": "runtime"}),
        bad="{",
        worse='{"id": "x"}',
    )


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return saved(tmp_path, lay(tmp_path))


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


SETTINGS: dict[str, dict[str, Any]] = {
    "all": {},
    "strict": {"strict": True},
    "lint": {"lint": "error"},
    "a name": {"scenarios": ("keeps",)},
    "a glob that matches nothing": {"scenarios": ("none*",)},
    "tags": {"filters": Filters(tags=(("A", "c"), ("b",)))},
    "risks": {"filters": RISKS},
    "a risk, in part": {"filters": Filters(risk=Risk.LOW, partial=True)},
    "in part": {"filters": Filters(partial=True)},
    "out of time": {"limits": Limits(max_seconds=1e-9)},
}


@pytest.mark.parametrize("given", SETTINGS.values(), ids=SETTINGS)
def test_a_run_that_nobody_changed_is_valid(tmp_path: Path, given: dict[str, Any]) -> None:
    assert [] == [issue.message for issue in replay(saved(tmp_path, lay(tmp_path), **given)).issues]


def test_sealing_anew_changes_nothing(run: Path) -> None:
    assert [] == codes(changed(run, lambda files: None))


def file_of(files: Files, number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = files[STATE]["suite"]["files"][number]
    return found


def anew(files: Files) -> None:
    """The digest of the suite's files made anew, everywhere."""
    suite = files[STATE]["suite"]
    lines = (
        f"{hashlib.sha256(each['text'].encode()).hexdigest() if 'text' in each else '-'}  {each['path']}\n"
        for each in suite["files"]
    )
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    suite["digest"] = files[RESULTS]["contract"]["digest"] = files[EVENTS][0]["suite_digest"] = digest
    files[STATE]["provenance"]["source_digest"] = files[RESULTS]["provenance"]["source_digest"] = digest


def worded(old: str, new: str, number: int = 0, *, sealed: bool = True) -> Callable[[Files], None]:
    """A file of the suite with another word in it."""

    def change(files: Files) -> None:
        file = file_of(files, number)
        assert old in file["text"]
        file["text"] = file["text"].replace(old, new)
        if sealed:
            anew(files)

    return change


def seen(files: Files, name: str) -> Iterator[dict[str, Any]]:
    """A scenario's observation, in the journal and in the report."""
    yield next(e for e in files[EVENTS] if e["event"] == "observation" and e["scenario"] == name)["observation"]
    yield next(each for each in files[RESULTS]["scenarios"] if each["id"] == name)["observation"]


def in_both(name: str, change: Callable[[dict[str, Any]], Any]) -> Callable[[Files], None]:
    """A scenario's observation changed alike in the journal and in the report."""

    def both(files: Files) -> None:
        for each in seen(files, name):
            change(each)
        chosen = [each["observation"] for each in files[RESULTS]["scenarios"] if each["observation"] is not None]
        files[RESULTS]["provenance"]["selected_digest"] = digest_of(chosen)

    return both


def event_of(files: Files, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in files[EVENTS] if e["event"] == "observation" and e["scenario"] == name)
    return found


def sourced(**fields: Any) -> Callable[[Files], None]:
    """The recording of a scenario told otherwise, in both places."""

    def change(files: Files) -> None:
        result = next(each for each in files[RESULTS]["scenarios"] if each["id"] == "replayed")
        for each in (event_of(files, "replayed"), result):
            each["source"] = {**each["source"], **fields}

    return change


def unsourced(files: Files) -> None:
    """The recording of a scenario told nowhere."""
    del event_of(files, "replayed")["source"]
    del next(each for each in files[RESULTS]["scenarios"] if each["id"] == "replayed")["source"]


def selecting(**fields: Any) -> Callable[[Files], None]:
    """What was asked for told otherwise."""
    return lambda files: files[STATE]["selection"].update(fields)


def everywhere(key: str, value: Any) -> Callable[[Files], None]:
    """A key of the provenance told otherwise, in both places."""

    def change(files: Files) -> None:
        for each in (files[STATE], files[RESULTS]):
            each["provenance"][key] = value

    return change


def gate(name: str, status: str) -> Callable[[Files], None]:
    """A gate told otherwise."""

    def change(files: Files) -> None:
        next(each for each in files[RESULTS]["gates"] if each["name"] == name)["status"] = status

    return change


def acquit(files: Files) -> None:
    """The one violation that counts told as none, and all that counts it, but for the evidence."""
    gate("high-risk-pass", "pass")(files)
    for part in (files[RESULTS], files[SUMMARY], files[EVENTS][-1]):
        part.update(status="incomplete", reason="missing-evidence")
    files[SUMMARY]["exit_code"] = 2


def unseen(name: str) -> Callable[[Files], None]:
    """A scenario's observation told as none, in both places."""

    def change(files: Files) -> None:
        event_of(files, name)["observation"] = None
        next(each for each in files[RESULTS]["scenarios"] if each["id"] == name)["observation"] = None

    return change


def step_of(of: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = of["steps"][0]
    return found


def outcome_in(files: Any) -> dict[str, Any]:
    """An outcome in the report."""
    found: dict[str, Any] = files[RESULTS]["scenarios"][0]["assertions"][0]
    return found


CHANGES: dict[str, Callable[[Files], Any]] = {
    "a file's text": worded(BROKEN, "hello", sealed=False),
    "a file's text and its digest": worded(BROKEN, "well, hello"),
    "a risk": worded('"High"', '"Low"'),
    "a risk that fails no gate": worded('"Low"', '"Medium"', 1),
    "a tag": worded('["a", "b"]', '["a"]'),
    "an oracle": worded('"text": "hello"', '"text": "good"'),
    "whether it is required": worded('"expected": {', '"expected": {"requiredForGates": true, ', 2),
    "an executor": worded('"runtime"', '"scripted"', 5),
    "a file left out": lambda files: files[STATE]["suite"]["files"].pop(0),
    "a file left out, and its digest": lambda files: (files[STATE]["suite"]["files"].pop(0), anew(files)),
    "a bad file left out, and its digest": lambda files: (files[STATE]["suite"]["files"].pop(), anew(files)),
    "a file added": lambda files: (files[STATE]["suite"]["files"].append({"path": "z.json", "text": "{"}), anew(files)),
    "a file refused": lambda files: (
        file_of(files, 6).update(refused="is a folder"),
        file_of(files, 6).pop("text"),
        anew(files),
    ),
    "a path of a file": lambda files: (file_of(files).update(path="other.json"), anew(files)),
    "more about a file": lambda files: file_of(files).update(refused=None),
    "more about the suite": lambda files: files[STATE]["suite"].update(redacted=False),
    "a scripted answer": in_both("breaks", lambda of: of.update(response="hello")),
    "a scripted step": in_both("keeps", lambda of: step_of(of)["toolCall"].update(toolName="write_file")),
    "a scripted step left out": in_both("keeps", lambda of: of["steps"].pop(0)),
    "a scripted state": in_both("breaks-too", lambda of: of["state"].update(k="w")),
    "a script that is partial": in_both("breaks", lambda of: of.update(partial=["finalAnswer"])),
    "a script that timed out": in_both("keeps", lambda of: of.update(timed_out=True)),
    "a script that is not seen": in_both("keeps", lambda of: (of.clear(), of.update(id="keeps", error="no"))),
    "an executor that failed in another way": in_both("unknown", lambda of: of.update(error="no")),
    "an executor's remedy": in_both("unknown", lambda of: of.update(remedy="none")),
    "a replayed answer": in_both("replayed", lambda of: of.update(response="good day")),
    "a step of no kind": in_both("replayed", lambda of: step_of(of).update(kind="Thought")),
    "a step with more": in_both("replayed", lambda of: step_of(of).update(tool="x")),
    "a step of two kinds": in_both("replayed", lambda of: step_of(of).update(message="x")),
    "a step without its place": in_both("replayed", lambda of: step_of(of).pop("sequence")),
    "a step in another form": in_both("replayed", lambda of: step_of(of)["toolCall"].update(requiresApproval=None)),
    "evidence partial of no kind": in_both("replayed", lambda of: of.update(partial=["all"])),
    "evidence partial twice": in_both("replayed", lambda of: of.update(partial=["state", "state"])),
    "a trace that says it is whole": in_both("replayed", lambda of: of.update(response_complete=True)),
    "a gate without words": lambda files: files[RESULTS]["gates"][0].pop("message"),
    "a gate whose words are none": lambda files: files[RESULTS]["gates"][0].update(message=5),
    "an outcome without words": lambda files: outcome_in(files).pop("message"),
    "an outcome whose words are none": lambda files: outcome_in(files).update(message=["x"]),
    "an outcome whose remedy is none": lambda files: outcome_in(files).update(remedy=5),
    "an outcome of which nothing was observed": lambda files: outcome_in(files).pop("observed"),
    "a problem without words": lambda files: files[RESULTS]["issues"][0].pop("message"),
    "a problem in no line": lambda files: files[RESULTS]["issues"][0].update(line="1"),
    "a remedy without an error": in_both("recorded", lambda of: of.update(remedy="none")),
    "a recording stronger than its end": in_both("recorded", lambda of: of.update(finish_reason="length")),
    "a recorded call with more": in_both("recorded", lambda of: of.update(tool_calls=[{"name": "a", "x": 1}])),
    "another scenario's observation": in_both("replayed", lambda of: of.update(id="keeps")),
    "a recording elsewhere": sourced(path=f"{FOLDER}/other.json"),
    "a recording with another digest": sourced(sha256="0" * 64),
    "a recording without a digest": sourced(sha256=None),
    "more about a recording": sourced(size=1),
    "no recording": unsourced,
    "a recording of a script": lambda files: event_of(files, "keeps").update(
        source={"path": f"{FOLDER}/{TRACE}", "sha256": "0" * 64}
    ),
    "a recording of nothing": lambda files: files[EVENTS][1].update(source=None),
    "a recording in a decision": lambda files: files[EVENTS][2].update(source={}),
    "an exchange": lambda files: event_of(files, "keeps").update(exchange={"status": 200, "latency_ms": 1}),
    "a redacted outcome": lambda files: event_of(files, "keeps").update(redacted=["expected.oracles[1]"]),
    "an observation twice": lambda files: files[EVENTS].insert(1, files[EVENTS][1]),
    "a scenario that was not seen": unseen("keeps"),
    "a violation that was not seen": unseen("breaks"),
    "a gate's status": gate("high-risk-pass", "pass"),
    "a gate left out": lambda files: files[RESULTS]["gates"].pop(2),
    "a gate twice": lambda files: files[RESULTS]["gates"].append(files[RESULTS]["gates"][0]),
    "all that a gate decides": acquit,
    "strict": lambda files: files[STATE].update(strict=True),
    "no strict": lambda files: files[STATE].update(strict=None),
    "lint": selecting(lint="error"),
    "the usual lint": selecting(lint="warn"),
    "filters": selecting(filters={"tags": [], "risk": "Low", "min_risk": None, "partial": False}),
    "filters of nothing": selecting(filters={"tags": [], "risk": None, "min_risk": None, "partial": False}),
    "no filters": selecting(filters=None),
    "patterns": selecting(asked=["keeps"]),
    "a selection": lambda files: files[RESULTS].update(selection={"asked": []}),
    "problems of files left out": lambda files: files[RESULTS].pop("issues"),
    "a problem left out": lambda files: files[RESULTS]["issues"].pop(0),
    "a problem more": lambda files: files[RESULTS]["issues"].append(files[RESULTS]["issues"][0]),
    "a problem elsewhere": lambda files: files[RESULTS]["issues"][0].update(line=7),
    "warnings": lambda files: files[RESULTS].update(
        warnings=[{"path": "a.json", "line": 1, "column": 1, "message": "it proves little"}]
    ),
    "a mode": lambda files: (files[STATE].update(mode="replayed"), files[RESULTS].update(mode="replayed")),
    "an origin": everywhere("kind", "scenario_files"),
    "an origin of another kind of suite": everywhere("kind", "observation_file"),
    "the trust": everywhere("trust", "runtime_observed"),
    "the path of the evidence": everywhere("path", "other"),
    "the digest of the evidence": everywhere("source_digest", "0" * 64),
    "the kind": lambda files: files[RESULTS].update(kind="agent_behavior"),
    "a title": lambda files: files[RESULTS]["scenarios"][0].update(title="x"),
    "a reported risk": lambda files: files[RESULTS]["scenarios"][0].update(risk="Low"),
    "a reported tag": lambda files: files[RESULTS]["scenarios"][0]["tags"].pop(),
    "a reported executor": lambda files: files[RESULTS]["scenarios"][0].update(executor="endpoint"),
    "an expectation": lambda files: files[RESULTS]["scenarios"][0]["assertions"][0].update(expected="x"),
    "a scenario left out": lambda files: files[RESULTS]["scenarios"].pop(0),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_sealed_anew_is_noticed(run: Path, change: Callable[[Files], Any]) -> None:
    assert [] != codes(changed(run, change))


@pytest.mark.parametrize("filters", [NO_FILTERS, RISKS], ids=["all", "filtered"])
def test_words_of_gates_and_problems_may_be_put_better(tmp_path: Path, filters: Filters) -> None:
    run = saved(tmp_path, lay(tmp_path), filters=filters)

    def reword(files: Files) -> None:
        for each in (*files[RESULTS]["gates"], *files[RESULTS]["issues"]):
            each["message"] = "in other words"

    assert [] == codes(changed(run, reword))


def test_a_filter_that_is_dropped_is_noticed(tmp_path: Path) -> None:
    run = saved(tmp_path, lay(tmp_path), filters=Filters(risk=Risk.LOW))

    assert ["selection"] == codes(changed(run, lambda files: files[STATE]["selection"].pop("filters")))


def test_an_acceptance_that_nobody_gave_is_noticed(tmp_path: Path) -> None:
    run = saved(tmp_path, lay(tmp_path), filters=Filters(risk=Risk.LOW))

    def accept(files: Files) -> None:
        for each in (files[STATE]["selection"]["filters"], files[RESULTS]["selection"]):
            each["partial"] = True

    assert "decision" in codes(changed(run, accept))


def test_nothing_that_was_not_seen_can_be_claimed_of_a_run_that_came_to_its_end(tmp_path: Path) -> None:
    run = saved(tmp_path, folders.lay(tmp_path, scenario("keeps", folders.replay("none.json"))))

    assert "observation" in codes(changed(run, unseen("keeps")))


@pytest.mark.parametrize("name", [EVENTS, STATE, RESULTS, SUMMARY])
def test_no_value_can_be_replaced_by_another(tmp_path: Path, name: str) -> None:
    run = saved(tmp_path, lay(tmp_path), scenarios=("breaks-too", "replayed", "unknown"), filters=RISKS)
    files = {each: read(run / each) for each in (EVENTS, STATE, RESULTS, SUMMARY)}
    unchecked = {"limits", "message", "remedy", "observed", "difference", "harness", "error"}

    unnoticed = [
        path
        for path in places(files[name])
        if not unchecked & {*map(str, path)} and path[:1] != ("files",) and path[-1] != "evidence_digest"
        for garbage in (None, True, -1.5, [{}])
        if value_at(files[name], path) != garbage and replayed(run, files, (name, *path), garbage).valid
    ]

    assert [] == unnoticed


def test_the_evidence_of_a_whole_folder_can_be_too_large_for_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agenttest.bounds.SCENARIOS_BYTES", 6_000)
    result, (report,) = judge(tmp_path, lay(tmp_path))

    assert (Status.FAIL, False) == (result.status, report.observations_kept)
    assert replay(tmp_path / str(result.directory)).valid
