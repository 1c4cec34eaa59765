"""A run directory as it lies on disk: every way in which its files are not what was written is named."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agenttest import savedrun
from agenttest.replay import replay
from agenttest.runfiles import Folder
from agenttest.savedrun import REWRITTEN, Damaged, SavedRun
from tests.projects import KEPT, lay, read, saved, write

OTHERS = ["behavior-results.json", "events.jsonl", "state.json"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    lay(tmp_path, greets=KEPT)
    return saved(tmp_path)


def codes(run: Path) -> list[str]:
    """The codes of all issues of the files, as far as they can be read."""
    found = SavedRun(Folder(run))
    try:
        return [issue.code for issue in found.file_issues(found.summary())]
    except Damaged as damage:
        return [issue.code for issue in damage.issues]


def said(call: Callable[[], Any]) -> str:
    with pytest.raises(Damaged) as caught:
        call()
    (issue,) = caught.value.issues
    return issue.message


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_link(path: Path) -> None:
    path.rename(path.parent.parent / path.name)
    path.symlink_to(path.parent.parent / path.name)


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def shorter(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def one_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def huge(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.truncate(1 << 40)  # a hole, that takes no room


DAMAGES = {
    Path.unlink: "file-missing",
    as_folder: "file-unreadable",
    as_link: "file-unreadable",
    as_pipe: "file-unreadable",
    huge: "file-unreadable",
    longer: "file-changed",
    shorter: "file-changed",
    one_byte: "file-changed",
    lambda path: path.write_bytes(b""): "file-changed",
}


def test_a_run_that_was_not_touched_has_no_issue(run: Path) -> None:
    assert [] == codes(run)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(("damage", "code"), DAMAGES.items())
def test_a_damaged_file_is_an_issue(run: Path, name: str, damage: Callable[[Path], Any], code: str) -> None:
    damage(run / name)

    assert [code] == codes(run)


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (Path.unlink, "unfinished"),
        (as_folder, "file-unreadable"),
        (as_link, "file-unreadable"),
        (as_pipe, "file-unreadable"),
        (huge, "file-unreadable"),
        (shorter, None),
        (lambda path: path.write_bytes(b""), "not-json"),
        (lambda path: path.write_bytes(b"{}"), "schema-version"),
        (lambda path: path.write_bytes(b"[]"), "not-json"),
        (lambda path: path.write_bytes(b"\xff\xfe{}"), "not-json"),
        (lambda path: path.write_bytes(b"[" * 100_000), "not-json"),
        (lambda path: path.write_bytes(b'{"a": 1, "a": 1}'), "not-json"),
        (lambda path: path.write_bytes(b'{"a": NaN}'), "not-json"),
        (lambda path: path.write_bytes(path.read_bytes() + b"{}"), "not-json"),
        (lambda path: path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n")), "line-ends"),
    ],
)
def test_a_damaged_summary_is_an_issue(run: Path, damage: Callable[[Path], Any], code: str | None) -> None:
    damage(run / "summary.json")

    assert ([code] if code else []) == codes(run)


@pytest.mark.parametrize("name", OTHERS)
def test_rewritten_line_ends_are_named_as_the_cause(run: Path, name: str) -> None:
    path = run / name
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    found = SavedRun(Folder(run))

    assert [f"{name}: {REWRITTEN}"] == [issue.message for issue in found.file_issues(found.summary())]


def test_a_change_that_is_none_of_line_ends_is_not_taken_for_one(run: Path) -> None:
    path = run / "state.json"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + b" ")

    found = SavedRun(Folder(run))

    said = "state.json: it is not as it was written: size or SHA-256 differ"
    assert [said] == [issue.message for issue in found.file_issues(found.summary())]


def test_every_damaged_file_is_told(run: Path) -> None:
    for name in OTHERS:
        longer(run / name)

    assert ["file-changed"] * 3 == codes(run)


@pytest.mark.parametrize("name", ["../outside.json", "/etc/passwd", "~/x", "~nosuch/x", "a\0b", "", ".", "x" * 5000])
def test_nothing_outside_the_run_is_read_whatever_the_summary_lists(run: Path, name: str) -> None:
    (run.parent / "outside.json").write_text("{}")
    summary = read(run / "summary.json")
    summary["files"][name] = {"size": 2, "sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}
    write(run / "summary.json", summary)

    (code,) = codes(run)

    assert code in ("file-missing", "file-unreadable")


@pytest.mark.parametrize("entry", [None, [], "x", {}, {"size": True}, {"sha256": 5}])
def test_a_file_without_size_and_digest_is_an_issue(run: Path, entry: object) -> None:
    summary = read(run / "summary.json")
    summary["files"]["state.json"] = entry
    write(run / "summary.json", summary)

    assert ["file-changed"] == codes(run)


@pytest.mark.parametrize("name", OTHERS)
def test_a_summary_must_list_every_file(run: Path, name: str) -> None:
    summary = read(run / "summary.json")
    del summary["files"][name]
    write(run / "summary.json", summary)

    assert ["files"] == codes(run)


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("schema_version", 2, "schema-version"),
        ("files", None, "files"),
        ("files", [], "files"),
        ("status", None, "summary"),
        ("reason", ["kept"], "summary"),
        ("evidence_digest", 5, "summary"),
        ("children", {}, "children"),
        ("children", ["0001-a"], "children"),
        ("children", [{}], "children"),
    ],
)
def test_a_summary_of_another_form_is_an_issue(run: Path, key: str, value: object, code: str) -> None:
    write(run / "summary.json", {**read(run / "summary.json"), key: value})

    assert [code] == codes(run)


CHILD = {"suite": "a.yml", "status": "pass", "reason": "kept", "evidence_digest": "0", "directory": "0001-a"}


@pytest.mark.parametrize(
    ("children", "message"),
    [
        ([{**CHILD, "suite": None}], "a child in summary.json does not say its suite"),
        ([{**CHILD, "directory": 5}], "a child in summary.json does not say its directory"),
        ([CHILD, CHILD], "summary.json lists a directory twice"),
    ],
)
def test_a_child_that_is_not_told_as_it_must_be_is_an_issue(
    run: Path, children: list[dict[str, Any]], message: str
) -> None:
    write(run / "summary.json", {**read(run / "summary.json"), "children": children})

    assert message == said(SavedRun(Folder(run)).summary)


def test_the_journal_is_read_line_by_line(run: Path) -> None:
    assert read(run / "events.jsonl") == SavedRun(Folder(run)).events()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"event": "a"}\n{"event"', "events.jsonl ends inside a line: '{\"event\"'"),
        ('{"event": "a"}\n\n', "events.jsonl:2 is not the JSON that was written"),
        ('{"event": "a"}\n{"event": NaN}\n', "events.jsonl:2 is not the JSON that was written"),
        ("[]\n", "events.jsonl:1 is no event: '[]'"),
        ('{"event": 5}\n', "events.jsonl:1 is no event: '{\"event\": 5}'"),
    ],
)
def test_a_journal_of_another_form_is_an_issue_at_its_line(run: Path, text: str, message: str) -> None:
    (run / "events.jsonl").write_text(text)

    assert message == said(SavedRun(Folder(run)).events)


def test_a_deeply_nested_line_is_an_issue(run: Path) -> None:
    (run / "events.jsonl").write_text("[" * 100_000 + "\n")

    assert "events.jsonl:1 is not the JSON that was written" == said(SavedRun(Folder(run)).events)


def test_an_empty_journal_has_no_events(run: Path) -> None:
    (run / "events.jsonl").write_text("")

    assert [] == SavedRun(Folder(run)).events()


@pytest.mark.parametrize("name", ["20260101T000000Z-0a1b2c3d", "0001-desk"])
def test_an_empty_folder_of_a_runs_name_is_a_run_that_was_begun(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()

    assert SavedRun(Folder(tmp_path / name)).begun


@pytest.mark.parametrize("name", ["20260101", "desk", "0001-", "20260101T000000Z-0a1b2c3d.old"])
def test_an_empty_folder_of_another_name_is_no_run(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()

    assert not SavedRun(Folder(tmp_path / name)).begun


@pytest.mark.parametrize("name", ["events.jsonl", "state.json", "behavior-results.json", "summary.json"])
def test_a_folder_with_any_file_of_a_run_is_a_run(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}")

    assert SavedRun(Folder(tmp_path)).begun


def test_more_events_than_a_run_has_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, greets=KEPT)
    run = saved(tmp_path)
    assert replay(run).valid

    monkeypatch.setattr(savedrun, "EVENTS", 3)

    said = "events.jsonl holds more than 3 events, which no run has"
    assert [("journal", said)] == [(issue.code, issue.message) for issue in replay(run).issues]


@pytest.mark.parametrize("view", ["report.html", "results.sarif", "junit.xml", "summary.md"])
def test_a_view_that_no_run_wrote_is_told(run: Path, view: str) -> None:
    (run / view).write_text("forged")

    assert [f"{view}: it is there, and summary.json does not list it"] == [
        issue.message for issue in SavedRun(Folder(run)).file_issues(read(run / "summary.json"))
    ]


def test_a_document_of_more_values_than_a_run_writes_is_not_parsed(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agenttest.savedrun.VALUES", 1_000)
    (run / "state.json").write_text(f'{{"suite": [{"[]," * 1_000}[]]}}')

    assert "state.json holds more values than any run writes" == said(lambda: SavedRun(Folder(run)).json("state.json"))
