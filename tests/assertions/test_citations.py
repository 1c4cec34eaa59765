"""A source is cited by its id, and by nothing that only looks like it."""

import pytest

from agenttest.assertions import Finding
from tests.assertions.findings import finding


def test_a_source_is_cited_by_its_id() -> None:
    assert finding("source_required", "faq", ("policy", "faq")) is None


@pytest.mark.parametrize("cited", [(), ("FAQ",), ("faq.html",), ("see faq",)])
def test_nothing_else_cites_it(cited: tuple[str, ...]) -> None:
    assert Finding("the source 'faq' is not cited", list(cited)) == finding("source_required", "faq", cited)


def test_of_many_cited_sources_the_first_are_shown() -> None:
    found = finding("source_required", "faq", tuple(map(str, range(1_000))))

    assert found is not None
    assert list(map(str, range(50))) == found.observed
