"""The journal: whole lines at each scenario's end, and a prefix of the whole at any moment."""

import hashlib
import json
from pathlib import Path

import pytest

from agenttest.files import Project
from agenttest.journal import Journal

pytestmark = pytest.mark.usefixtures("each_system")


def test_each_event_is_one_line_of_compact_json(tmp_path: Path) -> None:
    journal = Journal(Project.at(tmp_path), "events.jsonl")

    journal.add("run_started", words="\u202e\ud800 né", b=1, a=[None])
    journal.close()

    line = '{"a":[null],"b":1,"event":"run_started","words":"\\u202e\\ud800 né"}\n'
    assert line == (tmp_path / "events.jsonl").read_text()


@pytest.mark.parametrize(("event", "lines"), [("run_started", 1), ("decision", 0), ("scenario_completed", 1)])
def test_what_was_told_is_on_its_way_at_the_start_and_after_each_scenario(
    tmp_path: Path, event: str, lines: int
) -> None:
    journal = Journal(Project.at(tmp_path), "events.jsonl")

    journal.add(event)

    assert lines == (tmp_path / "events.jsonl").read_text().count("\n")
    journal.close()


def test_size_and_digest_are_those_of_the_file(tmp_path: Path) -> None:
    journal = Journal(Project.at(tmp_path), "events.jsonl")
    for number in range(1000):
        journal.add("decision", number=number)

    told = journal.close()

    data = (tmp_path / "events.jsonl").read_bytes()
    assert {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()} == told


def test_an_abandoned_journal_keeps_what_was_told(tmp_path: Path) -> None:
    journal = Journal(Project.at(tmp_path), "events.jsonl")
    journal.add("decision")

    journal.abandon()
    journal.abandon()

    assert {"event": "decision"} == json.loads((tmp_path / "events.jsonl").read_text())


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_text("another run's")

    with pytest.raises(FileExistsError):
        Journal(Project.at(tmp_path), "events.jsonl")

    assert "another run's" == (tmp_path / "events.jsonl").read_text()
