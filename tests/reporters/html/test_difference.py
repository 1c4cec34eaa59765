"""Values become lines to be read, and two values the lines in which they differ."""

from hypothesis import given
from hypothesis import strategies as st

from agenttest.assertions.subset import differences
from agenttest.reporters.html import difference
from agenttest.reporters.html.difference import CHARACTERS, LINES, Line, Sign, bounded, contrast, sequence, spread

SIGNS = {Sign.SAME: " ", Sign.EXPECTED: "-", Sign.OBSERVED: "+", Sign.MORE: "."}
LONG = "a text of forty characters, which is long"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


def told(lines: object) -> list[str]:
    return [SIGNS[line.sign] + line.text for line in lines]  # type: ignore[attr-defined]


def test_a_short_value_stands_on_one_line() -> None:
    assert [' {"order": "B-1", "amount": 39}'] == told(spread({"order": "B-1", "amount": 39}))


def test_a_long_value_has_a_line_for_each_member() -> None:
    assert [" {", f'   "a": "{LONG}",', f'   "b": ["{LONG}"],', '   "c": {}', " }"] == told(
        spread({"a": LONG, "b": [LONG], "c": {}})
    )


def test_a_difference_shows_both_sides_of_what_differs_and_once_what_is_the_same() -> None:
    expected, observed = {"order": "B-1", "amount": 39}, {"amount": 40, "order": "B-1"}

    found = told(contrast(expected, observed))

    assert [" {", '   "order": "B-1",', '-  "amount": 39', '+  "amount": 40', " }"] == found


def test_what_is_missing_is_expected_and_what_nobody_asked_for_is_more() -> None:
    assert [" {", '-  "a": 1,', '.  "b": 2', " }"] == told(contrast({"a": 1}, {"b": 2}))


def test_lists_are_compared_member_by_member() -> None:
    assert [" [", "   1,", "-  2,", "+  3,", "+  4", " ]"] == told(contrast([1, 2], [1, 3, 4]))


def test_a_value_of_another_kind_is_shown_whole() -> None:
    assert ["-[1]", '+{"a": 1}'] == told(contrast([1], {"a": 1}))


def test_a_boolean_is_no_number() -> None:
    assert ["-1", "+true"] == told(contrast(1, True))


def test_names_are_aligned() -> None:
    assert ["-find", " send", "+send"] == told(sequence(["find", "send"], ["send", "send"]))


def test_only_the_first_lines_are_shown() -> None:
    assert (tuple(Line(Sign.SAME, str(n)) for n in range(LINES)), True) == bounded(
        Line(Sign.SAME, str(n)) for n in range(LINES + 1)
    )


def test_lines_that_are_long_together_are_fewer() -> None:
    line = Line(Sign.SAME, "x" * (CHARACTERS // 2))

    assert ((line, line), True) == bounded([line, line, line])


def test_all_lines_are_shown_where_they_are_few() -> None:
    assert ((Line(Sign.SAME, "1"),), False) == bounded([Line(Sign.SAME, "1")])


def test_of_a_huge_value_no_more_is_looked_at_than_is_shown() -> None:
    class Endless(list[int]):
        def __iter__(self):  # type: ignore[no-untyped-def]
            yield from range(10 * LINES)
            raise AssertionError("looked at too much")

        def __len__(self) -> int:
            return 100 * LINES

    assert bounded(spread(Endless([1])))[1]


@given(VALUES, VALUES)
def test_a_difference_has_a_sign_exactly_where_an_assertion_finds_one(expected: object, observed: object) -> None:
    signs = {line.sign for line in contrast(expected, observed)}

    assert bool(list(differences(expected, observed))) == bool(signs & {Sign.EXPECTED, Sign.OBSERVED})


def test_deep_values_do_not_wander_out_of_the_page() -> None:
    value: object = LONG * 2
    for _ in range(60):
        value = [value]

    widest = max(len(line.text) - len(line.text.lstrip()) for line in spread(value))

    assert len(difference.STEP) * difference.DEEPEST == widest
