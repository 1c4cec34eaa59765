"""The pages on signed evidence and on releases: their workflows are sound, and every name in them is there."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.markdown import CODE, ROOT, blocks, table, text_of

ATTESTATION, RELEASING = "docs/attestation.md", "docs/releasing.md"
TOOLS = Path(sys.executable).parent
(WORKFLOW,) = (block.text for block in blocks(ATTESTATION) if block.text.startswith("# .github/workflows/"))
RELEASE: dict[str, Any] = yaml.safe_load(text_of(".github/workflows/release.yml"))
PINNED = re.compile(r"uses: (\S+@[0-9a-f]{40} # v\S+)")


@pytest.mark.parametrize(
    "command", [["actionlint"], ["zizmor", "--offline", "--quiet", "--persona=auditor", "--min-severity=medium"]]
)
def test_the_workflow_is_sound(command: list[str], tmp_path: Path) -> None:
    file = tmp_path / ".github" / "workflows" / "evidence.yml"
    file.parent.mkdir(parents=True)
    # The page shows the tag that people read; pinned, so that the linters speak of the rest.
    file.write_text(WORKFLOW.replace("agent-test-action@v1\n", f"agent-test-action@{'5' * 40} # v1\n"))
    tool, *flags = command

    done = subprocess.run([TOOLS / tool, *flags, file], capture_output=True, text=True, check=False)

    assert 0 == done.returncode, done.stdout


def test_every_output_that_is_signed_is_one_of_the_action() -> None:
    outputs = yaml.safe_load(text_of("action.yml"))["outputs"]

    used = set(re.findall(r"steps\.agent\.outputs\.([\w-]+)", text_of(ATTESTATION)))

    assert {"artifact-digest", "evidence-digest"} <= used <= outputs.keys()


def test_pinned_actions_are_those_of_the_projects_own_workflows() -> None:
    own = "".join(path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yml"))

    assert {*PINNED.findall(text_of(ATTESTATION))} <= {*PINNED.findall(own)}


def test_every_job_of_a_release_is_explained() -> None:
    rows = table(RELEASING, "job", "what").rows

    assert [*RELEASE["jobs"]] == [name for row in rows for name in CODE.findall(row[0])]
