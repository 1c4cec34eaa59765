"""A live run that was changed and sealed anew: its facts keep their form, and no claim makes a pass of a fail."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agenttest.replay import Replay, as_json, as_text, replay
from agenttest.settings import Live
from tests.agent import Agent, answer, document
from tests.projects import contract, judge, lay, read, reseal, saved, write
from tests.tokens import PLAIN

EVENTS, STATE, RESULTS, SUMMARY = "events.jsonl", "state.json", "behavior-results.json", "summary.json"
RECORDED = "observations.json"
Files = dict[str, Any]
AGENT = "agent: {model: m, timeout_seconds: 5}"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A violation, an outcome that was decided on the token, and an error."""
    tmp_path.joinpath("desk.yml").write_text(contract("breaks", "echoes", "fails").replace("agent: {}", AGENT))
    replies = (answer("good day"), answer(f"hello {PLAIN}"), document({"error": {"message": f"bad {PLAIN}"}}, 500))
    with Agent(replies) as agent:
        result, _ = judge(tmp_path, live=Live(agent.url, token=PLAIN))
    return tmp_path / str(result.directory)


def changed(run: Path, change: Callable[[Files], Any]) -> Replay:
    """The replay after a change of the files' values, with all digests made anew."""
    files = {name: read(run / name) for name in (EVENTS, STATE, RESULTS, SUMMARY, RECORDED)}
    change(files)
    for name, value in files.items():
        write(run / name, value)
    reseal(run)
    return replay(run)


def codes(found: Replay) -> set[str]:
    return {issue.code for issue in found.issues}


def event(files: Files, scenario: str) -> dict[str, Any]:
    """The observation's event of a scenario."""
    found: dict[str, Any] = next(e for e in files[EVENTS] if e["event"] == "observation" and e["scenario"] == scenario)
    return found


def part(files: Files, scenario: str) -> dict[str, Any]:
    """The report's part of a scenario."""
    found: dict[str, Any] = next(each for each in files[RESULTS]["scenarios"] if each["id"] == scenario)
    return found


def test_a_run_sealed_anew_without_a_change_is_valid(run: Path) -> None:
    assert set() == codes(changed(run, lambda _: None))


def test_what_was_not_judged_anew_is_listed(run: Path) -> None:
    found = replay(run)

    assert "redacted, not re-evaluated: echoes response.contains[0]\n" in as_text(found)
    assert "every decision that can be made anew" not in as_text(found)
    assert [{"scenario": "echoes", "assertion": "response.contains[0]"}] == json.loads(as_json(found))[
        "not_reevaluated"
    ]


def exchange(**values: Any) -> Callable[[Files], None]:
    """A change of an exchange, wherever it is told."""

    def change(files: Files) -> None:
        for told in (event(files, "breaks"), part(files, "breaks")):
            told["exchange"].update(values)

    return change


GARBAGE: dict[str, Callable[[Files], Any]] = {
    "a status that is none": exchange(status="200"),
    "a status of truth": exchange(status=True),
    "a status out of bounds": exchange(status=7),
    "a latency below nothing": exchange(latency_ms=-1),
    "a latency that is none": exchange(latency_ms=None),
    "a latency in parts": exchange(latency_ms=1.5),
    "usage in words": exchange(usage={"total_tokens": "many"}),
    "usage in a list": exchange(usage=[1]),
    "usage beyond bounds": exchange(usage={str(at): at for at in range(99)}),
    "a doubt of nothing": exchange(doubts={"weather": "rain"}),
    "a doubt without words": exchange(doubts={"tools": 5}),
    "doubts in a list": exchange(doubts=["tools"]),
    "a remedy without words": exchange(remedy={}),
    "a further key": exchange(approved=True),
    "an exchange that is a list": lambda files: event(files, "breaks").update(exchange=[]),
    "no exchange": lambda files: event(files, "breaks").pop("exchange"),
    "an exchange of what was not seen": lambda files: event(files, "breaks").update(observation=None),
}


@pytest.mark.parametrize("change", GARBAGE.values(), ids=GARBAGE)
def test_an_exchange_that_no_run_writes_is_noticed(run: Path, change: Callable[[Files], Any]) -> None:
    assert {"exchange"} == codes(changed(run, change))


def test_the_facts_of_an_exchange_are_no_evidence_but_told_alike(run: Path) -> None:
    alone = changed(run, lambda files: event(files, "breaks")["exchange"].update(latency_ms=77))

    assert {"decision"} == codes(alone)


def test_facts_that_are_changed_everywhere_stand(run: Path) -> None:
    assert set() == codes(changed(run, exchange(latency_ms=1, status=201)))


def acquit(scenario: str) -> Callable[[Files], None]:
    """Turn the violation of a scenario into a pass that is said to be decided on what was taken out."""

    def change(files: Files) -> None:
        told, report = event(files, scenario), part(files, scenario)
        report["assertions"][0].update(status="pass", message="the response contains the text")
        report["status"] = "pass"
        told["redacted"] = report["redacted"] = ["response.contains[0]"]
        for each in files[EVENTS]:
            if each.get("scenario") == scenario and "status" in each:
                each["status"] = "pass"

    return change


def test_a_claim_makes_no_pass_of_a_violation(run: Path) -> None:
    found = changed(run, acquit("breaks"))

    assert {"redacted", "decision"} <= codes(found)


def test_a_claim_makes_no_pass_of_an_error(run: Path) -> None:
    assert {"redacted", "decision"} <= codes(changed(run, acquit("fails")))


def test_a_redacted_outcome_is_told_alike(run: Path) -> None:
    def change(files: Files) -> None:
        part(files, "echoes")["assertions"][0]["status"] = "fail"

    assert {"decision"} <= codes(changed(run, change))


@pytest.mark.parametrize("names", [[], "all", [5], ["response.contains[0]"] * 2, {"a": 1}, None])
def test_a_claim_that_is_no_list_of_names_is_noticed(run: Path, names: Any) -> None:
    assert {"redacted"} == codes(changed(run, lambda files: event(files, "echoes").update(redacted=names)))


@pytest.mark.parametrize("name", ["response.contains[9]", "tools.forbidden[0]"])
def test_a_claim_on_what_was_not_changed_is_noticed(run: Path, name: str) -> None:
    def change(files: Files) -> None:
        for told in (event(files, "echoes"), part(files, "echoes")):
            told["redacted"] = [name]

    assert "redacted" in codes(changed(run, change))


def test_an_offline_run_claims_nothing(tmp_path: Path) -> None:
    lay(tmp_path, breaks="good day *")
    offline = saved(tmp_path)
    events, results = read(offline / EVENTS), read(offline / RESULTS)
    acquit("breaks")({EVENTS: events, RESULTS: results})
    write(offline / EVENTS, events)
    write(offline / RESULTS, results)
    reseal(offline)

    assert {"redacted"} == codes(replay(offline))


ENDPOINTS: dict[str, dict[str, Any]] = {
    "a class that is none": {"kind": "friendly"},
    "a source that is none": {"source": "agent"},
    "a fingerprint that is none": {"fingerprint": "http://host"},
    "a model that is none": {"model": 5},
    "truth in words": {"authenticated": "yes"},
    "tokens in words": {"max_tokens": "1"},
    "an odd timeout": {"timeout_seconds": True},
}


@pytest.mark.parametrize("values", ENDPOINTS.values(), ids=ENDPOINTS)
def test_an_endpoint_that_no_run_has_is_noticed(run: Path, values: dict[str, Any]) -> None:
    found = changed(run, lambda files: files[STATE]["provenance"]["endpoint"].update(values))

    assert {"provenance"} == codes(found)


@pytest.mark.parametrize("value", [{}, {"url": "x"}, [], "x"])
def test_an_endpoint_of_another_form_is_noticed(run: Path, value: Any) -> None:
    assert set() < codes(changed(run, lambda files: files[STATE]["provenance"].update(endpoint=value)))


@pytest.mark.parametrize("name", ["kind", "fingerprint", "authenticated", "model"])
def test_the_report_names_the_same_endpoint(run: Path, name: str) -> None:
    other = {"kind": "remote", "fingerprint": "0" * 64, "authenticated": False, "model": "other"}[name]

    assert "decision" in codes(changed(run, lambda files: files[STATE]["provenance"]["endpoint"].update({name: other})))


SUITES: dict[str, Callable[[Files], Any]] = {
    "another text": lambda files: files[STATE]["suite"].update(text=contract("breaks", "echoes", "fails") + "\n"),
    "another text that is said to be redacted": lambda files: files[STATE]["suite"].update(
        text=contract("breaks", "echoes", "fails") + "\n", redacted=True
    ),
    "a mark that is not said": lambda files: files[STATE]["suite"].update(
        text=files[STATE]["suite"]["text"] + "# REDACTED\n"
    ),
    "said of the whole text": lambda files: files[STATE]["suite"].update(redacted=True),
    "a digest that is none": lambda files: files[STATE]["suite"].update(
        text=files[STATE]["suite"]["text"] + "# REDACTED\n", redacted=True, digest="x"
    ),
}


@pytest.mark.parametrize("change", SUITES.values(), ids=SUITES)
def test_a_suite_with_another_digest_is_noticed(run: Path, change: Callable[[Files], Any]) -> None:
    assert "suite-digest" in codes(changed(run, change))


def test_a_suite_is_no_other_where_no_token_was_sent(tmp_path: Path) -> None:
    tmp_path.joinpath("desk.yml").write_text(contract("keeps").replace("agent: {}", AGENT))
    with Agent([answer("hello")]) as agent:
        result, _ = judge(tmp_path, live=Live(agent.url))

    def change(files: Files) -> None:
        files[STATE]["suite"].update(text=files[STATE]["suite"]["text"] + "# REDACTED\n", redacted=True)

    assert {"suite-digest"} == codes(changed(tmp_path / str(result.directory), change))


def test_a_suite_without_the_token_that_stood_in_it_is_told(tmp_path: Path) -> None:
    text = contract("keeps").replace("agent: {}", AGENT).replace("[erase]", f"[{PLAIN}]")
    tmp_path.joinpath("desk.yml").write_text(text)
    with Agent([answer("hello")]) as agent:
        result, _ = judge(tmp_path, live=Live(agent.url, token=PLAIN))

    found = replay(tmp_path / str(result.directory))

    assert "redacted, not checked: " in as_text(found)
    assert "digest and decision that can be made anew agrees" in as_text(found)
    assert ["suite digest"] == json.loads(as_json(found))["not_checked"]


def test_a_suite_that_is_whole_is_not_told(run: Path) -> None:
    assert "not_checked" not in json.loads(as_json(replay(run)))


def test_the_recording_holds_what_was_seen(run: Path) -> None:
    def change(files: Files) -> None:
        files[RECORDED]["scenarios"][0]["response"] = "hello"

    assert {"recording"} == codes(changed(run, change))


def test_a_recording_that_is_not_listed_is_noticed(run: Path) -> None:
    found = changed(run, lambda files: files[SUMMARY]["files"].pop(RECORDED))

    assert {"file-unlisted"} == codes(found)


def test_a_recording_that_is_gone_is_noticed(run: Path) -> None:
    summary = read(run / SUMMARY)
    del summary["files"][RECORDED]
    write(run / SUMMARY, summary)
    (run / RECORDED).unlink()

    assert {"recording"} == codes(replay(run))


@pytest.mark.parametrize("reason", ["budget", "interrupted", "kept", "missing-evidence", "not-saved"])
def test_a_reason_that_the_evidence_does_not_bear_out_is_noticed(tmp_path: Path, reason: str) -> None:
    tmp_path.joinpath("desk.yml").write_text(contract("fails").replace("agent: {}", AGENT))
    with Agent([document({}, 500)]) as agent:
        result, _ = judge(tmp_path, live=Live(agent.url))

    def change(files: Files) -> None:
        for told in (files[RESULTS], files[SUMMARY], files[EVENTS][-1]):
            told["reason"] = reason

    assert "endpoint" == result.reason
    assert {"decision"} == codes(changed(tmp_path / str(result.directory), change))
