"""What a saved run of scenario files says was seen, and from where → the values, or what no run writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agenttest import steprules
from agenttest.documents import Document, Marks, schema
from agenttest.evidence import TRACED, Missing
from agenttest.jsontext import compact
from agenttest.model import Observation, Provenance, Reason, Recording, Scenario, Status, Suite
from agenttest.observations import from_document, to_document
from agenttest.quote import quote
from agenttest.report import FILES, Report
from agenttest.savedrun import Damaged, Issue
from agenttest.sources import normalized, replayed
from agenttest.sources.origins import origin
from agenttest.sources.written import written
from agenttest.verify import live
from agenttest.verify.asked import selected_of

DIGEST = re.compile(r"[0-9a-f]{64}")
EARLY = (Reason.BUDGET, Reason.INTERRUPTED, Reason.ENDPOINT)
CONTRACTS = ("offline", "live")  # how a contract's agent is observed


def came_of(state: Mapping[str, Any], suite: Suite) -> Provenance:
    """Where the run says that its observations came from, which must be where its suite lets them come from."""
    came = live.came_of(state)
    if suite.files is None:
        right = came.mode in CONTRACTS
    else:
        right = came == origin(suite, selected_of(state, suite), came.endpoint)
    if not right:
        raise Damaged(Issue("provenance", "state.json gives the observations an origin that its suite does not have"))
    return came


def observed_of(told: Sequence[Mapping[str, Any]], suite: Suite, came: Provenance) -> dict[str, Observation]:
    """The observations as the journal holds them, by scenario: those that follow from the suite, and others that a
    trace, a recording or an agent can show."""
    scenarios = {scenario.id: scenario for scenario in suite.scenarios}
    found: dict[str, Observation] = {}
    for event in told:
        raw = event.get("observation") if event["event"] == "observation" else None
        if raw is None:
            continue
        scenario = scenarios[event["scenario"]]
        said = wrong(raw, scenario, asked=came.endpoint is not None)
        if said is not None or scenario.id in found:
            which = f"{FILES['events']} holds of scenario {quote(scenario.id, 120)}"
            raise Damaged(Issue("observation", f"{which} an invalid observation: {said or 'there are several'}"))
        found[scenario.id] = from_document(raw)
    return found


def wrong(raw: Any, scenario: Scenario, *, asked: bool) -> str | None:
    """What keeps a value from being what the journal holds of a scenario's observation."""
    if not isinstance(raw, dict) or raw.get("id") != scenario.id:
        return "it is of another scenario"
    own = written(scenario, live=asked)
    if own is not None:
        return None if compact(raw) == compact(to_document(own)) else "it is not what the scenario's file says"
    if "steps" in raw and scenario.executor == "endpoint":
        return "an agent that was asked shows no steps"
    said = not_traced(raw) if "steps" in raw else not_seen(raw)
    if said is None and compact(raw) != compact(to_document(from_document(raw))):
        said = "it is not written as a run writes it"
    return said


def not_traced(raw: dict[str, Any]) -> str | None:
    """What keeps a value from being the observation of a trace."""
    if not schema.accepts("traced")(raw):
        return "it has another form than the observation of a trace"
    if raw.get("partial", []) != [kind for kind in TRACED if kind in raw.get("partial", [])]:
        return "it calls evidence partial of which there is no such kind"
    found = next(steprules.problems(Document("", raw, Marks(1, 1)), ("steps",), raw["steps"]), None)
    return None if found is None else found.message


def not_seen(raw: dict[str, Any]) -> str | None:
    """What keeps a value from being an entry of an observations file, but for its id, which may be any text."""
    entry = {key: value for key, value in raw.items() if key != "remedy"} | {"id": "it"}
    if "remedy" in raw and not (isinstance(raw["remedy"], str) and isinstance(raw.get("error"), str)):
        return "it has a remedy without an error"
    document = Document("", {"version": 1, "scenarios": [entry]}, Marks(1, 1))
    found = next(normalized.problems(document, {"it"}), None)
    return None if found is None else found.message


def recordings_of(told: Sequence[Mapping[str, Any]], chosen: Sequence[Scenario]) -> dict[str, Recording]:
    """The files that scenarios were replayed from; only of one that is, and always of one that shows something."""
    scenarios = {scenario.id: scenario for scenario in chosen}
    found: dict[str, Recording] = {}
    for event in told:
        scenario = scenarios.get(str(event.get("scenario")))
        if event["event"] != "observation" or scenario is None:
            if "source" in event:
                raise Damaged(Issue("source", f"{FILES['events']} names a source where no run does"))
            continue
        if not sourced(event, scenario):
            said = f"{FILES['events']}: scenario {quote(scenario.id, 120)} was not replayed from such a file"
            raise Damaged(Issue("source", said))
        if "source" in event:
            found[scenario.id] = Recording(**event["source"])
    return found


def sourced(event: Mapping[str, Any], scenario: Scenario) -> bool:
    """Whether an event names the file that the scenario is replayed from as a run does."""
    raw, seen = event.get("source"), event.get("observation")
    shown = seen is not None and "error" not in seen
    if raw is None or scenario.executor != "replay":
        return "source" not in event and not (shown and scenario.executor == "replay")
    if not isinstance(raw, dict) or raw.keys() != {"path", "sha256"} or seen is None:
        return False
    given = (scenario.input or {})["replay"]
    wanted = given.get("sha256") if isinstance(given, Mapping) else None
    return (
        raw["path"] == placed(scenario)
        and isinstance(raw["sha256"], str)
        and DIGEST.fullmatch(raw["sha256"]) is not None
        and (not shown or wanted is None or str(wanted).lower() == raw["sha256"])
    )


def placed(scenario: Scenario) -> str | None:
    """The path that a scenario names of its recording; None where that is none."""
    try:
        return replayed.place(scenario)
    except replayed.Unread:
        return None


def issues(results: Mapping[str, Any], report: Report, lacking: Mapping[str, Missing]) -> Iterator[Issue]:
    """What was not observed in a run that says neither that it ended early nor that a shard lacks; and problems that
    are told of no file."""
    suite = report.suite
    if suite is None or suite.files is None:
        return
    unseen = [each for each in report.scenarios if each.observation is None and each.scenario.id not in lacking]
    if unseen and results["status"] == Status.INCOMPLETE and results["reason"] not in EARLY:
        said = f"scenario {quote(unseen[0].scenario.id)} was not observed, and nothing says why"
        yield Issue("observation", said)
    told = len(results.get("issues", ()))
    if told != len(suite.problems) + (not report.observations_kept):
        yield Issue("disagreement", f"{FILES['behavior_results']} does not tell what is wrong with the suite's files")
