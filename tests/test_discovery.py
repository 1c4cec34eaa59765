"""Which suites are meant, which observations belong to each, and which scenarios are selected."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenttest import discovery
from agenttest.errors import InvalidInput
from agenttest.files import Project
from agenttest.model import Filters, Risk, Scenario, Shard, Suite
from agenttest.suites import contract
from tests.nouns import scenario
from tests.projects import contract as text


def touch(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


def suite(*ids: str) -> Suite:
    return contract.load("desk.yml", text(*ids).encode())


def refused(call: object, *arguments: object) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        call(*arguments)  # type: ignore[operator]
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("name", [".agenttest/agent-test.yml", ".skylos/agent-test.yml"])
@pytest.mark.parametrize("base", ["", "src", "src/deep/er"])
def test_the_suite_is_found_here_or_above_and_its_folder_becomes_the_base(tmp_path: Path, name: str, base: str) -> None:
    touch(tmp_path, name)
    (tmp_path / base).mkdir(parents=True, exist_ok=True)

    found = discovery.find(Project.at(tmp_path, tmp_path / base))

    assert (Project.at(tmp_path), (name,)) == found


def test_the_nearest_suite_is_taken_and_of_one_folder_ours(tmp_path: Path) -> None:
    touch(tmp_path, ".agenttest/agent-test.yml", "sub/.skylos/agent-test.yml", "sub/.agenttest/agent-test.yml")
    (tmp_path / "sub/deep").mkdir()

    project, names = discovery.find(Project.at(tmp_path, tmp_path / "sub/deep"))

    assert (tmp_path / "sub", (".agenttest/agent-test.yml",)) == (project.base, names)


def test_above_the_root_nothing_is_looked_for(tmp_path: Path) -> None:
    touch(tmp_path, ".agenttest/agent-test.yml", "inner/readme")

    said = refused(discovery.find, Project.at(tmp_path / "inner"))

    assert 1 == len(said)
    assert said[0].startswith("no suite here or above: looked for .agenttest/agent-test.yml,")


def test_a_folder_of_the_suites_name_is_no_suite(tmp_path: Path) -> None:
    (tmp_path / ".agenttest/agent-test.yml").mkdir(parents=True)

    assert refused(discovery.find, Project.at(tmp_path))


@pytest.mark.parametrize(
    ("files", "suite_path", "given", "found"),
    [
        (["a/desk.observations.json"], "a/desk.yml", None, "a/desk.observations.json"),
        (["desk.v2.observations.json"], "desk.v2.yaml", None, "desk.v2.observations.json"),
        (["seen.json"], "a/desk.yml", "seen.json", "seen.json"),
        (["seen/desk.json"], "a/desk.yml", "seen", "seen/desk.json"),
        (["seen/desk.observations.json"], "a/desk.yml", "seen/", "seen/desk.observations.json"),
        (["seen/desk.json", "seen/desk.observations.json"], "desk.yml", "seen", "seen/desk.json"),
        (["seen/other.json"], "desk.yml", "seen", "seen/desk.json"),
        ([], "desk.yml", "nowhere.json", "nowhere.json"),
    ],
)
def test_observations_are_the_file_given_that_of_the_stem_in_the_folder_given_or_the_sibling(
    tmp_path: Path, files: list[str], suite_path: str, given: str | None, found: str
) -> None:
    touch(tmp_path, *files)

    assert found == discovery.observations_of(Project.at(tmp_path), suite_path, given)


def test_given_observations_start_from_the_base_and_siblings_lie_beside_the_suite(tmp_path: Path) -> None:
    touch(tmp_path, "sub/seen.json", "sub/desk.observations.json")
    project = Project.at(tmp_path, tmp_path / "sub")

    given = discovery.observations_of(project, "sub/desk.yml", "seen.json")
    sibling = discovery.observations_of(project, "sub/desk.yml", None)

    assert ("sub/seen.json", "sub/desk.observations.json") == (given, sibling)


def test_a_suite_without_observations_says_where_they_are_looked_for(tmp_path: Path) -> None:
    said = refused(discovery.observations_of, Project.at(tmp_path), "a/desk.yml", None)

    right = "record them in a/desk.observations.json, or name them with --observations"
    assert [f"a/desk.yml: has no observations: {right}"] == said


@pytest.mark.parametrize(
    ("patterns", "ids"),
    [
        ((), ["b", "a", "A", "a.b-c"]),
        (("a",), ["a"]),
        (("a*",), ["a", "a.b-c"]),
        (("[aA]",), ["a", "A"]),
        (("?.?-?",), ["a.b-c"]),
        (("A", "b"), ["b", "A"]),
        (("[!a]*",), ["b", "A"]),
        (("[",), []),
    ],
)
def test_names_and_globs_select_in_the_suites_order_case_by_case(patterns: tuple[str, ...], ids: list[str]) -> None:
    assert ids == [scenario.id for scenario in discovery.select(suite("b", "a", "A", "a.b-c"), patterns)]


def test_a_name_that_looks_like_a_glob_is_a_name_first() -> None:
    assert discovery.names("a[1]", "a[1]")


def test_patterns_that_match_nothing_are_known() -> None:
    assert ("x", "b?") == discovery.unmatched(suite("a", "b"), ("a", "x", "b*", "b?"))


def test_patterns_are_trimmed_and_blanks_and_repeats_dropped() -> None:
    assert ("a", "b") == discovery.cleaned((" a ", "", "b", "a\n"))


@pytest.mark.parametrize("patterns", [("",), (" ", "\t\n")])
def test_only_blanks_select_nothing_and_are_refused(patterns: tuple[str, ...]) -> None:
    assert ["--scenario: is blank; give the id of a scenario, or a glob"] == refused(discovery.cleaned, patterns)


@pytest.mark.parametrize(
    ("ids", "right"),
    [
        (["a"], "it has a"),
        ([f"s{n}" for n in range(9)], "it has s0, s1, s2, s3, s4, s5, s6, s7, …"),
    ],
)
def test_a_pattern_that_matches_nothing_is_told_what_there_is(ids: list[str], right: str) -> None:
    said = str(discovery.matches_nothing("x*\x1b", suite(*ids)))

    assert rf"--scenario: 'x*\x1b' matches no scenario; {right}" == said


IDS = st.lists(st.text(st.characters(codec="utf-8"), max_size=6), unique=True, max_size=40)


def scenarios(ids: Sequence[str]) -> list[Scenario]:
    return [scenario(("response.contains[0]", "response_contains", "x"), name=name) for name in ids]


@given(ids=IDS, count=st.integers(1, 60), path=st.text(st.characters(codec="utf-8"), max_size=9))
def test_every_scenario_is_of_one_shard_and_every_shard_gets_its_share(ids: list[str], count: int, path: str) -> None:
    dealt = discovery.deal(path, scenarios(ids), count)

    shares = [list(dealt.values()).count(index) for index in range(1, count + 1)]
    assert (set(ids), len(ids)) == (dealt.keys(), sum(shares))
    assert max(shares) - min(shares) <= 1


@given(ids=IDS, count=st.integers(1, 60), data=st.data())
def test_a_scenarios_shard_does_not_hang_on_the_order_of_the_suite(
    ids: list[str], count: int, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(ids))

    assert discovery.deal("a.yml", scenarios(ids), count) == discovery.deal("a.yml", scenarios(shuffled), count)


def test_suites_of_one_scenario_each_do_not_all_fall_into_one_shard() -> None:
    dealt = {discovery.deal(f"s{number}.yml", scenarios(["x"]), 3)["x"] for number in range(20)}

    assert {1, 2, 3} == dealt


@pytest.mark.parametrize("patterns", [(), ("a*",), ("b", "aa")])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_together_select_what_the_whole_selects_each_in_the_suites_order(
    patterns: tuple[str, ...], count: int
) -> None:
    desk = suite("b", "aa", "c", "ab", "ac")
    whole = discovery.select(desk, patterns)

    parts = [discovery.select(desk, patterns, Shard(index, count)) for index in range(1, count + 1)]

    assert sorted(whole, key=whole.index) == sorted((s for part in parts for s in part), key=whole.index)
    assert all(list(part) == sorted(part, key=whole.index) for part in parts)


def filed(name: str, risk: Risk, *tags: str) -> Scenario:
    return replace(suite(name).scenarios[0], risk=risk, tags=tags, input={})


FOLDER = replace(
    suite("x"),
    files=(),
    scenarios=(
        filed("Low", Risk.LOW, "tools", "fast"),
        filed("medium", Risk.MEDIUM, "Tools"),
        filed("high", Risk.HIGH, "safety", "tools"),
    ),
)


@pytest.mark.parametrize(
    ("filters", "patterns", "ids"),
    [
        (Filters(), (), ["Low", "medium", "high"]),
        (Filters((("tools",),)), (), ["Low", "medium", "high"]),
        (Filters((("FAST", "safety"),)), (), ["Low", "high"]),
        (Filters((("tools",), ("fast", "safety"))), (), ["Low", "high"]),
        (Filters(((),)), (), []),
        (Filters(risk=Risk.MEDIUM), (), ["medium"]),
        (Filters(min_risk=Risk.MEDIUM), (), ["medium", "high"]),
        (Filters(min_risk=Risk.MEDIUM), ("low",), []),
        (Filters(), ("LOW", "h*"), ["Low", "high"]),
    ],
)
def test_scenario_files_are_selected_by_name_tag_and_risk(
    filters: Filters, patterns: tuple[str, ...], ids: list[str]
) -> None:
    assert ids == [each.id for each in discovery.select(FOLDER, patterns, None, filters)]


def test_a_folder_of_scenarios_is_found_where_there_is_no_contract(tmp_path: Path) -> None:
    touch(tmp_path, "tests/agent-scenarios/a.json")

    _, names = discovery.find(Project.at(tmp_path))

    assert ("tests/agent-scenarios",) == names
