"""What others check reports with, from npm and PyPI, set up once in a cache."""

import json
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

from tests.e2e import node

XUNIT = "pytest==9.2.0"  # its source distribution has the schema of Jenkins's xUnit plugin
XUNIT_SCHEMA = "testing/example_scripts/junit-10.xsd"


def with_schema(folder: Path) -> Path:
    """The folder of npm packages, with the schema from PyPI beside them."""
    with node.alone(folder):
        if not (folder / "junit-10.xsd").exists():
            download_schema(folder)
    return folder


def download_schema(folder: Path) -> None:
    """The schema of Jenkins's xUnit plugin, out of the source distribution that has it."""
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", ".")
    quietly(*pip, XUNIT, cwd=folder)
    (archive,) = folder.glob("pytest-*.tar.gz")
    with tarfile.open(archive) as members:
        schema = members.extractfile(f"{archive.name.removesuffix('.tar.gz')}/{XUNIT_SCHEMA}")
        assert schema is not None
        (folder / "junit-10.xsd").write_bytes(schema.read())


def quietly(*command: str, cwd: Path) -> str:
    """The command's output; RuntimeError with it where it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout


def multitool(folder: Path, *files: Path) -> list[dict[str, Any]]:
    """What Microsoft's validator objects to in SARIF files, by the standard and by GitHub's own rules."""
    tool = folder / "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
    tool.chmod(0o755)
    found = files[0].parent / "found.json"
    asked = ("--level", "Error;Warning", "--rule-kind", "Sarif;Ghas", "--config", "default", "-o", str(found))
    command = (str(tool), "validate", *map(str, files), *asked)
    quietly("env", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1", *command, cwd=files[0].parent)
    results: list[dict[str, Any]] = json.loads(found.read_text("utf-8-sig"))["runs"][0]["results"]
    return results
