"""A path is refused where the system would not take it at its word."""

from pathlib import PurePath, PurePosixPath, PureWindowsPath

import pytest

from agenttest.names import misread


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("con", "names 'con', which Windows takes for a device; give it another name"),
        (r"runs\NUL.yml", "names 'NUL.yml', which Windows takes for a device; give it another name"),
        ("a/COM¹", "names 'COM¹', which Windows takes for a device; give it another name"),
        ("aux .tar.gz", "names 'aux .tar.gz', which Windows takes for a device; give it another name"),
        ("a/c.yml:hidden", "holds ':', which Windows allows in no name; give it another name"),
        ("*.yml", "holds '*', which Windows allows in no name; give it another name"),
        ("a\nb/c.yml", r"holds '\n', which Windows allows in no name; give it another name"),
        ("c.yml.", "names 'c.yml.', of which Windows drops the end; write it without"),
        ("folder /c.yml", "names 'folder ', of which Windows drops the end; write it without"),
        ("...", "names '...', of which Windows drops the end; write it without"),
    ],
)
def test_what_windows_would_read_as_something_else_is_told(given: str, said: str) -> None:
    assert said == misread(PureWindowsPath(given))


@pytest.mark.parametrize(
    "given", [r"D:\a\repo\c.yml", "a/b.c/d.yml", "console.yml", "com10", r"\\host\share\c.yml", "é"]
)
def test_a_plain_path_is_fine_on_windows(given: str) -> None:
    assert None is misread(PureWindowsPath(given))


@pytest.mark.parametrize("path", [PurePosixPath("con/c.yml:x."), PurePath("c.yml")])
def test_other_systems_take_every_name_at_its_word(path: PurePath) -> None:
    assert None is misread(path)
