"""What a contract's parts must not say against each other: one small function a rule, over values as they were read.

A rule looks only at parts of the right shape and leaves the others to the schema, so that all problems come at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from agenttest.documents import Document, OddKey, Path, spelled
from agenttest.errors import Problem
from agenttest.quote import quote
from agenttest.settings import CONTRACT_ASSERTIONS
from agenttest.suites.contract.asked import Asked, Names, items, member


def problems(document: Document) -> Iterator[Problem]:
    """Every rule's problems, for the file and for each scenario."""
    for rule in FILE_RULES:
        yield from rule(document)
    agent = member(document.value, "agent")
    declared = Names(agent, ("agent",), "tools").names
    readable = isinstance(member(agent, "tools", 0), list | None)
    for index in range(len(items(document.value, "scenarios"))):
        scenario = Asked(document, index)
        for scenario_rule in SCENARIO_RULES:
            yield from scenario_rule(scenario)
        if readable:
            yield from asked_is_available(scenario, declared)


def text_keys(document: Document) -> Iterator[Problem]:
    """The names of parameters and arguments are text; of every other key the schema says so."""
    for path, free in free_mappings(document.value):
        for key in free if isinstance(free, dict) else ():
            if isinstance(key, OddKey):
                from agenttest.documents.explain import odd_key

                yield document.problem((*path, key), odd_key(key), at_key=True)


def free_mappings(contract: Any) -> Iterator[tuple[Path, Any]]:
    """The mappings whose keys the schema leaves free."""
    for at, tool in enumerate(items(member(contract, "agent"), "tools")):
        yield ("agent", "tools", at, "parameters"), member(tool, "parameters")
    for at, scenario in enumerate(items(contract, "scenarios")):
        tools = member(member(scenario, "expect"), "tools")
        for index, call in enumerate(items(tools, "required")):
            path = ("scenarios", at, "expect", "tools", "required", index, "arguments")
            yield path, member(call, "arguments")


def unique_ids(document: Document) -> Iterator[Problem]:
    """Scenario ids and tool names are unique once surrounding space is gone."""
    tools = member(document.value, "agent")
    yield from own_names(document, ("scenarios",), items(document.value, "scenarios"), "id")
    yield from own_names(document, ("agent", "tools"), items(tools, "tools"), "name")


def own_names(document: Document, path: Path, listed: Iterable[Any], key: str) -> Iterator[Problem]:
    """Each entry whose name another one has."""
    first: dict[str, int] = {}
    for index, name in enumerate(member(item, key) for item in listed):
        if isinstance(name, str) and (was := first.setdefault(name.strip(), index)) != index:
            place, line = (*path, index, key), document.mark((*path, was, key)).line
            said = f"{spelled(place)} is {quote(name.strip(), 60)} again (first on line {line}); give each its own"
            yield document.problem(place, said)


def few_assertions(document: Document) -> Iterator[Problem]:
    """At most 250 assertions in a file."""
    total = 0
    for at, scenario in enumerate(items(document.value, "scenarios")):
        before, total = total, total + count(member(scenario, "expect"))
        if before <= CONTRACT_ASSERTIONS < total:
            said = f"holds assertion number {CONTRACT_ASSERTIONS + 1}; a file may have {CONTRACT_ASSERTIONS}, split it"
            yield document.problem(("scenarios", at), f"scenarios[{at}] {said}")


def count(expect: Any) -> int:
    """How many assertions an `expect` makes."""
    response, tools, sources = (member(expect, name) for name in ("response", "tools", "sources"))
    lists = [items(response, "contains"), items(response, "excludes"), items(tools, "required")]
    lists += [items(tools, "forbidden"), items(sources, "required")]
    single = sum(isinstance(tools, dict) and name in tools for name in ("allowed", "exact_sequence", "max_calls"))
    return sum(map(len, lists)) + single + (isinstance(expect, dict) and "refusal" in expect)


def some_assertion(scenario: Asked) -> Iterator[Problem]:
    """A scenario asks for something: nothing asked is nothing proven."""
    if isinstance(scenario.expect, dict) and hollow(scenario.expect) and count(scenario.expect) == 0:
        said = "expect asks for nothing; add an assertion, such as response: {contains: [a text]}"
        yield scenario.document.problem((*scenario.path, "expect"), said)


def hollow(value: Any) -> bool:
    """Whether nothing is written in it that could have been meant as an assertion."""
    return value is None or value == [] or (isinstance(value, dict) and all(map(hollow, value.values())))


def unique_names(scenario: Asked) -> Iterator[Problem]:
    """Lists of names hold no name twice, however it is spaced; those equal to the letter the schema tells."""
    for listed in (scenario.available, scenario.allowed, scenario.forbidden, scenario.sources):
        first: dict[str, int] = {}
        raw: set[str] = set()
        for at, name in listed:
            was = first.setdefault(name, at)
            if was != at and listed.texts[at] not in raw:
                line = scenario.document.mark((*listed.path, was)).line
                yield scenario.problem(listed, at, f" again (first on line {line}); keep one")
            raw.add(listed.texts[at])


def no_text_both_ways(scenario: Asked) -> Iterator[Problem]:
    """One text is not required and excluded."""
    required = set(scenario.contains.texts.values())
    for at, text in scenario.excludes.texts.items():
        if text in required:
            yield scenario.problem(scenario.excludes, at, ", which is in contains too; remove one of the two")


def no_forbidden_call(scenario: Asked) -> Iterator[Problem]:
    """No forbidden tool is asked for or allowed."""
    asked = {name: listed.path[-1] for listed in reversed(called(scenario)) for name in listed.names}
    for at, name in scenario.forbidden:
        if name in asked:
            said = f", which is in {asked[name]} too; remove one of the two"
            yield scenario.problem(scenario.forbidden, at, said)


def called(scenario: Asked) -> tuple[Names, ...]:
    """The lists of tools that must or may be called."""
    return scenario.required, scenario.sequence, scenario.allowed


def required_fits_sequence(scenario: Asked) -> Iterator[Problem]:
    """A tool is required no more often than it stands in exact_sequence."""
    if not scenario.sequence.given:
        return
    left = Counter(name for _, name in scenario.sequence)
    for at, name in scenario.required:
        left[name] -= 1
        if left[name] < 0:
            said = ", required more often than it stands in exact_sequence; add it there or remove it here"
            yield scenario.problem(scenario.required, at, said)


def max_calls_fits(scenario: Asked) -> Iterator[Problem]:
    """max_calls leaves room for what is required and for the sequence."""
    limit, path = scenario.max_calls, (*scenario.path, "expect", "tools", "max_calls")
    for listed in (scenario.required, scenario.sequence):
        if type(limit) is int and 0 <= limit < listed.length:
            said = f"is {quote(limit)}, but {listed.path[-1]} needs {listed.length}; raise it or ask for fewer"
            yield scenario.document.problem(path, f"tools.max_calls {said}")


def asked_is_allowed(scenario: Asked) -> Iterator[Problem]:
    """What is required or in the sequence is allowed."""
    if not scenario.allowed.given:
        return
    allowed = scenario.allowed.names
    for listed in (scenario.required, scenario.sequence):
        for at, name in listed:
            if name not in allowed:
                yield scenario.problem(listed, at, ", which is not in allowed; add it there or remove it here")


def asked_is_available(scenario: Asked, declared: set[str]) -> Iterator[Problem]:
    """What may be called is offered in this scenario, and what is offered is the agent's."""
    offered = scenario.available
    for at, name in offered:
        if name not in declared:
            yield scenario.problem(offered, at, ", which agent.tools does not have; declare it there")
    available, where = (offered.names, "available_tools") if offered.given else (declared, "agent.tools")
    if not offered.given and not declared:
        return
    for listed in called(scenario):
        for at, name in listed:
            if name not in available:
                yield scenario.problem(listed, at, f", which this scenario does not offer; add it to {where}")


FILE_RULES: tuple[Callable[[Document], Iterator[Problem]], ...] = (text_keys, unique_ids, few_assertions)
SCENARIO_RULES: tuple[Callable[[Asked], Iterator[Problem]], ...] = (
    unique_names,
    some_assertion,
    no_text_both_ways,
    no_forbidden_call,
    required_fits_sequence,
    max_calls_fits,
    asked_is_allowed,
)
