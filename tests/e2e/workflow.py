"""Runs a workflow with act, which plays GitHub on this machine, and finds the workflow that the README shows."""

import fcntl
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.e2e.runner import JOB_USER, ROOT, Annotation
from tests.github import results_service

STAND_INS = Path(__file__).with_name("standins")
RELEASED = re.compile("/agent-test-action(/composite)?@")
ACT = Path(sys.executable).with_name("act")
ACT_OPTIONS = (
    "--json",
    "--bind",
    "--rm",
    "--pull=false",
    "--no-cache-server",
    "--artifact-server-addr=127.0.0.1",
    "--platform=ubuntu-latest=python:3.13-slim",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a workflow: whether every job succeeded, and act's log, one record a line."""

    succeeded: bool
    records: tuple[dict[str, Any], ...]

    @property
    def log(self) -> str:
        return "\n".join(str(record.get("msg", "")).rstrip("\n") for record in self.records)

    @property
    def annotations(self) -> list[Annotation]:
        return list(annotated(self.records))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@dataclass(frozen=True, slots=True)
class ArtifactServer:
    """act's artifact server, which runs while a workflow does and keeps what is uploaded in a folder."""

    folder: Path
    port: int = field(default_factory=free_port)

    @property
    def options(self) -> tuple[str, ...]:
        """The flags that start it."""
        return (f"--artifact-server-port={self.port}", f"--artifact-server-path={self.folder}")

    @property
    def variables(self) -> dict[str, str]:
        """What a client needs to talk to it; it looks at the run's number in the token, and at nothing else."""
        return {
            "ACTIONS_RESULTS_URL": f"http://127.0.0.1:{self.port}/",
            "ACTIONS_RUNTIME_TOKEN": results_service.token("Actions.Results:1:1"),
            "GITHUB_SERVER_URL": "https://github.com",
        }

    def zip(self, name: str) -> Path:
        """Where an artifact of the one run lies."""
        return self.folder / "1" / name / f"{name}.zip"


def readme_workflow() -> str:
    """The README's fenced block that names itself .github/workflows/agent.yml, word for word."""
    blocks: list[str] = re.findall(r"^```ya?ml\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
    (workflow,) = (block for block in blocks if block.startswith("# .github/workflows/agent.yml\n"))
    return workflow


def action_inputs(workflow: str) -> dict[str, str]:
    """What the workflow's one step of the released action is given under `with`."""
    (step,) = released_steps(workflow)
    return {**step.get("with", {})}


def released_steps(workflow: str) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow)["jobs"].values()
    return [step for job in jobs for step in job["steps"] if RELEASED.search(step.get("uses", ""))]


def run_workflow(workflow: str, desk: Path, checkout: Path, server: "ArtifactServer | None" = None) -> Outcome:
    """Run the workflow in the repository `desk`, with the checkout in place of the released action.

    GitHub's own actions have stand-ins. With a `server`, jobs can upload and download artifacts.
    """
    file = desk / ".github" / "workflows" / "agent.yml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(workflow)
    commit_all(desk)
    replaced = [f"--local-repository={name}={path}" for name, path in replacements(workflow, checkout)]
    served = server.options if server else ()
    with alone():
        done = subprocess.run(
            [ACT, "pull_request", "--workflows", file, *replaced, *ACT_OPTIONS, *served],
            cwd=desk,
            env=act_environment(desk.parent / "home"),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    return Outcome(done.returncode == 0, tuple(records(done.stdout + done.stderr)))


def replacements(workflow: str, checkout: Path) -> Iterator[tuple[str, Path]]:
    """Each repository that is not fetched, as `owner/name@ref`, with the folder that is taken for it."""
    for step in released_steps(workflow):
        yield step["uses"].replace("/composite@", "@"), checkout
    composite = yaml.safe_load((checkout / "composite" / "action.yml").read_text())["runs"]["steps"]
    own = [step for job in yaml.safe_load(workflow)["jobs"].values() for step in job["steps"]]
    for used in {step["uses"] for step in (*composite, *own) if "uses" in step}:
        stand_in = STAND_INS / used.partition("@")[0].partition("/")[2]
        if used.startswith("actions/") and stand_in.is_dir():
            yield used, stand_in


@contextmanager
def alone() -> Iterator[None]:
    """One run of act at a time: it names containers and images after workflow and job, whoever runs them."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agenttest-e2e"
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "act.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def act_environment(home: Path) -> dict[str, str]:
    """A home of its own, and nothing of a job that the tests themselves may run in."""
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "DOCKER_HOST") if name in os.environ}
    return {**kept, "HOME": str(home), "XDG_CACHE_HOME": str(home), "XDG_CONFIG_HOME": str(home)}


def commit_all(desk: Path) -> None:
    """Make the folder a repository of the job's user, as a checkout leaves it."""
    git = ["git", "-c", "user.name=desk", "-c", "user.email=desk@example.com", "-c", "init.defaultBranch=main"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "a desk"]):
        subprocess.run([*git, *arguments], cwd=desk, check=True)
    for path in (desk, *desk.rglob("*")):
        os.chown(path, *JOB_USER, follow_symlinks=False)


def records(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        yield json.loads(line) if line.startswith("{") else {"msg": line}


def annotated(found: tuple[dict[str, Any], ...]) -> Iterator[Annotation]:
    for record in found:
        if record.get("command") in ("error", "warning", "notice"):
            places = record.get("kvPairs", {})
            yield Annotation(record["command"], places.get("file", ""), int(places.get("line", 0)), record["arg"])
