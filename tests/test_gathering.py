"""What a pattern matches: a folder of scenario files where all of them are meant, each file where only some are."""

import json
from pathlib import Path

import pytest

from agenttest.gathering import suites

SCENARIO = json.dumps({"id": "a", "input": {"prompt": "x"}, "expected": {}})
CONTRACT = json.dumps({"version": 1, "agent": {}, "scenarios": []})
TREE = {
    "one/a.json": SCENARIO,
    "one/deep/b.json": SCENARIO,
    "one/deep/b.trace.json": "{}",
    "two/c.json": "no JSON at all",
    "two/c.observations.json": "{}",
    "mixed/desk.yml": "",
    "mixed/d.json": SCENARIO,
    "contracts/desk.json": CONTRACT,
    "contracts/other.json": CONTRACT,
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("one/**", ["one"]),
        ("one/**/*", ["one"]),
        ("one/**/*.json", ["one"]),
        ("./one/**", ["one"]),
        ("one/*.json", ["one/a.json"]),
        ("one/deep/*", ["one/deep"]),
        ("*/deep/*.json", ["one/deep"]),
        ("one/**/b.json", ["one/deep/b.json"]),
        ("two/*.json", ["two"]),
        ("mixed/**", ["mixed", "mixed/desk.yml"]),
        ("mixed/*.yml", ["mixed/desk.yml"]),
        ("contracts/*.json", ["contracts/desk.json", "contracts/other.json"]),
        ("[ot]*/**", ["one", "two"]),
        ("*/*.json", ["contracts/desk.json", "contracts/other.json", "mixed", "one/a.json", "two"]),
        ("o*", ["one"]),
        ("none/*.json", []),
    ],
)
def test_a_pattern_names_what_it_matches_and_no_more(base: Path, pattern: str, expected: list[str]) -> None:
    assert expected == suites(base, pattern)


def test_all_files_of_the_base_itself_are_no_folder_of_scenarios(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(SCENARIO)

    assert ["a.json"] == suites(tmp_path, "**")


def test_a_folder_that_holds_a_run_directory_is_not_judged_whole(base: Path) -> None:
    (base / "one/runs").mkdir()
    (base / "one/runs/state.json").write_text("{}")

    assert ["one/a.json", "one/deep/b.json"] == suites(base, "one/**", [base / "one/runs"])
