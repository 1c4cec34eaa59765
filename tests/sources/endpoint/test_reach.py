"""Whatever was allowed, some addresses are never connected to; an isolated endpoint is on an attached network."""

from ipaddress import ip_address

import pytest

from agenttest.sources.endpoint.reach import refusal
from tests.sources.endpoint.networks import CONTAINER, four, six, tables

METADATA = "is a cloud's metadata address"
LINK_LOCAL = "is link-local"
LOOPBACK = "is this machine's loopback"
NO_MACHINE = "stands for no machine"
MANY = "is no one machine's"
ROUNDABOUT = "leads to an IPv4 address by way of another machine"
NOT_PRIVATE = "is not private"
NOT_ATTACHED = "is on no network that is attached to this machine"
EDGE = "is the first or the last of its network, so no one machine's"


def reason(ip: str, kind: str, *rows: str) -> str | None:
    """Why the address is refused."""
    found = refusal(ip_address(ip), kind, tables(*rows))
    return found.reason if found else None


@pytest.mark.parametrize("kind", ["isolated", "remote"])
@pytest.mark.parametrize(
    ("ip", "said"),
    [
        ("169.254.169.254", METADATA),
        ("168.63.129.16", METADATA),
        ("192.0.0.192", METADATA),
        ("100.100.100.200", METADATA),
        ("fd00:ec2::254", METADATA),
        ("fd00:ec2::23", METADATA),
        ("fd20:ce::254", METADATA),
        ("fd00:c1::a9fe:a9fe", METADATA),
        ("fd00:100::100:200", METADATA),
        ("fd00:42::42", METADATA),
        ("fd00:a9fe:a9fe::1", METADATA),
        ("169.254.170.2", LINK_LOCAL),
        ("fe80::1", LINK_LOCAL),
        ("fe80::1%eth0", LINK_LOCAL),
        ("127.0.0.1", LOOPBACK),
        ("127.8.8.8", LOOPBACK),
        ("::1", LOOPBACK),
        ("0.0.0.0", NO_MACHINE),
        ("0.1.2.3", NO_MACHINE),
        ("::", NO_MACHINE),
        ("224.0.0.251", MANY),
        ("240.0.0.1", MANY),
        ("255.255.255.255", MANY),
        ("ff02::1", MANY),
        ("::ffff:169.254.169.254", METADATA),
        ("::ffff:127.0.0.1", LOOPBACK),
        ("::ffff:0:127.0.0.1", LOOPBACK),
        ("::127.0.0.1", LOOPBACK),
        ("64:ff9b::a9fe:a9fe", METADATA),
        ("64:ff9b::7f00:1", LOOPBACK),
        ("2002:a9fe:a9fe::1", METADATA),
        ("2002:7f00:1::1", LOOPBACK),
        ("64:ff9b:1::a00:1", ROUNDABOUT),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", ROUNDABOUT),
    ],
)
def test_no_endpoint_is_there(ip: str, said: str, kind: str) -> None:
    attached = four("169.254.0.0/16"), four("100.100.100.0/24"), six("fd00:ec2::/32"), six("fd20:ce::/64"), *CONTAINER

    assert said == reason(ip, kind, *attached)


@pytest.mark.parametrize(
    "ip",
    [
        "93.184.216.34",
        "2606:2800:220:1:248:1893:25c8:1946",
        "10.0.0.1",
        "100.64.0.1",
        "fd99::1",
        "::ffff:93.184.216.34",
        "64:ff9b::5db8:d822",
    ],
)
def test_a_remote_endpoint_may_be_there(ip: str) -> None:
    assert reason(ip, "remote", *CONTAINER) is None


@pytest.mark.parametrize("ip", ["172.18.0.1", "172.18.0.3", "172.18.255.254", "fd00:18::1", "fd00:18::3"])
def test_an_isolated_endpoint_may_be_there(ip: str) -> None:
    assert reason(ip, "isolated", *CONTAINER) is None


@pytest.mark.parametrize(
    ("ip", "said"),
    [
        ("172.18.0.0", EDGE),
        ("172.18.255.255", EDGE),
        ("172.19.0.3", NOT_ATTACHED),
        ("10.0.0.1", NOT_ATTACHED),
        ("fd00:19::1", NOT_ATTACHED),
        ("93.184.216.34", NOT_PRIVATE),
        ("2606:2800:220:1:248:1893:25c8:1946", NOT_PRIVATE),
        ("fec0::1", NOT_PRIVATE),
        ("::ffff:172.18.0.3", ROUNDABOUT),
        ("64:ff9b::ac12:3", ROUNDABOUT),
        ("2002:ac12:3::1", ROUNDABOUT),
        ("::172.18.0.3", ROUNDABOUT),
    ],
)
def test_an_isolated_endpoint_is_not_there(ip: str, said: str) -> None:
    assert said == reason(ip, "isolated", *CONTAINER)


@pytest.mark.parametrize(
    ("ip", "row"),
    [
        ("93.184.216.34", four("93.184.216.0/24")),
        ("100.64.0.7", four("100.64.0.0/10")),
        ("2606:2800:220:1::7", six("2606:2800:220:1::/64")),
    ],
)
def test_an_attached_network_that_is_not_private_is_not_isolated(ip: str, row: str) -> None:
    assert NOT_PRIVATE == reason(ip, "isolated", row)


@pytest.mark.parametrize(
    ("ip", "rows"),
    [
        ("10.0.0.1", (four("0.0.0.0/1"), four("128.0.0.0/1"))),
        ("172.18.0.3", (four("172.0.0.0/8"),)),
        ("fd00::1", (six("8000::/1"),)),
    ],
)
def test_a_network_that_is_private_in_part_is_not_attached(ip: str, rows: tuple[str, ...]) -> None:
    assert NOT_ATTACHED == reason(ip, "isolated", *rows)


@pytest.mark.parametrize(("network", "ip"), [("10.0.0.0/31", "10.0.0.0"), ("10.0.0.1/32", "10.0.0.1")])
def test_both_ends_of_a_network_of_two_are_machines(network: str, ip: str) -> None:
    assert reason(ip, "isolated", four(network)) is None


def test_without_a_routing_table_nothing_is_isolated() -> None:
    found = refusal(ip_address("172.18.0.3"), "isolated", None)

    assert found is not None
    assert "use --allow-isolated on Linux, or reach the agent by https and --allow-remote" == found.remedy


def test_a_remote_endpoint_needs_no_routing_table() -> None:
    assert refusal(ip_address("93.184.216.34"), "remote", None) is None
