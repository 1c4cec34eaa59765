"""A check run → GitHub: made as in progress, filled by pages of annotations, and completed with the last page.

So a step that dies half-way never leaves a green check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agenttest.github.api import Api, Refused
from agenttest.model import Status

PAGE = 50  # annotations in one request
PERMISSION = "checks: write"


class Conclusion(StrEnum):
    """What a completed check run says: red, green, or neither."""

    FAILURE = "failure"
    SUCCESS = "success"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Check:
    """A check run as it is to be; the texts and annotations are within GitHub's limits."""

    name: str
    conclusion: Conclusion
    title: str
    summary: str
    annotations: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Posted:
    """The check run is there; `notice` says what is not as it should be, if anything."""

    notice: str = ""


@dataclass(frozen=True, slots=True)
class NotPosted:
    """There is no check run, or none that anyone should look at; `notice` says why."""

    notice: str


def conclusion(status: Status, exit_code: int) -> Conclusion:
    """Red where the step is red; green for a pass only; else neutral, as where `fail-on` spares what is not proven."""
    if exit_code:
        return Conclusion.FAILURE
    return Conclusion.SUCCESS if status is Status.PASS else Conclusion.NEUTRAL


def post(api: Api, check: Check) -> Posted | NotPosted:
    """Post a check run on the judged commit."""
    if api.missing or not api.job.commit:
        return NotPosted(f"no check run: {api.missing or 'it is not known which commit was judged'}")
    try:
        run = create(api, check)
    except Refused as error:
        remedy = f"; give the job the permission {PERMISSION}" if error.forbidden else ""
        return NotPosted(f"no check run: {error}{remedy}")
    return fill(api, f"check-runs/{run}", check)


def create(api: Api, check: Check) -> int:
    """A check run in progress; its number."""
    made = {"name": check.name, "head_sha": api.job.commit, "status": "in_progress"}
    page = {"details_url": api.job.page} if api.job.page else {}
    reply = api.call("POST", "check-runs", {**made, **page, "output": output(check)}).document
    number = reply.get("id") if isinstance(reply, dict) else None
    if type(number) is not int:
        raise Refused(0, "the API made a check run and did not say which")
    return number


def fill(api: Api, place: str, check: Check) -> Posted | NotPosted:
    """Add all pages; a page that is refused is left out, and that is said."""
    pages = [check.annotations[at : at + PAGE] for at in range(0, len(check.annotations), PAGE)] or [()]
    completed = {"status": "completed", "conclusion": check.conclusion}
    lost, why = 0, ""
    for page in pages[:-1]:
        error = refusal(api, place, {"output": output(check, page, lost)})
        lost, why = (lost + len(page), error) if error else (lost, why)
    error = refusal(api, place, {**completed, "output": output(check, pages[-1], lost)})
    if error:
        lost, why = lost + len(pages[-1]), error
        error = refusal(api, place, {**completed, "output": output(check, (), lost)})
    if error:
        return NotPosted(f"the check run was made but could not be completed: {error}")
    return Posted(f"the check run lacks {lost:,} annotations: {why}" if lost else "")


def refusal(api: Api, place: str, document: Mapping[str, Any]) -> str:
    """Change the check run; why that was refused, if it was."""
    try:
        api.call("PATCH", place, document)
    except Refused as error:
        return str(error)
    return ""


def output(check: Check, annotations: Sequence[Mapping[str, Any]] = (), lost: int = 0) -> dict[str, Any]:
    """What the check run's page shows; GitHub wants title and summary with every page."""
    left = f"GitHub did not take {lost:,} of the annotations; everything is told here.\n\n" if lost else ""
    told: dict[str, Any] = {"title": check.title, "summary": left + check.summary}
    return told | ({"annotations": [*annotations]} if annotations else {})
