"""The release's own checks: three files agree on the version, its notes are the changelog's, the major tag moves on."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("pyproject.toml", "agenttest/__init__.py", ".github/release/version.py")
NOTES = "### Added\n\n- You can do a second thing.\n"
CHANGELOG = f"""\
# Changelog

## [Unreleased]

- Something that is not out yet.

## [1.2.3] - 2026-12-01

{NOTES}
## [1.2.2] - 2026-11-01

- A first thing.

[Unreleased]: https://example.com
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which everything says 1.2.3."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name, line in (("pyproject.toml", 'version = "'), ("agenttest/__init__.py", '__version__ = "')):
        lines = (tmp_path / name).read_text().split("\n")
        text = [f'{line}1.2.3"' if each.startswith(line) else each for each in lines]
        (tmp_path / name).write_text("\n".join(text))
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    return tmp_path


def run(checkout: Path, *arguments: str, tags: str = "") -> subprocess.CompletedProcess[str]:
    script = checkout / ".github" / "release" / "version.py"
    return subprocess.run([sys.executable, script, *arguments], input=tags, capture_output=True, text=True, check=False)


def test_a_version_that_all_files_name_may_be_released(checkout: Path) -> None:
    done = run(checkout, "check", "1.2.3")

    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


def test_every_file_that_says_otherwise_is_named(checkout: Path) -> None:
    done = run(checkout, "check", "1.3.0")

    assert 1 == done.returncode
    assert [
        "version.py: pyproject.toml has version '1.2.3'; should be '1.3.0'",
        "version.py: agenttest/__init__.py has __version__ ['1.2.3']; should be '1.3.0'",
        "version.py: CHANGELOG.md has nothing under a heading '## [1.3.0] - YYYY-MM-DD'; should say what changed",
    ] == done.stderr.splitlines()


@pytest.mark.parametrize("version", ["v1.2.3", "1.2", "1.2.3-rc.1", "01.2.3", "1.2.3\n", "$(id)", ""])
def test_what_is_no_version_is_refused(checkout: Path, version: str) -> None:
    done = run(checkout, "check", version)

    assert (1, f"version.py: {version!r} should be three numbers, such as 1.2.3\n") == (done.returncode, done.stderr)


def test_notes_are_the_section_of_the_version(checkout: Path) -> None:
    assert NOTES == run(checkout, "notes", "1.2.3").stdout


def test_notes_of_the_oldest_version_end_before_the_links(checkout: Path) -> None:
    assert "- A first thing.\n" == run(checkout, "notes", "1.2.2").stdout


@pytest.mark.parametrize(
    ("version", "tags", "major"),
    [
        ("1.2.3", "", "v1"),
        ("1.10.0", "v1.9.9 v1 v0.1.0", "v1"),
        ("1.2.4", "refs/tags/v1.2.3 refs/tags/v2.0.0", "v1"),
        ("1.9.9", "v1.10.0", ""),
        ("1.2.3", "v1.2.3", "v1"),
        ("2.0.0", "v1.2.3 v20.0.0 nightly", "v2"),
    ],
)
def test_the_major_tag_only_moves_forward(checkout: Path, version: str, tags: str, major: str) -> None:
    assert major == run(checkout, "major", version, tags=tags).stdout
