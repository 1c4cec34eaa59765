"""What GitHub's runner makes before a job's first step: a network of the job, and the service containers in it.

The shape is that of ContainerOperationProvider.cs and DockerCommandManager.cs in actions/runner.
"""

import shutil
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.runner import ROOT, docker

EXAMPLE = ROOT / "examples" / "live-agent"
IMAGE = "agenttest-e2e-agent"
DOCKERFILE = """\
FROM python:3.13-slim
COPY agent.py /
ENTRYPOINT ["python3", "/agent.py", "--host", "0.0.0.0"]
"""
PORT = 8080


@dataclass(frozen=True, slots=True)
class Service:
    """A service container that listens at PORT, which is published nowhere."""

    name: str

    @property
    def address(self) -> str:
        """Its IP address in the job's network."""
        return docker("inspect", "--format", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}", self.name)

    @property
    def connections(self) -> int:
        """How many connections were ever made to it, as its kernel counts them, whether or not anything was sent."""
        names, numbers = (line.split() for line in self.read("/proc/net/snmp").splitlines() if line.startswith("Tcp:"))
        return int(dict(zip(names, numbers, strict=True))["PassiveOpens"])

    @property
    def listens(self) -> bool:
        """Whether a connection can be made; none is made to find that out."""
        rows = [line.split() for line in self.read("/proc/net/tcp").splitlines()]
        return any(row[1].endswith(f":{PORT:04X}") and row[3] == "0A" for row in rows)

    def read(self, path: str) -> str:
        return docker("exec", self.name, "cat", path)


def agent_image(folder: Path) -> str:
    """The image of the example's agent, with the Dockerfile that a team would write for it."""
    shutil.copy(EXAMPLE / "agent.py", folder)
    (folder / "Dockerfile").write_text(DOCKERFILE)
    docker("build", "--quiet", "--tag", IMAGE, str(folder))
    return IMAGE


@contextmanager
def job_network() -> Iterator[str]:
    """The network of a job that has services, or a container of its own."""
    name = f"github_network_{uuid.uuid4().hex}"
    docker("network", "create", name)
    try:
        yield name
    finally:
        docker("network", "rm", name)


@contextmanager
def service(network: str, image: str, key: str, *arguments: str, late: float = 0) -> Iterator[Service]:
    """A service container with its key as the name that steps know it by; a `late` one listens after so many seconds,
    and nobody waits for it."""
    name = f"{uuid.uuid4().hex}_{key}"
    command = ["run", "--detach", "--name", name, "--network", network, "--network-alias", key]
    slowly = ["--entrypoint", "sh", image, "-c", f"sleep {late}; exec python3 /agent.py --host 0.0.0.0"]
    docker(*command, *(slowly if late else [image, *arguments]))
    started = Service(name)
    try:
        while not late and not started.listens:
            time.sleep(0.05)
        yield started
    finally:
        docker("rm", "--force", "--volumes", name)


@contextmanager
def earlier_step(command: Sequence[str]) -> Iterator[None]:
    """A process that a step before has left behind on the runner."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()
