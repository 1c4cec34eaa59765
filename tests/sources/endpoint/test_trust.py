"""Who may be asked is decided by the invocation; a name stays with the addresses that were checked."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agenttest.errors import InvalidInput
from agenttest.model import Agent, Suite
from agenttest.settings import Live
from agenttest.sources.endpoint import address, lookup, trust
from agenttest.sources.endpoint.failed import Failed
from agenttest.sources.endpoint.routes import Routes
from agenttest.sources.endpoint.trust import System, Target, trusted
from tests.sources.endpoint.networks import CONTAINER, four, shown, six

NEAR, NEAR_TOO, FAR, OTHER_FAR = "172.18.0.3", "fd00:18::3", "93.184.216.34", "10.9.9.9"
KEY = "sk-0123456789abcdef"


def suite(endpoint: str | None = None, model: str | None = "desk-assistant", timeout: float = 5.0) -> Suite:
    """A contract that says this of its agent."""
    return Suite("contract", 1, "contract.yml", "", "", Agent(endpoint, model, timeout, (), ()), ())


def nobody(host: str) -> Sequence[str]:
    """A resolver that must not be asked."""
    raise AssertionError(f"{host} was looked up")


def unknown(host: str) -> Sequence[str]:
    """A resolver that knows no name."""
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def answering(*answers: Sequence[str]) -> Callable[[str], Sequence[str]]:
    """A resolver that gives one answer after another, an empty one for a name that it does not know."""
    rest: Iterator[Sequence[str]] = iter(answers)

    def ask(host: str) -> Sequence[str]:
        return next(rest) or unknown(host)

    return ask


def system(*found: str, rows: Sequence[str] = CONTAINER) -> System:
    """A container in which each name leads to these addresses, and in which no name is looked up without them."""
    return System((lambda _: found) if found else nobody, shown(*rows))


def asked(endpoint: str, machine: System, **live: Any) -> Target:
    """The target of an invocation that names this endpoint."""
    return trusted(suite(), Live(endpoint=endpoint, **live), soon(), machine)


def told(endpoint: str | None, machine: System, contract: Suite | None = None, **live: Any) -> list[str]:
    """What speaks against an endpoint."""
    with pytest.raises(InvalidInput) as error:
        trusted(contract or suite(), Live(endpoint=endpoint, **live), soon(), machine)
    return [str(problem) for problem in error.value.problems]


def soon() -> float:
    """A deadline that is far enough away."""
    return time.monotonic() + 5


# loopback


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("localhost", ("127.0.0.1", "::1")),
        ("LOCALHOST", ("127.0.0.1", "::1")),
        ("127.0.0.1", ("127.0.0.1",)),
        ("127.0.0.2", ("127.0.0.2",)),
        ("[::1]", ("::1",)),
    ],
)
def test_loopback_is_connected_to_without_a_lookup(host: str, found: tuple[str, ...]) -> None:
    target = asked(f"http://{host}:8080/", system())

    assert ("loopback", found) == (target.kind, target.addresses(soon()))


def test_loopback_stays_loopback_whatever_is_allowed() -> None:
    assert "loopback" == asked("https://localhost/", system(), isolated=True, remote=True).kind


def test_loopback_needs_no_routing_table() -> None:
    assert "loopback" == asked("http://localhost/", System(nobody, lambda: None), isolated=True).kind


# whose endpoint


def test_the_invocations_endpoint_wins() -> None:
    contract = suite("http://reader:word@127.0.0.1:9/")

    target = trusted(contract, Live(endpoint="http://127.0.0.1:8/", contract_endpoint=True), soon(), system())

    assert ("invocation", 8) == (target.source, target.address.port)


def test_the_contracts_endpoint_is_asked_where_that_is_allowed() -> None:
    target = trusted(suite("http://localhost:9/v1"), Live(contract_endpoint=True), soon(), system())

    assert ("contract", "loopback", "/v1") == (target.source, target.kind, target.address.target)


@pytest.mark.parametrize("endpoint", ["https://agent.example.com/", f"http://{NEAR}/", "http://runner-host:8080/"])
def test_a_contract_names_nothing_beyond_loopback(endpoint: str) -> None:
    said = told(None, system(), suite(endpoint), contract_endpoint=True, isolated=True, remote=True)

    assert [
        "contract.yml: agent.endpoint is not on loopback, as a contract's has to be; name the agent with --endpoint"
    ] == said


def test_a_contracts_endpoint_that_is_no_url_is_told_at_the_contract() -> None:
    said = told(None, system(), suite(f"http://reader:{KEY}@127.0.0.1/"), contract_endpoint=True)

    assert ["contract.yml: agent.endpoint holds credentials"] == [line.split(",")[0] for line in said]


def test_a_contracts_endpoint_is_not_asked_unless_that_is_allowed() -> None:
    said = told(None, system(), suite("http://localhost:9/v1"), isolated=True)

    assert [
        "contract.yml: may not name who is asked; give --allow-contract-endpoint, or name the agent with --endpoint"
    ] == said


def test_somebody_has_to_name_an_endpoint() -> None:
    said = told(None, system(), contract_endpoint=True)

    assert ["contract.yml: names no agent.endpoint; name the agent with --endpoint"] == said


def test_an_endpoint_that_is_no_url_is_told_at_the_flag() -> None:
    assert ["--endpoint: is empty"] == [line.split(";")[0] for line in told("", system())]


# the model


@pytest.mark.parametrize(
    ("contract", "flag", "model"), [("desk", None, "desk"), ("desk", "front", "front"), (None, "front", "front")]
)
def test_the_model_is_the_invocations_else_the_contracts(contract: str | None, flag: str | None, model: str) -> None:
    assert model == trust.model(suite(model=contract), Live(model=flag))


def test_a_model_has_to_be_named() -> None:
    said = told("http://localhost/", system(), suite(model=None))

    assert ["contract.yml: names no agent.model, which a live agent is asked for; add one, or give --model"] == said


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_model_is_none(blank: str) -> None:
    assert ["--model: is blank; give the name of a model"] == told("http://localhost/", system(), model=blank)


def test_all_that_is_wrong_is_told_at_once() -> None:
    said = told("http://agent:0/", system(), suite(model=None))

    assert ["--endpoint", "contract.yml"] == [line.split(":")[0] for line in said]


# isolated


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_name_on_an_attached_network_is_isolated(scheme: str) -> None:
    target = asked(f"{scheme}://agent:8080/", system(NEAR, NEAR_TOO), isolated=True)

    assert ("isolated", (NEAR, NEAR_TOO)) == (target.kind, target.addresses(soon()))


@pytest.mark.parametrize(("host", "found"), [(NEAR, NEAR), (f"[{NEAR_TOO}]", NEAR_TOO)])
def test_an_address_on_an_attached_network_is_isolated(host: str, found: str) -> None:
    target = asked(f"http://{host}:8080/", system(), isolated=True)

    assert ("isolated", (found,)) == (target.kind, target.addresses(soon()))


def test_isolated_comes_before_remote() -> None:
    assert "isolated" == asked("https://agent/", system(NEAR), isolated=True, remote=True).kind


@pytest.mark.parametrize("found", [(NEAR, FAR), (FAR, NEAR), (NEAR, OTHER_FAR), (NEAR, "127.0.0.1")])
def test_one_address_elsewhere_spoils_a_name(found: tuple[str, ...]) -> None:
    (said,) = told("http://agent/", system(*found), isolated=True)

    spoiler = next(ip for ip in found if ip != NEAR)
    assert f"--endpoint: leads to {spoiler}, which is " in said


def test_the_words_say_what_would_be_right() -> None:
    said = told("http://agent/", system(FAR), isolated=True)

    remedy = "reach it by https and --allow-remote, or have the agent run on a network that is attached to this machine"
    assert [f"--endpoint: leads to {FAR}, which is not private; {remedy}"] == said


@pytest.mark.parametrize("host", ["agent", NEAR, "runner-host"])
def test_isolated_needs_a_routing_table(host: str) -> None:
    said = told(f"http://{host}/", System(nobody, lambda: None), isolated=True)

    reason = "cannot be told to be attached, as this system shows no routing table (/proc/net/route)"
    remedy = "use --allow-isolated on Linux, or reach the agent by https and --allow-remote"
    assert [f"--endpoint: {reason}; {remedy}"] == said


# remote


@pytest.mark.parametrize("found", [(FAR,), (OTHER_FAR,), (NEAR,), (FAR, OTHER_FAR)])
def test_a_name_elsewhere_is_remote(found: tuple[str, ...]) -> None:
    target = asked("https://agent.example.com/", system(*found), remote=True)

    assert ("remote", found) == (target.kind, target.addresses(soon()))


def test_a_name_that_is_not_isolated_is_remote_where_both_are_allowed() -> None:
    assert "remote" == asked("https://agent.example.com/", system(FAR), isolated=True, remote=True).kind


def test_remote_needs_no_routing_table() -> None:
    machine = System(lambda _: (FAR,), lambda: None)

    assert "remote" == asked("https://agent.example.com/", machine, isolated=True, remote=True).kind


@pytest.mark.parametrize("found", ["127.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "0.0.0.0", "fd00:ec2::254"])
def test_a_remote_name_that_leads_to_a_place_of_this_machine_is_refused(found: str) -> None:
    (said,) = told("https://agent.example.com/", system(FAR, found), remote=True)

    assert f"--endpoint: leads to {found}, which " in said


# consent


BY_NAME = (
    "is not this machine by its name; give --allow-isolated where it is on a private network that is attached to this "
    "machine or container, else {}"
)


@pytest.mark.parametrize(
    ("url", "allowed", "said"),
    [
        ("http://agent/", {}, BY_NAME.format("use https and give --allow-remote")),
        ("http://agent/", {"remote": True}, BY_NAME.format("use https and give --allow-remote")),
        ("https://agent/", {}, BY_NAME.format("give --allow-remote")),
        ("https://localhost.example.com/", {}, BY_NAME.format("give --allow-remote")),
        (f"http://{FAR}/", {}, "is not private; use https and give --allow-remote"),
        (f"http://{FAR}/", {"remote": True}, "is not private; use https and give --allow-remote"),
        (f"https://{FAR}/", {}, "is not private; give --allow-remote"),
        ("https://10.9.9.9/", {}, "is on no network that is attached to this machine; give --allow-remote"),
        (
            f"http://{NEAR}/",
            {},
            "is on a private network that is attached to this machine; give --allow-isolated to ask it",
        ),
        ("http://0.0.0.0/", {}, "stands for no machine; name this machine itself as localhost"),
        ("http://[::ffff:127.0.0.1]/", {}, "is this machine's loopback; name this machine itself as localhost"),
        ("http://169.254.169.254/", {}, "is a cloud's metadata address; name the agent's own address"),
        (
            "https://runner-host/",
            {"remote": True},
            "is the machine at the default gateway; give --allow-isolated to ask it",
        ),
    ],
)
def test_without_consent_no_name_is_looked_up_and_the_words_say_what_to_allow(
    url: str, allowed: dict[str, Any], said: str
) -> None:
    assert [f"--endpoint: {said}"] == told(url, system(), **allowed)


def test_no_problem_repeats_the_url() -> None:
    said = told(f"http://agent.example.com/v1?key={KEY}", system(FAR), isolated=True)

    assert not any(KEY in line or "agent.example.com" in line for line in said)


# runner-host


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_runner_host_is_the_default_gateway(scheme: str) -> None:
    target = asked(f"{scheme}://runner-host:8080/v1", system(), isolated=True, remote=True)

    assert ("isolated", "172.18.0.1", ("172.18.0.1",)) == (target.kind, target.host, target.addresses(soon()))


def test_runner_host_may_be_an_ipv6_gateway() -> None:
    rows = six("fd00:18::/64"), six("::/0", "fd00:18::1")

    assert "fd00:18::1" == asked("http://runner-host/", system(rows=rows), isolated=True).host


def test_runner_host_needs_a_default_gateway() -> None:
    said = told("http://runner-host/", system(rows=[four("172.18.0.0/16")]), isolated=True)

    assert [
        "--endpoint: is runner-host, but this machine has no default gateway; name a host that it can reach"
    ] == said


def test_a_gateway_on_no_private_network_is_not_asked() -> None:
    rows = four("0.0.0.0/0", "93.184.216.1"), four("93.184.216.0/24")

    (said,) = told("http://runner-host/", system(rows=rows), isolated=True)

    assert "leads to 93.184.216.1, which is not private" in said


def test_another_host_is_named_as_it_was_given() -> None:
    assert "agent" == asked("http://AGENT:8080/", system(NEAR), isolated=True).host


# names that are not there yet


@pytest.mark.parametrize(
    ("allowed", "kind"),
    [
        ({"isolated": True}, "isolated"),
        ({"remote": True}, "remote"),
        ({"isolated": True, "remote": True}, "remote"),
    ],
)
def test_a_name_that_is_unknown_yet_has_the_widest_class_that_is_allowed(allowed: dict[str, bool], kind: str) -> None:
    assert kind == asked("https://agent/", System(unknown, shown(*CONTAINER)), **allowed).kind


def test_a_name_that_is_unknown_yet_is_looked_up_when_it_is_asked() -> None:
    target = asked("http://agent/", System(answering((), (), [NEAR]), shown(*CONTAINER)), isolated=True)
    with pytest.raises(Failed):
        target.addresses(soon())

    assert (NEAR,) == target.addresses(soon())


def test_the_first_lookup_takes_no_longer_than_a_request() -> None:
    release = threading.Event()
    machine = System(lambda _: [str(release.wait(30))], shown(*CONTAINER))
    began = time.monotonic()

    trusted(suite(timeout=0.2), Live(endpoint="http://agent/", isolated=True), soon(), machine)

    took = time.monotonic() - began
    release.set()
    assert 0.2 <= took < 1


def test_a_late_name_is_checked_too() -> None:
    target = asked("http://agent/", System(answering((), [NEAR, "169.254.169.254"]), shown(*CONTAINER)), isolated=True)

    with pytest.raises(Failed) as failed:
        target.addresses(soon())

    said = "the name of the endpoint leads to an address that is a cloud's metadata address"
    assert (said, "name the agent's own address") == (failed.value.message, failed.value.remedy)


def test_a_name_that_was_refused_late_is_looked_up_again() -> None:
    target = asked("http://agent/", System(answering((), [FAR], [NEAR]), shown(*CONTAINER)), isolated=True)
    with pytest.raises(Failed):
        target.addresses(soon())

    assert (NEAR,) == target.addresses(soon())


def test_a_failure_tells_no_address() -> None:
    target = asked("http://agent.example.com/", System(answering((), [FAR]), shown(*CONTAINER)), isolated=True)

    with pytest.raises(Failed) as failed:
        target.addresses(soon())

    assert not {FAR, "agent.example.com"} & set((failed.value.message + str(failed.value.remedy)).split())


# names that move


def test_a_name_that_was_checked_stays_where_it_was() -> None:
    target = asked("http://agent/", System(answering([NEAR], ["169.254.169.254"]), shown(*CONTAINER)), isolated=True)

    assert [(NEAR,)] * 3 == [target.addresses(soon()) for _ in range(3)]


def test_a_late_name_stays_where_it_was_found() -> None:
    target = asked("http://agent/", System(answering((), [NEAR], [FAR]), shown(*CONTAINER)), isolated=True)

    assert [(NEAR,)] * 3 == [target.addresses(soon()) for _ in range(3)]


def test_workers_have_one_answer_though_the_name_moves() -> None:
    answers = answering((), *([f"172.18.0.{number}"] for number in range(2, 60)))
    target = asked("http://agent/", System(answers, shown(*CONTAINER)), isolated=True)

    with ThreadPoolExecutor(16) as workers:
        found = list(workers.map(lambda _: target.addresses(soon()), range(48)))

    assert 1 == len({*found})


def test_networks_are_read_when_a_late_name_is_judged() -> None:
    tables = iter([shown()(), shown(*CONTAINER)()])
    read: Callable[[], Routes | None] = lambda: next(tables)  # noqa: E731
    target = asked("http://agent/", System(answering((), [NEAR]), read), isolated=True)

    assert (NEAR,) == target.addresses(soon())


# the hint


def test_localhost_in_a_container_is_explained(tmp_path: Path) -> None:
    mark = tmp_path / ".dockerenv"
    mark.touch()
    target = asked("http://localhost:8080/", system())

    hint = trust.hint(target, [str(tmp_path / "other"), str(mark)])

    assert hint == (
        "localhost is this container itself; name a service by its key and its container port, or runner-host for a "
        "process of an earlier step that listens on 0.0.0.0"
    )


def test_localhost_outside_a_container_needs_no_hint(tmp_path: Path) -> None:
    assert trust.hint(asked("http://localhost:8080/", system()), [str(tmp_path / ".dockerenv")]) is None


def test_another_endpoint_in_a_container_needs_no_hint(tmp_path: Path) -> None:
    assert trust.hint(asked("http://agent/", system(NEAR), isolated=True), [str(tmp_path)]) is None


# the real world


def test_a_target_can_be_made_of_an_address_alone() -> None:
    target = Target(address.parse("http://127.0.0.1:8080/"), "invocation", "loopback")

    assert ("127.0.0.1",) == target.addresses(soon())


def test_a_name_that_the_system_takes_for_this_machine_is_no_remote_endpoint() -> None:
    said = told("https://agent.example.com/", System(lambda _: lookup.system("localhost")), remote=True)

    assert ["is this machine's loopback"] == [line.split("which ")[1].split(";")[0] for line in said]


def test_a_process_that_the_runners_host_refuses_may_listen_on_loopback_alone() -> None:
    target = Target(address.parse("http://runner-host:8080/"), "invocation", "isolated", "172.17.0.1")

    assert "0.0.0.0" in str(trust.hint(target, []))
