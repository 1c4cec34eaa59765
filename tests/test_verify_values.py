"""Every value of every file of a saved run, replaced by one that no run writes there: never valid, never a fault."""

import hashlib
import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.replay import Replay, replay
from tests.projects import BROKEN, KEPT, lay, read, recording, reseal, saved, write

EVENTS, STATE, RESULTS, SUMMARY = "events.jsonl", "state.json", "behavior-results.json", "summary.json"
Files = dict[str, Any]

GARBAGE: list[Any] = [None, True, -1.5, "\ud800\u202e", [], [{"x": None}], {"x": [{}]}]
UNCHECKED = {"limits", "strict", "message", "remedy", "observed", "difference"}
SAME = [((1, "observation", "tool_calls"), None)]  # as in a recording: no calls


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def value_at(files: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        files = files[part]
    return files


@pytest.mark.parametrize("name", [EVENTS, STATE, RESULTS, SUMMARY])
def test_no_value_can_be_replaced_by_another(tmp_path: Path, name: str) -> None:
    lay(tmp_path, breaks=BROKEN, unseen=None)
    run = saved(tmp_path)
    files = {each: read(run / each) for each in (EVENTS, STATE, RESULTS, SUMMARY)}

    unnoticed = [
        (path, garbage)
        for path in places(files[name])
        if not UNCHECKED & {*map(str, path)} and path[:1] != ("files",) and path[-1] != "evidence_digest"
        for garbage in GARBAGE
        if json.dumps(value_at(files[name], path)) != json.dumps(garbage)
        and replayed(run, files, (name, *path), garbage).valid
    ]

    assert [] == [each for each in unnoticed if each not in SAME]


def replayed(run: Path, files: Files, path: tuple[str | int, ...], garbage: Any) -> Replay:
    """The replay after one value was replaced; the files are put back afterwards."""
    changed_files = deepcopy(files)
    value_at(changed_files, path[:-1])[path[-1]] = garbage
    for name, value in changed_files.items():
        write(run / name, value)
    seal_what_can_be(run)
    found = replay(run)
    for name, value in files.items():
        write(run / name, value)
    return found


def seal_what_can_be(run: Path) -> None:
    """Digests made anew as far as the files still have the form for it."""
    try:
        reseal(run)
    except (AttributeError, KeyError, TypeError):
        summary = read(run / SUMMARY)
        if isinstance(summary.get("files"), dict):
            for name in (EVENTS, STATE, RESULTS):
                data = (run / name).read_bytes()
                summary["files"][name] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            write(run / SUMMARY, summary)


NESTED = json.loads("[" * 500 + "]" * 500)


@pytest.mark.parametrize(
    "path",
    [
        (EVENTS, 1, "observation", "tool_calls"),
        (EVENTS, 1, "scenario"),
        (STATE, "selection", "asked"),
        (STATE, "provenance", "path"),
        (RESULTS, "scenarios", 0, "assertions", 0, "message"),
        (RESULTS, "scenarios", 0, "assertions", 0, "expected"),
        (RESULTS, "issues"),
        (SUMMARY, "tool"),
    ],
)
def test_nesting_of_any_depth_is_not_valid_and_no_fault(tmp_path: Path, path: tuple[str | int, ...]) -> None:
    lay(tmp_path, breaks=BROKEN)
    run = saved(tmp_path)
    files = {name: read(run / name) for name in (EVENTS, STATE, RESULTS, SUMMARY)}

    found = replayed(run, files, path, NESTED)

    assert path[-1] == "message" or not found.valid


TEXTS = st.text(st.characters(), max_size=8)
ARGUMENTS = st.dictionaries(
    TEXTS,
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=6,
    ),
    max_size=3,
)
CALLS = st.lists(
    st.fixed_dictionaries({"name": TEXTS.filter(str.strip)}, optional={"arguments": ARGUMENTS}), max_size=3
)
SEEN = st.fixed_dictionaries(
    {"id": st.just("greets")},
    optional={
        "response": TEXTS | st.just(KEPT),
        "response_complete": st.booleans(),
        "tool_calls": CALLS,
        "tool_calls_complete": st.booleans(),
        "refusal": st.booleans(),
        "sources": st.lists(TEXTS.filter(str.strip), max_size=3),
        "error": TEXTS.filter(str.strip),
    },
)


@given(SEEN)
def test_whatever_was_observed_the_run_is_valid(tmp_path_factory: pytest.TempPathFactory, seen: Any) -> None:
    root = tmp_path_factory.mktemp("project")
    lay(root, greets=KEPT)
    (root / "desk.observations.json").write_text(recording(seen))

    assert () == replay(saved(root)).issues
