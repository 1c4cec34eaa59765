"""Scenarios as parameters of a test of one's own, and the assertion that one passes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agenttest.pytest import ScenarioFailure, ScenarioIncomplete, assert_passes, scenarios
from agenttest.pytest_plugin import MARKERS
from tests import projects
from tests.plugin import desk

pytest_plugins = "pytester"
Runner = Callable[..., pytest.RunResult]
OWN = f"""\
import pytest
from agenttest.pytest import assert_passes, scenarios

@pytest.mark.parametrize("scenario", scenarios("{desk.SCENARIOS}"))
def test_own(scenario):
    assert_passes(scenario)
"""
WITH_FIXTURE = OWN.replace("(scenario):", "(scenario, run_scenario):").replace("assert_passes(", "run_scenario(")


@pytest.fixture(autouse=True)
def markers(request: pytest.FixtureRequest) -> None:
    """This pytest knows the markers too, be the plugin installed for it or not."""
    for marker in MARKERS:
        request.config.addinivalue_line("markers", marker)


def lay(folder: Path, **files: str) -> Path:
    """A project in which nothing is opted in."""
    place = desk.lay(folder, **files)
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    return place


def test_each_scenario_is_a_parameter_with_its_id_and_its_marks(tmp_path: Path) -> None:
    place = desk.lay(tmp_path, b=desk.scenario("b", risk="High", tags=("safety",)), a=desk.scenario("a"))

    found = scenarios(place)

    assert ["a", "b"] == [each.id for each in found]
    marks = [(mark.name, mark.kwargs) for mark in (getattr(each, "mark", each) for each in found[1].marks)]
    assert [
        ("agent_scenario", {}),
        ("risk_high", {}),
        ("agent_risk", {"level": "high"}),
        ("agent_tag", {"name": "safety"}),
        ("agent_gate", {}),
    ] == marks


def test_a_scenario_shows_what_it_is_in_few_words(tmp_path: Path) -> None:
    place = desk.lay(tmp_path, a=desk.scenario("a", risk="High", tags=("safety",)))

    (case,) = scenarios(place)[0].values

    assert ("<scenario 'a'>", "a", "High", ("safety",)) == (repr(case), case.id, case.risk, case.tags)


def test_a_contract_is_judged_by_its_recording_or_by_another_one(tmp_path: Path) -> None:
    suite = projects.lay(tmp_path, greets="hello")
    (tmp_path / "other.json").write_text(projects.recording(projects.observation("greets", "good day")))

    (kept,) = scenarios(tmp_path / suite)[0].values
    (broken,) = scenarios(tmp_path / suite, tmp_path / "other.json")[0].values

    assert_passes(kept)
    with pytest.raises(ScenarioFailure, match=r"(?s)^greets FAIL\n.*the response does not contain 'hello'"):
        assert_passes(broken)


def test_what_cannot_be_decided_is_a_failure_of_its_own(tmp_path: Path) -> None:
    place = desk.lay(tmp_path, a=desk.scenario("a", **desk.PARTIAL))

    with pytest.raises(ScenarioIncomplete, match=r"^a INCOMPLETE"):
        assert_passes(scenarios(place)[0].values[0])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "holds no scenario"),
        ({"bad": "{}"}, r"agent-scenarios/bad\.json:1:1: "),
        ({"a": desk.scenario("same"), "b": desk.scenario("same")}, "id 'same' is also that of"),
    ],
    ids=["empty", "invalid", "double"],
)
def test_what_could_only_be_skipped_is_an_error(tmp_path: Path, files: dict[str, str], said: str) -> None:
    place = desk.lay(tmp_path, **files)

    with pytest.raises(pytest.UsageError, match=said):
        scenarios(place)


@pytest.mark.parametrize(("name", "said"), [("nowhere", "holds no scenario"), ("nowhere.yml", "does not exist")])
def test_what_is_not_there_is_an_error(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(pytest.UsageError, match=said):
        scenarios(tmp_path / name)


def test_an_error_is_one_of_the_collection_and_ends_at_the_line_of_the_test(
    run: Runner, pytester: pytest.Pytester
) -> None:
    lay(pytester.path)
    pytester.makepyfile(test_own=OWN)

    result = run()

    assert pytest.ExitCode.INTERRUPTED == result.ret
    result.stdout.fnmatch_lines(["test_own.py:4: in <module>", "*UsageError: *agent-scenarios holds no scenario*"])
    assert "agenttest/pytest.py" not in result.stdout.str()


def test_an_own_test_fails_with_the_scenarios_words_and_nothing_of_how_it_was_judged(
    run: Runner, pytester: pytest.Pytester
) -> None:
    lay(pytester.path, good=desk.scenario("good"), broken=desk.scenario("broken", desk.BROKEN))
    pytester.makepyfile(test_own=OWN)

    result = run()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            ">       assert_passes(scenario)",
            "E       ScenarioFailure: broken FAIL (Low risk, executor scripted)",
            "E         at tests/agent-scenarios/broken.json:18 expected.oracles[[]0]",
            "test_own.py:6: ScenarioFailure",
        ]
    )
    assert "agenttest/plugin" not in result.stdout.str()


@pytest.mark.parametrize("own", [OWN, WITH_FIXTURE], ids=["assertion", "fixture"])
def test_an_own_test_that_cannot_be_decided_is_shown_as_that(run: Runner, pytester: pytest.Pytester, own: str) -> None:
    lay(pytester.path, open=desk.scenario("open", **desk.PARTIAL))
    pytester.makepyfile(test_own=own)

    result = run()

    result.stdout.fnmatch_lines(
        ["test_own.py I*", "INCOMPLETE test_own.py::test_own[[]open] - *", "=* 1 incomplete in *"]
    )


def test_the_fixture_tells_of_the_scenario_in_the_report_and_returns_what_was_judged(
    run: Runner, pytester: pytest.Pytester
) -> None:
    lay(pytester.path, basic=desk.scenario("basic"))
    pytester.makepyfile(
        test_own=f"{WITH_FIXTURE}    assert run_scenario(scenario).observation.calls[0].name == 'read_file'"
    )

    result = run("--junitxml=out.xml")

    result.assert_outcomes(passed=1)
    assert '<property name="scenario_id" value="basic" />' in (pytester.path / "out.xml").read_text()


def test_own_tests_are_selected_by_risk_and_tag(run: Runner, pytester: pytest.Pytester) -> None:
    lay(pytester.path, a=desk.scenario("a", tags=("safety",)), b=desk.scenario("b", risk="High"))
    pytester.makepyfile(test_own=OWN)

    result = run("-q", "--collect-only", "-m", "risk_high or agent_tag(name='safety') and not risk_low")

    assert "test_own.py::test_own[b]" == result.outlines[0]
