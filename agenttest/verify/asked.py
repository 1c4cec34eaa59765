"""The inputs that a saved run names → what was asked for: which scenarios, how strictly, and as which part of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agenttest import discovery, settings
from agenttest.errors import InvalidInput
from agenttest.evidence import Missing
from agenttest.gates import Asked
from agenttest.jsontext import compact
from agenttest.model import NO_FILTERS, Filters, Merged, Risk, Scenario, Shard, Suite
from agenttest.quote import quote
from agenttest.savedrun import Damaged, Issue

WHOLE_AGAIN = "merge the runs of all shards, each as it was saved"


def chosen_of(state: Mapping[str, Any], suite: Suite) -> tuple[Scenario, ...]:
    """The scenarios that the saved patterns select, which must be those that the run says it selected."""
    asked = asked_of(state)
    chosen = discovery.select(suite, asked.patterns, shard_of(state), asked.filters)
    if [scenario.id for scenario in chosen] != state["selection"]["scenarios"]:
        said = f"the selection in state.json is not what {quote(state['selection']['asked'])} selects"
        raise Damaged(Issue("selection", said))
    return chosen


def selected_of(state: Mapping[str, Any], suite: Suite) -> tuple[Scenario, ...]:
    """The same of all shards."""
    asked = asked_of(state)
    return discovery.select(suite, asked.patterns, None, asked.filters)


def asked_of(state: Mapping[str, Any]) -> Asked:
    """What the run says was asked for; of a run of runs that stands at the top, and only as far as it is unusual."""
    raw = state.get("selection", state)
    patterns, lint, strict = raw["asked"], raw.get("lint", "warn"), state.get("strict", False)
    if not (isinstance(patterns, list) and all(isinstance(each, str) for each in patterns)):
        raise Damaged(Issue("selection", "the patterns in state.json are no list of texts"))
    if lint not in settings.LINT or raw.get("lint") == "warn" or type(strict) is not bool:
        raise Damaged(Issue("selection", "state.json says of strict or lint what no run writes"))
    return Asked(discovery.cleaned(tuple(patterns)), filters_of(raw), strict, lint)


def filters_of(raw: Mapping[str, Any]) -> Filters:
    """The filters that the run says were asked for."""
    if "filters" not in raw:
        return NO_FILTERS
    given = raw["filters"]
    tags = tuple(tuple(group) for group in given["tags"])
    risks = {key: None if given[key] is None else Risk(given[key]) for key in ("risk", "min_risk")}
    found = Filters(tags, **risks, partial=given["partial"])
    texts = all(isinstance(tag, str) for group in tags for tag in group)
    if not texts or type(found.partial) is not bool or found == NO_FILTERS or compact(asdict(found)) != compact(given):
        raise Damaged(Issue("selection", "the filters in state.json are none"))
    return found


def shard_of(state: Mapping[str, Any]) -> Shard | None:
    """The part of the suite that the run says it is of."""
    try:
        return settings.shard(state["shard"]) if "shard" in state else None
    except InvalidInput as error:
        raise Damaged(Issue("shard", f"state.json: {error.problems[0]}")) from error


def merged_of(state: Mapping[str, Any]) -> Merged | None:
    """What the run says it was merged from."""
    if "merged" not in state:
        return None
    count, missing = state["merged"]["count"], state["merged"]["missing"]
    if type(count) is not int or not 2 <= count <= settings.SHARDS or len(missing) > count or "shard" in state:
        raise Damaged(Issue("merged", "state.json says that the run is merged from shards that there cannot be"))
    shards = tuple(Shard(**each) for each in missing)
    whole = all(type(number) is int for each in shards for number in (each.index, each.count))
    right = {Shard(index, count) for index in range(1, count + 1)}
    if not whole or list(shards) != sorted(set(shards) & right):
        raise Damaged(Issue("merged", "state.json names shards that there cannot be"))
    return Merged(count, shards)


def lacking_of(state: Mapping[str, Any], suite: Suite, chosen: Sequence[Scenario]) -> dict[str, Missing]:
    """The scenarios of shards that were not there when the run was merged, each with why it cannot be proven."""
    merged = merged_of(state)
    if merged is None or not merged.missing:
        return {}
    missing = {shard.index: Missing(f"shard {shard} is not in the merged run", WHOLE_AGAIN) for shard in merged.missing}
    dealt = discovery.deal(suite.path, chosen, merged.count)
    return {name: missing[index] for name, index in dealt.items() if index in missing}
