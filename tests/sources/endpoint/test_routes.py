"""The kernel's routing tables tell the networks that this machine is attached to, and its default gateway."""

import sys
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from agenttest.sources.endpoint import routes
from tests.sources.endpoint.networks import CONTAINER, HEAD, OWN, REJECT, UP, four, six, tables, written

FROM_A_KERNEL = f"""{HEAD}\
eth0	00000000	01001EAC	0003	0	0	0	00000000	0	0	0                                                                               
eth0	0000050A	09001EAC	0003	0	0	0	0000FFFF	0	0	0                                                                               
*	0000060A	00000000	0201	0	0	0	0000FFFF	0	0	0                                                                                  
eth0	00001EAC	00000000	0001	0	0	0	0000FFFF	0	0	0                                                                               
"""  # noqa: E501, W291 (as it is)
FROM_A_KERNEL_6 = """\
fd120000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fd120000000000000000000000000001 00000400 00000001 00000000 00000003     eth0
00000000000000000000000000000001 80 00000000000000000000000000000000 00 00000000000000000000000000000000 00000000 00000002 00000000 80200001       lo
fd120000000000000000000000000002 80 00000000000000000000000000000000 00 00000000000000000000000000000000 00000000 00000002 00000000 80200001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
"""  # noqa: E501 (as it is)


def attached(ip: str, *rows: str) -> str | None:
    """The network that the address is in, in a machine with these rows."""
    network = tables(*rows).network(ip_address(ip))
    return str(network) if network else None


@pytest.mark.parametrize(
    ("ip", "network"),
    [
        ("172.18.0.3", "172.18.0.0/16"),
        ("172.18.255.254", "172.18.0.0/16"),
        ("fd00:18::3", "fd00:18::/64"),
        ("fd00:18::2", "fd00:18::/64"),
        ("172.19.0.3", None),
        ("10.0.0.1", None),
        ("93.184.216.34", None),
        ("fd00:19::3", None),
        ("::1", None),
    ],
)
def test_an_address_is_on_the_attached_network_that_holds_it(ip: str, network: str | None) -> None:
    assert network == attached(ip, *CONTAINER)


@pytest.mark.parametrize(
    ("rows", "ip"),
    [
        ((four("0.0.0.0/0"),), "10.0.0.1"),
        ((six("::/0"),), "fd00::1"),
        ((four("10.0.0.0/8", "192.168.0.1"),), "10.0.0.1"),
        ((six("fd00::/8", "fe80::1"),), "fd00::1"),
        ((four("127.0.0.0/8", name="lo"),), "127.0.0.1"),
        ((four("10.0.0.0/8", name="*", flags=UP | REJECT),), "10.0.0.1"),
        ((four("10.0.0.0/8", flags=UP | REJECT),), "10.0.0.1"),
        ((four("10.0.0.0/8", flags=0),), "10.0.0.1"),
        ((four("10.0.0.0/8", flags=UP | 0x2),), "10.0.0.1"),
        ((six("fd00::/8", flags=UP | REJECT),), "fd00::1"),
        ((six("fd00::1/128", flags=UP | OWN),), "fd00::1"),
        ((six("::/0", name="lo", metric=1, flags=REJECT),), "fd00::1"),
    ],
    ids=[
        "a default route into a tunnel",
        "a default route into a tunnel, IPv6",
        "a gateway",
        "a gateway, IPv6",
        "loopback",
        "unreachable",
        "rejected",
        "down",
        "a gateway of the other family",
        "rejected, IPv6",
        "an own address beside no network",
        "nothing but the end of the table",
    ],
)
def test_this_way_leads_to_no_attached_network(rows: tuple[str, ...], ip: str) -> None:
    assert attached(ip, *rows) is None


def test_a_narrower_way_through_a_gateway_decides() -> None:
    assert attached("10.5.0.1", four("10.0.0.0/8"), four("10.5.0.0/16", "10.0.0.1")) is None


def test_a_narrower_attached_network_decides() -> None:
    assert "10.5.0.0/16" == attached("10.5.0.1", four("10.0.0.0/8", "10.5.0.9"), four("10.5.0.0/16"))


def test_of_two_ways_as_narrow_that_of_the_lower_metric_decides() -> None:
    rows = four("10.0.0.0/8", metric=600), four("10.0.0.0/8", "192.168.0.1", metric=100)

    assert attached("10.0.0.1", *rows) is None


def test_of_two_equal_ways_both_have_to_be_attached() -> None:
    assert attached("fd00::1", six("fd00::/64"), six("fd00::/64", "fe80::1")) is None


@pytest.mark.parametrize(
    ("rows", "gateway"),
    [
        (CONTAINER, "172.18.0.1"),
        ((four("0.0.0.0/0", "10.0.0.2", metric=600), four("0.0.0.0/0", "10.0.0.1", metric=100)), "10.0.0.1"),
        ((four("10.0.0.0/8"), six("::/0", "fd00::1")), "fd00::1"),
        ((four("0.0.0.0/0", name="tun0"), six("::/0", "fd00::1")), "fd00::1"),
        ((four("0.0.0.0/0", flags=UP | 0x2),), None),
        ((four("0.0.0.0/0", "10.0.0.1", flags=REJECT),), None),
        ((four("10.0.0.0/8", "10.0.0.1"),), None),
        ((), None),
    ],
    ids=["IPv4 first", "the lower metric", "IPv6", "a tunnel has none", "not shown", "closed", "not the default", "none"],
)
def test_the_default_gateway(rows: tuple[str, ...], gateway: str | None) -> None:
    found = tables(*rows).gateway()

    assert gateway == (str(found) if found else None)


def test_a_system_without_tables_has_no_routes(tmp_path: Path) -> None:
    assert routes.read(tmp_path) is None


@pytest.mark.parametrize(("gone", "left"), [("route", "fd00:18::/64"), ("ipv6_route", "172.18.0.0/16")])
def test_a_system_of_one_family_has_the_routes_of_that(tmp_path: Path, gone: str, left: str) -> None:
    written(tmp_path, *CONTAINER)
    (tmp_path / gone).unlink()

    found = routes.read(tmp_path)

    assert found is not None
    assert ip_network(left) in {row.network for row in found.rows if row.attached}


@pytest.mark.skipif(sys.byteorder != "little", reason="the text is of a machine that writes the low byte first")
@pytest.mark.parametrize(
    ("ip", "network"),
    [("172.30.0.9", "172.30.0.0/16"), ("10.5.0.1", None), ("10.6.0.1", None), ("fd12::9", "fd12::/64"), ("fd13::", None)],
)
def test_what_a_kernel_wrote_is_read(tmp_path: Path, ip: str, network: str | None) -> None:
    (tmp_path / "route").write_text(FROM_A_KERNEL)
    (tmp_path / "ipv6_route").write_text(FROM_A_KERNEL_6)

    found = routes.read(tmp_path)

    assert found is not None
    assert (network and ip_network(network)) == found.network(ip_address(ip))
