"""The image, as the runner starts it → its start-to-exit time beside a bare `python -c pass` in it, and its size.

    make bench                                        after the engine's table, where a Docker daemon answers
    .venv/bin/python benchmarks/container.py          alone
    .venv/bin/python benchmarks/container.py --image ghcr.io/org/agent-test-action:v1

The step has the defaults of action.yml, 25 scenarios, and an artifact service on this machine that it uploads to.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

from inputs import Case, write  # noqa: E402
from measure import Figures, NotMeasured, Sample, figures, measure  # noqa: E402

from tests.e2e.runner import COMMAND_FILES, Runner, default_inputs, docker, input_name  # noqa: E402
from tests.github.results_service import ResultsService  # noqa: E402

CASE = Case("25", 25, 2)
ROUNDS = 7
MOST, MORE = 1.5, 0.5  # the bar: so many times the bare container, and so many seconds more
RUN = ("docker", "run", "--rm", "--network", "host")  # on the host's, as the service listens there alone
UNSET = {"github-token": "", "internal-matrix": "null"}  # defaults that the runner works out


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured: the bare container, the step, and how many bytes the image adds to its base."""

    bare: Figures
    step: Figures
    added: int

    @property
    def bar(self) -> float:
        """The seconds that the step may take."""
        return MOST * self.bare.fastest + MORE


def main() -> int:
    """Measure; exit 0, also where no daemon answers, or 1 where the step did not do what it is measured for."""
    options = parser().parse_args()
    try:
        docker("version", "--format", "{{.Server.Version}}")
    except (OSError, RuntimeError):
        sys.stderr.write("benchmarks: no Docker daemon answers, so the container is not measured\n")
        return 0
    try:
        measured = measure_image(options.image or docker("build", "--quiet", str(ROOT)), options.rounds)
    except (NotMeasured, RuntimeError) as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return 1
    text = json.dumps(asdict(measured), indent=1) + "\n" if options.json else "".join(as_text(measured))
    sys.stdout.write(text)
    return 0


def parser() -> argparse.ArgumentParser:
    """The flags."""
    flags = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    flags.add_argument("--image", metavar="NAME", help="the image to measure (default: built from this checkout)")
    flags.add_argument("--rounds", metavar="N", type=int, default=ROUNDS, help=f"of each (default: {ROUNDS})")
    flags.add_argument("--json", action="store_true", help="print seconds and bytes as JSON")
    return flags


def measure_image(image: str, rounds: int) -> Measured:
    """Once each to warm up, then in turn."""
    bare: list[Sample] = []
    step: list[Sample] = []
    with TemporaryDirectory() as folder, ResultsService() as service:
        for turn in range(rounds + 1):
            here = Path(folder, str(turn))
            samples = measure_bare(image, here), measure_step(image, here, service)
            if turn:
                bare.append(samples[0])
                step.append(samples[1])
    return Measured(figures(bare), figures(step), size(image) - size(base()))


def measure_bare(image: str, here: Path) -> Sample:
    """The container with the interpreter alone."""
    folder = here / "bare"
    folder.mkdir(parents=True)
    return measure([*RUN, "--entrypoint", "python3", image, "-c", "pass"], folder)


def measure_step(image: str, here: Path, service: ResultsService) -> Sample:
    """The container as a step; NotMeasured where it does not pass and upload its evidence."""
    runner = Runner(image, here / "workspace", here / "temp")
    runner.workspace.mkdir()
    names = write(CASE, runner.workspace)
    files = {name: runner.temp / "_runner_file_commands" / name for name in COMMAND_FILES}
    runner.prepare(files)
    inputs = {input_name(key): value for key, value in {**default_inputs(), **UNSET, "suite": names[0]}.items()}
    service.artifacts.clear()  # a name can be taken once in a run
    sample = measure([*command(runner, {**runner.environment(files), **service.variables, **inputs})], here / "bare")
    if not any(stored.digest for stored in service.artifacts.values()):
        raise NotMeasured(f"nothing was uploaded by a step that said:\n{(here / 'bare' / '.output').read_text()}")
    return sample


def command(runner: Runner, environment: dict[str, str]) -> Iterator[str]:
    """The runner's own `docker run`, but for the network."""
    yield from (*RUN, "--workdir", runner.inside)
    for name, value in environment.items():
        yield from ("-e", f"{name}={value}")
    for mount in runner.mounts:
        yield from ("-v", mount)
    yield runner.image


def base() -> str:
    """The image that the Dockerfile begins with."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    return next(line.split()[1] for line in lines if line.startswith("FROM "))


def size(image: str) -> int:
    """An image's bytes, unpacked."""
    return int(docker("image", "inspect", "--format", "{{.Size}}", image))


def as_text(measured: Measured) -> Iterator[str]:
    """A few lines for people."""
    for name, figure in (("python -c pass", measured.bare), (f"a step of {CASE.title}", measured.step)):
        yield f"{name:<38}{figure.fastest * 1000:>8.0f} ms at least{figure.middle * 1000:>8.0f} ms median\n"
    ratio, bar = measured.step.fastest / measured.bare.fastest, measured.bar * 1000
    yield f"the step takes {ratio:.2f} times the bare container; the bar is {MOST} times and {MORE} s, {bar:.0f} ms\n"
    yield f"the image adds {measured.added / 1e6:.1f} MB to {base()}, unpacked\n"


if __name__ == "__main__":
    sys.exit(main())
