"""An IP address and the class of its endpoint → why it may not be connected to, or None where it may."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_network

from agenttest.sources.endpoint.routes import Ip, Routes

# Where clouds tell a machine its own secrets.
METADATA = (
    "169.254.169.254",  # AWS, Google Cloud, Azure and most others
    "fd00:ec2::/32",  # AWS: instance metadata at ::254, pod identity at ::23
    "fd20:ce::254",  # Google Cloud, machines with IPv6 alone
    "168.63.129.16",  # Azure: the platform's own channel
    "192.0.0.192",  # Oracle Cloud Classic
    "fd00:c1::a9fe:a9fe",  # Oracle Cloud
    "100.100.100.200",  # Alibaba Cloud
    "fd00:100::100:200",  # Alibaba Cloud
    "fd00:42::42",  # Scaleway
    "fd00:a9fe:a9fe::1",  # Akamai, once Linode
)
AGENT = "name the agent's own address"
LOCALHOST = "name this machine itself as localhost"
NEVER = (
    ("is a cloud's metadata address", METADATA, AGENT),
    ("is link-local", ("169.254.0.0/16", "fe80::/10"), AGENT),
    ("is this machine's loopback", ("127.0.0.0/8", "::1"), LOCALHOST),
    ("stands for no machine", ("0.0.0.0/8", "::"), LOCALHOST),
    ("is no one machine's", ("224.0.0.0/4", "240.0.0.0/4", "ff00::/8"), AGENT),
)
# What the IANA registries of special addresses keep out of the internet for use inside a network. 100.64.0.0/10 is not
# among them: a provider shares it out among its customers, so that a neighbour there may be anybody.
PRIVATE = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "192.0.2.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "fc00::/7",
    "2001:db8::/32",
)
# IPv6 addresses that stand for an IPv4 address, and the number of bits behind it.
WRAPPED = (("::/96", 0), ("::ffff:0:0/96", 0), ("::ffff:0:0:0/96", 0), ("64:ff9b::/96", 0), ("2002::/16", 80))
OPAQUE = ("64:ff9b:1::/48", "2001::/32")  # local NAT64 and Teredo: where they lead is not for us to tell

OUTSIDE = "reach it by https and --allow-remote, or have the agent run on a network that is attached to this machine"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an address may not be connected to, told of it as a subject, and what would be right."""

    reason: str
    remedy: str


UNTOLD = Refusal(
    "cannot be told to be attached, as this system shows no routing table (/proc/net/route)",
    "use --allow-isolated on Linux, or reach the agent by https and --allow-remote",
)
ROUNDABOUT = Refusal("leads to an IPv4 address by way of another machine", AGENT)


def refusal(ip: Ip, kind: str, routes: Routes | None) -> Refusal | None:
    """What speaks against an address of a `remote` or an `isolated` endpoint; `routes` decide over the latter alone."""
    return never(ip) or (outside(ip, routes) if kind == "isolated" else None)


def never(ip: Ip) -> Refusal | None:
    """What speaks against it whatever was allowed."""
    for reason, networks, remedy in NEVER:
        if within(ip, networks):
            return Refusal(reason, remedy)
    if within(ip, OPAQUE):
        return ROUNDABOUT
    inner = unwrapped(ip)
    return never(inner) if inner is not None else None


def outside(ip: Ip, routes: Routes | None) -> Refusal | None:
    """Why it is not on a private network that is attached to this machine or container."""
    if routes is None:
        return UNTOLD
    if unwrapped(ip) is not None:
        return ROUNDABOUT
    if not within(ip, PRIVATE):
        return Refusal("is not private", OUTSIDE)
    network = routes.network(ip)
    if network is None or not inside(network):
        return Refusal("is on no network that is attached to this machine", OUTSIDE)
    if isinstance(network, IPv4Network) and network.prefixlen < 31 and ip in (network[0], network[-1]):
        return Refusal("is the first or the last of its network, so no one machine's", AGENT)
    return None


def unwrapped(ip: Ip) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for."""
    for network, behind in WRAPPED:
        if within(ip, (network,)) and int(ip) > 1:
            return IPv4Address(int(ip) >> behind & 0xFFFFFFFF)
    return None


def within(ip: Ip, networks: tuple[str, ...]) -> bool:
    """Whether it is in one of the networks."""
    return any(ip in each for each in parsed(networks))


def inside(network: IPv4Network | IPv6Network) -> bool:
    """Whether the whole network is private, so that half of the internet is none."""
    return within(network[0], PRIVATE) and within(network[-1], PRIVATE)


@cache
def parsed(networks: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks of a row."""
    return tuple(map(ip_network, networks))
