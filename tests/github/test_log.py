"""The block of the log that reports stand in."""

import io

from hypothesis import given

from agenttest.github.commands import Level, annotation
from agenttest.github.log import Log
from tests.github.hostile import texts
from tests.github.runner_grammar import Command, commands


def shown(*parts: str, limit: int = 1000) -> str:
    stream = io.StringIO()
    with Log(stream, limit) as log:
        for text in parts:
            log.show(text)
        log.say("the end")
    return stream.getvalue()


@given(texts)
def test_nothing_in_the_block_is_obeyed_and_everything_after_it_is(text: str) -> None:
    after = annotation(Level.ERROR, "after")

    assert [Command("error", {}, "after")] == commands(shown(text) + after)


def test_two_blocks_have_tokens_of_their_own() -> None:
    assert shown("a") != shown("a")


def test_a_text_is_readable() -> None:
    assert ["one", "  two", "", "the end"] == shown("one\n  two\n").splitlines()[1:-1]


def test_a_long_text_ends_with_a_whole_line_and_says_so() -> None:
    lines = shown("漢漢\n" * 100, "never seen", limit=50).splitlines()[1:-1]

    assert ["漢漢"] * 7 == lines[:7]
    assert ["… the log shows no more; the run directory holds everything", "the end"] == lines[7:]
