"""What is asked live is told from what was given, and a token that cannot be sent is refused unseen."""

from typing import Any

import pytest

from agenttest.errors import InvalidInput
from agenttest.live import Asked, live
from agenttest.settings import Live

URL = "http://localhost:8080/v1/chat/completions"
NO_ENDPOINT = "is given, but no endpoint; give --endpoint, or --allow-contract-endpoint"
OTHERS: dict[str, Any] = {
    "auth_env": "TOKEN",
    "ca_file": "ca.pem",
    "model": "desk",
    "timeout_seconds": 5.0,
    "concurrency": 2,
    "wait_for_endpoint": 0.0,
    "allow_isolated": True,
    "allow_remote": True,
}


def told(asked: Asked, flag: str = "--{}", **environment: str) -> list[str]:
    """What is wrong with what was given."""
    with pytest.raises(InvalidInput) as error:
        live(asked, environment, flag)
    return [str(problem) for problem in error.value.problems]


def test_nothing_given_is_nothing_live() -> None:
    assert live(Asked(), {"TOKEN": "word"}) is None


def test_an_endpoint_alone_is_asked_with_the_defaults() -> None:
    assert Live(endpoint=URL) == live(Asked(endpoint=URL), {})


def test_a_contracts_endpoint_may_be_allowed_instead() -> None:
    assert Live(contract_endpoint=True) == live(Asked(allow_contract_endpoint=True), {})


def test_all_that_is_given_is_taken() -> None:
    asked = Asked(URL, "TOKEN", "ca.pem", "desk", 5.0, 2, 60.0, True, True, True)

    expected = Live(URL, True, True, True, "word", "ca.pem", "desk", 5.0, 2, 60.0)
    assert expected == live(asked, {"TOKEN": "word", "OTHER": "no"})


def test_an_empty_endpoint_is_given() -> None:
    assert Live(endpoint="") == live(Asked(endpoint=""), {})


@pytest.mark.parametrize("concurrency", [0, -1])
def test_a_number_out_of_bounds_is_kept_for_the_settings_to_judge(concurrency: int) -> None:
    assert Live(endpoint=URL, concurrency=concurrency) == live(Asked(URL, concurrency=concurrency), {})


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_else_is_given_without_an_endpoint(name: str) -> None:
    said = told(Asked(**{name: OTHERS[name]}), TOKEN="word")

    assert [f"--{name.replace('_', '-')}: {NO_ENDPOINT}"] == said


def test_all_that_has_no_endpoint_is_told_at_once() -> None:
    assert len(OTHERS) == len(told(Asked(**OTHERS), TOKEN="word"))


def test_names_are_spelled_as_they_were_given() -> None:
    said = told(Asked(model="desk"), "{}")

    assert ["model: is given, but no endpoint; give endpoint, or allow-contract-endpoint"] == said


@pytest.mark.parametrize("token", ["word", "a b", "~!$", "x" * 8192])
def test_a_token_is_taken_from_the_environment(token: str) -> None:
    assert Live(endpoint=URL, token=token) == live(Asked(URL, "TOKEN"), {"TOKEN": token})


def test_a_contracts_endpoint_gets_no_token() -> None:
    (said,) = told(Asked(auth_env="TOKEN", allow_contract_endpoint=True), TOKEN="word")

    assert "a contract does not decide who gets the token" in said


@pytest.mark.parametrize("name", ["", " ", "MY-TOKEN", "1TOKEN", "TOKEN=x", "TOKEN\n", "TÖKEN", "$TOKEN"])
def test_a_variable_has_a_name(name: str) -> None:
    (said,) = told(Asked(URL, name), **{name: "word"})

    assert "give the name of an environment variable" in said


@pytest.mark.parametrize("environment", [{}, {"TOKEN": ""}, {"token": "word"}])
def test_a_variable_has_to_be_set(environment: dict[str, str]) -> None:
    said = told(Asked(URL, "TOKEN"), **environment)

    assert ["--auth-env: names TOKEN, which is not set, or empty; set it to the token"] == said


def test_a_token_may_not_be_too_long() -> None:
    said = told(Asked(URL, "TOKEN"), TOKEN="x" * 8193)

    assert ["--auth-env: names TOKEN, which has 8,193 characters; a token has at most 8,192"] == said


UNSENDABLE = ["a\nb", "a\rb", "a\n", "a\tb", "a\0b", " a", "a ", "\x7fa", "é", "a\udc80", "日本", " "]


@pytest.mark.parametrize("token", UNSENDABLE)
def test_a_token_that_no_header_can_hold_is_refused(token: str) -> None:
    (said,) = told(Asked(URL, "TOKEN"), TOKEN=token)

    assert "set it to the token alone" in said


def test_a_token_is_never_shown() -> None:
    said = told(Asked(URL, "TOKEN"), TOKEN="word-4711\nX-Evil: 1")

    assert "4711" not in "".join(said)


def test_a_name_that_is_a_token_by_mistake_is_not_shown() -> None:
    said = told(Asked(URL, "sk-4711-0123456789abcdef"))

    assert "4711" not in "".join(said)
