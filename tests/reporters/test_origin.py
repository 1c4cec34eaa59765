"""The words for where observations came from: a recording or an endpoint's class, and what was exchanged."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from agenttest.model import Exchange, Judged, Observation, Provenance, Status
from agenttest.reporters.origin import COUNTS, counts, exchange, exchanges, limits, named, origin, redacted, tokens
from tests import nouns


def asked(*found: Exchange, error: str | None = None) -> list[Judged]:
    """A scenario for each exchange, all of them with this error."""
    seen = Observation("desk", error=error)
    return [replace(nouns.judged(Status.PASS), observation=seen, exchange=each) for each in found]


def test_a_recording_is_named_by_its_path() -> None:
    assert "observations from a.json" == origin(Provenance("observation_file", "unverified_fixture", "a.json", "0"))


@pytest.mark.parametrize(
    ("kind", "words"),
    [("loopback", "a loopback"), ("isolated", "an isolated"), ("remote", "a remote")],
)
def test_an_endpoint_is_named_by_its_class_and_model(kind: str, words: str) -> None:
    assert f"answers of {words} endpoint, model 'desk-assistant'" == origin(nouns.live_provenance(kind=kind))


def test_no_word_of_a_class_that_there_is_not_is_repeated() -> None:
    assert origin(nouns.live_provenance(kind="<b>")).startswith("answers of an endpoint of no known class, ")


def test_a_long_model_is_cut() -> None:
    assert origin(nouns.live_provenance(model="m" * 1000)).endswith("… (1,000 characters)")


@pytest.mark.parametrize(
    ("source", "words"),
    [("invocation", "named by the invocation"), ("contract", "named by the contract"), ("<b>", "of unknown origin")],
)
def test_who_named_the_endpoint_is_said(source: str, words: str) -> None:
    assert words == named(nouns.endpoint(source=source))


def test_limits_are_those_of_one_request() -> None:
    assert "at most 0.5 s, 1 token and 2,097,152 bytes each" == limits(
        nouns.endpoint(timeout_seconds=0.5, max_tokens=1)
    )


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([], ""),
        ([nouns.exchange()], "1 exchange, 95 ms, 40 tokens"),
        ([nouns.exchange(), nouns.exchange(latency_ms=1412)], "2 exchanges, 95–1,412 ms, 80 tokens"),
        ([nouns.exchange(usage={})], "1 exchange, 95 ms"),
    ],
)
def test_exchanges_are_told_in_one_line(found: list[Exchange], words: str) -> None:
    assert words == exchanges(asked(*found))


def test_exchanges_without_an_answer_are_counted() -> None:
    assert "1 exchange (1 failed), 7 ms" == exchanges(asked(Exchange(None, 7), error="connection refused"))


def test_scenarios_in_which_nobody_was_asked_do_not_count() -> None:
    assert "1 exchange, 95 ms, 40 tokens" == exchanges([nouns.judged(Status.PASS), *asked(nouns.exchange())])


@pytest.mark.parametrize(("status", "words"), [(503, "HTTP 503, 7 ms"), (None, "no answer, 7 ms")])
def test_an_exchange_is_told_by_its_status_and_time(status: int | None, words: str) -> None:
    assert words == ", ".join(exchange(Exchange(status, 7)))


@pytest.mark.parametrize(
    ("usage", "count"),
    [
        ({"total_tokens": 9, "prompt_tokens": 4, "completion_tokens": 4}, 9),
        ({"prompt_tokens": 4, "completion_tokens": 3}, 7),
        ({"reasoning_tokens": 4}, 0),
    ],
)
def test_the_total_comes_before_what_it_is_made_of(usage: Mapping[str, int], count: int) -> None:
    assert count == tokens(usage)


def test_a_provider_counts_as_it_names_things_on_one_line_and_not_without_end() -> None:
    found = list(counts({f"a\nb{n}": 1000 for n in range(COUNTS + 1)}))

    assert (COUNTS, "a\\nb0 1,000") == (len(found), found[0])


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ((), ""),
        (("a",), "1 assertion was decided on words that are redacted here"),
        (("a", "b"), "2 assertions were decided on words that are redacted here"),
    ],
)
def test_what_is_redacted_is_counted(names: tuple[str, ...], words: str) -> None:
    assert words == redacted([replace(nouns.judged(Status.PASS), redacted=names)])
