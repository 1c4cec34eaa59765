"""The packages that the tests take from npm: each folder here with a lock file is installed once per machine."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agenttest-e2e" / "npm"
NAMES = ("package.json", "package-lock.json")


def packages(name: str) -> Path:
    """The folder that holds `node_modules` of tests/e2e/NAME; FileNotFoundError where there is no npm."""
    if not shutil.which("node") or not shutil.which("npm"):
        raise FileNotFoundError("node and npm are not installed")
    content = b"".join((HERE / name / file).read_bytes() for file in NAMES)
    folder = CACHE / f"{name}-{hashlib.sha256(content).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        if not (folder / "installed").exists():
            install(HERE / name, folder)
            (folder / "installed").touch()
    return folder


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One set-up of a folder at a time."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(pinned: Path, folder: Path) -> None:
    """Install what the lock file names, by its hashes, and run nothing of it."""
    for name in NAMES:
        shutil.copy(pinned / name, folder)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"npm ci failed: {done.stderr}")
