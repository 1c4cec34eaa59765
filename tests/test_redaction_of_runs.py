"""A live agent that gives the token back: nothing that is written or shown holds it, and the run replays and merges."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agenttest.call import Result
from agenttest.github import context as contexts
from agenttest.github import jobs
from agenttest.model import Judged, Reason, Status
from agenttest.redaction import Redaction
from agenttest.replay import replay
from agenttest.report import Report, ending
from agenttest.reporters import REPORTERS, reporter
from agenttest.reporters.checkrun import CheckRun
from agenttest.reporters.comment import draft
from agenttest.reporters.fetching import Foot
from agenttest.reporters.github import plain
from agenttest.reporters.markdown import Summary
from agenttest.runs import VIEWS
from agenttest.settings import Live
from tests.agent import Agent, Reply, answer, call, document, raw
from tests.projects import judge, observation, read
from tests.tokens import PLAIN, TOKEN, forms, traces

EVENTS, STATE, RESULTS, SUMMARY = "events.jsonl", "state.json", "behavior-results.json", "summary.json"
EXPECT = {"response": {"contains": ["hello"], "excludes": ["bye"]}, "tools": {"forbidden": ["erase"]}}


def suite(folder: Path, *ids: str, expect: dict[str, Any] | None = None, **agent: Any) -> Path:
    """A contract of these scenarios."""
    listed = [{"id": name, "prompt": f"Do {name}", "expect": expect or EXPECT} for name in ids]
    value = {"version": 1, "agent": {"model": "m", "timeout_seconds": 5, **agent}, "scenarios": listed}
    folder.joinpath("desk.yml").write_text(json.dumps(value))
    return folder


def ask(root: Path, *replies: Reply, token: str | None = TOKEN, **settings: Any) -> tuple[Result, Report]:
    """The result and the report of a live run."""
    with Agent(replies) as agent:
        result, (report,) = judge(root, live=Live(agent.url, token=token), **settings)
    return result, report


def echo(form: str) -> Reply:
    """An answer that holds a form wherever it can."""
    said = [call(form, json.dumps({form: [form, {"in": form}]})), call("log", form)]
    return answer(f"hello {form} {'x' * 80}{form}", tool_calls=said, sources=[form, {"id": form}])


def broken(form: str) -> Reply:
    """An error that holds it."""
    return document({"error": {"message": f"{form} is not valid: {form}", "code": form, "type": form}}, 401)


def partial(form: str) -> Reply:
    """An answer that is not whole, in words that hold it."""
    return answer(f"bye {form}", finish=form, tool_calls=[{"function": {"name": 5, "arguments": form}}])


def shown(report: Report) -> Iterator[tuple[str, str]]:
    """Everything that is made of a report."""
    yield from ((name, reporter(name)(report)) for name in REPORTERS)
    job = jobs.read(contexts.read({"GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "77"}, Path.cwd()))
    yield "comment", draft(report, job, plain).text(None, Foot(job, ending(report), None))
    summary, check = Summary(), CheckRun(plain)
    summary.add(report)
    check.add(report)
    yield "step summary", summary.text(ending(report))
    yield "check run", json.dumps(check.annotations(), ensure_ascii=False)
    yield "progress", json.dumps(report.outcomes, ensure_ascii=False, default=str)


@pytest.mark.parametrize("reply", [echo, broken, partial])
@pytest.mark.parametrize("token", [TOKEN, PLAIN])
def test_nothing_that_is_written_or_shown_holds_any_form(
    tmp_path: Path, token: str, reply: Callable[[str], Reply]
) -> None:
    found = list(forms(token).values())
    suite(tmp_path, *(f"s{at}" for at in range(len(found))))

    result, report = ask(tmp_path, *map(reply, found), token=token, views=tuple(VIEWS))

    run = tmp_path / str(result.directory)
    texts = {path.name: path.read_text() for path in run.iterdir()} | dict(shown(report))
    assert {name: [] for name in texts} == {name: traces(text, token) for name, text in texts.items()}
    assert {*VIEWS.values(), EVENTS, STATE, RESULTS, SUMMARY, "observations.json"} == {
        path.name for path in run.iterdir()
    }
    assert replay(run).valid


def test_the_endpoint_is_nowhere_either(tmp_path: Path) -> None:
    suite(tmp_path, "a")
    with Agent(lambda request: answer(f"I am http://{request.headers['host']}{request.target}")) as agent:
        result, _ = judge(tmp_path, live=Live(agent.url), views=tuple(VIEWS))

    run = tmp_path / str(result.directory)
    assert [] == [path.name for path in run.iterdir() if str(agent.port) in path.read_text()]
    assert "I am [ENDPOINT]" == read(run / RESULTS)["scenarios"][0]["observation"]["response"]


def test_assertions_see_the_raw_text(tmp_path: Path) -> None:
    suite(tmp_path, "a", expect={"response": {"contains": ["4711-secret"], "excludes": ["REDACTED"]}})

    result, _ = ask(tmp_path, answer(f"it is {PLAIN}"), token=PLAIN)

    assert Status.PASS is result.status


def test_a_suite_is_saved_without_the_token_and_replays(tmp_path: Path) -> None:
    suite(tmp_path, "a", expect={"response": {"excludes": [PLAIN]}})

    result, report = ask(tmp_path, answer(f"it is {PLAIN}"), token=PLAIN)

    run = tmp_path / str(result.directory)
    saved = read(run / STATE)["suite"]
    assert hashlib.sha256((tmp_path / "desk.yml").read_bytes()).hexdigest() == saved["digest"]
    assert (True, Status.FAIL) == (saved["redacted"], report.status)
    assert [] == [path.name for path in run.iterdir() if traces(path.read_text(), PLAIN)]
    assert replay(run).valid


def test_what_was_recorded_is_judged_offline(tmp_path: Path) -> None:
    suite(tmp_path, "a", "b", "c")
    live, _ = ask(tmp_path, answer("hello"), answer("bye"), raw(), token=None)

    again, _ = judge(tmp_path, observations=f"{live.directory}/observations.json")

    assert (live.status, live.scenarios) == (again.status, again.scenarios)


def test_an_offline_run_records_nothing(tmp_path: Path) -> None:
    suite(tmp_path, "a")
    tmp_path.joinpath("o.json").write_text(json.dumps({"version": 1, "scenarios": [observation("a", "hello")]}))

    result, _ = judge(tmp_path, observations="o.json")

    assert not (tmp_path / str(result.directory) / "observations.json").exists()


def letting_through(monkeypatch: pytest.MonkeyPatch, after: int = 0) -> None:
    """Let the token through, as a fault of ours would, from so many scenarios on."""
    real, told = Redaction.redact, list[Judged]()

    def redact(this: Redaction, judged: Judged) -> Judged:
        told.append(judged)
        return judged if len(told) > after else real(this, judged)

    monkeypatch.setattr(Redaction, "redact", redact)


@pytest.mark.parametrize("artifacts", [True, False])
@pytest.mark.parametrize(("said", "status"), [("hello", Status.INCOMPLETE), ("bye", Status.FAIL)])
def test_a_token_that_is_about_to_be_written_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, artifacts: bool, said: str, status: Status
) -> None:
    letting_through(monkeypatch)
    suite(tmp_path, "a")

    result, report = ask(tmp_path, answer(f"{said} {PLAIN}"), token=PLAIN, artifacts=artifacts)

    assert status is result.status
    assert "the token would have been written" in report.problems[0].message
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [] == [path.name for path in written if traces(path.read_text(), PLAIN)]
    assert [] == [name for name, text in shown(report) if traces(text, PLAIN)]


def test_the_journal_stops_before_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    letting_through(monkeypatch, after=1)
    suite(tmp_path, "a", "b", "c")

    ask(tmp_path, answer("hello"), answer(f"hello {PLAIN}"), token=PLAIN)

    (run,) = tmp_path.glob(".agenttest/runs/*")
    assert {"a"} == {event["scenario"] for event in read(run / EVENTS) if "scenario" in event}
    assert [EVENTS, STATE] == sorted(path.name for path in run.iterdir())


def test_a_pass_that_could_not_be_saved_for_the_token_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    letting_through(monkeypatch)
    suite(tmp_path, "a")

    result, _ = ask(tmp_path, answer(f"hello {PLAIN}"), token=PLAIN)

    assert (Status.INCOMPLETE, Reason.NOT_SAVED) == (result.status, result.reason)
