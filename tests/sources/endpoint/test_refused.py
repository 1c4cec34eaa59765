"""An answer that is no completion is an observation with an error in the provider's own words."""

import json
from typing import Any

import pytest

from agenttest.model import Exchange, Observation, Seen
from agenttest.sources.endpoint import reply
from agenttest.sources.endpoint.transport import Answer
from tests.agent import call
from tests.sources.endpoint.messages import completion, error, observed, seen

MESSAGE = {"role": "assistant", "content": "Yes.", "tool_calls": [call("a")], "refusal": None, "sources": ["faq"]}


def test_a_completion_is_observed_in_every_channel() -> None:
    usage = {"prompt_tokens": 40, "completion_tokens": 12, "total_tokens": 52}
    body = json.dumps(completion(MESSAGE, usage=usage, model="m")).encode()

    found = reply.seen("desk", Answer(200, body), 100, 7)

    (listed,) = observed(tool_calls=[call("a")]).tool_calls or ()
    whole = Observation("desk", "Yes.", True, "stop", (listed,), True, False, ("faq",))
    assert Seen(whole, Exchange(200, 7, usage)) == found


@pytest.mark.parametrize("status", [200, 201, 202, 206, 299])
def test_every_status_of_success_is_read(status: int) -> None:
    assert None is error(completion(MESSAGE), status)


@pytest.mark.parametrize("status", [100, 300, 301, 400, 401, 404, 418, 422, 429, 500, 503, 999])
def test_no_other_status_is_believed_whatever_the_body_is(status: int) -> None:
    assert (error(completion(MESSAGE), status) or "").startswith(f"status {status}")


@pytest.mark.parametrize(
    ("status", "value", "told"),
    [
        (
            400,
            {"error": {"message": "Failed to call a function.", "type": "x", "code": "tool_use_failed"}},
            "status 400: 'Failed to call a function.' (tool_use_failed)",
        ),
        (404, {"detail": "Not Found"}, "status 404: 'Not Found'"),
        (429, [{"error": {"message": "Slow down", "code": 429}}], "status 429: 'Slow down' (429)"),
        (401, {}, "status 401 (Unauthorized)"),
        (401, completion(MESSAGE), "status 401 (Unauthorized)"),
        (503, b"busy\nnow", "status 503: 'busy now'"),
        (502, b"<html><title>502</title></html>", "status 502 (Bad Gateway)"),
        (500, b'{"error": ', "status 500 (Internal Server Error)"),
        (500, b"", "status 500 (Internal Server Error)"),
        (500, b"\xff\xfe", "status 500: '\ufffd\ufffd'"),
        (599, b"", "status 599"),
        (302, {"error": {"message": "no"}}, "status 302: a redirect, which is not followed"),
        (304, b"", "status 304: a redirect, which is not followed"),
    ],
)
def test_a_refused_request_is_told_in_the_providers_words(status: int, value: Any, told: str) -> None:
    assert told == error(value, status)


@pytest.mark.parametrize("status", [301, 401, 403, 404, 405, 408, 429, 500, 502, 503, 504])
def test_a_status_that_speaks_of_the_endpoint_is_the_same_failure_each_time(status: int) -> None:
    first, second = seen({"error": "request 1"}, status), seen({"error": "request 2"}, status)

    assert first.transport is not None
    assert first.transport == second.transport


@pytest.mark.parametrize("status", [400, 409, 413, 415, 422, 424, 451])
def test_a_status_that_speaks_of_the_request_is_no_failure_of_the_endpoint(status: int) -> None:
    assert None is seen({"error": "no"}, status).transport


@pytest.mark.parametrize("value", [completion(MESSAGE), {"error": "no"}, b"", b"<html>"])
def test_an_answer_with_a_status_of_success_is_no_failure_of_the_endpoint(value: Any) -> None:
    assert None is seen(value).transport


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (401, "see that --auth-env names the token that the endpoint asks for"),
        (405, "see that the endpoint's path is that of its chat completions, such as /v1/chat/completions"),
        (308, "name the address that it leads to yourself"),
        (500, "see in the agent's log why it failed, then run the same command again"),
        (200, None),
    ],
)
def test_what_would_help_depends_on_the_status(status: int, remedy: str | None) -> None:
    exchange = seen({"error": "no"}, status).exchange

    assert Exchange(status, 7, remedy=remedy) == exchange


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (b"", "the reply is empty"),
        (b'{"a": NaN}', "the reply holds NaN, which is no JSON number"),
        (b"data: {}\n\n", "the reply is an event stream, though stream is false"),
        (None, "the reply is null, no object"),
        ("hello", "the reply is 'hello', no object"),
        ([completion(MESSAGE)], "the reply is a list, no object"),
        ([{"error": {"message": "Invalid", "code": 400}}], "the reply is a list, no object; it says 'Invalid' (400)"),
        ({"error": {"message": "overloaded"}}, "the reply is an error: 'overloaded'"),
        ({"error": "overloaded"}, "the reply is an error: 'overloaded'"),
        ({"error": {"code": 429, "metadata": {}}}, "the reply is an error: (429)"),
        ({"error": {"x": 1}}, "the reply is an error: without words"),
        ({"error": True}, "the reply is an error: without words"),
        ({**completion(MESSAGE), "error": {"message": "cut"}}, "the reply is an error: 'cut'"),
        ({"id": "x"}, "the reply holds no choice"),
        ({"choices": []}, "the reply holds no choice"),
        ({"choices": {}}, "the reply holds no choice"),
        ({"choices": None, "detail": "Try later"}, "the reply holds no choice; it says 'Try later'"),
        ({"object": "error", "message": "Bad", "code": 4}, "the reply holds no choice; it says 'Bad' (4)"),
        ({"choices": [None]}, "the reply has null as choices[0], no object"),
        ({"choices": [{"finish_reason": "stop"}]}, "the reply has no message in choices[0]"),
        ({"choices": [{"message": None}]}, "the reply has no message in choices[0]"),
        ({"choices": [{"message": "Yes."}]}, "the reply has no message in choices[0]"),
        (
            {"choices": [{"delta": {"content": "Yes."}}]},
            "the reply has no message in choices[0], but a delta, as if it were streamed",
        ),
        (
            {
                "choices": [
                    {"error": {"message": "Upstream", "code": 502}, "finish_reason": "error", "message": MESSAGE}
                ]
            },
            "the reply has an error in choices[0]: 'Upstream' (502)",
        ),
        ({"choices": [{"error": {"message": "Upstream"}}]}, "the reply has an error in choices[0]: 'Upstream'"),
        ({"choices": [{"message": {**MESSAGE, "error": "So"}}]}, "the reply has an error in choices[0]: 'So'"),
    ],
)
def test_a_reply_that_is_no_completion_is_told(value: Any, told: str) -> None:
    assert told == error(value)


@pytest.mark.parametrize("empty", [None, "", {}, [], False])
def test_an_empty_error_beside_a_completion_is_none(empty: Any) -> None:
    value = {**completion({**MESSAGE, "error": empty}), "error": empty}
    value["choices"][0]["error"] = empty

    assert None is error(value)


def test_a_number_beyond_a_double_outside_of_what_is_observed_does_no_harm() -> None:
    assert None is error(b'{"score": 1e999, "choices": [{"message": {"content": "Yes."}}]}')


def test_the_first_listed_choice_counts_whatever_its_index() -> None:
    value = {"choices": [{"index": 1, "message": {"content": "a"}}, {"index": 0, "message": {"content": "b"}}]}

    assert "a" == (lambda found: found and found.response)(seen(value).observation)
