"""Routing tables in few words, written as the kernel shows them."""

import sys
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import Path
from tempfile import TemporaryDirectory

from agenttest.sources.endpoint import routes
from agenttest.sources.endpoint.routes import Routes

HEAD = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
UP, GATEWAY, REJECT, OWN = 0x1, 0x2, 0x200, 0x80000000


def four(network: str, via: str = "0.0.0.0", name: str = "eth0", metric: int = 0, flags: int = UP) -> str:
    """A row of /proc/net/route."""
    to = IPv4Network(network)
    flags |= GATEWAY if via != "0.0.0.0" else 0
    words = (name, native(to[0]), native(IPv4Address(via)), f"{flags:04X}", 0, 0, metric, native(to.netmask), 0, 0, 0)
    return "\t".join(map(str, words)) + "   \n"


def native(ip: IPv4Address) -> str:
    """The address as the machine holds it."""
    return f"{int.from_bytes(ip.packed, sys.byteorder):08X}"


def six(network: str, via: str = "::", name: str = "eth0", metric: int = 256, flags: int = UP) -> str:
    """A row of /proc/net/ipv6_route."""
    to = IPv6Network(network)
    flags |= GATEWAY if via != "::" else 0
    ends = f"{int(to[0]):032x} {to.prefixlen:02x} {0:032x} 00 {int(IPv6Address(via)):032x}"
    return f"{ends} {metric:08x} 00000001 00000000 {flags:08x} {name:>8}\n"


def tables(*rows: str) -> Routes:
    """What is read of a machine with these rows."""
    with TemporaryDirectory() as folder:
        written(Path(folder), *rows)
        found = routes.read(Path(folder))
    assert found is not None
    return found


def written(folder: Path, *rows: str) -> None:
    """The files of both families."""
    (folder / "route").write_text(HEAD + "".join(row for row in rows if "\t" in row))
    (folder / "ipv6_route").write_text("".join(row for row in rows if "\t" not in row))


CONTAINER = (  # as in a job's network of docker, with IPv6
    four("0.0.0.0/0", "172.18.0.1"),
    four("172.18.0.0/16"),
    six("fd00:18::/64"),
    six("fe80::/64"),
    six("::/0", "fd00:18::1", metric=1024),
    six("::1/128", name="lo", metric=0, flags=UP | OWN),
    six("fd00:18::2/128", metric=0, flags=UP | OWN),
    six("ff00::/8"),
    six("::/0", name="lo", metric=0xFFFFFFFF, flags=REJECT),
)


def shown(*rows: str) -> Callable[[], Routes | None]:
    """What reads these tables."""
    found = tables(*rows)
    return lambda: found
