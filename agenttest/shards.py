"""Places of saved runs → which of them are parts of one whole, and which parts are not there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenttest.errors import InvalidInput, Problem
from agenttest.files import reading
from agenttest.gates import CONTRACT, Asked
from agenttest.model import Reason, Shard
from agenttest.quote import quote
from agenttest.replay import MALFORMED, every, replay_files
from agenttest.runfiles import Files, opened
from agenttest.runs import NAME, STATE
from agenttest.savedrun import CORE, Damaged, SavedRun
from agenttest.verify.asked import asked_of, shard_of

DEEP = 8  # folders between one that is given and the runs in it
WHOLE = Shard(1, 1)


@dataclass(frozen=True, slots=True)
class Told:
    """One suite in a run: its folder inside, empty where the run is its own, None where it was not saved; and why."""

    folder: str | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Part:
    """A valid run: the call that it is a part of, the shard, each suite that it judged, and what ended it early."""

    path: Path
    call: tuple[str, ...]
    asked: Asked
    shard: Shard
    suites: Mapping[str, Told]
    early: tuple[Reason, ...]
    evidence_digest: str


@dataclass(frozen=True, slots=True)
class Group:
    """Parts of one call by their number; of those that are `held` open, the files."""

    call: tuple[str, ...]
    asked: Asked
    count: int
    parts: dict[int, Part] = field(default_factory=dict)
    held: dict[Path, Files] = field(default_factory=dict, compare=False, repr=False)

    @property
    def whole(self) -> bool:
        """Whether every part is there."""
        return len(self.parts) == self.count

    @property
    def suites(self) -> list[str]:
        """The suites of the call that were judged or should have been; a selection may have left some out."""
        judged = {name for part in self.parts.values() for name in part.suites}
        left_out = bool(self.asked.selects and (judged or (self.whole and self.early)))
        return [name for name in self.call if name in judged or not left_out]

    @property
    def early(self) -> dict[Reason, Part]:
        """What ended a part before it had judged all, or kept it from that; each reason once."""
        return {reason: part for _, part in sorted(self.parts.items(), reverse=True) for reason in part.early}


def groups(places: Sequence[Path]) -> tuple[list[Group], list[Problem]]:
    """The valid runs of all places, each with those that belong to it; and what is said of each that is not valid.

    InvalidInput where there is no valid one, or where they do not fit.
    """
    parts, broken = taken(places)
    found: dict[tuple[Any, ...], Group] = {}
    for part in parts:
        key = (part.call, part.asked)
        add(found.setdefault(key, Group(*key, part.shard.count)), part)
    names = [name for group in found.values() for name in set(group.suites)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(Problem(name, 0, 0, "is in runs of different calls; merge those of one") for name in twice)
    return list(found.values()), broken


def taken(places: Sequence[Path]) -> tuple[list[Part], list[Problem]]:
    """The parts, and what is said of each run that is none; InvalidInput where there is no part at all."""
    parts: list[Part] = []
    broken: list[Problem] = []
    for place in places:
        for path in list(named_by(place)) or [place]:
            try:
                with opened(path) as files:
                    parts.append(part(path, files))
            except InvalidInput as error:
                broken += error.problems
            except OSError as error:
                broken.append(Problem(str(path), 0, 0, reading(error)))
    if not parts:
        none = Problem("", 0, 0, "no saved run is given; name the runs to merge, or a folder that holds them")
        raise InvalidInput(broken or none)
    return parts, broken


def named_by(place: Path) -> Iterator[Path]:
    """The runs at a place; of a folder with some, each folder inside that has none too, as it may have lost its run."""
    found = list(runs_at(place, DEEP))
    yield from found
    for entry in sorted(os.scandir(place), key=lambda entry: entry.name) if found and found != [place] else ():
        inside = Path(entry.path)
        if is_folder(entry) and not entry.name.startswith(".") and not any(run.is_relative_to(inside) for run in found):
            yield inside


def runs_at(place: Path, deep: int) -> Iterator[Path]:
    """The place itself, or where it is a folder that is no run all runs in it, unpacked or not."""
    if not os.path.isdir(place) or any(os.path.lexists(place / name) for name in CORE):
        yield place
        return
    inner = list(within(place, deep))
    # A run that was killed at once has a name and nothing else.
    yield from inner or ([place] if NAME.fullmatch(place.name) else [])


def within(place: Path, deep: int) -> Iterator[Path]:
    """The runs in a folder, as deep as they are looked for."""
    try:
        entries = sorted(os.scandir(place), key=lambda entry: entry.name) if deep else []
    except OSError:  # to read it says why
        yield place
        return
    for entry in entries:
        if is_folder(entry) or entry.name.lower().endswith(".zip"):
            yield from [Path(entry.path)] if entry.is_symlink() else runs_at(Path(entry.path), deep - 1)


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder, or may be one: to read it says why nobody can tell."""
    try:
        return entry.is_dir()
    except OSError:
        return True


def part(path: Path, files: Files) -> Part:
    """What a run says of itself, once it has been replayed; InvalidInput where it is not valid."""
    found = replay_files(files)
    for each in every(found):
        for issue in each.issues:
            raise InvalidInput(Problem(each.run, 0, 0, f"is not valid: {issue.message}"))
    try:
        state = SavedRun(files).json(STATE)
        return several(path, state, found.saved) if "children" in found.saved else single(path, state, found.saved)
    except (Damaged, *MALFORMED) as error:
        raise InvalidInput(Problem(str(path), 0, 0, "holds values that no run writes")) from error


def single(path: Path, state: Mapping[str, Any], saved: Mapping[str, Any]) -> Part:
    """One suite's run."""
    name, asked = saved["suite"], asked_of(state)
    if state["kind"] == CONTRACT:
        asked = Asked(asked.patterns)  # a contract's scenarios all count, and nothing is filtered
    told = {name: Told("", Reason(saved["reason"]))}
    return Part(path, (name,), asked, shard_of(state) or WHOLE, told, (), saved["evidence_digest"])


def several(path: Path, state: Mapping[str, Any], saved: Mapping[str, Any]) -> Part:
    """A run of runs."""
    call, asked = tuple(state["suites"]), asked_of(state)
    told = {child["suite"]: Told(child["directory"], Reason(child["reason"])) for child in saved["children"]}
    own = [Reason(child["reason"]) for child in saved["children"] if not child["suite"]]
    early = tuple(reason for reason in own if reason is not Reason.MISSING_EVIDENCE)  # that is of a shard with nothing
    told.pop("", None)
    if not told.keys() <= set(call) or not all(isinstance(text, str) for text in call):
        raise ValueError(call, asked)
    return Part(path, call, asked, shard_of(state) or WHOLE, told, early, saved["evidence_digest"])


def add(group: Group, new: Part) -> None:
    """Another part; the same evidence may come twice, other evidence of the same part may not."""
    if new.shard.count != group.count:
        what = f"shard {new.shard}" if new.shard != WHOLE else "no shard but a whole run"
        other = f"of {group.count} shards" if group.count > 1 else "whole runs"
        said = f"is {what}, others are {other}; name the runs of one call's shards alone (a merged run is a whole one)"
        raise InvalidInput(Problem(str(new.path), 0, 0, said))
    known = group.parts.setdefault(new.shard.index, new)
    if known.evidence_digest != new.evidence_digest:
        what = f"shard {new.shard}" if new.shard != WHOLE else "the same call"
        said = f"is {what} with other evidence than {quote(str(known.path))}; name one of them"
        raise InvalidInput(Problem(str(new.path), 0, 0, said))
