"""A refusal is what the agent stated, as a value of its own."""

import pytest

from agenttest.assertions import Finding
from tests.assertions.findings import finding


@pytest.mark.parametrize(
    ("expected", "observed", "found"),
    [
        (True, True, None),
        (False, False, None),
        (True, False, Finding("the agent did not refuse, and must", False)),
        (False, True, Finding("the agent refused, and must not", True)),
    ],
)
def test_the_agent_refuses_as_it_must(expected: bool, observed: bool, found: Finding | None) -> None:
    assert found == finding("refusal", expected, observed)
