"""GitHub's own client, @actions/artifact, as other actions and download-artifact use it: what it lists and downloads.

`variables` is what the runner tells an action: ACTIONS_RESULTS_URL, ACTIONS_RUNTIME_TOKEN and GITHUB_SERVER_URL. It may
point at the artifact server of act, at GitHub, or at `tests.github.results_service`.
"""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.node import HERE, packages

PASSED = ("ACTIONS_RESULTS_URL", "ACTIONS_RUNTIME_TOKEN", "GITHUB_SERVER_URL")


@dataclass(frozen=True, slots=True)
class Listed:
    """An artifact as the client lists it; act tells no digest."""

    id: int
    name: str
    size: int
    digest: str | None


def listed(variables: Mapping[str, str]) -> list[Listed]:
    """All artifacts of the run."""
    return [as_listed(each) for each in client(variables, "list")]


def found(variables: Mapping[str, str], name: str) -> Listed:
    """The artifact with this name."""
    return as_listed(client(variables, "find", name))


def download(variables: Mapping[str, str], artifact: int, folder: Path, digest: str) -> bool:
    """Unpack an artifact into the folder; whether its bytes have the digest (`sha256:…`)."""
    said = client(variables, "download", str(artifact), str(folder), digest)
    return said["digestMismatch"] is False


def as_listed(said: Mapping[str, Any]) -> Listed:
    return Listed(said["id"], said["name"], said["size"], said.get("digest"))


def client(variables: Mapping[str, str], *arguments: str) -> Any:
    """What the client answers; it runs where its packages lie, as node looks for them from there."""
    told = {name: variables[name] for name in PASSED if name in variables}
    done = subprocess.run(
        ["node", "--input-type=module", "-", *arguments],
        input=(HERE / "npm" / "client.mjs").read_text(),
        cwd=packages("npm"),
        env={"PATH": os.environ["PATH"], **told},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if done.returncode:
        raise RuntimeError(f"the client failed: {done.stdout}{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])
