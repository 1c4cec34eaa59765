"""The page about the page: every assertion is in its table, and its picture is one that a README can show."""

import struct
from pathlib import Path

from agenttest.assertions import ASSERTIONS
from agenttest.report import to_document
from tests.markdown import CODE, ROOT, table
from tests.nouns import live_report

PICTURE = ROOT / "docs/report-html.png"


def size(picture: Path) -> tuple[int, int]:
    """The width and height that a PNG states."""
    data = picture.read_bytes()
    assert b"\x89PNG" == data[:4]
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_every_assertion_has_its_step() -> None:
    steps = [name for row in table("docs/report.md", "step", "shows").rows for name in CODE.findall(row[2])]

    assert sorted(row.path for row in ASSERTIONS.values()) == sorted(steps)


def test_every_key_that_only_a_live_run_has_is_listed() -> None:
    found = to_document(live_report())
    usual = {"selected_digest", "schema_version"}
    listed = {name for row in table("docs/report.md", "key", "holds").rows for name in CODE.findall(row[0])}

    assert {f"provenance.{key}" for key in found["provenance"].keys() - usual} == {
        name for name in listed if name.startswith("provenance.")
    }
    assert {"mode", "scenarios[].exchange", "scenarios[].redacted"} == {
        name for name in listed if not name.startswith("provenance.")
    }
    assert {"exchange", "redacted"} <= found["scenarios"][0].keys()


def test_the_picture_is_small() -> None:
    width, height = size(PICTURE)

    assert PICTURE.stat().st_size < 200_000
    assert (1000, True) == (width, height < 1500)
