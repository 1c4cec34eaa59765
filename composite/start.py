"""The inputs of composite/action.yml, as JSON → the action, run by this Python on what requirements.lock names.

Inputs come as one JSON value, as no shell then stands between a name such as `fail-on` and the action.
"""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
INSTALL = (
    *("-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-compile"),
    *("--require-hashes", "--no-deps", "--only-binary=:all:", "--requirement", str(LOCK), "--target"),
)


NOT_INSTALLED = "status=incomplete\nreason=internal\nexit-code=2\n"


class NotInstalled(Exception):
    """The locked libraries could not be installed."""


def main() -> int:
    """Run the action; exit 0 once it gave its verdict, whose exit code becomes the output `step-exit-code`.

    So the step that follows can upload the evidence whatever the verdict, and the last one turns red.
    """
    output_file = os.environ["GITHUB_OUTPUT"]
    with open(output_file, "a", encoding="utf-8", newline="\n") as output:  # while it may still be opened
        take_inputs()
        try:
            sys.path[:0] = [str(ROOT), str(installed())]
        except NotInstalled as error:
            output.write(NOT_INSTALLED)
            print(f"::error title=agenttest::{error}")
            return 2
        from agenttest.action import main as action

        output.write(f"step-exit-code={action()}\n")
    return 0


def take_inputs() -> None:
    """Hand the inputs over as the runner hands them to a container."""
    for name, value in json.loads(os.environ.pop("AGENTTEST_INPUTS")).items():
        os.environ["INPUT_" + name.replace(" ", "_").upper()] = str(value)


def installed() -> Path:
    """The folder with the locked libraries, made by the job's first step that needs it; NotInstalled where it fails."""
    key = hashlib.sha256(LOCK.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = Path(os.environ["RUNNER_TEMP"], f"agent-test-action-{key}")
    if not folder.is_dir():
        unfinished = folder.with_name(f"{folder.name}-{os.getpid()}")
        done = subprocess.run([sys.executable, "-I", *INSTALL, str(unfinished)], env=public(), check=False)
        if done.returncode:
            raise NotInstalled(f"pip could not install {LOCK.name} (exit {done.returncode}); it says why above")
        unfinished.rename(folder)
    return folder


def public() -> dict[str, str]:
    """The environment without the job's tokens, the agent's, and the action's inputs."""
    agents = os.environ.get("INPUT_AUTH-ENV", "").strip()
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ACTIONS_", "INPUT_")) and "TOKEN" not in name.upper() and name != agents
    }


if __name__ == "__main__":
    sys.exit(main())
