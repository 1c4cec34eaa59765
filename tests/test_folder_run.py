"""Scenarios in one run, each by the source that it names: its own script, a saved file, an agent that is asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from agenttest import traces
from agenttest.call import Watch
from agenttest.files import Project
from agenttest.model import Filters, Reason, Risk, Shard, Status
from agenttest.replay import replay as replayed
from agenttest.report import Report, to_document
from agenttest.run import run
from agenttest.settings import Limits, Live, Settings
from agenttest.signals import Cancellation
from tests import folders
from tests.agent import Agent, Reply, Request, answer, call, document, late
from tests.folders import CALLED, FOLDER, KEPT, SAYS, asking, put, replay, scenario, scripted, trace
from tests.projects import contract, judge, merge, read, saved, sharded
from tests.tokens import PLAIN

ASKED: dict[str, Reply] = {
    "good": answer(KEPT, tool_calls=[call("read_file")]),
    "bad": answer("good day", tool_calls=[call("read_file")]),
    "tells": answer(f"hello {PLAIN}", tool_calls=[call("read_file", json.dumps({"key": PLAIN}))]),
    "broken": document({}, 500),
}


def said(request: Request) -> Reply:
    """An agent that is told in the prompt what to say."""
    return ASKED[request.json["messages"][0]["content"]]


def live(agent: Agent, **more: Any) -> Live:
    return Live(agent.url, **{"model": "m", "token": PLAIN, **more})


def outcomes(report: Report) -> dict[str, list[str]]:
    """By scenario the status of each oracle."""
    return {judged.scenario.id: [str(each.status) for each in judged.outcomes] for judged in report.scenarios}


def mixed(root: Path) -> str:
    """Scenarios of every source, one of them with none."""
    put(root, f"{FOLDER}/traces/b.trace.json", trace("b"))
    return folders.lay(
        root,
        scenario("a", asking("good")),
        scenario("b", replay("traces/b.trace.json")),
        scenario("c", scripted()),
        scenario("d", asking("bad")),
        scenario("e", scripted("good day")),
        scenario("f", asking("tells")),
        scenario("g", {"prompt": "", "executor": "Runtime"}),
    )


JUDGED = {
    "a": ["pass", "pass"],
    "b": ["pass", "pass"],
    "c": ["pass", "pass"],
    "d": ["pass", "fail"],
    "e": ["pass", "fail"],
    "f": ["pass", "pass"],
    "g": ["incomplete", "incomplete"],
}


@pytest.mark.parametrize("concurrency", [1, 3])
def test_each_scenario_is_judged_by_the_source_that_it_names(tmp_path: Path, concurrency: int) -> None:
    suite = mixed(tmp_path)
    with Agent(said) as agent:
        result, (report,) = judge(tmp_path, suite, live=live(agent, concurrency=concurrency))

    assert JUDGED == outcomes(report)
    assert ["bad", "good", "tells"] == sorted(each.json["messages"][0]["content"] for each in agent.requests)
    assert "mixed" == report.mode
    assert replayed(tmp_path / str(result.directory)).valid


def test_nothing_that_is_saved_holds_the_token(tmp_path: Path) -> None:
    suite = mixed(tmp_path)
    put(tmp_path, f"{FOLDER}/h.json", scenario("h", scripted(f"hello {PLAIN}"), CALLED, {**SAYS, "text": PLAIN}))
    steps = [folders.call("read_file", argumentsJson=json.dumps({"key": PLAIN})), {"message": PLAIN}]
    put(tmp_path, f"{FOLDER}/traces/i.trace.json", trace("i", PLAIN, *steps, finalState={PLAIN: PLAIN}))
    put(tmp_path, f"{FOLDER}/i.json", scenario("i", replay("traces/i.trace.json"), CALLED, {**SAYS, "text": "lo"}))
    with Agent(said) as agent:
        result, (report,) = judge(tmp_path, suite, live=live(agent))

    assert {"h": ["pass", "pass"], "i": ["pass", "fail"]}.items() <= outcomes(report).items()
    run = tmp_path / str(result.directory)
    assert [] == [path.name for path in run.iterdir() if PLAIN in path.read_text()]
    assert [] == [issue.message for issue in replayed(run).issues]


def test_a_suite_that_holds_the_token_and_asks_nobody_is_not_run(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, scenario("a", scripted(f"hello {PLAIN}")))
    (tmp_path / "desk.yml").write_text(contract("good").replace("agent: {}", "agent: {model: m}"))
    with Agent([answer("hello")]) as agent:
        result, (_, report) = judge(tmp_path, "desk.yml", suite, live=live(agent))

    assert (Status.INCOMPLETE, Reason.INVALID_INPUT) == (result.status, report.verdict.reason)
    assert "holds the token" in str(report.problems[0])


SINGLE = {
    "scripted": (scenario("a"), {"kind": "scenario_files", "trust": "scripted"}),
    "replayed": (scenario("a", replay("a.trace.json")), {"kind": "trace_files", "trust": "unverified_fixture"}),
    "live": (scenario("a", asking("good")), {"kind": "endpoint", "trust": "runtime_observed", "model": "m"}),
}


@pytest.mark.parametrize("mode", SINGLE)
def test_a_run_of_one_source_tells_which(tmp_path: Path, mode: str) -> None:
    one, came = SINGLE[mode]
    suite = folders.lay(tmp_path, one)
    put(tmp_path, f"{FOLDER}/a.trace.json", trace("a"))
    with Agent(said) as agent:
        _, (report,) = judge(tmp_path, suite, live=live(agent) if mode == "live" else None)

    found = to_document(report)
    assert (mode, Status.PASS) == (found["mode"], report.status)
    assert came.items() <= found["provenance"].items()


def test_a_scenario_tells_which_file_it_was_judged_by(tmp_path: Path) -> None:
    digest = put(tmp_path, f"{FOLDER}/a.trace.json", trace("a"))
    run = saved(tmp_path, folders.lay(tmp_path, scenario("a", replay("a.trace.json"))))

    source = {"path": f"{FOLDER}/a.trace.json", "sha256": digest}
    assert source == read(run / "behavior-results.json")["scenarios"][0]["source"]
    assert source == read(run / "events.jsonl")[1]["source"]


def test_a_trace_that_a_run_gives_is_judged_as_the_run_was(tmp_path: Path) -> None:
    suite = mixed(tmp_path)
    with Agent(said) as agent:
        _, (report,) = judge(tmp_path, suite, live=live(agent, token=None))
    scenarios = []
    for judged in report.scenarios[:6]:
        put(tmp_path, f"{FOLDER}/{judged.scenario.id}.trace.json", traces.document(judged, "0" * 64))
        scenarios.append(scenario(judged.scenario.id, replay(f"{judged.scenario.id}.trace.json")))
    _, (again,) = judge(tmp_path, folders.lay(tmp_path, *scenarios))

    assert {name: found for name, found in JUDGED.items() if name != "g"}.items() <= outcomes(again).items()


def test_a_trace_without_an_end_proves_nothing(tmp_path: Path) -> None:
    put(tmp_path, f"{FOLDER}/a.trace.json", trace("a", completedAtUtc=None))
    _, (report,) = judge(tmp_path, folders.lay(tmp_path, scenario("a", replay("a.trace.json"))))

    assert {"a": ["incomplete", "incomplete"]} == outcomes(report)


def test_a_script_is_no_evidence_where_another_source_is_named(tmp_path: Path) -> None:
    given = [scripted(executor="replay", replay={"trace": "none.json"}), scripted(executor="endpoint")]
    _, (report,) = judge(tmp_path, folders.lay(tmp_path, *map(scenario, "ab", given)))

    assert {"a": ["incomplete"] * 2, "b": ["incomplete"] * 2} == outcomes(report)


@pytest.mark.parametrize("allowed", [None, Live(contract_endpoint=True)], ids=["nobody", "a contract's agent"])
def test_without_an_endpoint_nothing_is_asked(tmp_path: Path, allowed: Live | None) -> None:
    result, (report,) = judge(tmp_path, folders.lay(tmp_path, scenario("a", asking()), scenario("b")), live=allowed)

    assert {"a": ["incomplete"] * 2, "b": ["pass"] * 2} == outcomes(report)
    assert ("no endpoint was given, and the executor 'endpoint' asks one", "name one with --endpoint") == (
        report.outcomes[0].message,
        report.outcomes[0].remedy,
    )
    assert replayed(tmp_path / str(result.directory)).valid


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("scirpted", "write 'scripted' in input.executor"),
        ("Re-play", "write 'replay' in input.executor"),
        ("runtime", "name one of scripted, replay, endpoint in input.executor"),
    ],
)
def test_of_an_executor_that_there_is_not_the_nearest_is_named(tmp_path: Path, word: str, right: str) -> None:
    _, (report,) = judge(tmp_path, folders.lay(tmp_path, scenario("a", {"prompt": "", "executor": word})))

    assert {(f"there is no executor {word.lower()!r}", right)} == {(o.message, o.remedy) for o in report.outcomes}


def refused(root: Path, *suites: str, **settings: Any) -> str:
    """What is said of a call that is not run, or of its last suite."""
    result, reports = judge(root, *suites, **settings)
    assert (Status.INCOMPLETE, Reason.INVALID_INPUT) == (result.status, reports[-1].verdict.reason)
    return str(reports[-1].problems[0])


def test_an_agent_that_no_scenario_asks_is_refused(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, scenario("a"), scenario("b", asking("good")))
    with Agent(said) as agent:
        found = [
            refused(tmp_path, suite, live=live(agent), scenarios=("a",)),
            refused(tmp_path, suite, f"{suite}/000.json", live=live(agent), scenarios=("a",)),
        ]

    assert [] == agent.requests
    assert [f"{suite}: has no selected", "the call has no selected"] == [each.split(" scenario ")[0] for each in found]


def test_one_suite_of_several_that_asks_is_enough(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, scenario("a"), scenario("b", asking("good")))
    with Agent(said) as agent:
        result, _ = judge(tmp_path, f"{suite}/000.json", f"{suite}/001.json", live=live(agent))

    assert Status.PASS == result.status
    assert replayed(tmp_path / str(result.directory)).valid


def test_a_recording_beside_scenarios_is_refused(tmp_path: Path) -> None:
    found = refused(tmp_path, folders.lay(tmp_path, scenario("a")), observations="a.json")

    assert f"{FOLDER}: holds scenarios, which name their evidence themselves; leave --observations out" == found


def test_without_a_model_nobody_is_asked(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, scenario("a", asking("good")))
    with Agent(said) as agent:
        assert "--model" in refused(tmp_path, suite, live=live(agent, model=None))


def test_a_scenario_may_wait_less_long_than_the_call(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, scenario("a", asking("good", timeoutMilliseconds=50)))
    with Agent([late(answer(KEPT), 3.0)]) as agent:
        _, (report,) = judge(tmp_path, suite, live=live(agent, timeout_seconds=60.0))

    assert {"a": ["incomplete"] * 2} == outcomes(report)
    assert "within the time" in report.outcomes[0].message


def test_an_agent_that_fails_again_and_again_is_not_asked_on_and_the_rest_is_judged(tmp_path: Path) -> None:
    names = "abcdefgh"
    suite = folders.lay(tmp_path, *(scenario(name, asking("broken")) for name in names), scenario("z"))
    with Agent(said) as agent:
        result, (report,) = judge(tmp_path, suite, live=live(agent))

    assert (5, Reason.ENDPOINT, ["pass", "pass"]) == (len(agent.requests), result.reason, outcomes(report)["z"])
    assert replayed(tmp_path / str(result.directory)).valid


def test_a_run_that_is_out_of_time_keeps_what_it_has(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, scenario("a"), scenario("b", asking("good")), scenario("c"))
    with Agent([late(answer(KEPT), 3.0)]) as agent:
        result, (report,) = judge(tmp_path, suite, live=live(agent), limits=Limits(max_seconds=0.4))

    assert Reason.BUDGET == result.reason
    assert {"a": ["pass"] * 2, "b": ["incomplete"] * 2, "c": ["incomplete"] * 2} == outcomes(report)
    assert replayed(tmp_path / str(result.directory)).valid


def shards(root: Path, agent: Agent, suite: str) -> list[Path]:
    return sharded(root, suite, live=live(agent))


def evidence(report: Report) -> list[Any]:
    """All that was judged, without how long it took."""
    return [
        (j.scenario, j.observation, j.outcomes, j.redacted, j.source, j.exchange and j.exchange.status)
        for j in report.scenarios
    ]


def test_shards_of_every_source_merge_to_the_run_that_was_not_sharded(tmp_path: Path) -> None:
    suite = mixed(tmp_path)
    folders.lay(tmp_path, bad="{")
    with Agent(said) as agent:
        _, (whole,) = judge(tmp_path, suite, live=live(agent))
        parts = shards(tmp_path, agent, suite)

    result, (report,) = merge(tmp_path, *parts)

    assert evidence(whole) == evidence(report)
    assert (whole.verdict, whole.problems, whole.provenance) == (report.verdict, report.problems, report.provenance)
    assert replayed(tmp_path / str(result.directory)).valid


SELECTIONS: dict[str, dict[str, Any]] = {
    "names": {"scenarios": ("c", "e")},
    "strict": {"strict": True},
    "lint": {"lint": "error"},
    "a filter": {"filters": Filters(risk=Risk.MEDIUM)},
    "tags": {"filters": Filters(tags=(("fast", "slow"),))},
    "a filter, in part": {"filters": Filters(min_risk=Risk.LOW, tags=(("slow",),), partial=True)},
    "a filter that leaves nothing": {"filters": Filters(risk=Risk.CRITICAL)},
}


def tagged(root: Path) -> str:
    """Scenarios that are told apart by risk and tags."""
    return folders.lay(
        root,
        scenario("a", risk="Low", tags=["fast"]),
        scenario("b", scripted("good day"), risk="High"),
        scenario("c", tags=["Slow"], expected={"requiredForGates": True}),
        scenario("d", scripted("good day"), risk="Low"),
        scenario("e", {"prompt": "", "executor": "none"}, tags=["slow"]),
        bad="{",
    )


@pytest.mark.parametrize("given", SELECTIONS.values(), ids=SELECTIONS)
def test_merged_shards_are_asked_what_the_call_was_asked(tmp_path: Path, given: dict[str, Any]) -> None:
    suite = tagged(tmp_path)
    _, (whole,) = judge(tmp_path, suite, **given)

    result, (report,) = merge(tmp_path, *sharded(tmp_path, suite, **given))

    assert (evidence(whole), whole.verdict) == (evidence(report), report.verdict)
    assert (whole.selection, whole.problems) == (report.selection, report.problems)
    assert replayed(tmp_path / str(result.directory)).valid


@pytest.mark.parametrize("given", SELECTIONS.values(), ids=SELECTIONS)
def test_merged_shards_of_several_suites_are_asked_what_the_call_was_asked(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    suites = (tagged(tmp_path), f"{FOLDER}/002.json")
    _, whole = judge(tmp_path, *suites, **given)

    result, reports = merge(tmp_path, *sharded(tmp_path, *suites, **given))

    assert [each.verdict for each in whole] == [each.verdict for each in reports]
    assert replayed(tmp_path / str(result.directory)).valid


def test_shards_that_are_asked_other_things_are_no_whole(tmp_path: Path) -> None:
    suite = tagged(tmp_path)
    parts = [saved(tmp_path, suite, shard=Shard(1, 2)), saved(tmp_path, suite, shard=Shard(2, 2), strict=True)]

    result, reports = merge(tmp_path, *parts)

    assert (Status.INCOMPLETE, "is in runs of different calls; merge those of one") == (
        result.status,
        reports[0].problems[0].message,
    )


def test_a_shard_judges_its_part_alone_and_leaves_nothing_out(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, *(scenario(name, risk="High", tags=["x"]) for name in "abcd"))

    for part in sharded(tmp_path, suite, filters=Filters(tags=(("x",),))):
        assert {"pass"} == {each["status"] for each in read(part / "behavior-results.json")["gates"]}


def test_a_shard_into_which_no_scenario_falls_is_no_pass(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, scenario("a"))
    results = [read(part / "behavior-results.json") for part in sharded(tmp_path, suite)]

    assert [0, 0, 1] == sorted(len(each["scenarios"]) for each in results)
    assert {0: "incomplete", 1: "pass"} == {len(each["scenarios"]): each["status"] for each in results}


def test_a_shard_that_lacks_is_told_of_each_of_its_scenarios(tmp_path: Path) -> None:
    suite = tagged(tmp_path)
    lacking, *parts = sharded(tmp_path, suite)
    names = [each["id"] for each in read(lacking / "behavior-results.json")["scenarios"]]

    result, (report,) = merge(tmp_path, *parts)

    assert {name: {"incomplete"} for name in names}.items() <= {n: {*s} for n, s in outcomes(report).items()}.items()
    assert "all-shards-present" in report.verdict.unheld
    assert replayed(tmp_path / str(result.directory)).valid


def test_a_shard_out_of_time_is_told_of_the_whole(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, *(scenario(name) for name in "abcd"))
    one, *others = sharded(tmp_path, suite, count=2)
    late = saved(tmp_path, suite, shard=Shard(1, 2), limits=Limits(max_seconds=1e-9))

    result, _ = merge(tmp_path, late, *others)

    assert (one != late, Reason.BUDGET) == (True, result.reason)
    assert replayed(tmp_path / str(result.directory)).valid


def test_after_a_signal_nothing_more_is_judged(tmp_path: Path) -> None:
    suite = folders.lay(tmp_path, scenario("a"), scenario("b", asking("good")), scenario("c"))
    cancellation = Cancellation()

    def signalled(request: Request) -> Reply:
        cancellation.came.append("SIGTERM")
        return said(request)

    shown: list[Report] = []
    with Agent(signalled) as agent:
        settings = Settings((suite,), live=live(agent))
        result = run(Project.at(tmp_path), settings, shown.append, Watch(cancellation=cancellation))

    assert Reason.INTERRUPTED == result.reason
    assert (["pass"] * 2, ["incomplete"] * 2) == (outcomes(shown[0])["a"], outcomes(shown[0])["c"])
    assert replayed(tmp_path / str(result.directory)).valid
