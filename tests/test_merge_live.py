"""Shards of a live run merge as others do; what was judged in another way is not mixed in."""

import json
from pathlib import Path
from typing import Any

import pytest

from agenttest.merge import endpoint_of
from agenttest.model import Shard
from agenttest.replay import replay
from agenttest.report import Report, digest_of
from agenttest.settings import Live
from tests.agent import Agent, Reply, answer, document
from tests.nouns import endpoint
from tests.projects import contract, judge, merge, observation
from tests.tokens import PLAIN

NAMES = "abcdefg"
SAYS: dict[str, Reply] = {
    **dict.fromkeys(NAMES, answer("hello")),
    "b": answer("good day"),
    "c": answer(f"hello {PLAIN}"),
    "d": document({}, 500),
    "e": answer("hello", finish="length"),
}


def lay(folder: Path) -> Path:
    text = contract(*NAMES).replace("agent: {}", "agent: {model: m, timeout_seconds: 5}")
    for name in NAMES:
        text = text.replace(f"{{id: {name}, prompt: Greet me", f"{{id: {name}, prompt: Greet {name}")
    folder.joinpath("desk.yml").write_text(text)
    return folder


def served() -> Agent:
    """An agent that knows which scenario it is asked for."""
    return Agent(lambda request: SAYS[request.json["messages"][0]["content"].split()[1]])


def ask(root: Path, agent: Agent, shard: Shard | None = None, **live: Any) -> tuple[Path, Report]:
    """The directory and the report of a run of a shard."""
    result, (report,) = judge(root, live=Live(agent.url, **{"token": PLAIN, **live}), shard=shard)
    return root / str(result.directory), report


def told(report: Report) -> list[tuple[Any, ...]]:
    """All that was judged, without how long it took."""
    return [
        (j.scenario, j.observation, j.outcomes, j.redacted, j.exchange and j.exchange.status) for j in report.scenarios
    ]


def test_merged_shards_are_the_run_that_was_not_sharded(tmp_path: Path) -> None:
    lay(tmp_path)
    with served() as agent:
        _, whole = ask(tmp_path, agent)
        parts = [ask(tmp_path, agent, Shard(index, 3))[0] for index in (1, 2, 3)]

    result, (merged,) = merge(tmp_path, *parts)

    assert told(whole) == told(merged)
    assert (whole.verdict, whole.provenance) == (merged.verdict, merged.provenance)
    assert replay(tmp_path / str(result.directory)).valid


def test_a_merged_run_without_a_shard_replays(tmp_path: Path) -> None:
    lay(tmp_path)
    with served() as agent:
        parts = [ask(tmp_path, agent, Shard(index, 3))[0] for index in (1, 3)]

    result, (merged,) = merge(tmp_path, *parts)

    assert ["2/3"] == [str(shard) for shard in merged.merged.missing] if merged.merged else False
    assert replay(tmp_path / str(result.directory)).valid


@pytest.mark.parametrize("live", [{"model": "other"}, None])
def test_a_shard_that_was_judged_in_another_way_is_lacking(tmp_path: Path, live: dict[str, Any] | None) -> None:
    lay(tmp_path)
    seen = {"version": 1, "scenarios": [observation(name, "hello") for name in NAMES]}
    tmp_path.joinpath("o.json").write_text(json.dumps(seen))
    with served() as agent:
        first = ask(tmp_path, agent, Shard(1, 2))[0]
        if live is None:
            result, _ = judge(tmp_path, observations="o.json", shard=Shard(2, 2))
            second = tmp_path / str(result.directory)
        else:
            second = ask(tmp_path, agent, Shard(2, 2), **live)[0]

    _, (merged,) = merge(tmp_path, first, second)

    messages = {outcome.message for judged in merged.scenarios for outcome in judged.outcomes}
    assert "shard 2/2 was judged in another way than the first that is there" in messages
    assert merged.merged is not None
    assert (Shard(2, 2),) == merged.merged.missing


def test_several_endpoints_are_no_more_trusted_than_any_of_them() -> None:
    asked = [
        endpoint(fingerprint="b" * 64, kind="isolated", authenticated=True),
        endpoint(fingerprint="a" * 64, kind="loopback", source="contract", timeout_seconds=60.0),
    ]

    found = endpoint_of(asked)

    together = digest_of(["a" * 64, "b" * 64])
    assert ("isolated", True, "invocation", together, 60.0) == (
        found.kind,
        found.authenticated,
        found.source,
        found.fingerprint,
        found.timeout_seconds,
    )


def test_one_endpoint_asked_in_all_shards_keeps_its_fingerprint() -> None:
    assert "a" * 64 == endpoint_of([endpoint(fingerprint="a" * 64), endpoint(fingerprint="a" * 64)]).fingerprint
