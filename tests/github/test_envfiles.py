"""What is left for the runner to read."""

import os
from pathlib import Path

import pytest
from hypothesis import given

from agenttest.github.envfiles import EnvFile, heredoc, opened, summary_budget, write_outputs, write_summary
from tests.github.hostile import texts
from tests.github.runner_grammar import outputs

pytestmark = pytest.mark.usefixtures("each_system")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "output"
    path.touch()
    return path


def test_outputs_are_read_as_they_were_meant(path: Path) -> None:
    write_outputs(opened("GITHUB_OUTPUT", str(path)), {"status": "fail", "run-directory": "a b/=<<c"})

    assert {"status": "fail", "run-directory": "a b/=<<c"} == outputs(path.read_text())


@given(texts)
def test_no_value_becomes_another_output(value: str) -> None:
    assert ["x"] == [*outputs(heredoc("x", value))]


def test_what_stands_in_a_file_stays(path: Path) -> None:
    path.write_text("earlier=1\n")

    write_outputs(opened("GITHUB_OUTPUT", str(path)), {"status": "pass"})

    assert {"earlier": "1", "status": "pass"} == outputs(path.read_text())


def test_the_summary_is_apart_from_what_stands_there(path: Path) -> None:
    path.write_text("no line end")

    write_summary(opened("GITHUB_STEP_SUMMARY", str(path)), "## Ours\n")

    assert "no line end\n\n## Ours\n" == path.read_text()


@pytest.mark.parametrize(("size", "left"), [(0, 900 << 10), (1_000_000, 44_480), (1 << 20, 0), (2 << 20, 0)])
def test_the_limit_is_on_the_whole_file(path: Path, size: int, left: int) -> None:
    path.write_bytes(b"x" * size)

    assert left == summary_budget(opened("GITHUB_STEP_SUMMARY", str(path)))


def test_a_file_that_is_not_named_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    file = opened("GITHUB_OUTPUT", None)
    write_outputs(file, {"status": "pass"})

    assert EnvFile(None) == file
    assert "GITHUB_OUTPUT is not set" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["missing", "folder", "link", "pipe"])
def test_what_is_no_plain_file_is_a_warning(
    tmp_path: Path, path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = tmp_path / kind
    make = {"missing": lambda: None, "folder": odd.mkdir, "link": lambda: odd.symlink_to(path)}
    make.get(kind, lambda: os.mkfifo(odd))()

    assert EnvFile(None) == opened("GITHUB_OUTPUT", str(odd))
    assert "so nothing is written to it" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    write_outputs(EnvFile(os.open("/dev/full", os.O_WRONLY)), {"status": "pass"})

    assert "could not be written" in capsys.readouterr().err


def test_a_lone_surrogate_does_not_keep_the_summary_back(path: Path) -> None:
    write_summary(opened("GITHUB_STEP_SUMMARY", str(path)), "\ud800")

    assert "\\ud800" == path.read_text()


def test_outputs_that_cannot_be_written_are_told() -> None:
    with open("/dev/full", "wb") as full:
        assert not write_outputs(EnvFile(full.fileno()), {"status": "pass"})
