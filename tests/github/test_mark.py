"""What a comment remembers: it comes back as it was, hides nothing that ends it, and may be garbage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest.github import mark
from agenttest.github.mark import LENGTH, MOST, Mark, digest, key, remembered
from agenttest.model import Status
from tests.github import hostile

KEY, COMMIT = "0" * 32, "a" * 40
FAIL, INCOMPLETE, PASS = Status.FAIL, Status.INCOMPLETE, Status.PASS


def marked(scenarios: dict[str, Status], **more: object) -> Mark:
    return Mark(KEY, 7, COMMIT, *remembered(scenarios), **more)  # type: ignore[arg-type]


@given(st.dictionaries(hostile.texts, st.sampled_from(Status), max_size=20))
def test_a_mark_comes_back_as_it_was(scenarios: dict[str, Status]) -> None:
    made = marked(scenarios)

    assert made == mark.read(f"{made.line()}\nwhatever")


@pytest.mark.parametrize("made", [Mark(KEY), Mark(KEY, 7, "b" * 64, None, whole=True), marked({})])
def test_a_mark_that_knows_little_comes_back(made: Mark) -> None:
    found = mark.read(made.line())

    assert found is not None
    assert (made.key, made.run, made.commit, made.scenarios) == (found.key, found.run, found.commit, found.scenarios)


@given(st.dictionaries(hostile.texts, st.sampled_from(Status)))
def test_nothing_ends_the_hidden_line_but_its_end(scenarios: dict[str, Status]) -> None:
    line = marked(scenarios).line()

    assert (1, 1, len(line) - 3) == (line.count("<"), line.count(">"), line.index("-->"))


def test_a_comment_that_was_stored_with_other_line_ends_is_read() -> None:
    assert marked({"a": FAIL}) == mark.read(f"{marked({'a': FAIL}).line()}\r\nwhatever")


@pytest.mark.parametrize("before", [" ", "\n", "> ", "hello ", "\ufeff"])
def test_a_mark_that_is_not_the_beginning_is_none(before: str) -> None:
    assert None is mark.read(f"{before}{marked({'a': FAIL}).line()}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("agenttest:1", "agenttest:2"),
        (KEY, KEY[1:]),
        (KEY, KEY[:-1] + "g"),
        ("run=7", "run=-7"),
        ("run=7", "run=" + "9" * 5000),
        ("run=7", "run=٣"),
        (COMMIT, "../.."),
        ("fail=", "fail=<!--"),
        (" -->", " --> x"),
        (" -->", ""),
        ("pass=.", "pass="),
    ],
)
def test_garbage_is_no_mark(old: str, new: str) -> None:
    line = marked({"a": FAIL}).line()

    assert None is mark.read(line.replace(old, new))


@pytest.mark.parametrize("group", ["fail=A", "fail=" + "A" * 9, "fail=?"])
def test_scenarios_that_are_garbage_are_not_known(group: str) -> None:
    found = mark.read(Mark(KEY, 7, COMMIT, {}).line().replace("fail=.", group))

    assert (KEY, None) == (found and found.key, found and found.scenarios)


@given(st.text(alphabet="<!-- agenttest:1key=run0commit.fail?incompletepass+/\n>", max_size=300) | hostile.texts)
def test_no_comment_raises(body: str) -> None:
    found = mark.read(body)

    assert found is None or 32 == len(found.key)


def test_so_many_scenarios_are_remembered() -> None:
    made = marked({f"s{n}": FAIL if n % 2 else PASS for n in range(MOST)})

    assert (MOST, True) == (len(made.scenarios or ()), made.whole)
    assert len(made.line()) <= LENGTH
    assert made == mark.read(made.line())


def test_of_more_only_those_that_did_not_pass() -> None:
    made = marked({f"s{n}": INCOMPLETE if n == 7 else PASS for n in range(MOST + 1)})

    assert ({digest("s7"): INCOMPLETE}, False) == (made.scenarios, made.whole)
    assert (INCOMPLETE, PASS) == (made.status(digest("s7")), made.status(digest("s8")))
    assert made == mark.read(made.line())


def test_of_more_bad_ones_than_that_none() -> None:
    made = marked({f"s{n}": FAIL for n in range(MOST + 1)})

    assert None is made.scenarios
    assert len(made.line()) <= LENGTH


def test_a_key_tells_apart_what_is_written_alike() -> None:
    assert key(["a", "bc"]) != key(["ab", "c"])
