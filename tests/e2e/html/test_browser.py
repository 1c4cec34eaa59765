"""Pages in a real browser: nothing sticks out or is fetched, everybody can read them, the filters work."""

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agenttest import gates
from agenttest.errors import Problem
from agenttest.evaluate import judge
from agenttest.model import Judged, ToolCall
from agenttest.report import Report, ending
from agenttest.reporters.html import Index, render
from agenttest.sources import normalized
from agenttest.suites import contract
from tests import scenarios
from tests.github.hostile import FRAGMENTS
from tests.reporters.html import pages
from tests.reporters.html.pages import asked, page_of
from tests.reporters.reports import invalid

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
NAMES = ["regressed", "kept", "missing", "hostile", "long", "index", "invalid", "left-out", "scenarios", "words"]
LISTED = ["regressed", "kept", "missing", "hostile", "long", "index", "left-out", "scenarios"]


def example(recording: str) -> Report:
    """The report of the example with one of its recordings."""
    folder = ROOT / "examples/refund-agent"
    suite = contract.load("refund-agent.yml", (folder / "refund-agent.yml").read_bytes())
    ids = {scenario.id for scenario in suite.scenarios}
    seen = normalized.load(recording, (folder / recording).read_bytes(), ids)
    scenarios = tuple(judge(scenario, seen.observations.get(scenario.id)) for scenario in suite.scenarios)
    verdict = gates.decide(scenarios)
    return Report(verdict, suite.path, suite, scenarios, seen.provenance, "runs/1/0001-refund-agent")


def long() -> Judged:
    """A scenario in which every text is long and none can be broken."""
    word = "W" * 3000
    calls = tuple(ToolCall(word, {word: [[[[[word]]]]], "n": n}) for n in range(40))
    wish = {"name": word, "arguments": {word: "other"}}
    judged = asked(
        ("tools.required[0]", "tool_required", wish),
        ("response.contains[0]", "response_contains", word + "x"),
        ("response.excludes[0]", "response_excludes", word),
        ("sources.required[0]", "source_required", word + "y"),
        name="i" * 96,
        response=f"{word} {'z̧̖' * 300} {'漢' * 3000} {'a b ' * 9000}{word}",
        tool_calls=calls,
        sources=(word,),
    )
    return replace(judged, scenario=replace(judged.scenario, prompt=word, system_prompt="s " * 9000))


def missing() -> Report:
    """Scenarios of which little is known."""
    wishes = [("response.contains[0]", "response_contains", "yes"), ("tools.max_calls", "tool_max_calls", 1)]
    return page_of(
        asked(*wishes, name="cut-short", response="y", finish_reason="length", tool_calls=()),
        asked(*wishes, name="error", error="HTTP 500"),
        replace(asked(*wishes, name="unseen"), observation=None),
        asked(wishes[0], name="kept-only-here", response="yes"),
    )


def reports() -> dict[str, Report]:
    """A report of each sort."""
    regressed = example("regressed.observations.json")
    return {
        "regressed": regressed,
        "kept": example("refund-agent.observations.json"),
        "missing": missing(),
        "hostile": pages.hostile([f"a{''.join(FRAGMENTS[n::10])}" for n in range(10)]),
        "long": page_of(long(), path="p" * 500, directory="d/" * 200),
        "invalid": invalid(*(Problem("desk.yml", n, 1, "no such key" * n) for n in range(1, 9))),
        "scenarios": scenarios.whole(),
        "words": scenarios.hostile([f"a{''.join(FRAGMENTS[n::10])}{'W' * 300}" for n in range(10)]),
        "left-out": replace(regressed, observations_kept=False, directory=None),
    }


def written(folder: Path) -> None:
    """A page of each report, and the index of all."""
    index = Index()
    for name, report in reports().items():
        (folder / f"{name}.html").write_text(render(report), "utf-8")
        index.add(report)
    (folder / "index.html").write_text(index.text(ending(reports()["regressed"])), "utf-8")


@pytest.fixture(scope="module")
def seen(browser: str, installed: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a browser sees of every page."""
    folder, packages = tmp_path_factory.mktemp("pages"), installed("html")
    written(folder)
    shutil.copy(HERE / "browse.js", packages)  # a script finds the packages that lie beside it
    done = subprocess.run(
        ["node", "browse.js", browser, str(folder)], cwd=packages, capture_output=True, text=True, check=False
    )
    assert "" == done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", ["320", "390", "1280"])
def test_nothing_sticks_out_of_a_page(seen: dict[str, Any], name: str, width: str) -> None:
    assert [] == seen[name]["wide"][width]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_fetches_nothing_and_keeps_its_policy(seen: dict[str, Any], name: str) -> None:
    assert [] == seen[name]["said"]


@pytest.mark.parametrize("name", NAMES)
def test_a_checker_of_accessibility_finds_nothing(seen: dict[str, Any], name: str) -> None:
    assert [] == seen[name]["axe"]


@pytest.mark.parametrize("name", LISTED)
def test_the_filter_by_status_works_without_the_script(seen: dict[str, Any], name: str) -> None:
    still = seen[name]["still"]
    everything = still.pop("all")

    assert still.pop("search") is False
    assert still == {status: [each for each in everything if each == status] for status in still}
    assert set(everything) == set(still)


def test_a_word_finds_the_scenarios_that_have_it(seen: dict[str, Any]) -> None:
    live = seen["missing"]["live"]

    assert (4, ["pass"], [], "1 of 4 shown") == (live["all"], live["word"], live["none"], live["told"])


@pytest.mark.parametrize("name", ["regressed", "kept", "missing", "scenarios"])
def test_a_link_opens_its_scenario_whatever_is_filtered(seen: dict[str, Any], name: str) -> None:
    live = seen[name]["live"]

    assert (True, 0, 0) == (live["revealed"], live["closed"], live["folded"])


@pytest.mark.parametrize("name", ["regressed", "kept", "missing", "scenarios"])
def test_folded_scenarios_are_printed(seen: dict[str, Any], name: str) -> None:
    found = seen[name]["print"]

    assert found["folded"] == found["read"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_paper_is_white(seen: dict[str, Any], name: str) -> None:
    assert "rgb(255, 255, 255)" == seen[name]["print"]["ground"]


@pytest.mark.parametrize("name", LISTED)
def test_the_keyboard_skips_to_what_is_listed(seen: dict[str, Any], name: str) -> None:
    assert "skip" == seen[name]["keys"]["first"]


@pytest.mark.parametrize("name", ["regressed", "kept", "missing"])
def test_the_keyboard_opens_a_scenario_and_shows_where_it_is(seen: dict[str, Any], name: str) -> None:
    keys = seen[name]["keys"]

    assert (True, "solid") == (keys["toggled"], keys["outline"])
