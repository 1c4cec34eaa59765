"""A folder of scenario files becomes a suite: every file of it a scenario or a problem, and nothing outside it read."""

import hashlib
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from agenttest import files, suites
from agenttest.files import Project
from agenttest.model import Suite
from agenttest.settings import SCENARIO_BYTES
from tests.suites.harness.scenarios import CALLED, said, suite, text, told

pytestmark = pytest.mark.usefixtures("each_system")
LINK = "is a symbolic link; name the file itself"
ODD = "is no plain file (a pipe, socket or device); name a file"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s").mkdir()
    return tmp_path / "s"


def load(folder: Path, name: str = "s") -> Suite:
    return suites.load(Project.at(folder.parent), name)


def ids(found: Suite) -> list[str]:
    return [scenario.id for scenario in found.scenarios]


def problems(found: Suite) -> list[str]:
    return [str(problem) for problem in found.problems]


def put(path: Path, name: str = "desk") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(name=name))


def test_every_file_in_the_folder_and_in_the_folders_in_it_is_a_scenario(folder: Path) -> None:
    put(folder / "a.json", "one")
    put(folder / "deep/er/b.JSON", "two")
    put(folder / "folder.json/c.json", "three")

    assert ["one", "three", "two"] == ids(load(folder))


def test_what_is_hidden_evidence_or_no_json_is_passed_over(folder: Path) -> None:
    for name in (".a.json", ".git/b.json", "c.trace.json", "d.Observations.JSON", "e.jsonl", "f.yml", "README", "json"):
        put(folder / name)

    assert ((), ()) == (load(folder).files, load(folder).problems)


@pytest.mark.parametrize("name", ["s", "nothing", "deep/nothing"])
def test_in_an_empty_folder_or_none_there_is_nothing(folder: Path, name: str) -> None:
    found = load(folder, name)

    assert ([], ()) == (ids(found), found.problems)


def test_one_file_is_a_suite_too(folder: Path) -> None:
    put(folder / "a.json", "one")
    put(folder / "b.json", "two")

    assert ["two"] == ids(load(folder, "s/b.json"))


def test_files_stand_in_the_order_of_their_names_whatever_the_folder_lists_first(folder: Path) -> None:
    names = ["B.json", "a.json", "b.json", "c/a.json", "C/b.json"]
    for number, name in enumerate(names):
        put(folder / name, str(number))

    assert [f"s/{name}" for name in ("a.json", "B.json", "b.json", "c/a.json", "C/b.json")] == [
        file.path for file in load(folder).files or ()
    ]


def test_scenarios_stand_in_the_order_of_their_ids_in_any_case(folder: Path) -> None:
    for number, name in enumerate(["b", "C", "a", "ä"]):
        put(folder / f"{number}.json", name)

    assert ["a", "b", "C", "ä"] == ids(load(folder))


def test_one_bad_file_stops_no_other(folder: Path) -> None:
    put(folder / "a.json", "one")
    (folder / "b.json").write_text("{")

    found = load(folder)
    assert ["one"] == ids(found)
    assert ["s/b.json:1:2: the file ends where a key in double quotes should stand; close what is open"] == problems(
        found
    )


def fifo(path: Path) -> None:
    os.mkfifo(path)


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.symlink_to("good.json"), LINK),
        (lambda path: path.symlink_to("/etc/passwd"), LINK),
        (lambda path: path.symlink_to("nowhere"), LINK),
        (lambda path: path.symlink_to("x.json"), LINK),
        (
            lambda path: path.symlink_to("/etc"),
            "is a symbolic link to a folder, which is not followed; put the folder itself there",
        ),
        (fifo, ODD),
        (bound, ODD),
    ],
    ids=["link", "link outside", "dangling link", "link to itself", "link to a folder", "fifo", "socket"],
)
def test_what_is_no_plain_file_is_told_and_not_followed(
    folder: Path, make: Callable[[Path], None], problem: str
) -> None:
    put(folder / "good.json", "good")
    make(folder / "x.json")

    found = load(folder)
    assert (["good"], [f"s/x.json: {problem}"]) == (ids(found), problems(found))


def test_a_link_to_a_folder_is_told_whatever_its_name(folder: Path) -> None:
    put(folder.parent / "elsewhere/a.json")
    (folder / "more").symlink_to("../elsewhere")

    assert ["s/more: is a symbolic link to a folder, which is not followed; put the folder itself there"] == (
        problems(load(folder))
    )


@pytest.mark.parametrize("name", [".hidden", "notes.txt", "dangling"])
def test_a_link_that_holds_no_scenarios_is_passed_over(folder: Path, name: str) -> None:
    target = {".hidden": "..", "notes.txt": "/etc/passwd", "dangling": "nowhere"}[name]
    (folder / name).symlink_to(target)

    assert [] == problems(load(folder))


def test_a_folder_behind_a_link_is_told(folder: Path) -> None:
    put(folder / "inner/a.json")
    (folder.parent / "link").symlink_to("s")

    assert ["link/inner: lies behind something that is a link or no folder; name a plain path"] == (
        problems(load(folder, "link/inner"))
    )


def test_a_folder_that_becomes_a_link_is_not_followed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder / "inner/a.json")
    put(folder.parent / "outside/b.json", "outside")
    listed = Project.entries

    def entries(project: Project, name: str) -> list[tuple[str, str]]:
        found = listed(project, name)
        if name == "s":
            (folder / "inner").rename(folder.parent / "gone")
            (folder / "inner").symlink_to("../outside")
        return found

    monkeypatch.setattr(Project, "entries", entries)

    found = load(folder)
    assert [] == ids(found)
    assert ["s/inner: lies behind something that is a link or no folder; name a plain path"] == problems(found)


def test_a_file_that_is_gone_once_it_is_read_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder / "a.json")
    monkeypatch.setattr(Project, "entries", lambda project, name: [("s/gone.json", "file"), ("s/a.json", "file")])

    found = load(folder)
    assert (["desk"], ["s/gone.json: does not exist; check the path"]) == (ids(found), problems(found))


@pytest.mark.parametrize(("name", "refused"), [("s/a.json", "file"), ("s/inner", "folder")])
def test_what_this_user_may_not_read_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, refused: str
) -> None:
    put(folder / "a.json", "one")
    put(folder / "inner/b.json", "two")
    call = {"file": "read_at", "folder": "folder"}[refused]
    real = getattr(Project if refused == "folder" else files, call)

    def deny(*arguments: object) -> object:
        if name in arguments:
            raise PermissionError(13, "Permission denied")
        return real(*arguments)

    monkeypatch.setattr(Project if refused == "folder" else files, call, deny)

    assert [f"{name}: cannot be read: permission denied; let this user read it"] == problems(load(folder))


def test_a_huge_file_is_told_unread(folder: Path) -> None:
    with open(folder / "a.json", "wb") as file:
        file.truncate(SCENARIO_BYTES + 1)

    assert ["s/a.json: has 8,388,609 bytes; at most 8,388,608 (8 MiB) are read, so make it smaller"] == (
        problems(load(folder))
    )


def test_no_depth_of_folders_is_too_much(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def entries(_: Project, name: str) -> list[tuple[str, str]]:
        return [(f"{name}/d", "folder")] if len(name) < 10_000 else [(f"{name}/a.json", "file")]

    monkeypatch.setattr(Project, "entries", entries)

    assert 1 == len(load(folder).files or ())


def test_a_name_that_is_no_unicode_is_a_name(folder: Path) -> None:
    put(Path(os.fsdecode(os.fsencode(folder) + b"/\xff.json")))

    assert ["desk"] == ids(load(folder))


@pytest.mark.parametrize("other", ["desk", "DESK", " Desk\t"])
def test_every_file_of_a_shared_id_is_told_with_another_one(other: str) -> None:
    said = "give each its own"

    assert [
        f"0.json:1:8: id 'desk' is also that of 1.json; {said}",
        f"1.json:1:8: id {other.strip()!r} is also that of 0.json; {said}",
        f"3.json:1:8: id 'desk' is also that of 0.json; {said}",
    ] == told(text(), text(name=other), text(name="else"), text())


def test_none_of_the_files_of_a_shared_id_is_judged() -> None:
    assert ["else"] == ids(suite(text(), text(name="Desk"), text(name="else")))


def test_a_file_with_a_problem_shares_no_id() -> None:
    found = suite(text(), text(5))

    assert (["desk"], 1) == (ids(found), len(found.problems))


def test_a_file_of_a_shared_id_gives_no_warning() -> None:
    assert () == suite(text(tags=["safety"]), text()).warnings


def test_what_another_files_name_holds_is_shown_and_not_obeyed(folder: Path) -> None:
    put(folder / "a\x1b[31m\n.json")
    put(folder / "b.json")

    (problem,) = [problem.message for problem in load(folder).problems if problem.path == "s/b.json"]
    assert r"s/a\u001b[31m\n.json" in problem


def test_the_digest_is_of_the_lines_that_sha256sum_writes(folder: Path) -> None:
    put(folder / "a.json")
    (folder / "b.json").symlink_to("a.json")
    lines = f"{hashlib.sha256(text().encode()).hexdigest()}  s/a.json\n-  s/b.json\n"

    assert hashlib.sha256(lines.encode()).hexdigest() == load(folder).digest


def test_the_same_suite_is_read_again_from_what_a_run_keeps(folder: Path) -> None:
    put(folder / "a.json", "one")
    put(folder / "twice/a.json", "TWO")
    put(folder / "twice/b.json", "two")
    (folder / "c.json").write_bytes(b"\xff{")
    (folder / "d.json").symlink_to("a.json")
    (folder / "e").symlink_to("twice")
    (folder / "f.json").write_text(text(CALLED, tags=["safety"]))
    found = load(folder)

    assert found == suites.recalled(suites.saved(found))


def test_the_type_of_what_is_wrong_does_not_hide_the_rest() -> None:
    assert 2 == len(said(text(5, risk="none")))
