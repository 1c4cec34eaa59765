"""Reports to make pages of, and what a page holds: its elements, its texts, what could act in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from agenttest.errors import Problem
from agenttest.evaluate import judge
from agenttest.model import (
    Assertion,
    Gate,
    Judged,
    Observation,
    Outcome,
    Provenance,
    Reason,
    Scenario,
    Status,
    Tool,
    ToolCall,
    Verdict,
)
from agenttest.report import Report
from tests import nouns
from tests.reporters.reports import report

VOID = {"meta", "input", "rect", "link", "br"}
SPACE = re.compile(r"\s+")


def asked(*wishes: tuple[str, str, object], name: str = "desk", **seen: object) -> Judged:
    """A scenario judged by what was seen in it."""
    return judge(nouns.scenario(*wishes, name=name), nouns.observation(**seen))


def page_of(*scenarios: Judged, **more: object) -> Report:
    return replace(report(*scenarios), **more)  # type: ignore[arg-type]


@dataclass(slots=True)
class Element:
    """A tag with its attributes, and all the text inside it."""

    tag: str
    attributes: dict[str, str]
    text: str = ""

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    @property
    def words(self) -> str:
        """The text with each run of white space as one space."""
        return SPACE.sub(" ", self.text).strip()


@dataclass(slots=True)
class Parsed(HTMLParser):
    """A page as a browser sees it, near enough; its tags have to be balanced."""

    elements: list[Element] = field(default_factory=list)
    within: list[Element] = field(default_factory=list)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = Element(tag, {name: value or "" for name, value in attrs})
        assert len(found.attributes) == len(attrs)
        self.elements.append(found)
        if tag not in VOID:
            self.within.append(found)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.within.pop().tag

    def handle_data(self, data: str) -> None:
        for element in self.within:
            element.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def parsed(text: str) -> list[Element]:
    """The elements of a page in order."""
    parser = Parsed()
    HTMLParser.__init__(parser)
    parser.feed(text)
    parser.close()
    assert [] == parser.within
    return parser.elements


def found(text: str, tag: str, *classes: str) -> list[Element]:
    """The elements of a page with this tag and these classes."""
    return [each for each in parsed(text) if each.tag == tag and set(classes) <= each.classes]


def words(text: str, tag: str, *classes: str) -> list[str]:
    """The words of these elements."""
    return [each.words for each in found(text, tag, *classes)]


def shape(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The tags with the names of their attributes; of lines of values, whose number a text may change, none."""
    tags = [(each.tag, tuple(each.attributes)) for each in parsed(text) if each.tag not in {"span", "i"}]
    return [(tag, () if tag == "p" else names) for tag, names in tags]


NEEDLE = "what is not to be said"


def hostile(texts: Sequence[str]) -> Report:
    """A report in which every word that can be an agent's, or a stranger's, is one of these."""
    prompt, system, name, key, value, answer, source, finish, message, path = texts
    deep = {key: value, "n": [value, {key: None}]}
    calls = (ToolCall(name, deep), ToolCall("known", {key: value}), ToolCall(key, None))
    seen = Observation(name, answer + NEEDLE + answer, True, finish, calls, True, True, (source, value), None)
    outcomes = (
        outcome("response_contains", answer, message, value),
        outcome("response_excludes", NEEDLE, message, answer),
        outcome(
            "tool_required", {"name": name, "arguments": {key: 1}}, message, {"name": name, "arguments": deep}, key
        ),
        outcome("tool_required", {"name": "known", "arguments": {key: value}}, message, None, status=Status.PASS),
        outcome("tool_forbidden", name, message, [name]),
        outcome("tools_allowed", ["known"], message, [name, key]),
        outcome("tool_exact_sequence", [value, name], message, [name, value], key),
        outcome("tool_max_calls", 1, message, [name, value]),
        outcome("refusal", False, message, True),
        outcome("source_required", source, message, [value]),
        outcome("source_required", value, message, None, status=Status.INCOMPLETE, remedy=finish),
    )
    assertions = tuple(each.assertion for each in outcomes)
    scenario = Scenario(name, prompt, system, (name, key), assertions, 3)
    failed = Judged(scenario, replace(seen, error=None), outcomes)
    error = Judged(replace(scenario, id=key), replace(seen, error=message), outcomes)
    unseen = Judged(replace(scenario, id=value, available_tools=None), None, outcomes[-1:])
    whole = report(failed, error, unseen, path=path, came=source)
    assert whole.suite is not None
    agent = replace(whole.suite.agent, tools=(Tool(name, value, {}),))
    return replace(
        whole,
        suite=replace(whole.suite, agent=agent),
        provenance=Provenance("observations", value, source, message),
        directory=path,
        verdict=Verdict(Status.FAIL, Reason.INTERRUPTED, (Gate(message, Status.FAIL, key),)),
        harness={"started_at": message, "duration_ms": value},
        problems=(Problem(path, 3, 1, message),),
        evidence_digest=key,
    )


def outcome(
    kind: str,
    expected: object,
    message: str,
    observed: object,
    difference: str | None = None,
    status: Status = Status.FAIL,
    remedy: str | None = None,
) -> Outcome:
    check = Assertion(f"{kind}[0]", kind, expected, 7, 5)  # type: ignore[arg-type]
    return Outcome(check, status, message, observed, difference, remedy)  # type: ignore[arg-type]
