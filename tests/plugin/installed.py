"""The plugin as an installation makes it known to pytest, wherever this checkout is run from."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
METADATA = "Metadata-Version: 2.1\nName: agent-test-action\nVersion: 0\n"


def entry_points() -> dict[str, str]:
    """What pyproject.toml tells pytest of."""
    found: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["pytest11"]
    return found


def lay(folder: Path) -> Path:
    """A folder for Python's path in which the package counts as installed."""
    about = folder / "agent_test_action-0.dist-info"
    about.mkdir(parents=True)
    lines = "".join(f"{name} = {module}\n" for name, module in entry_points().items())
    (about / "entry_points.txt").write_text(f"[pytest11]\n{lines}")
    (about / "METADATA").write_text(METADATA)
    return folder
