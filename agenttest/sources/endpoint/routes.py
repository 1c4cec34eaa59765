"""The kernel's routing tables → `Routes`: which networks this machine is attached to, and where all else goes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import Path
from typing import TypeAlias

Ip: TypeAlias = IPv4Address | IPv6Address

TABLES = Path("/proc/net")
UP, VIA_GATEWAY, REJECT = 0x1, 0x2, 0x200  # RTF_UP, RTF_GATEWAY, RTF_REJECT
OWN = 0x80000000 | 0x00100000  # RTF_LOCAL, RTF_ANYCAST: an address of this machine's own, and no network
NOWHERE = ("lo", "*")


@dataclass(frozen=True, slots=True)
class Route:
    """One way out: `gateway` is None where the network is reached directly, and `open` says whether there is a way."""

    network: IPv4Network | IPv6Network
    gateway: Ip | None
    metric: int
    open: bool

    @property
    def attached(self) -> bool:
        """Whether the network begins at an interface of this machine; a default route leads to no network at all."""
        return self.open and self.gateway is None and self.network.prefixlen > 0


@dataclass(frozen=True, slots=True)
class Routes:
    """The main tables of both families. Rules that send some traffic elsewhere are not in them."""

    rows: tuple[Route, ...]

    def network(self, ip: Ip) -> IPv4Network | IPv6Network | None:
        """The attached network that the address is in, by the way that the kernel would choose; None beyond any."""
        ways = [row for row in self.rows if row.network.version == ip.version and ip in row.network]
        first = min(map(precedence, ways), default=None)
        best = [row for row in ways if precedence(row) == first]
        return best[0].network if best and all(row.attached for row in best) else None

    def gateway(self) -> Ip | None:
        """The default gateway; that of IPv4 where there are two."""
        ways = [row for row in self.rows if row.open and row.network.prefixlen == 0]
        shown = [row for row in ways if row.gateway is not None and int(row.gateway)]
        best = min(shown, key=lambda row: (row.network.version, row.metric), default=None)
        return best.gateway if best else None


def precedence(route: Route) -> tuple[int, int]:
    """The kernel takes the narrowest network, of several the one with the lowest metric."""
    return -route.network.prefixlen, route.metric


def read(folder: Path = TABLES) -> Routes | None:
    """The tables as they are now; None where the system does not show them."""
    four, six = text(folder / "route"), text(folder / "ipv6_route")
    if four is None and six is None:
        return None
    return Routes((*ipv4(four or ""), *ipv6(six or "")))


def text(path: Path) -> str | None:
    """The text of a table; None where there is none."""
    try:
        return path.read_text("ascii", "replace")
    except OSError:
        return None


def ipv4(table: str) -> Iterator[Route]:
    """The rows of /proc/net/route, whose addresses are numbers in the byte order of the machine."""
    for line in table.splitlines()[1:]:
        name, destination, gateway, flags, _, _, metric, mask, *_ = line.split()
        network = IPv4Network((native(destination), str(native(mask))), strict=False)
        yield route(name, network, native(gateway), int(flags, 16), int(metric))


def native(digits: str) -> IPv4Address:
    """An IPv4 address of /proc/net/route."""
    return IPv4Address(int(digits, 16).to_bytes(4, sys.byteorder))


def ipv6(table: str) -> Iterator[Route]:
    """The rows of /proc/net/ipv6_route; of all its tables, so that this machine's own addresses are left out."""
    for line in table.splitlines():
        destination, prefix, _, _, gateway, metric, _, _, flags, name = line.split()
        if not int(flags, 16) & OWN:
            network = IPv6Network((int(destination, 16), int(prefix, 16)), strict=False)
            yield route(name, network, IPv6Address(int(gateway, 16)), int(flags, 16), int(metric, 16))


def route(name: str, network: IPv4Network | IPv6Network, gateway: Ip, flags: int, metric: int) -> Route:
    """One row. A gateway of the other family is flagged, and not shown."""
    via = gateway if int(gateway) or flags & VIA_GATEWAY else None
    return Route(network, via, metric, bool(flags & UP) and not flags & REJECT and name not in NOWHERE)
