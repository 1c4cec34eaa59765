"""Oracles of approval: whether it is needed, how it was decided, and that nothing is carried out before it."""

from typing import Any

import pytest

from agenttest.assertions.finding import Finding
from agenttest.model import Payload, Status
from tests.assertions.oracles.traces import asked, call, decided, finding, result, status, steps

PLAIN, MARKED = call("write"), call("write", "a")


def required(*payloads: Payload, **given: Any) -> Finding:
    return finding("ApprovalRequired", given, steps(*payloads))


@pytest.mark.parametrize(
    ("payloads", "given", "message", "observed"),
    [
        ((PLAIN, MARKED), {"toolName": "Write"}, "approval was needed by 1 call", 1),
        ((MARKED, call("cp", "a")), {}, "approval was needed by 2 calls", 2),
        ((MARKED, call("cp")), {"toolName": " "}, "approval was needed by 1 call", 1),
        ((PLAIN, asked("WRITE")), {"toolName": "write"}, "approval was needed by 1 call", 1),
        ((asked("write"),), {"toolName": "write"}, "approval was asked for", "requested"),
        ((MARKED, asked("write"), PLAIN), {"mode": " ALL"}, "approval was needed by 2 calls", 2),
        ((asked("write"),), {"mode": "all"}, "approval was asked for", "requested"),
        ((call("cp"), MARKED), {"toolName": "write", "mode": "all"}, "approval was needed by 1 call", 1),
    ],
    ids=["one", "any-tool", "blank-is-any", "asked", "asked-alone", "all", "all-of-none", "all-of-the-tool"],
)
def test_approval_is_needed(payloads: Any, given: dict[str, str], message: str, observed: int | str) -> None:
    assert Finding(message, observed, status=Status.PASS) == required(*payloads, **given)


@pytest.mark.parametrize(
    ("payloads", "given", "message", "observed"),
    [
        ((PLAIN,), {"toolName": "write"}, "no call of 'write' needed approval", "not required"),
        ((PLAIN,), {}, "no call needed approval", "not required"),
        ((MARKED,), {"toolName": "cp"}, "'cp' was never called", "no matching tool call"),
        ((), {}, "no tool was called", "no matching tool call"),
        ((PLAIN, decided("write", "approved")), {}, "no call needed approval", "not required"),
        ((PLAIN, asked("cp")), {"toolName": "write"}, "no call of 'write' needed approval", "not required"),
        ((PLAIN, MARKED), {"mode": "all"}, "1 call of 2 calls needed no approval", "1 of 2"),
        (
            (call("write", "", "c1"), call("write", "", "c2"), asked("write", "c2")),
            {"toolName": "write", "mode": "all"},
            "1 call of 2 calls of 'write' needed no approval",
            "1 of 2",
        ),
    ],
    ids=["unmarked", "any-tool", "no-call", "nothing", "decided-unasked", "another-tool", "all", "all-by-id"],
)
def test_approval_is_not_needed(payloads: Any, given: dict[str, str], message: str, observed: str) -> None:
    assert Finding(message, observed) == required(*payloads, **given)


def granted(*payloads: Payload, **given: str) -> Finding:
    return finding("ApprovalGranted", given, steps(*payloads))


def denied(*payloads: Payload, **given: str) -> Finding:
    return finding("ApprovalDenied", given, steps(*payloads))


def test_approval_was_granted() -> None:
    found = granted(asked("write"), decided("write", "approved"), decided("cp", "denied"), toolName="Write")

    shown = "write requested, write approved"
    assert Finding("approval of 'Write' was granted", shown, status=Status.PASS) == found


def test_approval_was_denied_to_any_tool() -> None:
    found = denied(decided("write", "approved"), decided("cp", "denied"))

    assert Finding("approval was denied", "write approved, cp denied", status=Status.PASS) == found


@pytest.mark.parametrize(
    ("payloads", "message", "observed"),
    [
        ((MARKED,), "approval was neither asked for nor decided", "no matching approval"),
        ((asked("write"),), "approval was asked for, and never decided", "write requested"),
        ((decided("write", "denied"),), "approval was not granted; the last decision was denied", "write denied"),
        ((decided("write", "expired"),), "approval was not granted; the last decision was expired", "write expired"),
        ((decided("write", None),), "approval was not granted; the last decision was not told", "write resolved"),
    ],
    ids=["nothing", "open", "denied", "expired", "untold"],
)
def test_approval_was_not_granted(payloads: Any, message: str, observed: str) -> None:
    assert Finding(message, observed) == granted(*payloads)


@pytest.mark.parametrize("decision", ["approved", "expired", None])
def test_only_a_denial_is_one(decision: str | None) -> None:
    assert Status.FAIL is denied(decided("write", decision)).status


def test_approval_of_another_tool_does_not_count() -> None:
    expected = Finding("approval of 'write' was neither asked for nor decided", "no matching approval")
    assert expected == granted(decided("cp", "approved"), toolName="write")


def before(*payloads: Payload) -> str:
    return status("NoExecutionBeforeApproval", *payloads)


CALLED = call("write", "a", "c1")
DONE, FAILED = result("write", True, "c1"), result("write", False, "c1")
YES, NO = decided("write", "approved", "c1"), decided("write", "denied", "c1")


@pytest.mark.parametrize(
    "payloads",
    [
        (),
        (PLAIN, result("write")),
        (CALLED,),
        (CALLED, asked("write", "c1"), YES, DONE),
        (YES, CALLED, DONE),
        (CALLED, decided("WRITE", "approved"), DONE),
        (MARKED, YES, result("write")),
        (CALLED, YES, DONE, NO),
        (CALLED, NO, FAILED),
        (CALLED, NO, FAILED, YES, DONE),
        (call("write", "ab", "c1"), FAILED),
        (decided("write", "denied"), PLAIN, result("write")),
    ],
    ids=[
        "nothing",
        "none-needed",
        "not-carried-out",
        "approved",
        "approved-in-advance",
        "approved-by-name",
        "approved-by-name-of-both",
        "denied-later",
        "denied-and-failed",
        "approved-at-last",
        "blocked-and-failed",
        "denied-to-a-call-that-needed-none",
    ],
)
def test_what_waits_for_approval_is_well(payloads: tuple[Payload, ...]) -> None:
    assert "pass" == before(*payloads)


@pytest.mark.parametrize(
    ("payloads", "message"),
    [
        ((CALLED, DONE), "without approval, with a result at step 2"),
        ((CALLED, result("write", True, "C1")), "without approval, with a result at step 2"),
        ((CALLED, decided("read", "approved", "c1"), DONE), "without approval, with a result at step 3"),
        ((CALLED, FAILED), "without approval, with a result at step 2"),
        ((CALLED, DONE, YES), "without approval, with a result at step 2"),
        ((CALLED, asked("write", "c1"), DONE, YES), "before approval was decided, with a result at step 3"),
        ((CALLED, NO, DONE), "though approval was denied, with a result at step 3"),
        ((CALLED, YES, NO, DONE), "though approval was denied, with a result at step 4"),
        ((CALLED, decided("write", "expired"), DONE), "though approval had expired, with a result at step 3"),
        (
            (CALLED, decided("write", None), DONE),
            "though it is not told how approval was decided, with a result at step 3",
        ),
        ((CALLED, decided("cp", "approved"), DONE), "without approval, with a result at step 3"),
        ((CALLED, decided("write", "approved", "c9"), DONE), "without approval, with a result at step 3"),
        ((call("write", "ab", "c1"), DONE), "without approval, with a result at step 2"),
        ((call("write", "", "c1"), NO, DONE), "though approval was denied, with a result at step 3"),
        ((call("write", "", "c1"), asked("write", "c1"), DONE), "before approval was decided, with a result at step 3"),
        (
            (CALLED, YES, DONE, call("write", "a", "c2"), result("write", True, "c2")),
            "without approval, with a result at step 5",
        ),
        ((MARKED, result("write")), "without approval, with a result at step 2"),
    ],
    ids=[
        "never-approved",
        "with-a-result-of-no-calls-id",
        "approved-for-another-tool",
        "failed",
        "approved-later",
        "asked-for",
        "denied",
        "taken-back",
        "expired",
        "untold",
        "of-another-tool",
        "of-another-call",
        "though-blocked",
        "denied-to-a-plain-call",
        "asked-for-a-plain-call",
        "of-the-call-before",
        "by-name",
    ],
)
def test_what_does_not_wait_for_approval_is_told(payloads: tuple[Payload, ...], message: str) -> None:
    found = finding("NoExecutionBeforeApproval", {}, steps(*payloads))

    assert (Status.FAIL, f"'write' was carried out {message}") == (found.status, found.message)


def test_every_call_that_did_not_wait_is_shown() -> None:
    found = finding("NoExecutionBeforeApproval", {}, steps(CALLED, DONE, call("cp", "a"), result("cp")))

    shown = "write (called at step 1, result at step 2), cp (called at step 3, result at step 4)"
    assert ("'write' was carried out without approval, with a result at step 2; 2 such calls in all", shown) == (
        found.message,
        found.observed,
    )


@pytest.mark.parametrize(
    ("payloads", "message"),
    [((PLAIN,), "no call needed approval"), ((CALLED, YES, DONE), "every call that needs approval waited for it")],
    ids=["none", "some"],
)
def test_what_was_well_is_told(payloads: tuple[Payload, ...], message: str) -> None:
    expected = Finding(message, 0, status=Status.PASS)
    assert expected == finding("NoExecutionBeforeApproval", {}, steps(*payloads))
