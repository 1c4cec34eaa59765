"""The image itself: what it is made of, what it says of itself, and that it compiles nothing while it runs."""

import json
import re
import subprocess
import sys

from tests.e2e import desk
from tests.e2e.runner import ROOT, Runner, docker

MEGABYTE = 1_000_000
BASE = "python:3.13-slim"
SOURCES = re.compile(r"^# code object from '?(/[^']*\.py)'?$", re.M)  # what `python -v` says of a module it compiles


def test_the_image_adds_little_to_its_base(image: str) -> None:
    base, whole = (int(docker("image", "inspect", "--format", "{{.Size}}", name)) for name in (BASE, image))

    assert 30 * MEGABYTE > whole - base


def test_the_image_has_no_compiler_and_no_cache_of_pips(image: str) -> None:
    look = "for name in cc gcc g++ make; do command -v $name; done; find / -xdev -path '*cache/pip*' -type f"

    assert "" == docker("run", "--rm", "--entrypoint", "sh", image, "-c", f"{look}; true")


def test_the_image_says_what_it_is(image: str) -> None:
    labels = json.loads(docker("image", "inspect", "--format", "{{json .Config.Labels}}", image))

    assert {f"org.opencontainers.image.{name}" for name in LABELS} <= labels.keys()
    assert ("unreleased", "unknown") == tuple(labels[f"org.opencontainers.image.{name}"] for name in LABELS[:2])


LABELS = ("version", "revision", "source", "title", "description", "licenses")


def test_nothing_is_compiled_while_a_suite_is_judged(runner: Runner) -> None:
    desk.lay(runner.workspace, desk.BROKEN)
    mount = f"{runner.workspace}:/github/workspace"
    command = ["run", "--rm", "-v", mount, "--workdir", "/github/workspace", "-e", "INPUT_SUITE=desk.yml"]
    verbose = [
        "--entrypoint",
        "sh",
        runner.image,
        "-c",
        "python3 -v -IB -X utf8 /opt/agenttest/entrypoint.py 2>&1; true",
    ]

    log = docker(*command, *verbose)

    assert "code object from" in log
    assert {"/opt/agenttest/entrypoint.py"} >= set(SOURCES.findall(log))


def test_the_benchmark_measures_a_step_that_uploads_its_evidence(image: str) -> None:
    command = [sys.executable, "benchmarks/container.py", "--image", image, "--rounds", "1", "--json"]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)
    assert all(json.loads(done.stdout)[name]["fastest"] > 0 for name in ("bare", "step"))
