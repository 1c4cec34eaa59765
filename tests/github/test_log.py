"""What reports say in the log: it folds, it is bounded, and none of it is obeyed."""

import io

from hypothesis import given

from agenttest.github.commands import Level, annotation
from agenttest.github.log import Log
from tests.github.hostile import texts
from tests.github.runner_grammar import Command, commands

OWN = ("::stop-commands::", "::")


def shown(*parts: str, limit: int = 1000) -> str:
    stream = io.StringIO()
    log = Log(stream, limit)
    for text in parts:
        log.show(text)
    log.say("the end")
    return stream.getvalue()


def lines(text: str) -> list[str]:
    """What a reader sees."""
    return [line for line in text.splitlines() if not line.startswith(OWN)]


@given(texts)
def test_nothing_that_is_shown_is_obeyed_and_everything_after_it_is(text: str) -> None:
    after = annotation(Level.ERROR, "after")

    assert [Command("error", {}, "after")] == commands(shown(text) + after)


@given(texts, texts)
def test_a_fold_opens_and_closes_whatever_is_in_it(title: str, text: str) -> None:
    stream = io.StringIO()

    Log(stream, 1000).fold(title, text)

    assert ["group", "endgroup"] == [command.name for command in commands(stream.getvalue())]


def test_two_blocks_have_tokens_of_their_own() -> None:
    assert shown("a") != shown("a")


def test_a_text_is_readable() -> None:
    assert ["one", "  two", "the end"] == lines(shown("one\n  two\n"))


def test_a_long_text_ends_with_a_whole_line_and_says_so() -> None:
    told = lines(shown("漢漢\n" * 100, "never seen", limit=50))

    assert ["漢漢"] * 7 == told[:7]
    assert ["… the log shows no more; the run directory holds everything", "the end"] == told[7:]


def test_where_there_is_no_more_room_nothing_folds() -> None:
    stream = io.StringIO()
    log = Log(stream, 1)
    log.show("too long")

    log.fold("title", "text")

    assert [] == commands(stream.getvalue())


@given(texts)
def test_a_line_that_tells_how_far_a_run_is_is_one_and_is_not_obeyed(text: str) -> None:
    stream = io.StringIO()

    Log(stream, 100_000).follow(text)

    assert [] == commands(stream.getvalue())
    assert 1 == stream.getvalue().count("\n")


def test_how_far_a_run_is_takes_a_part_of_the_room_alone() -> None:
    stream = io.StringIO()
    log = Log(stream, 400)

    for number in range(100):
        log.follow(f"line {number}")
    log.show("x" * 390)

    assert ["line 0", "line 12", "… the log follows the run no further"] == [
        lines(stream.getvalue())[n] for n in (0, 12, 13)
    ]
    assert ["x" * 390] == lines(stream.getvalue())[14:]
