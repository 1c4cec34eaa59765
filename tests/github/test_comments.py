"""The comments of a pull request: one of a key, ours only, however many there are and whatever goes wrong."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from agenttest.github.api import Refused
from agenttest.github.comments import Thread, ours
from agenttest.github.mark import Mark
from tests.github import api_service
from tests.github.api_service import BOT, FORBIDDEN, STRANGER, Line, Service, api

KEY, OTHER = "a" * 32, "b" * 32
LONG = "\\" * 65_000  # twice as long in JSON


@pytest.fixture
def service() -> Iterator[Service]:
    with api_service.running() as started:
        yield started


def text(key: str = KEY, said: str = "so", run: int = 1) -> str:
    return f"{Mark(key, run, scenarios={}).line()}\n{said}"


def thread(service: Service, folder: Path, **more: str) -> Thread:
    return Thread(api(service, folder, **more), 5)


def test_the_first_comment_is_written(service: Service, tmp_path: Path) -> None:
    thread(service, tmp_path).keep(KEY, text())

    assert [text()] == service.bodies
    assert ["GET", "POST"] == service.methods


def test_the_next_takes_its_place(service: Service, tmp_path: Path) -> None:
    for said in ("one", "two", "three"):
        thread(service, tmp_path).keep(KEY, text(said=said))

    assert [text(said="three")] == service.bodies


def test_comments_of_other_keys_stay(service: Service, tmp_path: Path) -> None:
    for key in (KEY, OTHER, KEY):
        thread(service, tmp_path).keep(key, text(key))

    assert [text(KEY), text(OTHER)] == service.bodies


def test_what_our_comment_remembers_is_known(service: Service, tmp_path: Path) -> None:
    service.comment(text(run=7))

    assert Mark(KEY, 7, scenarios={}) == thread(service, tmp_path).before(KEY)
    assert None is thread(service, tmp_path).before(OTHER)


def test_of_two_the_oldest_stays_and_the_others_go(service: Service, tmp_path: Path) -> None:
    first, _, _ = service.comment(text(said="1")), service.comment("hello", STRANGER), service.comment(text(said="2"))

    thread(service, tmp_path).keep(KEY, text(said="3"))

    assert [(first["id"], text(said="3")), (101, "hello")] == [(c["id"], c["body"]) for c in service.comments]


def test_a_second_that_cannot_be_removed_is_left(service: Service, tmp_path: Path) -> None:
    service.comment(text(said="1"))
    service.comment(text(said="2"))
    service.script = [Line("DELETE", "comments", 403, FORBIDDEN)]

    thread(service, tmp_path).keep(KEY, text(said="3"))

    assert [text(said="3"), text(said="2")] == service.bodies


@pytest.mark.parametrize(
    "author",
    [
        STRANGER,
        {"login": "github-actions", "id": 8, "type": "User"},
        {"login": "other-app[bot]", "id": 9, "type": "Bot"},
        {"login": None},
        {},
    ],
)
def test_a_forged_mark_is_neither_believed_nor_changed(
    service: Service, tmp_path: Path, author: Mapping[str, Any]
) -> None:
    forged = text(said="forged", run=999)
    service.comment(forged, author)

    found = thread(service, tmp_path)
    found.keep(KEY, text())

    assert None is found.before(KEY)
    assert [forged, text()] == service.bodies


def test_a_forged_second_is_not_removed(service: Service, tmp_path: Path) -> None:
    service.comment(text(), BOT)
    service.comment(text(said="forged"), STRANGER)

    thread(service, tmp_path).keep(KEY, text(said="new"))

    assert [text(said="new"), text(said="forged")] == service.bodies


def test_a_mark_that_a_bot_quotes_is_none(service: Service, tmp_path: Path) -> None:
    service.comment(f"The title is: {text()}", BOT)

    assert None is thread(service, tmp_path).before(KEY)


@pytest.mark.parametrize(
    "odd",
    [None, 7, {}, {"id": "x", "body": text(), "user": BOT}, {"id": 1, "body": None, "user": BOT}, {"user": None}],
)
def test_an_odd_entry_is_passed_over(service: Service, tmp_path: Path, odd: Any) -> None:
    service.comments = [odd]

    assert {} == thread(service, tmp_path).own


def test_who_we_are_is_asked_only_where_there_is_a_mark(service: Service, tmp_path: Path) -> None:
    service.comment("hello", STRANGER)

    thread(service, tmp_path)

    assert ["GET"] == service.methods


@pytest.mark.parametrize(
    ("user", "graphql"),
    [
        ({"login": "our-app[bot]", "id": 9, "type": "Bot"}, True),
        ({"login": "octocat", "id": 9, "type": "User"}, True),
        ({"login": "octocat", "id": 9, "type": "User"}, False),
        ({"login": "gitea-actions", "id": -2}, False),
        (BOT, False),
    ],
)
def test_whoever_the_token_speaks_for_there_is_one_comment(
    service: Service, tmp_path: Path, user: Mapping[str, Any], graphql: bool
) -> None:
    service.user, service.graphql = user, graphql

    for said in ("one", "two"):
        thread(service, tmp_path).keep(KEY, text(said=said))

    assert [text(said="two")] == service.bodies


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        (BOT, True),
        ({"login": "gitea-actions", "id": -2}, True),
        ({"login": "forgejo-actions", "id": -2, "type": ""}, True),
        ({"login": "gitea-actions", "id": 2, "type": "User"}, False),
        ({"login": "gitea-actions"}, False),
        ({"login": ["github-actions[bot]"], "type": "Bot"}, False),
        ({"login": "github-actions[bot]", "type": "User"}, False),
    ],
)
def test_a_token_of_nobody_known_is_the_jobs_own(author: Mapping[str, Any], expected: bool) -> None:
    assert expected is ours(author, None)


@pytest.mark.parametrize("at", [0, 100, 999])
def test_ours_is_found_among_a_thousand(service: Service, tmp_path: Path, at: int) -> None:
    for n in range(1000):
        service.comment(*((text(), BOT) if n == at else (f"hello {n}", STRANGER)))

    thread(service, tmp_path).keep(KEY, text(said="new"))

    assert 1000 == len(service.comments)
    assert text(said="new") == service.bodies[at]
    assert 10 == service.methods.count("GET")


def test_a_page_that_is_too_large_is_read_in_smaller_ones(service: Service, tmp_path: Path) -> None:
    for n in range(150):
        service.comment(LONG if n < 100 else "hello", STRANGER)
    service.comment(text(), BOT)

    thread(service, tmp_path).keep(KEY, text(said="new"))

    assert text(said="new") == service.bodies[-1]
    assert 151 == len(service.comments)


def test_pages_without_an_end_come_to_one(service: Service, tmp_path: Path) -> None:
    service.script = [Line("GET", "comments", 200, [{}], {"Link": '<x>; rel="next"'})]

    assert {} == thread(service, tmp_path).own
    assert 30 == len(service.asked)


def test_a_comment_that_somebody_removed_is_written_anew(service: Service, tmp_path: Path) -> None:
    service.comment(text())
    found = thread(service, tmp_path)
    service.comments.clear()

    found.keep(KEY, text(said="new"))

    assert [text(said="new")] == service.bodies


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("how", [{"status": 502}, {"drop": True}])
def test_a_post_of_which_nothing_is_heard_makes_no_second(
    service: Service, tmp_path: Path, how: dict[str, Any], done: bool
) -> None:
    service.script = [Line("POST", "comments", times=1, done=done, **how)]

    thread(service, tmp_path).keep(KEY, text())

    assert [text()] == service.bodies


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_a_refusal_is_told(service: Service, tmp_path: Path, method: str) -> None:
    service.comment(text())
    service.script = [Line(method, "comments", 403, FORBIDDEN)]

    with pytest.raises(Refused, match="Resource not accessible by integration"):
        thread(service, tmp_path).keep(KEY, text())


def test_a_list_that_is_none_is_empty(service: Service, tmp_path: Path) -> None:
    service.script = [Line("GET", "comments", 200, {"message": "odd"})]

    assert {} == thread(service, tmp_path).own
