"""What can be known, why a run ends, how much is at stake, and what is wrong: `Status`, `Reason`, `Risk`, `Problem`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """What is known of an assertion, a scenario or a run."""

    PASS = "pass"  # noqa: S105 (no password)
    FAIL = "fail"
    INCOMPLETE = "incomplete"

    @property
    def exit_code(self) -> int:
        """The process's exit code: 0 pass, 1 fail, 2 incomplete."""
        return {Status.PASS: 0, Status.FAIL: 1, Status.INCOMPLETE: 2}[self]

    @classmethod
    def worst(cls, statuses: Iterable[Status]) -> Status:
        """Fail over incomplete over pass; of nothing at all nothing is proven, so incomplete."""
        found = set(statuses)
        if cls.FAIL in found:
            return cls.FAIL
        return cls.PASS if found == {cls.PASS} else cls.INCOMPLETE


class Reason(StrEnum):
    """Why a run ended with its status."""

    KEPT = "kept"
    VIOLATION = "violation"
    MISSING_EVIDENCE = "missing-evidence"
    INVALID_INPUT = "invalid-input"
    ENDPOINT = "endpoint"
    BUDGET = "budget"
    NOT_SAVED = "not-saved"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


class Risk(StrEnum):
    """How much is at stake in a scenario, from the least on."""

    LOW = "Low"
    MEDIUM = "Medium"
    HIGH = "High"
    CRITICAL = "Critical"

    @property
    def rank(self) -> int:
        """Its place among the risks, from 0."""
        return list(Risk).index(self)

    @classmethod
    def of(cls, word: str) -> Risk:
        """The risk of a word in any case; ValueError where there is none."""
        return cls(word.strip().capitalize())


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong: where (line and column from 1, 0 for the whole file), what is, what would be right."""

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message
