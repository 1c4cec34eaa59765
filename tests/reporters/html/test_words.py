"""A long text is shown up to a bound, with marks where something was decided, wherever that is."""

from hypothesis import given
from hypothesis import strategies as st

from agenttest.reporters.html.words import AROUND, MOST, OFTEN, Mark, Part, parts
from tests.github import hostile


def test_a_text_within_the_bound_is_one_part() -> None:
    assert [Part("hello")] == list(parts("hello", 10))


def test_an_empty_text_has_no_part() -> None:
    assert [] == list(parts("", 10))


def test_how_much_is_left_out_is_said() -> None:
    assert [Part("hel"), Part("1,002 characters left out", Mark.GAP)] == list(parts("hello" + "x" * 1000, 3))


def test_every_place_of_a_needle_is_marked() -> None:
    assert [Part("no", Mark.BROKEN), Part(" and "), Part("no", Mark.BROKEN)] == list(
        parts("no and no", 99, [("no", Mark.BROKEN)])
    )


def test_what_breaks_an_assertion_has_the_first_claim_to_a_place() -> None:
    found = list(parts("sent back 39", 99, [("back 39", Mark.KEPT), ("sent back", Mark.BROKEN)]))

    assert [Part("sent back", Mark.BROKEN), Part(" 39")] == found


def test_what_breaks_an_assertion_is_shown_wherever_it_is() -> None:
    text = "a" * 1000 + "no" + "b" * 1000

    assert [
        Part("a" * 10),
        Part(f"{1000 - 10 - AROUND} characters left out", Mark.GAP),
        Part("a" * AROUND),
        Part("no", Mark.BROKEN),
        Part("b" * AROUND),
        Part(f"{1000 - AROUND} characters left out", Mark.GAP),
    ] == list(parts(text, 10, [("no", Mark.BROKEN)]))


def test_what_keeps_an_assertion_is_not_worth_an_exception() -> None:
    assert Mark.KEPT not in {part.mark for part in parts("a" * 1000 + "yes", 10, [("yes", Mark.KEPT)])}


def test_a_mark_over_the_bound_is_whole() -> None:
    assert [Part("ab"), Part("nono", Mark.BROKEN)] == list(parts("abnono", 4, [("nono", Mark.BROKEN)]))


def test_a_needle_that_is_everywhere_is_marked_only_so_often() -> None:
    found = list(parts("no " * 1000, 5000, [("no", Mark.BROKEN)]))

    assert OFTEN == sum(part.mark is Mark.BROKEN for part in found)


def test_all_marks_together_are_bounded() -> None:
    needles = [(f"{n:03}", Mark.BROKEN) for n in range(2 * MOST)]

    found = list(parts(" ".join(needle for needle, _ in needles), 5000, needles))

    assert MOST == sum(part.mark is Mark.BROKEN for part in found)


@given(hostile.texts, st.lists(st.tuples(hostile.texts, st.sampled_from([Mark.BROKEN, Mark.KEPT])), max_size=3))
def test_no_character_is_lost_or_added(text: str, needles: list[tuple[str, Mark]]) -> None:
    assert text == "".join(part.text for part in parts(text, len(text), needles))
