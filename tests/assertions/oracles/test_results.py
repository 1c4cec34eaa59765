"""A result of the tool succeeded: one is enough, and that of a blocked call is none."""

from dataclasses import replace

import pytest

from agenttest.assertions.finding import Finding
from agenttest.model import Payload, Status
from tests.assertions.oracles.traces import call, finding, result, steps


def succeeded(*payloads: Payload) -> Finding:
    return finding("ToolResultSucceeded", {"toolName": " Read "}, steps(*payloads))


def test_a_retry_that_helped_is_a_success() -> None:
    found = succeeded(call("read"), result("read", False), call("read"), result("read"), result("cp", False))

    assert Finding("a result of 'Read' succeeded", "failed, succeeded", status=Status.PASS) == found


def test_a_result_without_its_call_is_one() -> None:
    assert Status.PASS is succeeded(result("READ")).status


def test_a_failure_is_told_with_what_it_says() -> None:
    found = succeeded(result("read", False), replace(result("read", False), error="timed\nout"))

    assert Finding("no result of 'Read' succeeded; the last of 2 results says 'timed\\nout'", "failed, failed") == found


def test_a_failure_that_says_nothing_is_told_alone() -> None:
    assert Finding("no result of 'Read' succeeded", "failed") == succeeded(result("read", False))


@pytest.mark.parametrize(
    ("payloads", "message"),
    [
        ((call("read"), result("cp")), "'Read' was called, and has no result"),
        ((call("cp"), result("cp")), "'Read' was never called"),
        ((call("reads"),), "'Read' was never called; the nearest call is of 'reads'"),
        ((), "'Read' was never called"),
    ],
    ids=["called", "not-called", "nearly-called", "no-step"],
)
def test_a_tool_without_results_has_not_succeeded(payloads: tuple[Payload, ...], message: str) -> None:
    assert (Status.FAIL, message) == (lambda found: (found.status, found.message))(succeeded(*payloads))


def test_a_success_of_a_blocked_call_contradicts_itself() -> None:
    found = succeeded(call("read", "b", "c1"), result("read", True, "c1"))

    assert Finding("'Read' was blocked at step 1, yet succeeded at step 2", "succeeded") == found


def test_a_success_of_another_call_counts_beside_it() -> None:
    made = (call("read", "b", "c1"), result("read", True, "c1"), call("read", "", "c2"), result("read", True, "c2"))

    assert Status.PASS is succeeded(*made).status
