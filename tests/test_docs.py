"""The reference pages: every example comes out as shown, every key, assertion and bound is there, and no other."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from agenttest import evaluate, live, settings
from agenttest.archive import archive
from agenttest.assertions import ASSERTIONS
from agenttest.documents import schema
from agenttest.errors import InvalidInput
from agenttest.files import Project, size
from agenttest.github import context, liveinputs
from agenttest.github.context import variable
from agenttest.report import FILES
from agenttest.run import run
from agenttest.runs import VIEWS
from agenttest.sources import normalized
from agenttest.sources.endpoint import calls, content, pool
from agenttest.suites import contract
from tests import session
from tests.markdown import CODE, ROOT, blocks, settle, table, text_of

CONTRACT, OBSERVATIONS, LIVE = "docs/contract.md", "docs/observations.md", "docs/live.md"
LINES = {"id": "id: example", "prompt": "prompt: An example", "expect": "expect: {refusal: true}"}


@dataclass(frozen=True, slots=True)
class Example:
    """A contract, maybe a recording, and what the page says comes out of them; either may be a part of a file."""

    place: str
    contract: str
    recording: str | None = None
    said: str = ""


def examples(name: str) -> list[Example]:
    """Every recording belongs to the contract above it, every text to what stands above it."""
    found: list[Example] = []
    for block in blocks(name):
        if block.language == "yaml":
            found.append(Example(block.place, block.text))
        elif block.language == "json":
            found.append(Example(block.place, found[-1].contract, block.text))
        elif block.language == "text":
            found[-1] = replace(found[-1], said=block.text)
    return found


def come_out(example: Example) -> str:
    """All problems of the files, or one line for each outcome."""
    try:
        suite = contract.load("contract.yml", whole_contract(example.contract).encode())
        if example.recording is None:
            return ""
        ids = [scenario.id for scenario in suite.scenarios]
        text = whole_recording(example.recording, ids[0])
        seen = normalized.load("observations.json", text.encode(), ids).observations
    except InvalidInput as error:
        return f"{error}\n"
    judged = [evaluate.judge(scenario, seen.get(scenario.id)) for scenario in suite.scenarios]
    return "".join(f"{o.status} {o.assertion.name}: {o.message}\n" for each in judged for o in each.outcomes)


def whole_contract(part: str) -> str:
    return part if "\nversion:" in f"\n{part}" else scenario(part.replace("\n", "\n    ").rstrip() + "\n", "expect")


def scenario(lines: str, key: str) -> str:
    """A contract with one scenario in which these lines stand for a key."""
    body = "\n    ".join({**LINES, key: lines}.values())
    return f"version: 1\nagent: {{}}\nscenarios:\n  - {body}\n"


def whole_recording(part: str, name: str) -> str:
    if '"version"' in part:
        return part
    return json.dumps({"version": 1, "scenarios": [{"id": name, **json.loads(part)}]})


@pytest.mark.parametrize("example", [*examples(CONTRACT), *examples(OBSERVATIONS)], ids=lambda example: example.place)
def test_an_example_comes_out_as_the_page_says(example: Example) -> None:
    page, _ = example.place.split(":")

    settle(page, f"```text\n{example.said}```", f"```text\n{come_out(example)}```")


COMPLETIONS = """
expect:
  tools: {exact_sequence: [find_slot]}
  response: {contains: [Monday]}
"""


def completion(reason: str, message: dict[str, Any]) -> dict[str, Any]:
    """A chat completion, as far as it matters here."""
    return {"choices": [{"finish_reason": reason, "message": {"role": "assistant", **message}}]}


@pytest.mark.parametrize(
    ("end", "statuses"),
    [("stop", ["pass", "pass"]), ("length", ["incomplete"] * 2), ("content_filter", ["incomplete"] * 2)],
)
def test_the_page_records_chat_completions(end: str, statuses: list[str]) -> None:
    (code,) = (block.text for block in blocks(OBSERVATIONS) if block.language == "python")
    page: dict[str, Any] = {}
    exec(code, page)
    call = {"type": "function", "id": "call_1", "function": {"name": "find_slot", "arguments": '{"day": "monday"}'}}
    replies = [
        completion("tool_calls", {"content": None, "tool_calls": [call]}),
        completion(end, {"content": "On Monday."}),
    ]

    entry = page["observed"]("example", replies)

    assert [{"name": "find_slot", "arguments": {"day": "monday"}}] == entry["tool_calls"]
    said = come_out(Example("", COMPLETIONS, json.dumps(entry)))
    assert statuses == sorted((line.split()[0] for line in said.splitlines()), reverse=True)


def refusals() -> Iterator[tuple[str, str]]:
    for row in table(CONTRACT, "you write", "you are told").rows:
        yield CODE.findall(row[0])[0], CODE.findall(row[1])[0]


@pytest.mark.parametrize(("written", "told"), list(refusals()))
def test_a_mistake_is_told_as_the_page_says(written: str, told: str) -> None:
    key = written.partition(":")[0]
    inside = key in (*LINES, "available_tools")
    text = scenario(written, key) if inside else scenario(f"expect:\n      {written}", "expect")

    with pytest.raises(InvalidInput) as caught:
        contract.load("contract.yml", text.encode())

    messages = [problem.message for problem in caught.value.problems]
    settle(CONTRACT, f"`{written}` | `{told}`", f"`{written}` | `{told if told in messages else messages[0]}`")


def keys(part: dict[str, Any], root: dict[str, Any], path: str = "") -> Iterator[tuple[str, bool]]:
    """Every key that a schema knows, as a dotted path, and whether it is required."""
    if "$ref" in part:
        part = part | root["$defs"][part["$ref"].rpartition("/")[2]]
    for name, inner in part.get("properties", {}).items():
        key = f"{path}.{name}" if path else name
        yield key, name in part.get("required", ())
        yield from keys(inner, root, key)
    if "items" in part:
        yield from keys(part["items"], root, f"{path}[]")
    for choice in part.get("anyOf", ()):
        yield from keys(choice, root, path)


@pytest.mark.parametrize(("page", "name"), [(CONTRACT, "contract"), (OBSERVATIONS, "observations")])
def test_the_page_lists_the_keys_of_the_schema(page: str, name: str) -> None:
    found = table(page, "key", "value", "default")
    documented = {key: row[2] == "required" for key, row in zip(found.first_column(), found.rows, strict=True)}

    assert dict(keys(schema.load(name), schema.load(name))) == documented


@pytest.mark.parametrize(("page", "name"), [(CONTRACT, "contract"), (OBSERVATIONS, "observations")])
def test_every_key_stands_in_an_example(page: str, name: str) -> None:
    shown = [yaml.safe_load(whole_contract(e.contract)) for e in examples(page) if e.recording is None]
    if name == "observations":
        shown = [json.loads(whole_recording(e.recording, "example")) for e in examples(page) if e.recording]

    used = {path for value in shown for path in paths(value)}
    assert {path for path, _ in keys(schema.load(name), schema.load(name))} <= used


def paths(value: Any, path: str = "") -> Iterator[str]:
    """Every key in a value, as the tables name it."""
    for inner in value if isinstance(value, list) else ():
        yield from paths(inner, f"{path}[]")
    for key, inner in value.items() if isinstance(value, dict) else ():
        name = f"{path}.{key}" if path else key
        yield name
        yield from paths(inner, name)


def test_the_page_lists_the_assertions_with_their_channels() -> None:
    found = table(CONTRACT, "assertion", "channel")

    documented = [(CODE.findall(row[0])[0], row[1]) for row in found.rows]
    assert [(row.path, row.channel) for row in ASSERTIONS.values()] == documented


def test_every_assertion_has_an_example_of_each_outcome() -> None:
    shown = "".join(example.said for example in examples(CONTRACT))

    for row in ASSERTIONS.values():
        assert f"fail {row.path}" in shown


def test_the_pages_bounds_are_those_of_the_code() -> None:
    scenarios = schema.load("contract")["properties"]["scenarios"]
    bounds = {
        "size": size(settings.CONTRACT_BYTES),
        "assertions": f"{settings.CONTRACT_ASSERTIONS:,}",
        "scenarios": f"{scenarios['maxItems']:,}",
        "nesting": f"{settings.CONTRACT_DEPTH} levels",
        "values, keys counted": f"{settings.CONTRACT_VALUES:,}",
        "one text": f"{settings.CONTRACT_STRING:,} characters",
    }

    assert bounds == {row[0]: row[1] for row in table(CONTRACT, "of a contract", "at most").rows}


def test_the_pages_bounds_of_observations_are_those_of_the_code() -> None:
    parts = schema.load("observations")["$defs"]["observation"]["properties"]
    depth = settings.OBSERVATIONS_DEPTH
    bounds = {
        "size": size(settings.OBSERVATIONS_BYTES),
        "nesting": f"{depth} levels, {depth - 5} of them inside a call's arguments",
        "values, keys counted, for each scenario": f"{settings.OBSERVATION_VALUES:,}",
        "one response": f"{parts['response']['maxLength']:,} characters",
        "calls of one scenario": f"{parts['tool_calls']['maxItems']:,}",
        "sources of one scenario": f"{parts['sources']['maxItems']:,}",
    }

    assert bounds == {row[0]: row[1] for row in table(OBSERVATIONS, "of observations", "at most").rows}


def knobs() -> list[tuple[str, ...]]:
    """The rows of a live run's bounds that an input moves."""
    return [row for row in table(LIVE, "of a live run", "at most").rows if "`" in row[1]]


def numbers(bound: str) -> tuple[str, str]:
    """The number that a bound begins with, and the next one."""
    most = int(bound.split(", `")[0].replace(",", ""))
    return str(most), str(most + 1)


GH = """\
#!/bin/sh
case "$1 $2" in
"run list") echo 7031 ;;
"run download") exec python -m zipfile --extract ../evidence.zip "$7" ;;
esac
"""


def test_the_console_of_the_shards_page_shows_what_really_happens(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "desk/examples")

    session.check("docs/shards.md", tmp_path / "desk")


def test_the_console_of_the_evidence_page_shows_what_really_happens(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "desk/examples")
    uploaded(ROOT / "examples/refund-agent", tmp_path)

    session.check("docs/evidence.md", tmp_path / "desk", {"gh": GH, "pip": "#!/bin/sh\n"})


def test_the_console_of_the_live_page_shows_what_really_happens(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "desk/examples")

    session.check("docs/live.md", tmp_path / "desk")


def test_the_pages_bounds_of_a_live_run_are_those_of_the_code() -> None:
    bounds = {
        "characters of a token": f"{live.TOKEN:,}",
        "size of a reply, as it is declared, sent and unpacked": size(settings.REPLY_BYTES),
        "nesting of a reply": f"{settings.REPLY_DEPTH} levels",
        "values of a reply": f"{settings.REPLY_VALUES:,}",
        "characters of a response": f"{content.LONGEST:,}",
        "calls of a reply": f"{calls.MOST:,}",
        "failures of the same kind in a row": str(pool.ALIKE),
    }

    rows = {row[0]: row[1] for row in table(LIVE, "of a live run", "at most").rows}
    assert bounds == {name: most for name, most in rows.items() if "`" not in most}


def test_the_page_names_every_live_input() -> None:
    assert [] == [
        name for name in liveinputs.NAMES if f"`{name}" not in text_of(LIVE) and f"{name}:" not in text_of(LIVE)
    ]


@pytest.mark.parametrize(("name", "most", "beyond"), [(row[1].split("`")[1], *numbers(row[1])) for row in knobs()])
def test_a_knobs_bound_is_that_of_the_page(name: str, most: str, beyond: str) -> None:
    told = {most: [], beyond: [f"with: {name}"]}

    for given, problems in told.items():
        variables = {variable(name): given, variable("endpoint"): "http://localhost"}
        found = liveinputs.read(context.read(variables, Path()))
        assert problems == [problem.path for problem in found.problems]


def uploaded(example: Path, folder: Path) -> None:
    """The artifact of a run that broke the contract, in the place of GitHub's."""
    shutil.copytree(example, folder / "job")
    asked = settings.Settings(("refund-agent.yml",), "regressed.observations.json", views=tuple(VIEWS))
    result = run(Project.at(folder / "job"), asked, lambda _: None)
    with (folder / "evidence.zip").open("wb") as stream:
        archive(folder / "job" / str(result.directory), stream.write)


def test_the_page_names_the_contracts_that_are_found_in_their_order() -> None:
    text = text_of(CONTRACT)

    assert 0 < text.index(f"`{settings.DISCOVERED[0]}`") < text.index(f"`{settings.DISCOVERED[1]}`")


def test_the_page_lists_every_file_of_a_run() -> None:
    files = [name for key, name in FILES.items() if key != "run_dir"]

    listed = [name for row in table("docs/evidence.md", "file", "holds").rows for name in CODE.findall(row[0])]
    assert {*files, *VIEWS.values()} == set(listed)


def test_the_pages_links_lead_somewhere() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
