"""Any text → the commands that were meant, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.github.commands import Level, annotation, debug, inert, mask, stopped
from tests.github.hostile import COMMANDS, texts
from tests.github.runner_grammar import MESSAGE_MOST, Command, commands

TOKEN = "0123456789abcdef"


@pytest.mark.parametrize("text", COMMANDS)
def test_the_runner_would_obey_what_an_agent_may_say(text: str) -> None:
    assert commands(text) or "stop-commands" in text


@pytest.mark.parametrize("text", COMMANDS)
def test_no_form_of_a_command_is_obeyed(text: str) -> None:
    assert [] == commands(inert(text))


@given(texts)
def test_no_text_is_obeyed(text: str) -> None:
    shown = inert(text)

    assert [] == commands(shown)
    assert "##[" not in shown
    shown.encode()


@given(texts, texts)
def test_an_annotation_is_one_command_whatever_it_says(message: str, title: str) -> None:
    found = commands(annotation(Level.ERROR, message, file="desk.yml", line=3, column=7, title=title))

    assert 1 == len(found)
    assert ("error", "desk.yml", "3", "7") == (
        found[0].name,
        *(found[0].properties[k] for k in ("file", "line", "col")),
    )
    assert {*found[0].properties} <= {"file", "line", "col", "title"}


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_an_annotations_words_arrive_as_they_are(message: str) -> None:
    (found,) = commands(annotation(Level.WARNING, message))

    assert Command("warning", {}, message.replace("##[", "##\\[")) == found


@given(st.text(st.sampled_from("ab ,:%=;"), min_size=1).filter(str.strip))
def test_a_files_name_arrives_as_it_is(name: str) -> None:
    (found,) = commands(annotation(Level.ERROR, "x", file=name, title="t"))

    assert name.lstrip() == found.properties["file"].lstrip()


def test_lines_of_a_message_stay_lines() -> None:
    (found,) = commands(annotation(Level.ERROR, "one\ntwo"))

    assert "one\ntwo" == found.data


def test_unseen_characters_are_shown() -> None:
    assert "\\u202e\\u001b\\ud800" == inert("\u202e\x1b\ud800")


@pytest.mark.parametrize("character", ["x", "漢", "😀", "%", "\n", "\ud800", "#"])
def test_a_message_is_short_enough_for_the_runner(character: str) -> None:
    (found,) = commands(annotation(Level.ERROR, character * 5000))

    assert MESSAGE_MOST >= len(found.data.encode("utf-16-le")) // 2
    assert found.data.endswith("…")


@given(texts)
def test_a_stopped_block_ends_and_holds_no_command(text: str) -> None:
    found = commands(stopped(text, TOKEN) + "\n" + annotation(Level.ERROR, "after"))

    assert [Command("error", {}, "after")] == found


@pytest.mark.parametrize("token", ["", "x", "0123456789abcde", "0123456789 abcdef", "0123456789::abcdef"])
def test_a_token_that_could_be_guessed_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="16"):
        stopped("text", token)


@given(texts)
def test_debug_lines_are_nothing_else(text: str) -> None:
    assert {"debug"} == {found.name for found in commands(debug(text))}


@given(st.text(min_size=8).filter(lambda text: not set(text) & {"\r", "\n"}))
def test_a_masked_value_arrives_as_it_is(value: str) -> None:
    assert [Command("add-mask", {}, value)] == commands(mask(value))


def test_lines_of_a_masked_value_stay_lines() -> None:
    assert [Command("add-mask", {}, "12345678\n87654321")] == commands(mask("12345678\n87654321"))


@pytest.mark.parametrize("value", ["", "e", "1234567", "\n", "12345678\ne", "e\r12345678"])
def test_a_short_value_is_not_masked(value: str) -> None:
    with pytest.raises(ValueError, match="8 characters at least"):
        mask(value)
