"""The event: a pull request's number and the judged commit, and nothing else of what strangers write in it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.github import events
from agenttest.github.context import read
from agenttest.github.events import Event

HEAD, MERGE = "a" * 40, "b" * 40
RUN = {"head_sha": HEAD, "event": "pull_request", "head_branch": "main"}


def event(tmp_path: Path, payload: Any) -> Event:
    file = tmp_path / "event.json"
    file.write_text(payload if isinstance(payload, str) else json.dumps(payload))
    return events.read(read({"GITHUB_EVENT_PATH": str(file), "GITHUB_SHA": MERGE}, tmp_path))


def test_a_pull_request_is_judged_at_its_head(tmp_path: Path) -> None:
    assert Event(5, HEAD) == event(tmp_path, {"pull_request": {"number": 5, "head": {"sha": HEAD}}})


def test_a_push_has_no_pull_request(tmp_path: Path) -> None:
    assert Event(None, MERGE) == event(tmp_path, {"after": HEAD})


def test_a_workflow_run_is_of_the_pull_request_into_this_repository(tmp_path: Path) -> None:
    pulls = [{"number": 4, "base": {"repo": {"id": 2}}}, {"number": 5, "base": {"repo": {"id": 1}}}]
    payload = {"workflow_run": {**RUN, "pull_requests": pulls}, "repository": {"id": 1}}

    assert Event(5, HEAD) == event(tmp_path, payload)


def test_a_workflow_run_of_a_fork_tells_the_branch_only(tmp_path: Path) -> None:
    run = {**RUN, "pull_requests": [], "head_repository": {"owner": {"login": "stranger"}}}

    assert Event(None, HEAD, ("stranger", "main")) == event(tmp_path, {"workflow_run": run})


def test_a_workflow_run_of_a_push_has_no_pull_request(tmp_path: Path) -> None:
    run = {**RUN, "event": "push", "head_repository": {"owner": {"login": "stranger"}}}

    assert Event(None, HEAD) == event(tmp_path, {"workflow_run": run})


@pytest.mark.parametrize("payload", ["", "{", "[]", "null", "[" * 100_000, "1" * 5000, '{"pull_request": []}'])
def test_a_payload_that_is_none_is_no_pull_request(tmp_path: Path, payload: str) -> None:
    assert Event(None, MERGE) == event(tmp_path, payload)


@pytest.mark.parametrize("number", [0, -1, True, "5", 1.5, None, 1 << 60, [5]])
def test_a_number_that_is_none_is_no_pull_request(tmp_path: Path, number: object) -> None:
    assert None is event(tmp_path, {"pull_request": {"number": number}}).number


@pytest.mark.parametrize("sha", ["", "x", "A" * 40, "a" * 41, "a" * 40 + "\n", "../" + "a" * 37, None, 7, ["a" * 40]])
def test_a_commit_that_is_none_is_not_taken(tmp_path: Path, sha: object) -> None:
    assert MERGE == event(tmp_path, {"pull_request": {"number": 5, "head": {"sha": sha}}}).commit


def test_a_commit_may_have_a_sha_256(tmp_path: Path) -> None:
    assert "c" * 64 == event(tmp_path, {"pull_request": {"head": {"sha": "c" * 64}}}).commit


@pytest.mark.parametrize("kind", ["nothing", "folder", "pipe"])
def test_a_file_that_is_none_is_no_pull_request(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "event.json"
    {"nothing": lambda: None, "folder": place.mkdir, "pipe": lambda: os.mkfifo(place)}[kind]()

    assert Event(None, "") == events.read(read({"GITHUB_EVENT_PATH": str(place)}, tmp_path))


def test_a_payload_beyond_any_bound_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PAYLOAD_LIMIT", 10)

    assert None is event(tmp_path, {"pull_request": {"number": 5}}).number


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["number", "head", "sha", "base", "repo", "id", "pull_requests", "head_branch", "event"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(JSON, JSON, JSON)
def test_no_payload_raises(pull: object, run: object, repository: object) -> None:
    found = events.own_pull(events.member({"run": run}, "run"), events.member({"r": repository}, "r"))

    assert isinstance(found, dict)
    assert None is events.fork(events.member({"run": run}, "run")) or isinstance(run, dict)
    assert events.number(events.member({"pull": pull}, "pull")) != 0
