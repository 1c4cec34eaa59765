"""Starts the image with the very `docker run` of GitHub's runner and reads what the step left behind.

The shape is that of ContainerActionHandler.cs, DockerCommandManager.cs and ActionCommand.cs in actions/runner.
"""

import json
import os
import re
import subprocess
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
JOB_USER = (1001, 1001) if os.getuid() == 0 else (os.getuid(), os.getgid())
COMMAND_FILES = ("env", "output", "path", "state", "step_summary")
COMMAND = re.compile(r"\s*::(?P<name>\w[\w-]*)(?: (?P<properties>.*?))?::(?P<data>.*)")


@dataclass(frozen=True, slots=True)
class Annotation:
    """One error, warning or notice that the runner would attach to a line of a file."""

    kind: str
    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Step:
    """What a step left behind: its exit code, its log, and the texts of its command files by name."""

    exit_code: int
    log: str
    files: Mapping[str, str]

    @property
    def outputs(self) -> dict[str, str]:
        return dict(pairs(self.files["output"]))

    @property
    def summary(self) -> str:
        return self.files["step_summary"]

    @property
    def annotations(self) -> list[Annotation]:
        return list(annotations(self.log))


@dataclass(frozen=True, slots=True)
class Runner:
    """A machine with a workspace and a temp folder that belong to the job's user."""

    image: str
    workspace: Path
    temp: Path
    inside: str = "/github/workspace"
    mode: str = "rw"
    user: tuple[int, int] = JOB_USER
    network: str = "none"  # the runner has no such job, but a step that judges recordings needs no other
    event: Mapping[str, Any] = field(default_factory=dict)

    def run(self, inputs: Mapping[str, str] | None = None, env: Mapping[str, str] | None = None) -> Step:
        """Run the action as one step and wait for its end."""
        return self.start(inputs, env).wait()

    def start(self, inputs: Mapping[str, str] | None = None, env: Mapping[str, str] | None = None) -> "Container":
        """Start the action as one step. As on GitHub, an input that is not given has the default of action.yml."""
        suffix = uuid.uuid4().hex
        files = {name: self.temp / "_runner_file_commands" / f"{name}_{suffix}" for name in COMMAND_FILES}
        self.prepare(files)
        given = {input_name(key): value for key, value in {**default_inputs(), **(inputs or {})}.items()}
        return Container.start(self, {**self.environment(files), **given, **(env or {})}, files)

    def prepare(self, files: Mapping[str, Path]) -> None:
        """Make the runner's folders and empty command files, and give everything to the job's user."""
        for folder in ("_github_home", "_github_workflow", "_runner_file_commands"):
            (self.temp / folder).mkdir(parents=True, exist_ok=True)
        (self.temp / "_github_workflow" / "event.json").write_text(json.dumps(self.event))
        for path in files.values():
            path.touch()
        for root in (self.workspace, self.temp):
            for path in (root, *root.rglob("*")):
                os.chown(path, *self.user, follow_symlinks=False)

    def environment(self, files: Mapping[str, Path]) -> dict[str, str]:
        """The variables that the runner sets for every container action and that an action may rely on."""
        return {
            "HOME": "/github/home",
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION": "__org_agent-test-action",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": "/github/workflow/event.json",
            "GITHUB_JOB": "contracts",
            "GITHUB_REF": "refs/pull/1/merge",
            "GITHUB_REPOSITORY": "org/desk",
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_RUN_ID": "1",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_SHA": "5" * 40,
            "GITHUB_WORKSPACE": self.inside,
            "RUNNER_OS": "Linux",
            "RUNNER_TEMP": "/github/runner_temp",
            **{f"GITHUB_{name.upper()}": f"/github/file_commands/{path.name}" for name, path in files.items()},
        }

    @property
    def mounts(self) -> Iterator[str]:
        yield f"{docker_socket()}:/var/run/docker.sock"
        yield f"{self.temp}:/github/runner_temp"
        yield f"{self.temp}/_github_home:/github/home"
        yield f"{self.temp}/_github_workflow:/github/workflow"
        yield f"{self.temp}/_runner_file_commands:/github/file_commands"
        yield f"{self.workspace}:{self.inside}:{self.mode}"


@dataclass(frozen=True, slots=True)
class Container:
    """A step that still runs."""

    name: str
    process: subprocess.Popen[str]
    files: Mapping[str, Path]

    @classmethod
    def start(cls, runner: Runner, environment: Mapping[str, str], files: Mapping[str, Path]) -> "Container":
        name = f"agenttest_{uuid.uuid4().hex[:12]}"
        command = ["docker", "run", "--name", name, "--workdir", runner.inside, "--rm", "--network", runner.network]
        for key in environment:
            command += ["-e", key]
        for mount in runner.mounts:
            command += ["-v", mount]
        process = subprocess.Popen(
            [*command, runner.image],
            # HOME and the like are for the container; the client keeps what it needs to find the daemon.
            env={**environment, **{key: os.environ[key] for key in ("PATH", "DOCKER_HOST") if key in os.environ}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        return cls(name, process, files)

    def wait(self, seconds: float = 60) -> Step:
        """Wait for the end; a step that outlives `seconds` is killed, and that is an error."""
        try:
            log, _ = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            docker("kill", self.name)
            raise
        return Step(self.process.returncode, log, {name: path.read_text() for name, path in self.files.items()})

    def signal(self, name: str) -> None:
        """Send a signal to the container's first process, as the runner does when a job is cancelled."""
        docker("kill", "--signal", name, self.name)

    def status(self) -> dict[str, list[str]] | None:
        """The kernel's /proc/1/status of the container; nothing before it runs or after its end."""
        asked = subprocess.run(
            ["docker", "exec", self.name, "cat", "/proc/1/status"], capture_output=True, text=True, check=False
        )
        lines = (line.split() for line in asked.stdout.splitlines())
        return {words[0].rstrip(":"): words[1:] for words in lines} if asked.returncode == 0 else None


def docker(*arguments: str) -> str:
    """Ask the docker client; returns its output, and raises with its words where it fails."""
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"docker {' '.join(arguments)}: {done.stderr or done.stdout}")
    return done.stdout.strip()


def owner(path: Path) -> tuple[int, int]:
    """The uid and gid of a path, not of what it may point to."""
    info = path.lstat()
    return info.st_uid, info.st_gid


def docker_socket() -> str:
    return os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://")


def default_inputs() -> dict[str, str]:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    return {name: row["default"] for name, row in inputs.items()}


def input_name(name: str) -> str:
    """The variable of an input: hyphens stay, as in Handler.cs."""
    return "INPUT_" + name.replace(" ", "_").upper()


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """The pairs of an output file, in both forms that the runner reads; anything else would fail the step there."""
    lines = iter(text.splitlines())
    for line in lines:
        if found := re.fullmatch(r"([^=<]+)<<(.+)", line):
            yield found[1], "\n".join(iter(lines.__next__, found[2]))
        elif line:
            name, equals, value = line.partition("=")
            assert equals, f"the runner refuses the output line {line!r}"
            yield name, value


def annotations(log: str) -> Iterator[Annotation]:
    """The annotations among the lines of a log, unescaped as the runner does it."""
    for found in filter(None, map(COMMAND.fullmatch, re.split(r"\r\n|\r|\n", log))):
        if found["name"] in ("error", "warning", "notice"):
            properties = dict(pair.split("=", 1) for pair in (found["properties"] or "").split(",") if pair)
            file, line = unescape(properties.get("file", "")), int(properties.get("line", 0))
            yield Annotation(found["name"], file, line, unescape(found["data"]))


def unescape(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text
