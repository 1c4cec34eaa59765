"""The packages that the tests take from npm, pinned by the lock file in `npm/` and installed once per machine."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

PINNED = Path(__file__).parent / "npm"
NAMES = ("package.json", "package-lock.json")


def packages() -> Path:
    """The folder that holds `node_modules`; FileNotFoundError where there is no npm."""
    if not shutil.which("node") or not shutil.which("npm"):
        raise FileNotFoundError("node and npm are not installed")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agenttest-e2e" / "npm"
    content = b"".join((PINNED / name).read_bytes() for name in NAMES)
    folder = cache / hashlib.sha256(content).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one set-up at a time
        if not (folder / "installed").exists():
            install(folder)
            (folder / "installed").touch()
    return folder


def install(folder: Path) -> None:
    """Install what the lock file names, by its hashes, and run nothing of it."""
    for name in NAMES:
        shutil.copy(PINNED / name, folder)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"npm ci failed: {done.stderr}")
