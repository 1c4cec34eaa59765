"""Places of saved runs → which of them are parts of one whole, and which parts are not there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenttest import settings
from agenttest.errors import InvalidInput, Problem
from agenttest.model import Shard
from agenttest.quote import quote
from agenttest.replay import lines, replay_files
from agenttest.report import FILES
from agenttest.runfiles import Files, opened
from agenttest.savedrun import SavedRun

DEEP = 3  # folders between one that is given and the runs in it
WHOLE = Shard(1, 1)


@dataclass(frozen=True, slots=True)
class Part:
    """A valid run: the call that it is a part of, the shard, and for each suite its folder inside.

    The folder is empty where the run is the suite's own, and None where it was not saved.
    """

    path: Path
    call: tuple[str, ...]
    asked: tuple[str, ...]
    shard: Shard
    suites: Mapping[str, str | None]
    evidence_digest: str


@dataclass(frozen=True, slots=True)
class Group:
    """Parts of one call by their number; `broken` says which of the given runs could not be taken."""

    count: int
    asked: tuple[str, ...]
    broken: tuple[str, ...]
    parts: dict[int, Part] = field(default_factory=dict)

    @property
    def suites(self) -> list[str]:
        """Every suite that a part has judged, in the order of the call."""
        return sorted({name for part in self.parts.values() for name in part.suites}, key=self.position)

    def position(self, name: str) -> tuple[int, str]:
        """Where the call has a suite; one of another spelling comes last."""
        call = next(iter(self.parts.values())).call
        return (call.index(name) if name in call else len(call), name)


def groups(places: Sequence[Path]) -> list[Group]:
    """The valid runs of all places, each with those that belong to it; InvalidInput where they do not fit."""
    parts, broken = taken(places)
    found: dict[tuple[Any, ...], Group] = {}
    for part in parts:
        group = found.setdefault((part.call, part.asked), Group(part.shard.count, part.asked, tuple(broken)))
        add(group, part)
    names = [name for group in found.values() for name in group.suites]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(Problem(name, 0, 0, "is in runs of different calls; merge those of one") for name in twice)
    return list(found.values())


def taken(places: Sequence[Path]) -> tuple[list[Part], list[str]]:
    """The parts, and what is said of each run that is none; InvalidInput where there is no part at all."""
    parts: list[Part] = []
    broken: list[str] = []
    for path in (run for place in places for run in runs_at(place)):
        try:
            with opened(path) as files:
                parts.append(part(path, files))
        except InvalidInput as error:
            broken += map(str, error.problems)
    if not parts:
        none = ["no saved run is given; name the runs to merge, or a folder that holds them"]
        raise InvalidInput(Problem("", 0, 0, said) for said in broken or none)
    return parts, broken


def runs_at(place: Path, deep: int = DEEP) -> Iterator[Path]:
    """The place itself, or where it is a folder that is no run all runs in it, unpacked or not."""
    if deep == 0 or not place.is_dir() or any((place / name).exists() for name in FILES.values() if name != "."):
        yield place
        return
    with os.scandir(place) as entries:
        inner = sorted(e.path for e in entries if e.is_dir(follow_symlinks=False) or e.name.endswith(".zip"))
    for path in inner:
        yield from runs_at(Path(path), deep - 1)


def part(path: Path, files: Files) -> Part:
    """What a run says of itself, once it has been replayed; InvalidInput where it is not valid."""
    found = replay_files(files)
    if not found.valid:
        raise InvalidInput(Problem("", 0, 0, next(lines(found))))
    state, saved = SavedRun(files).json(FILES["state"]), found.saved
    shard = settings.shard(state["shard"]) if "shard" in state else None
    if "children" in saved:
        call, asked = tuple(state["suites"]), tuple(state["asked"])
        suites = {entry["suite"]: entry["directory"] for entry in saved["children"] if entry["suite"]}
    else:
        call, asked = (saved["suite"],), tuple(state["selection"]["asked"])
        suites = {saved["suite"]: ""}
    return Part(path, call, asked, shard or WHOLE, suites, saved["evidence_digest"])


def add(group: Group, new: Part) -> None:
    """Another part; the same evidence may come twice, other evidence of the same part may not."""
    if new.shard.count != group.count:
        what = f"shard {new.shard}" if new.shard != WHOLE else "no shard but a whole run"
        said = f"is {what}, others are of {group.count} shards; merge the shards of one run"
        raise InvalidInput(Problem(str(new.path), 0, 0, said))
    known = group.parts.setdefault(new.shard.index, new)
    if known.evidence_digest != new.evidence_digest:
        said = f"is shard {new.shard} with other evidence than {quote(str(known.path))}; name one of them"
        raise InvalidInput(Problem(str(new.path), 0, 0, said))
