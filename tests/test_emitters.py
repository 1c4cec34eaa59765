"""Whatever is said by an agent or a stranger, no emitter lets it act: the runner, Markdown, XML, JSON and HTML hold.

A few strings are tried each time. `AGENTTEST_FUZZ=200000 pytest tests/test_emitters.py` tries as many more, each in
every emitter.
"""

import io
import json
import os
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenttest.call import Result
from agenttest.evaluate import judge
from agenttest.github import context as contexts
from agenttest.github import envfiles, jobs, mark
from agenttest.github.commands import Level
from agenttest.github.log import Log
from agenttest.model import Exchange, Observation, Reason, Status
from agenttest.output import CALMS
from agenttest.quote import UNSEEN
from agenttest.report import Ending, Report, to_document
from agenttest.reporters import checkrun, html, junit, sarif, text
from agenttest.reporters import json as document
from agenttest.reporters.comment import MOST as COMMENT_MOST
from agenttest.reporters.comment import draft
from agenttest.reporters.fetching import Foot
from agenttest.reporters.gating import unexplained
from agenttest.reporters.github import Annotations, plain
from agenttest.reporters.markdown import Summary
from agenttest.reporters.standing import unkept, unread
from agenttest.step import outputs
from tests import nouns, scenarios
from tests.github.hostile import COMMANDS, FRAGMENTS
from tests.github.runner_grammar import commands
from tests.github.runner_grammar import outputs as obeyed_outputs
from tests.reporters import reports
from tests.reporters.html import pages
from tests.reporters.live_markdown import live

CHUNK = 10  # strings of one hostile report
CHUNKS = 5
STRINGS = CHUNK * CHUNKS
MORE = (
    *("]]>", "<![CDATA[", "-->", "<!--", "--!>", "</script>", "<script>", "</style>", "</textarea>", "<?xml", "&#x0;"),
    *(
        "&lt;",
        "&amp;",
        "${{ github.token }}",
        "$(id)",
        "::add-mask::",
        "##[",
        "##[group]",
        "\x1b]8;;",
        "\u2066",
        "\u2069",
    ),
    *(
        "\ufffe",
        "\uffff",
        "\U0010ffff",
        "\x7f",
        "\x9b",
        "\u061c",
        "\r::error::forged",
        "'",
        '"',
        "*",
        "_",
        "~",
        "- ",
        "1. ",
    ),
    *("<!-- agenttest:1 key=", "![forged](x)", "http://forged.example", "@forged", "#1", "{{", "{%", "\n\n---\n", "\t"),
)
WORDS = (*FRAGMENTS, *COMMANDS, *MORE)
RANGES = ((0, 0x20), (0x20, 0x7F), (0x7F, 0x250), (0x590, 0x700), (0x2000, 0x2070), (0xD800, 0xE000), (0xFF00, 0x10000))
ENDING = Ending(Status.FAIL, Reason.VIOLATION, "agent-test-runs/1", "e" * 64)
JOB = jobs.read(
    contexts.read(
        {
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_RUN_ID": "77",
            "GITHUB_SHA": "1a2b3c4d" * 5,
            "GITHUB_JOB": "contracts",
        },
        Path(),
    )
)
TAGS = re.compile(r"<[^>]*>?")
LINK = re.compile(r"\[[^\]]*\]\(https://github\.com/o/r/[A-Za-z0-9/%._~#-]+\)")
OURS = {"<details>", "</details>", "<summary>", "</summary>"}
SHOWN = 10


def string(random: Random) -> str:
    """A string that may be meant to be obeyed."""
    kind = random.random()
    if kind < 0.02:
        return random.choice(WORDS) * random.randint(100, 3000)
    return "".join(
        random.choice(WORDS) if random.random() < 0.7 else noise(random) for _ in range(random.randint(0, 8))
    )


def noise(random: Random) -> str:
    first, last = random.choice((*RANGES, (0, 0x110000)))
    return "".join(chr(random.randrange(first, last)) for _ in range(random.randint(1, 5)))


@dataclass(frozen=True, slots=True)
class Artifact:
    name: str
    id: str = "4242"


def report_of(strings: Sequence[str]) -> Report:
    """One report in which every word that can be somebody else's is one of the strings."""
    parts = [pages.hostile(strings[at : at + CHUNK]) for at in range(0, len(strings), CHUNK)]
    scenarios = tuple(judged for part in parts for judged in part.scenarios)
    return replace(parts[0], scenarios=scenarios)


def invalid_of(strings: Sequence[str]) -> Report:
    """A report of what cannot be judged, in the strings' words."""
    return reports.hostile(strings[:7])[1]


def live_of(strings: Sequence[str]) -> Report:
    """A report of a live run, whose provider speaks, and whose endpoint is named, in the strings' words."""
    error, doubt, remedy, counted, model, kind, source, fingerprint, trust, name = strings[:10]
    asked = nouns.scenario(("response.contains[0]", "response_contains", "x"), ("tools.max_calls", "tool_max_calls", 0))
    silent = Exchange(None, 7, remedy=remedy)
    partly = Observation(name, doubt, False, None, (), False)
    usage = {counted: 3, "total_tokens": 3}
    doubtful = Exchange(200, 7, usage, {"response": doubt, "tools": remedy})
    waits = judge(asked, Observation(name, error=error), None, silent)
    doubts = judge(replace(asked, id=name), partly, None, doubtful)
    found = nouns.live_report(
        [replace(waits, redacted=(remedy,)), replace(doubts, redacted=("response.contains[0]",))],
        model=model,
        kind=kind,
        source=source,
        fingerprint=fingerprint,
    )
    assert found.provenance is not None
    return replace(found, provenance=replace(found.provenance, trust=trust))


def scenarios_of(strings: Sequence[str]) -> Report:
    """A report on scenario files in the strings' words."""
    parts = [scenarios.hostile(strings[at : at + CHUNK]) for at in range(0, len(strings), CHUNK)]
    return replace(parts[0], scenarios=tuple(judged for part in parts for judged in part.scenarios))


def in_the_log(found: Report, strings: Sequence[str]) -> None:
    stream = io.StringIO()
    log = Log(stream, 1 << 30)
    title, hidden, seen = text.folded(found)
    if title:
        log.fold(title, hidden)
    log.show(seen)
    for each in strings:
        log.say(each)
    stream.write("::notice::last\n")
    assert ["group", "endgroup"] * bool(title) + ["notice"] == [each.name for each in commands(stream.getvalue())]


def in_annotations(found: Report, strings: Sequence[str]) -> None:
    annotations = Annotations(plain)
    annotations.add(found)
    annotations.tell(Level.NOTICE, strings[0])
    lines = annotations.text().splitlines()
    obeyed = commands("\n".join(lines))
    assert len(lines) == len(obeyed)
    assert {"error", "warning", "notice"} >= {each.name for each in obeyed}
    assert SHOWN >= max(Counter(each.name for each in obeyed).values())
    assert {"file", "line", "col", "title"} >= {name for each in obeyed for name in each.properties}


def in_the_summary(found: Report, strings: Sequence[str]) -> None:
    summary = Summary(failures_only=False)
    summary.add(found)
    shown = summary.text(replace(ENDING, directory=strings[0]), envfiles.SUMMARY_MOST)
    assert envfiles.SUMMARY_LIMIT >= len(shown.encode())
    only_shown(shown)


def in_outputs(found: Report, strings: Sequence[str]) -> None:
    given = outputs(Result(Status.PASS, Reason.KEPT, {}, strings[0], strings[1], strings[2]))
    written = "".join(envfiles.heredoc(name, value) for name, value in given.items())
    read = obeyed_outputs(written)
    assert given.keys() == read.keys()
    assert not any("\n" in value for value in read.values())


def in_a_comment(found: Report, strings: Sequence[str]) -> None:
    foot = Foot(JOB, replace(ENDING, directory=found.directory), Artifact(strings[1]))
    shown = draft(found, JOB, plain).text(None, foot)
    first, _, rest = shown.partition("\n")
    assert COMMENT_MOST >= len(shown.encode())
    assert mark.read(shown) is not None
    assert first.endswith("-->")
    only_shown(rest)


def in_a_check_run(found: Report, strings: Sequence[str]) -> None:
    check, summary = checkrun.CheckRun(), Summary(failures_only=False)
    check.add(found)
    summary.add(found)
    shown = checkrun.summary(summary, ENDING)
    annotations = check.annotations()
    assert checkrun.MOST >= len(annotations)
    assert 65_535 >= len(shown)
    assert max(shown) <= "\uffff"
    only_shown(shown)
    for each in annotations:
        said = [each[name] for name in ("title", "message", "raw_details") if name in each]
        assert each["message"]
        assert max(len(value.encode()) for value in said) <= checkrun.MESSAGE_BYTES
        assert not any(UNSEEN.search(value) or max(value, default="") > "\uffff" for value in said)


def in_sarif(found: Report, strings: Sequence[str]) -> None:
    shown = sarif.render(found)
    (run,) = json.loads(shown)["runs"]
    assert {"tool", "results", "invocations"} <= run.keys()
    assert json.loads(shown) == json.loads(harmless(shown, "sarif"))


def in_junit(found: Report, strings: Sequence[str]) -> None:
    shown = junit.render(found)
    (suite,) = ET.fromstring(shown)
    files = {problem.path for problem in unread(found)}
    more = len(files) + bool(unkept(found)) + len(unexplained(found))
    assert len(found.scenarios) + more == len(list(suite.iter("testcase")))
    assert "<!" not in shown
    assert same(ET.fromstring(harmless(shown, "junit"))) == same(ET.fromstring(shown))


def in_html(found: Report, strings: Sequence[str]) -> None:
    shown = html.render(found)
    only_ours(shown)
    assert [] == commands(CALMS["html"](shown))


def in_an_html_index(found: Report, strings: Sequence[str]) -> None:
    only_ours(index_of(found, replace(found, directory=strings[3])))


def in_text(found: Report, strings: Sequence[str]) -> None:
    shown = text.render(found)
    assert shown.count("\n") == len(shown.splitlines())
    assert not UNSEEN.search(shown)


def in_json(found: Report, strings: Sequence[str]) -> None:
    shown = document.render(found)
    said = json.loads(json.dumps(to_document(found)))
    assert said == json.loads(shown) == json.loads(harmless(shown, "json"))


EMITTERS: tuple[Callable[[Report, Sequence[str]], None], ...] = (
    *(in_the_log, in_annotations, in_the_summary, in_outputs, in_a_comment, in_a_check_run),
    *(in_sarif, in_junit, in_html, in_an_html_index, in_text, in_json),
)


def only_shown(markdown: str) -> None:
    """Nothing of it is a tag, a link, a picture or a mention that is not ours."""
    found = LINK.sub("", live(markdown))
    assert not UNSEEN.search(markdown)
    assert [] == re.findall(r"forged|@team|!\[|\]\(", found)
    assert OURS >= set(TAGS.findall(found))
    assert found.count("<details>") == found.count("</details>")


def same(element: ET.Element) -> list[object]:
    """What an XML file holds."""
    return [(each.tag, each.attrib, each.text) for each in element.iter()]


def harmless(shown: str, form: str) -> str:
    """Nothing in a file is unseen, nor is anything obeyed where a command of a step prints it, which comes back."""
    printed = CALMS[form](shown)
    assert not UNSEEN.search(shown)
    assert [] == commands(printed)
    return printed


class Page(HTMLParser):
    """The tags and attributes of a page, whose tags have to be balanced."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.within: list[str] = []
        self.feed(shown)
        self.close()
        assert [] == self.within

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.names |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]
        self.within += [] if tag in pages.VOID else [tag]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.names |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.within.pop()

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def index_of(*found: Report) -> str:
    """The page of several suites."""
    index = html.Index()
    for each in found:
        index.add(each)
    return index.text(ENDING)


MADE = (report_of, invalid_of, live_of, scenarios_of)
HARMLESS = [make([f"x{n}" for n in range(STRINGS)]) for make in MADE]
KNOWN = [Page(shown) for shown in (*map(html.render, HARMLESS), index_of(*HARMLESS))]
TAGS_KNOWN = {tag for page in KNOWN for tag in page.tags}
NAMES_KNOWN = {name for page in KNOWN for name in page.names}


def only_ours(shown: str) -> None:
    """The page has elements and attributes that a harmless one has, and of what may act exactly ours."""
    page = Page(shown)
    assert not UNSEEN.search(shown)
    assert set() == page.tags.keys() - TAGS_KNOWN
    assert set() == page.names - NAMES_KNOWN
    assert [1] * 4 == [page.tags[tag] for tag in ("html", "body", "style", "title")]
    assert page.tags["script"] == shown.count("<script") <= 1
    assert [] == [link for link in page.links if not re.fullmatch(r"([\w.-]+/report\.html)?(#[\w-]+)?", link)]


def hold(strings: Sequence[str]) -> None:
    """Every emitter, with each of the strings at every place."""
    for emit in EMITTERS:
        for make in MADE:
            emit(make(strings), strings)


def batches(count: int) -> Iterator[list[str]]:
    for seed in range(-(-count // STRINGS)):
        random = Random(seed)
        yield [string(random) for _ in range(STRINGS)]


@settings(max_examples=25)  # of ten strings, each at every place of every emitter
@given(st.lists(st.builds(string, st.randoms(use_true_random=False)), min_size=CHUNK, max_size=CHUNK))
def test_no_emitter_lets_a_word_act(strings: list[str]) -> None:
    hold(strings)


@pytest.mark.skipif("AGENTTEST_FUZZ" not in os.environ, reason="AGENTTEST_FUZZ does not say how many strings to try")
def test_nor_does_it_let_any_of_many() -> None:
    for strings in batches(int(os.environ["AGENTTEST_FUZZ"])):
        hold(strings)
