"""A version to be released → what the files say of it, once pyproject.toml, the package and the changelog agree.

version.py check 1.2.3         exit 0, or say which of the three say otherwise
version.py notes 1.2.3         the changelog's section, for the release's page
version.py major 1.2.3 <TAGS   `v1` where no later 1.x.y is among the tags (one a line), else nothing
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
TAG = re.compile(rf"(?:refs/tags/)?v({VERSION.pattern})")


def main(command: str, version: str) -> None:
    """Do what the command says, on the checkout that this file belongs to."""
    if not VERSION.fullmatch(version):
        sys.exit(f"version.py: {version!r} should be three numbers, such as 1.2.3")
    if command == "check" and (found := list(disagreements(version, ROOT))):
        sys.exit("\n".join(f"version.py: {each}" for each in found))
    if command == "notes":
        sys.stdout.write(notes(version, (ROOT / "CHANGELOG.md").read_text("utf-8")))
    if command == "major":
        sys.stdout.write(major(version, sys.stdin.read().split()))


def disagreements(version: str, root: Path) -> Iterator[str]:
    """What does not say that this version is the one to be released."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if project != version:
        yield f"pyproject.toml has version {project!r}; should be {version!r}"
    package = re.findall(r'^__version__ = "(.*)"$', (root / "agenttest" / "__init__.py").read_text("utf-8"), re.M)
    if package != [version]:
        yield f"agenttest/__init__.py has __version__ {package}; should be {version!r}"
    if not notes(version, (root / "CHANGELOG.md").read_text("utf-8")).strip():
        yield f"CHANGELOG.md has nothing under a heading '## [{version}] - YYYY-MM-DD'; should say what changed"


def notes(version: str, changelog: str) -> str:
    """The section of a version, without its heading; nothing where there is none."""
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n"
    found = re.search(heading + r"(.*?)(?=^## |^\[[^\]]+\]: |\Z)", changelog, re.M | re.S)
    return found[1].strip() + "\n" if found else ""


def major(version: str, tags: list[str]) -> str:
    """The major tag that should be moved to this version; none where a later version of the same major is out."""
    others = [numbers(found[1]) for found in map(TAG.fullmatch, tags) if found]
    first = numbers(version)[0]
    return "" if any(other[0] == first and other > numbers(version) for other in others) else f"v{first}"


def numbers(version: str) -> tuple[int, ...]:
    """A version as it is ordered."""
    return tuple(map(int, version.split(".")))


if __name__ == "__main__":
    main(*sys.argv[1:])
