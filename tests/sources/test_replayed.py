"""A scenario is judged by the very file that it names, or not at all, and then it says what would be right."""

import json
from pathlib import Path
from typing import Any

import pytest

from agenttest.files import Project
from agenttest.model import Observation, Recording, Scenario, Seen
from agenttest.settings import TRACE_BYTES
from agenttest.sources import replayed
from agenttest.sources.replayed import Shelf
from tests.folders import KEPT, call, put, replay, trace
from tests.projects import observation

HERE = "tests/agent-scenarios"
SAVED = f"{HERE}/traces/reads.trace.json"


def scenario(given: dict[str, Any], name: str = "reads") -> Scenario:
    return Scenario(name, "", None, None, (), 1, f"{HERE}/reads.json", input=given)


def seen(root: Path, value: Any, name: str = "traces/reads.trace.json", **named: Any) -> Seen:
    """What a scenario shows that names a file with this value."""
    put(root, f"{HERE}/traces/reads.trace.json", value)
    return Shelf(Project.at(root)).seen(scenario(replay(name, **named)))


def shown(found: Seen) -> Observation:
    assert found.observation is not None
    return found.observation


def refusal(found: Seen) -> str:
    """Why nothing was observed."""
    assert shown(found).error
    assert shown(found).remedy
    return str(shown(found).error)


def test_a_trace_shows_what_it_tells(tmp_path: Path) -> None:
    found = shown(seen(tmp_path, trace("reads", KEPT, call("a"), call("b"))))

    assert ("reads", KEPT, ["a", "b"], ()) == (
        found.id,
        found.response,
        [each.name for each in found.calls or ()],
        found.partial,
    )


def test_the_file_is_told_with_its_digest(tmp_path: Path) -> None:
    digest = put(tmp_path, SAVED, trace("reads"))

    assert Recording(SAVED, digest) == seen(tmp_path, trace("reads"), sha256=digest.upper()).source


def test_an_observations_file_shows_the_entry_of_the_scenario(tmp_path: Path) -> None:
    recorded = {"version": 1, "scenarios": [observation("other", "no"), observation("reads", KEPT)]}

    found = shown(seen(tmp_path, recorded, format="observations"))

    assert ("reads", KEPT, None) == (found.id, found.response, found.steps)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert KEPT == shown(seen(tmp_path, b"\xef\xbb\xbf" + json.dumps(trace("reads")).encode())).response


def test_other_keys_of_a_trace_are_let_pass(tmp_path: Path) -> None:
    assert shown(seen(tmp_path, trace("reads", model="m", usage={"tokens": 7}))).error is None


DIGEST = "0" * 64
TWO = {"version": 1, "scenarios": [observation("a", ""), observation("b", "")]}
FAILED = trace("reads", failed=True, errorMessage="no \x1b[31mroom")
WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "another digest": (trace("reads"), {"sha256": DIGEST}, f"and input.replay.sha256 is {DIGEST}"),
    "another digest of a damaged file": (b"{", {"sha256": DIGEST}, "and input.replay.sha256 is"),
    "cut short": (b'{"scenarioId": "reads",\n "steps": [', {}, f"{SAVED}:2:12: the file ends"),
    "nothing": (b"", {}, f"{SAVED}:1:1: the file is empty"),
    "no UTF-8": (b'{"\xff"}', {}, "which is not UTF-8"),
    "a list": ([], {}, f"{SAVED}:1:1: the file is an empty list"),
    "a double key": (b'{"steps": [], "steps": [], "scenarioId": "reads"}', {}, "steps"),
    "no steps": ({"scenarioId": "reads"}, {}, "'steps'"),
    "no scenario": ({"steps": []}, {}, "'scenarioId'"),
    "a number beyond a double": (b'{"scenarioId": "reads", "steps": [], "x": 1e999}', {}, "1e999"),
    "nested too deep": (trace("reads", x=json.loads("[" * 70 + "]" * 70)), {}, "nests deeper"),
    "a step of two kinds": (trace("reads", KEPT, {**call(), "message": "x"}), {}, "a step for each"),
    "a step of another kind": (trace("reads", KEPT, {**call(), "kind": "Message"}), {}, "'Message'"),
    "a step with an unknown key": (trace("reads", KEPT, {**call(), "tool": 1}), {}, "'tool'"),
    "a call without a name": (trace("reads", KEPT, {"toolCall": {"callId": "1"}}), {}, "'toolName'"),
    "several mistakes": (trace("reads", 5, {**call(), "tool": 1}), {}, "(and 1 more)"),
    "state that is no text": (
        trace("reads", finalState={"a": 1}),
        {},
        "finalState.a is the number 1; should be a text",
    ),
    "another word for complete": (trace("reads", channels={"state": "all"}), {}, "channels.state"),
    "another scenario": (trace("Reads"), {}, f"{SAVED} tells of 'Reads', and not of 'reads'"),
    "observations of others": (TWO, {}, f"{SAVED} tells of 'a', 'b', and not of 'reads'"),
    "no observation": ({"version": 1, "scenarios": []}, {}, f"{SAVED} tells of no scenario"),
    "observations of version 2": ({**TWO, "version": 2}, {}, "version"),
    "another form": (trace("reads"), {"format": "observations"}, "input.replay.format is 'observations'"),
    "observations that are no trace": (TWO, {"format": "trace"}, f"{SAVED} holds observations"),
    "another form of a trace": (trace("reads", schema="agenttest.trace/2"), {}, "this version reads agenttest.trace/1"),
    "an unknown kind of evidence": (trace("reads", channels={"toolCallz": "partial"}), {}, "'toolCallz'"),
    "an error of a run that did not fail": (trace("reads", errorMessage="late"), {}, "failed is not true"),
    "two final answers": (
        trace("reads", "ok", {"kind": "FinalAnswer", "finalAnswer": "secret"}),
        {},
        "finalAnswer is 'ok', and the last step that is one says 'secret'",
    ),
    "two final states": (
        trace("reads", KEPT, {"stateChange": {"key": "k", "newValue": "bad"}}, finalState={"k": "good"}),
        {},
        "finalState has another value for 'k' than its last change, 'bad'",
    ),
    "a run that failed": (FAILED, {}, f"{SAVED}: the run that it is of failed: 'no \\x1b[31mroom'"),
}


@pytest.mark.parametrize(("value", "named", "said"), WRONG.values(), ids=WRONG)
def test_what_is_not_the_evidence_that_was_meant_shows_nothing(
    tmp_path: Path, value: Any, named: dict[str, Any], said: str
) -> None:
    assert said in refusal(seen(tmp_path, value, **named))


PLACES = {
    "nothing there": ("traces/none.json", "traces/none.json: does not exist"),
    "a folder": ("traces", "is a folder"),
    "a link": ("link.json", "is a symbolic link"),
    "behind a link": ("linked/reads.trace.json", "lies behind something that is a link"),
    "outside": ("../../../secret.json", "is outside the project"),
    "out and in again": ("../../../x/tests/agent-scenarios/traces/reads.trace.json", "is outside the project"),
    "absolute": ("/etc/passwd", "no relative path"),
    "with backslashes": ("traces\\reads.trace.json", "no relative path"),
    "with a null": ("traces/\0", "no relative path"),
    "with half a character": ("traces/\ud800", "no relative path"),
    "the project itself": ("../..", "no relative path"),
    "what is Git's": ("../../.git/config", "is Git's own"),
    "home": ("~/reads.trace.json", "~/reads.trace.json: does not exist"),
}


@pytest.mark.parametrize(("name", "said"), PLACES.values(), ids=PLACES)
def test_no_file_outside_the_project_and_none_behind_a_link_is_read(tmp_path: Path, name: str, said: str) -> None:
    root = tmp_path / "x"
    put(tmp_path, "secret.json", trace("reads"))
    put(root, SAVED, trace("reads"))
    (root / HERE / "link.json").symlink_to(tmp_path / "secret.json")
    (root / HERE / "linked").symlink_to(root / HERE / "traces")

    assert said in refusal(Shelf(Project.at(root)).seen(scenario(replay(name))))


@pytest.mark.parametrize("name", ["../agent-traces/reads.json", "./../agent-traces//reads.json "])
def test_a_file_beside_the_folder_is_named_from_the_scenario_file_on(tmp_path: Path, name: str) -> None:
    put(tmp_path, "tests/agent-traces/reads.json", trace("reads"))

    found = Shelf(Project.at(tmp_path)).seen(scenario(replay(name)))

    assert "tests/agent-traces/reads.json" == (found.source and found.source.path)


def test_a_scenario_at_the_root_names_files_below_it(tmp_path: Path) -> None:
    at_root = Scenario("reads", "", None, None, (), 1, "reads.json", input=replay("traces/a.json"))

    assert "traces/a.json" == replayed.place(at_root)


def test_a_scenario_that_names_no_file_says_so(tmp_path: Path) -> None:
    given = {"prompt": "", "executor": "replay", "scriptedTrace": [call()]}

    assert "the executor 'replay' has no input.replay" == refusal(Shelf(Project.at(tmp_path)).seen(scenario(given)))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    put(tmp_path, SAVED, b"")
    with (tmp_path / SAVED).open("r+b") as file:
        file.truncate(TRACE_BYTES + 1)

    assert "at most 67,108,864 (64 MiB) are read" in refusal(
        Shelf(Project.at(tmp_path)).seen(scenario(replay("traces/reads.trace.json")))
    )


def test_a_file_that_holds_too_much_is_not_taken_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replayed, "TRACE_VALUES", 50)

    assert "at most 50 may be" in refusal(seen(tmp_path, trace("reads", x=[0] * 50)))


def test_a_recording_of_many_scenarios_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"s{number}" for number in range(5)]
    put(tmp_path, f"{HERE}/all.json", {"version": 1, "scenarios": [observation(name, name) for name in names]})
    read: list[str] = []
    reading = Project.read
    monkeypatch.setattr(Project, "read", lambda self, name, limit: read.append(name) or reading(self, name, limit))
    shelf = Shelf(Project.at(tmp_path))

    found = [shown(shelf.seen(scenario(replay("all.json"), name))).response for name in names]

    assert (names, [f"{HERE}/all.json"]) == (found, read)
