"""The release's edit of action.yml: one line, for one published image."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ACTION = (ROOT / "action.yml").read_text()
DIGEST = "sha256:" + "0123456789abcdef" * 4
IMAGE = f"ghcr.io/org/agent-test-action:v1.2.3@{DIGEST}"


def write(action: Path, image: str) -> subprocess.CompletedProcess[str]:
    script = ROOT / ".github" / "release" / "image.py"
    return subprocess.run([sys.executable, script, action, image], capture_output=True, text=True, check=False)


@pytest.fixture
def action(tmp_path: Path) -> Path:
    path = tmp_path / "action.yml"
    path.write_text(ACTION)
    return path


def test_one_line_changes_and_no_other(action: Path) -> None:
    done = write(action, IMAGE)

    assert (0, "") == (done.returncode, done.stderr)
    expected = [f"  image: docker://{IMAGE}" if line == "  image: Dockerfile" else line for line in ACTION.split("\n")]
    assert expected == action.read_text().split("\n")
    assert expected != ACTION.split("\n")


@pytest.mark.parametrize(
    "image",
    [
        "ghcr.io/org/agent-test-action:v1.2.3",
        f"ghcr.io/org/agent-test-action@{DIGEST}",
        f"ghcr.io/Org/agent-test-action:v1.2.3@{DIGEST}",
        f"ghcr.io/org/agent-test-action:v1.2.3@{DIGEST[:-1]}",
        f"ghcr.io/org/agent-test-action:v1.2.3@{DIGEST.upper()}",
        f"ghcr.io/org/agent-test-action:latest@{DIGEST}",
        f"docker.io/org/agent-test-action:v1.2.3@{DIGEST}",
        f"{IMAGE}\n  entrypoint: /bin/sh",
    ],
)
def test_an_odd_image_is_refused_and_nothing_written(action: Path, image: str) -> None:
    done = write(action, image)

    assert 1 == done.returncode
    assert "should be ghcr.io/OWNER/NAME:vX.Y.Z@sha256: and 64 hex digits, in lower case" in done.stderr
    assert ACTION == action.read_text()


def test_a_second_edit_is_refused(action: Path) -> None:
    write(action, IMAGE)

    done = write(action, IMAGE)

    assert (1, "image.py: should find 'image: Dockerfile' once, found it 0 times\n") == (done.returncode, done.stderr)
