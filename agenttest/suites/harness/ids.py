"""Valid scenario files → those whose id is theirs alone, and the problems of those that share one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agenttest.errors import Problem
from agenttest.quote import one_line, quote
from agenttest.suites.harness.scenariofile import Valid


def unique(found: Iterable[Valid]) -> tuple[list[Valid], list[Problem]]:
    """Those whose id no other one has, whatever its case, and the problems of those that share one."""
    by_id: dict[str, list[Valid]] = {}
    for each in found:
        by_id.setdefault(each.scenario.id.casefold(), []).append(each)
    alone = [group[0] for group in by_id.values() if len(group) == 1]
    return alone, [problem for group in by_id.values() if len(group) > 1 for problem in doubles(group)]


def doubles(group: list[Valid]) -> Iterator[Problem]:
    """What is said of each file whose id another one has too."""
    for each in group:
        other = group[1] if each is group[0] else group[0]
        said = (
            f"id {quote(each.scenario.id, 60)} is also that of {one_line(other.scenario.path or '')}; give each its own"
        )
        yield Problem(each.scenario.path or "", each.line, each.column, said)
