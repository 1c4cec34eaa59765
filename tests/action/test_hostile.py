"""Nothing that an agent says acts on the runner, and nothing is too large."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.action.job import Job
from tests.e2e import desk
from tests.github.hostile import COMMANDS

SUITE = {"suite": "desk.yml"}
SUMMARY_LIMIT = 1 << 20


def test_whatever_the_locale_is_the_log_is_utf8(job: Job) -> None:
    desk.lay(job.workspace, {**desk.BROKEN, "response": "漢字 \ud800"})

    log, _ = job.start(SUITE, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii").communicate()

    assert "漢字" in log


def everywhere(text: str) -> list[dict[str, Any]]:
    """Recordings in which an agent says a text wherever it can say something."""
    return [
        {**desk.KEPT, "response": text},
        {**desk.KEPT, "tool_calls": [{"name": text, "arguments": {text: text}}]},
        {**desk.KEPT, "tool_calls": [{"name": "find_policy", "arguments": {"topic": text}}]},
        {"id": "refund-window", "error": text},
        {"id": "refund-window", "finish_reason": text.strip()[:60], "response": text},
    ]


@pytest.mark.parametrize("text", [*COMMANDS, "forged \ud800\u202e\x1b[31m", "`" * 5000, "</details> | @forged\n" * 50])
def test_whatever_an_agent_says_is_not_obeyed(job: Job, text: str) -> None:
    for observed in everywhere(text):
        desk.lay(job.workspace, observed)

        done = job.run(SUITE)

        assert {each.name for each in done.commands} <= {"error", "warning"}, done.log
        assert {each.properties.get("file") for each in done.commands} <= {"desk.yml", "desk.observations.json"}
        assert ["group", "endgroup"] == [each.name for each in done.folds], done.log
        assert "forged" not in "".join([*done.outputs.values(), *(each.data for each in done.folds)])
        assert done.outputs["reason"] != "internal", done.log


def test_a_summary_that_is_nearly_full_gets_as_much_as_fits(job: Job) -> None:
    many(job.workspace, 250, "漢" * 2000)
    (job.side / "summary").write_text("x" * 1_000_000)

    done = job.run({"suite": "many.yml"})

    assert SUMMARY_LIMIT >= len(done.summary.encode())
    assert all(f"`s{n:03}`" in done.summary for n in range(250))


def test_a_full_summary_is_left_alone(job: Job) -> None:
    desk.lay(job.workspace, desk.BROKEN)
    (job.side / "summary").write_text("x" * SUMMARY_LIMIT)

    done = job.run(SUITE)

    assert "x" * SUMMARY_LIMIT == done.summary
    assert "no room left" in done.log


def test_a_long_log_is_bounded_and_says_how_it_ended(job: Job) -> None:
    for n in range(40):
        many(job.workspace, 60, f"漢{n}" * 200, f"many{n}")

    done = job.run({"suite": "many*.yml"})

    assert 262_144 >= len(done.log.encode())
    assert "the log shows no more" in done.log
    assert f"agenttest: fail (violation, exit 1); saved in {done.outputs['run-directory']}" in done.log


def many(folder: Path, count: int, response: str, stem: str = "many") -> None:
    """A contract of many scenarios, none of which is kept, each for a reason of its own."""
    rows = [f"  - {{id: s{n:03}, prompt: x, expect: {{response: {{contains: ['é{n}']}}}}}}" for n in range(count)]
    (folder / f"{stem}.yml").write_text("version: 1\nagent: {}\nscenarios:\n" + "\n".join(rows) + "\n")
    seen = [{"id": f"s{n:03}", "response": response, "response_complete": True} for n in range(count)]
    (folder / f"{stem}.observations.json").write_text(json.dumps({"version": 1, "scenarios": seen}))
