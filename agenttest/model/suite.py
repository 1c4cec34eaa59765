"""What was loaded: `Suite`, its scenarios with their assertions, and what of it is asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agenttest.model.status import Problem, Risk
from agenttest.model.steps import Json


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the agent is said to have; `parameters` is its JSON Schema as written."""

    name: str
    description: str
    parameters: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Agent:
    """What a contract says of the agent; only a live run uses it."""

    endpoint: str | None
    model: str | None
    timeout_seconds: float
    capabilities: tuple[str, ...]
    tools: tuple[Tool, ...]


@dataclass(frozen=True, slots=True)
class Assertion:
    """One check of a scenario: `name` is its path in the suite (`tools.forbidden[0]`), `kind` its row in ASSERTIONS.

    An oracle may have a `label`, has `summary`, what it expects in a few words, and a `fault` where it cannot be judged
    as it is written, which makes it fail.
    """

    name: str
    kind: str
    expected: Json
    line: int
    column: int
    label: str | None = None
    summary: str | None = None
    fault: str | None = None

    @property
    def wanted(self) -> Json:
        """What is expected, as reports show it."""
        return self.expected if self.summary is None else self.summary


@dataclass(frozen=True, slots=True)
class Scenario:
    """A situation with what is asked of the agent in it; `available_tools` is None where the agent's own tools hold.

    One of a scenario file has that file's `path` below the root and, in `input`, where its evidence comes from, as the
    file has it; `required`, as a gate asks for it whatever its risk.
    """

    id: str
    prompt: str
    system_prompt: str | None
    available_tools: tuple[str, ...] | None
    assertions: tuple[Assertion, ...]
    line: int
    path: str | None = None
    risk: Risk | None = None
    tags: tuple[str, ...] = ()
    required: bool = False
    title: str = ""
    description: str = ""
    input: Mapping[str, Json] | None = None

    @property
    def gated(self) -> bool:
        """Whether a gate asks for this very scenario: it is required, or much is at stake."""
        return self.required or self.risk in (Risk.HIGH, Risk.CRITICAL)

    @property
    def partial(self) -> tuple[str, ...]:
        """The kinds of evidence that its file says are not seen whole."""
        capture = None if self.input is None else self.input.get("capture")
        return tuple(kind for kind, how in capture.items() if how == "partial") if isinstance(capture, Mapping) else ()

    @property
    def executor(self) -> str:
        """Which source its evidence comes from, as its file names it; nothing in a contract."""
        return "" if self.input is None else str(self.input.get("executor") or "scripted").strip().lower()


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """One part of the scenarios, the `index`th (from 1) of `count`; written `2/3`."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


@dataclass(frozen=True, slots=True)
class Merged:
    """What a run was merged from: how many shards there should be, and those of them that were not there."""

    count: int
    missing: tuple[Shard, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """Which scenarios of a folder are asked for: of each group of `tags` one at least, of this `risk`, or of this risk
    or a higher one; `partial`, as it is meant that others, which a gate asks for, are left out."""

    tags: tuple[tuple[str, ...], ...] = ()
    risk: Risk | None = None
    min_risk: Risk | None = None
    partial: bool = False

    @property
    def given(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.tags) or self.risk is not None or self.min_risk is not None


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """A file of a suite that has several: `path` below the root, and its bytes as text (bytes that are no UTF-8 as lone
    surrogates), or why it was `refused` unread."""

    path: str
    text: str = ""
    refused: str | None = None

    @property
    def digest(self) -> str:
        """The SHA-256 of its bytes in hex; a hyphen where it was not read."""
        if self.refused is not None:
            return "-"
        return hashlib.sha256(self.text.encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True, slots=True)
class Suite:
    """What was loaded: `text` as it lay on disk, and `digest`, the SHA-256 of those bytes in hex.

    A suite of several `files` has no text of its own: its digest is that of a line `DIGEST  PATH` for each, as
    `sha256sum` writes them; `problems` are of files that are no valid scenario, `warnings` of scenarios that are valid
    and prove little.
    """

    kind: str
    version: int
    path: str
    text: str
    digest: str
    agent: Agent
    scenarios: tuple[Scenario, ...]
    files: tuple[SuiteFile, ...] | None = None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the text is what the digest is of, and not without a secret that stood in it."""
        text = self.text if self.files is None else listing(self.files)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() == self.digest


def listing(files: Iterable[SuiteFile]) -> str:
    """A line for each file, as `sha256sum` writes it; the digest of a suite of files is of these lines."""
    return "".join(f"{file.digest}  {file.path}\n" for file in files)
