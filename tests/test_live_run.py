"""A live run from the command line to its saved evidence: judged, kept whole, replayed, and judged again offline."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agenttest.replay import replay
from agenttest.report import Report
from tests.agent import Agent, Reply, answer, call, document, late, raw, whole
from tests.projects import agenttest, environment, read, runs

MODEL = "ferry-desk"
KEPT = {"response": {"contains": ["30 days"]}}
ERASE = {"tools": {"forbidden": ["erase"], "max_calls": 1}}
QUIET = {"tools": {"exact_sequence": []}}
REFUND = {"tools": {"required": [{"name": "refund", "arguments": {"order": 7}}]}}


class Case(NamedTuple):
    """What is asked, what the agent says, and what the assertions come to."""

    expect: dict[str, Any]
    reply: Reply
    statuses: list[str]


CASES = {
    "kept": Case(KEPT, answer(), ["pass"]),
    "violated": Case(KEPT, answer("Never."), ["fail"]),
    "a blank answer": Case(KEPT, answer(""), ["fail"]),
    "nothing said": Case(KEPT, answer(None), ["incomplete"]),
    "cut short": Case(KEPT, answer("The refund takes 30 days", finish="length"), ["incomplete"]),
    "finish not told": Case(KEPT, answer(finish=None), ["incomplete"]),
    "a call with arguments": Case(REFUND, answer(tool_calls=[call("refund", '{"order": 7}')]), ["pass"]),
    "a call with others": Case(REFUND, answer(tool_calls=[call("refund", '{"order": 8}')]), ["fail"]),
    "a call that is cut": Case(REFUND, answer(tool_calls=[call("refund", '{"ord')]), ["incomplete"]),
    "a forbidden call": Case(ERASE, answer(None, finish="tool_calls", tool_calls=[call("erase")]), ["fail", "pass"]),
    "an odd name": Case(QUIET, answer(tool_calls=[call("fünktions.erase ✗")]), ["fail"]),
    "no name": Case(ERASE, answer(tool_calls=[call("erase"), {"function": {}}]), ["incomplete", "incomplete"]),
    "a legacy call": Case(
        ERASE,
        answer(None, finish="function_call", function_call={"name": "erase", "arguments": "{}"}),
        ["fail", "pass"],
    ),
    "no call but told so": Case(QUIET, answer("", finish="tool_calls"), ["incomplete"]),
    "markup": Case(QUIET, answer('<tool_call>{"name": "erase", "arguments": {}}</tool_call>'), ["incomplete"]),
    "refused": Case({"refusal": True}, answer("", refusal="I must not."), ["pass"]),
    "polite": Case({"refusal": True}, answer("I am sorry, I cannot."), ["fail"]),
    "cited": Case({"sources": {"required": ["policy"]}}, answer(sources=[{"id": "policy"}]), ["pass"]),
    "lone surrogate": Case(KEPT, answer("30 days \ud800"), ["pass"]),
    "beyond a double": Case(
        REFUND,
        whole(
            b'{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[{"function":'
            b'{"name":"refund","arguments":{"order":1e999}}}]}}]}'
        ),
        ["incomplete"],
    ),
    "an error": Case(KEPT, document({"error": {"message": "overloaded", "code": 529}}), ["incomplete"]),
    "status 500": Case(KEPT, document({}, 500), ["incomplete"]),
    "no HTTP": Case(KEPT, raw(b"SSH-2.0-x\r\n"), ["incomplete"]),
}
EXIT = {"pass": 0, "fail": 1, "incomplete": 2}


def contract(expects: Sequence[dict[str, Any]], **agent: Any) -> str:
    """A contract of scenarios s0, s1, … as JSON, which is YAML."""
    scenarios = [{"id": f"s{at}", "prompt": f"Question {at}", "expect": each} for at, each in enumerate(expects)]
    return json.dumps({"version": 1, "agent": {"model": MODEL, "timeout_seconds": 5, **agent}, "scenarios": scenarios})


def project(folder: Path, *expects: dict[str, Any], **agent: Any) -> Path:
    folder.joinpath("desk.yml").write_text(contract(expects, **agent), "utf-8")
    return folder


def ask(folder: Path, agent: Agent, *words: str, **variables: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the report of a live run."""
    flags = ["--endpoint", agent.url, "-o", "r.json", "--format", "json"]
    done = agenttest(folder, "test", "desk.yml", *flags, *words, env=environment(**variables))
    return done.returncode, read(folder / "r.json")


def outcomes(report: dict[str, Any]) -> list[str]:
    return [each["status"] for scenario in report["scenarios"] for each in scenario["assertions"]]


@pytest.mark.parametrize("name", CASES)
def test_a_reply_is_judged_by_what_it_shows(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    with Agent([case.reply]) as agent:
        code, report = ask(project(tmp_path, case.expect), agent)

    assert case.statuses == outcomes(report)
    assert EXIT[report["status"]] == code


@pytest.mark.parametrize("name", CASES)
def test_a_live_run_replays(name: str, tmp_path: Path) -> None:
    with Agent([CASES[name].reply]) as agent:
        ask(project(tmp_path, CASES[name].expect), agent)

    found = replay(runs(tmp_path)[0], lambda _: None)

    assert [] == [issue.message for issue in found.issues]
    assert found.valid


def test_what_was_recorded_gives_the_same_verdicts_offline(tmp_path: Path) -> None:
    replies = [case.reply for case in CASES.values()]
    with Agent(replies) as agent:
        _, report = ask(project(tmp_path, *(case.expect for case in CASES.values())), agent)
    recording = runs(tmp_path)[0].relative_to(tmp_path) / "observations.json"

    agenttest(tmp_path, "test", "desk.yml", "--observations", str(recording), "-o", "again.json", "--format", "json")

    again = read(tmp_path / "again.json")
    assert [status for case in CASES.values() for status in case.statuses] == outcomes(again)
    assert outcomes(report) == outcomes(again)


def test_several_at_a_time_come_out_as_one_after_another(tmp_path: Path) -> None:
    cases = list(CASES.values())
    project(tmp_path, *(case.expect for case in cases))

    with Agent(lambda request: cases[int(request.json["messages"][0]["content"].split()[1])].reply) as agent:
        _, report = ask(tmp_path, agent, "--concurrency", "8")

    assert [status for case in cases for status in case.statuses] == outcomes(report)
    assert [f"s{at}" for at in range(len(cases))] == [scenario["id"] for scenario in report["scenarios"]]


def test_the_report_says_whom_was_asked_and_never_where(tmp_path: Path) -> None:
    with Agent() as agent:
        _, report = ask(project(tmp_path, KEPT), agent)

    came = report["provenance"]
    assert ("live", "endpoint", "runtime_observed") == (report["mode"], came["kind"], came["trust"])
    assert ("invocation", "loopback", False, MODEL) == tuple(
        came[key] for key in ("endpoint_source", "endpoint_class", "authenticated", "model")
    )
    assert not [path for path in written(tmp_path) if str(agent.port) in path.read_text("utf-8")]


def written(folder: Path) -> list[Path]:
    """Every file but the contract."""
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "desk.yml"]


def test_the_facts_of_each_exchange_lie_beside_its_observation(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 40, "completion_tokens": 12, "total_tokens": 52}
    said = {"role": "assistant", "content": "30 days", "tool_calls": [], "refusal": None}
    reply = document({"choices": [{"message": said, "finish_reason": "stop"}], "usage": usage})
    with Agent([reply]) as agent:
        _, report = ask(project(tmp_path, KEPT), agent)

    (scenario,) = report["scenarios"]
    assert (200, usage) == (scenario["exchange"]["status"], scenario["exchange"]["usage"])
    assert 0 <= scenario["exchange"]["latency_ms"] < 5000


def test_a_violation_is_kept_though_the_next_request_fails(tmp_path: Path) -> None:
    with Agent([answer("Never."), raw()]) as agent:
        code, report = ask(project(tmp_path, KEPT, KEPT), agent)

    assert (1, ["fail", "incomplete"], "violation") == (code, outcomes(report), report["reason"])


def test_where_the_agent_did_not_answer_the_reason_is_the_endpoint(tmp_path: Path) -> None:
    with Agent([answer(), raw()]) as agent:
        code, report = ask(project(tmp_path, KEPT, KEPT), agent)

    assert (2, "endpoint") == (code, report["reason"])


def test_after_five_failures_alike_nobody_is_asked_any_more(tmp_path: Path) -> None:
    with Agent([raw()]) as agent:
        _, report = ask(project(tmp_path, *[KEPT] * 9), agent)

    assert 5 == len(agent.requests)
    assert "5 times in a row" in report["scenarios"][8]["assertions"][0]["message"]
    assert replay(runs(tmp_path)[0], lambda _: None).valid


def test_the_runs_seconds_end_it_with_the_verdicts_reached(tmp_path: Path) -> None:
    with Agent([answer("Never."), late(answer(), 20)]) as agent:
        began = time.monotonic()
        code, report = ask(project(tmp_path, KEPT, KEPT), agent, "--max-seconds", "1")

    assert 8 > time.monotonic() - began
    assert (1, ["fail", "incomplete"]) == (code, outcomes(report))
    assert replay(runs(tmp_path)[0], lambda _: None).valid


def test_where_only_time_was_missing_the_reason_says_so(tmp_path: Path) -> None:
    with Agent([late(answer(), 20)]) as agent:
        code, report = ask(project(tmp_path, KEPT), agent, "--max-seconds", "0.5")

    assert (2, "budget") == (code, report["reason"])


def begun(folder: Path, agent: Agent, *words: str) -> subprocess.Popen[str]:
    """A live run in a process of its own."""
    command = [sys.executable, "-m", "agenttest", "test", "desk.yml", *words, "--endpoint", agent.url]
    return subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def asked(agent: Agent, count: int) -> None:
    """Wait until the agent was asked so often."""
    end = time.monotonic() + 30
    while len(agent.requests) < count and time.monotonic() < end:
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("said", "code"), [("30 days", 2), ("Never.", 1)])
def test_a_signal_leaves_a_whole_run_within_five_seconds(
    number: signal.Signals, said: str, code: int, tmp_path: Path
) -> None:
    with Agent([answer(said), late(answer(), 60)]) as agent:
        process = begun(project(tmp_path, KEPT, KEPT, KEPT, timeout_seconds=60), agent)
        asked(agent, 2)
        sent = time.monotonic()
        process.send_signal(number)
        out, _ = process.communicate(timeout=20)

    assert 5 > time.monotonic() - sent
    assert code == process.returncode
    assert f"interrupted by {number.name}" in out
    shown: list[Report] = []
    found = replay(runs(tmp_path)[0], shown.append)
    assert found.valid
    assert "before this scenario was answered" in shown[0].scenarios[2].outcomes[0].message
    assert {0: "pass", 1: "fail", 2: "incomplete"}[code] == found.saved["status"]


def test_a_signal_ends_a_run_of_several_suites_after_the_one_that_is_asked(tmp_path: Path) -> None:
    project(tmp_path, KEPT, KEPT, timeout_seconds=60)
    tmp_path.joinpath("other.yml").write_text(contract([KEPT]), "utf-8")
    with Agent([answer(), late(answer(), 60)]) as agent:
        process = begun(tmp_path, agent, "other.yml")
        asked(agent, 2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)

    assert 2 == process.returncode
    assert 2 == len(agent.requests)
    assert "interrupted" == read(runs(tmp_path)[0] / "summary.json")["reason"]


def test_a_killed_run_is_unfinished(tmp_path: Path) -> None:
    with Agent([answer(), late(answer(), 60)]) as agent:
        process = begun(project(tmp_path, KEPT, KEPT, timeout_seconds=60), agent)
        asked(agent, 2)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)

    found = replay(runs(tmp_path)[0], lambda _: None)
    assert ["unfinished"] == [issue.code for issue in found.issues]
