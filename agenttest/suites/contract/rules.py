"""What a contract's parts must not say against each other: one small function a rule, over values as they were read.

A rule looks only at parts of the right shape and leaves the others to the schema, so that all problems come at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from agenttest.documents import Document, Path
from agenttest.documents.explain import unknown_key
from agenttest.documents.yamlfile import odd_keys
from agenttest.errors import Problem
from agenttest.quote import quote
from agenttest.settings import CONTRACT_ASSERTIONS

Entry = tuple[Path, str]  # where a name stands, and the name without surrounding space


def problems(document: Document) -> Iterator[Problem]:
    """Every rule's problems, for the file and for each scenario."""
    for rule in FILE_RULES:
        yield from rule(document)
    for index, scenario in enumerate(items(document.value, "scenarios")):
        for scenario_rule in SCENARIO_RULES:
            yield from scenario_rule(document, ("scenarios", index), scenario)


def text_keys(document: Document) -> Iterator[Problem]:
    """Keys are text; only inside a tool's arguments or parameters may a deeper key be something else."""
    for path in odd_keys(document.value):
        free = next((at for at, part in enumerate(path) if part in ("arguments", "parameters")), None)
        if free is None or len(path) == free + 2:
            yield document.problem(path, unknown_key(str(path[-1]), ["text"]), at_key=True)


def unique_ids(document: Document) -> Iterator[Problem]:
    """Scenario ids and tool names are unique once surrounding space is gone."""
    scenarios = [
        (("scenarios", at, "id"), value(item, "id")) for at, item in enumerate(items(document.value, "scenarios"))
    ]
    tools = value(document.value, "agent")
    named = [(("agent", "tools", at, "name"), value(item, "name")) for at, item in enumerate(items(tools, "tools"))]
    for entries in (scenarios, named):
        yield from repeats(document, [(path, text.strip()) for path, text in entries if isinstance(text, str)])


def unique_names(document: Document, path: Path, scenario: Any) -> Iterator[Problem]:
    """Lists of tool names hold no name twice, however it is spaced."""
    tools = (*path, "expect", "tools")
    lists = [(*path, "available_tools"), (*tools, "allowed"), (*tools, "forbidden")]
    for place in lists:
        found = entries(document, place)
        if len({raw for _, raw in raw_entries(document, place)}) == len(found):
            yield from repeats(document, found)


def repeats(document: Document, found: list[Entry]) -> Iterator[Problem]:
    """Each name that stands for a second time."""
    first: dict[str, Path] = {}
    for path, name in found:
        if name in first:
            line = document.mark(first[name]).line
            yield document.problem(path, f"{quote(name)} stands twice (first on line {line}); give each its own name")
        first.setdefault(name, path)


def some_assertion(document: Document, path: Path, scenario: Any) -> Iterator[Problem]:
    """A scenario asks for something: nothing asked is nothing proven."""
    expect = value(scenario, "expect")
    if isinstance(expect, dict) and count(expect) == 0:
        yield document.problem(
            (*path, "expect"), "asks for nothing; add an assertion such as response: {contains: […]}"
        )


def few_assertions(document: Document) -> Iterator[Problem]:
    """At most 250 assertions in a file."""
    total = 0
    for at, scenario in enumerate(items(document.value, "scenarios")):
        before, total = total, total + count(value(scenario, "expect"))
        if before <= CONTRACT_ASSERTIONS < total:
            said = f"assertion number {CONTRACT_ASSERTIONS + 1} is in this scenario; at most {CONTRACT_ASSERTIONS} to a file, split it"
            yield document.problem(("scenarios", at), said)


def count(expect: Any) -> int:
    """How many assertions an `expect` makes."""
    response, tools, sources = (value(expect, name) for name in ("response", "tools", "sources"))
    lists = [items(response, "contains"), items(response, "excludes"), items(tools, "required")]
    lists += [items(tools, "forbidden"), items(sources, "required")]
    single = sum(isinstance(tools, dict) and name in tools for name in ("allowed", "exact_sequence", "max_calls"))
    return sum(map(len, lists)) + single + (isinstance(expect, dict) and "refusal" in expect)


def no_text_both_ways(document: Document, path: Path, scenario: Any) -> Iterator[Problem]:
    """One text is not required and excluded."""
    response = (*path, "expect", "response")
    required = {text for _, text in raw_entries(document, (*response, "contains"))}
    for place, text in raw_entries(document, (*response, "excludes")):
        if text in required:
            yield document.problem(place, f"{quote(text)} is in contains too; it cannot be both, remove one")


def no_forbidden_call(document: Document, path: Path, scenario: Any) -> Iterator[Problem]:
    """No forbidden tool is asked for or allowed."""
    tools = (*path, "expect", "tools")
    asked = {name: where for where in ("allowed", "exact_sequence") for _, name in entries(document, (*tools, where))}
    asked |= {name: "required" for _, name in required_names(document, tools)}
    for place, name in entries(document, (*tools, "forbidden")):
        if name in asked:
            yield document.problem(place, f"{quote(name)} is in {asked[name]} too; it cannot be both, remove one")


def required_fits_sequence(document: Document, path: Path, scenario: Any) -> Iterator[Problem]:
    """A tool is required no more often than it stands in exact_sequence."""
    tools = (*path, "expect", "tools")
    if not holds(document, tools, "exact_sequence"):
        return
    left = Counter(name for _, name in entries(document, (*tools, "exact_sequence")))
    for place, name in required_names(document, tools):
        left[name] -= 1
        if left[name] < 0:
            said = (
                f"{quote(name)} is required more often than it stands in exact_sequence; add it there or remove it here"
            )
            yield document.problem(place, said)


def max_calls_fits(document: Document, path: Path, scenario: Any) -> Iterator[Problem]:
    """max_calls leaves room for what is required and for the sequence."""
    tools = (*path, "expect", "tools")
    limit = value(at(document.value, tools), "max_calls")
    if type(limit) is not int:
        return
    for where in ("required", "exact_sequence"):
        needed = len(items(at(document.value, tools), where))
        if limit < needed:
            said = f"is {quote(limit)}, but {where} needs {needed} calls; raise it or ask for fewer"
            yield document.problem((*tools, "max_calls"), said)


def asked_is_allowed(document: Document, path: Path, scenario: Any) -> Iterator[Problem]:
    """What is required or in the sequence is allowed."""
    tools = (*path, "expect", "tools")
    if not holds(document, tools, "allowed"):
        return
    allowed = {name for _, name in entries(document, (*tools, "allowed"))}
    for place, name in [*required_names(document, tools), *entries(document, (*tools, "exact_sequence"))]:
        if name not in allowed:
            yield document.problem(place, f"{quote(name)} is not in allowed; add it there or remove it here")


def asked_is_available(document: Document, path: Path, scenario: Any) -> Iterator[Problem]:
    """What may be called is offered in this scenario, and what is offered is the agent's."""
    declared = {name for _, name in tool_names(document)}
    offered = entries(document, (*path, "available_tools"))
    for place, name in offered:
        if name not in declared:
            yield document.problem(place, f"{quote(name)} is not in agent.tools; declare it there")
    narrowed = isinstance(scenario, dict) and "available_tools" in scenario
    if not narrowed and not declared:
        return
    available = {name for _, name in offered} if narrowed else declared
    tools, where = (*path, "expect", "tools"), "available_tools" if narrowed else "agent.tools"
    listed = [entry for key in ("allowed", "exact_sequence") for entry in entries(document, (*tools, key))]
    for place, name in [*required_names(document, tools), *listed]:
        if name not in available:
            yield document.problem(place, f"{quote(name)} is not available here; add it to {where}")


def value(mapping: Any, key: str) -> Any:
    """The value of a key, or None where there is no such mapping or key."""
    return mapping.get(key) if isinstance(mapping, dict) else None


def items(mapping: Any, key: str) -> list[Any]:
    """The list at a key, or an empty one."""
    found = value(mapping, key)
    return found if isinstance(found, list) else []


def at(found: Any, path: Path) -> Any:
    """The value at a path, or None."""
    for part in path:
        if isinstance(part, int):
            found = found[part] if isinstance(found, list) and part < len(found) else None
        else:
            found = value(found, part)
    return found


def holds(document: Document, path: Path, key: str) -> bool:
    """Whether the mapping at a path has the key at all, with a list or null."""
    mapping = at(document.value, path)
    return isinstance(mapping, dict) and isinstance(mapping.get(key, 0), list | None)


def raw_entries(document: Document, path: Path) -> list[Entry]:
    """The texts of a list, as they are, with their places."""
    found = at(document.value, path)
    listed = found if isinstance(found, list) else []
    return [((*path, index), text) for index, text in enumerate(listed) if isinstance(text, str)]


def entries(document: Document, path: Path) -> list[Entry]:
    """The names of a list, without surrounding space, with their places."""
    return [(place, text.strip()) for place, text in raw_entries(document, path)]


def required_names(document: Document, tools: Path) -> list[Entry]:
    """The names in tools.required, in both of its forms."""
    required = items(at(document.value, tools), "required")
    named = [
        (index, value(entry, "name") if isinstance(entry, dict) else entry) for index, entry in enumerate(required)
    ]
    return [((*tools, "required", index), name.strip()) for index, name in named if isinstance(name, str)]


def tool_names(document: Document) -> list[Entry]:
    """The names of the agent's tools."""
    tools = items(value(document.value, "agent"), "tools")
    named = [(index, value(tool, "name")) for index, tool in enumerate(tools)]
    return [(("agent", "tools", index, "name"), name.strip()) for index, name in named if isinstance(name, str)]


FILE_RULES: tuple[Callable[[Document], Iterator[Problem]], ...] = (text_keys, unique_ids, few_assertions)
SCENARIO_RULES: tuple[Callable[[Document, Path, Any], Iterator[Problem]], ...] = (
    unique_names,
    some_assertion,
    no_text_both_ways,
    no_forbidden_call,
    required_fits_sequence,
    max_calls_fits,
    asked_is_allowed,
    asked_is_available,
)
