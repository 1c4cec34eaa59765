"""What is attached is what the kernel says: in a network of its own, with the tables that the kernel shows there."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache

import pytest

from tests.projects import ROOT

COMMANDS = """
ip link set lo up
ip link add eth0 type veth peer name far
ip address add 172.30.0.2/16 dev eth0
ip -6 address add fd12::2/64 dev eth0 nodad
ip link set eth0 up
ip link set far up
ip link add tun0 type veth peer name tunnel
ip link set tun0 up
ip link set tunnel up
ip address add 10.1.0.2/32 dev tun0
ip route add 0.0.0.0/1 dev tun0
ip route add default via 172.30.0.1
ip -6 route add default via fd12::1
ip route add 172.30.5.0/24 via 172.30.0.9
ip route add unreachable 172.30.6.0/24
"""
PROGRAM = """
import json, sys, time
from agenttest.errors import InvalidInput
from agenttest.model import Agent, Suite
from agenttest.settings import Live
from agenttest.sources.endpoint.trust import System, trusted

suite = Suite("contract", 1, "contract.yml", "", "", Agent(None, "desk", 5.0, (), ()), ())

def asked(host):
    url = f"http://{'[' + host + ']' if ':' in host else host}:8080/"
    system = System(lambda _: ("172.30.0.3", "fd12::3"))
    try:
        target = trusted(suite, Live(endpoint=url, isolated=True), time.monotonic() + 5, system)
    except InvalidInput as error:
        return error.problems[0].message.split(";")[0]
    return " ".join((target.kind, *target.addresses(time.monotonic())))

print(json.dumps({host: asked(host) for host in sys.argv[1:]}))
"""
NOT_ATTACHED = "leads to {}, which is on no network that is attached to this machine"
EDGE = "leads to {}, which is the first or the last of its network, so no one machine's"
EXPECTED = {
    "agent": "isolated 172.30.0.3 fd12::3",
    "runner-host": "isolated 172.30.0.1",
    "172.30.0.2": "isolated 172.30.0.2",
    "172.30.0.3": "isolated 172.30.0.3",
    "fd12::2": "isolated fd12::2",
    "fd12::3": "isolated fd12::3",
    "172.30.0.0": EDGE.format("172.30.0.0"),
    "172.30.255.255": EDGE.format("172.30.255.255"),
    "172.30.5.1": NOT_ATTACHED.format("172.30.5.1"),
    "172.30.6.1": NOT_ATTACHED.format("172.30.6.1"),
    "172.31.0.1": NOT_ATTACHED.format("172.31.0.1"),
    "10.2.0.1": NOT_ATTACHED.format("10.2.0.1"),
    "fd13::1": NOT_ATTACHED.format("fd13::1"),
    "93.184.216.34": "leads to 93.184.216.34, which is not private",
}
ALONE = ("unshare", "--user", "--map-root-user", "--net", "sh", "-e", "-c")


@cache
def decided() -> dict[str, str]:
    """What is said of each host, inside such a network."""
    program = [*ALONE, f'{COMMANDS}\nexec "$@"', "sh", sys.executable, "-c", PROGRAM, *EXPECTED]
    done = subprocess.run(program, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module", autouse=True)
def networks() -> None:
    """Skips where this machine gives nobody a network of its own."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        pytest.skip("needs unshare and ip, as Linux has them")
    probe = "ip link add eth0 type veth peer name far && ip -6 address add fd12::2/64 dev eth0 nodad"
    if subprocess.run([*ALONE, probe], stderr=subprocess.DEVNULL, check=False).returncode:
        pytest.skip("this machine gives no network namespace with both families")


@pytest.mark.parametrize("host", EXPECTED)
def test_the_kernels_tables_decide(host: str) -> None:
    assert EXPECTED[host] == decided()[host]
