"""What is opted in is collected, one test for each scenario; what is not valid is an error of the collection."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agenttest.plugin import collecting, gating, opting, showing
from tests import projects
from tests.plugin import desk

pytest_plugins = "pytester"
KEPT_LOADED = (collecting, gating, opting, showing)  # so that not every run in this process has to import them
Runner = Callable[..., pytest.RunResult]


def ids(result: pytest.RunResult) -> list[str]:
    """The collected tests of a quiet run."""
    return [line for line in result.outlines if "::" in line and not line.startswith(("ERROR", "  "))]


def test_each_scenario_file_and_each_scenario_of_a_contract_is_a_test(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path, zeta=desk.scenario("basic"), alpha=desk.scenario("other"))
    projects.lay(place, "clerk.yml", greets="hello", leaves="hello")

    result = run("--collect-only", "-q")

    contract = [f"{desk.SCENARIOS}/clerk.yml::greets", f"{desk.SCENARIOS}/clerk.yml::leaves"]
    assert [
        f"{desk.SCENARIOS}/alpha.json::other",
        *contract,
        f"{desk.SCENARIOS}/zeta.json::basic",
    ] == ids(result)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a::b", "a:b"),
        ("order [7]", "order (7)"),
        ("zwei\nZeilen", r"zwei\nZeilen"),
        ("\u202egnp", r"\u202egnp"),
        ("größer", "größer"),
        ("\ud800", r"\ud800"),
        ("x" * 200, "x" * 119 + "…"),
    ],
    ids=["colons", "brackets", "lines", "direction", "letters", "surrogate", "long"],
)
def test_an_odd_id_has_a_readable_name_that_selects_it(
    run: Runner, pytester: pytest.Pytester, given: str, shown: str
) -> None:
    desk.lay(pytester.path, odd=desk.scenario(given))

    result = run("-q", "--collect-only", f"{desk.SCENARIOS}/odd.json::{shown}")

    assert [f"{desk.SCENARIOS}/odd.json::{shown}"] == ids(result)


def test_nothing_is_collected_that_is_not_opted_in(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic"))
    (pytester.path / "tests/other.json").write_text(desk.scenario("other"))
    (pytester.path / "tests/docker-compose.yml").write_text("services: {}\n")

    result = run("--collect-only", "-q")

    assert [f"{desk.SCENARIOS}/basic.json::basic"] == ids(result)


def test_recordings_and_hidden_files_are_no_tests(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path, basic=desk.scenario("basic"))
    for name in ("x.trace.json", "y.observations.json", ".z.json"):
        (place / name).write_text("{}")

    assert [f"{desk.SCENARIOS}/basic.json::basic"] == ids(run("--collect-only", "-q"))


def test_a_path_of_the_call_is_collected_beside_what_is_named(run: Runner, pytester: pytest.Pytester) -> None:
    unit = pytester.makepyfile(test_unit="def test_unit(): pass")
    (pytester.path / "elsewhere").mkdir()
    (pytester.path / "elsewhere/basic.json").write_text(desk.scenario("basic"))

    result = run("--collect-only", "-q", "--agenttest", "elsewhere", str(unit))

    assert ["test_unit.py::test_unit", "elsewhere/basic.json::basic"] == ids(result)


def test_an_opted_in_path_is_collected_where_nothing_is_named(run: Runner, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(**{"tests/test_unit": "def test_unit(): pass"})
    (pytester.path / "agents").mkdir()
    (pytester.path / "agents/basic.json").write_text(desk.scenario("basic"))
    (pytester.path / "pytest.ini").write_text("[pytest]\ntestpaths = tests\nagenttest_paths = agents\n")

    assert ["tests/test_unit.py::test_unit", "agents/basic.json::basic"] == ids(run("--collect-only", "-q"))


def test_what_is_named_is_all_that_is_run(run: Runner, pytester: pytest.Pytester) -> None:
    unit = pytester.makepyfile(test_unit="def test_unit(): pass")
    desk.lay(pytester.path, basic=desk.scenario("basic"))

    assert ["test_unit.py::test_unit"] == ids(run("--collect-only", "-q", str(unit)))


def test_a_contract_in_a_hidden_folder_is_collected_and_nothing_else_there(
    run: Runner, pytester: pytest.Pytester
) -> None:
    projects.lay(pytester.path, ".agenttest/agent-test.yml", greets="hello")
    (pytester.path / ".agenttest/test_other.py").write_text("def test_other(): pass")
    (pytester.path / "pytest.ini").write_text("[pytest]\nagenttest_paths = .agenttest/agent-test.yml\n")

    assert [".agenttest/agent-test.yml::greets"] == ids(run("--collect-only", "-q"))


def test_what_is_named_in_a_hidden_folder_is_run_there_too(run: Runner, pytester: pytest.Pytester) -> None:
    projects.lay(pytester.path, ".ci/agent-test.yml", greets="hello")
    (pytester.path / ".ci/tests").mkdir()
    (pytester.path / ".ci/tests/test_other.py").write_text("def test_other(): pass")

    result = run("--collect-only", "-q", "--agenttest", ".ci/agent-test.yml", ".ci/tests")

    assert [".ci/tests/test_other.py::test_other", ".ci/agent-test.yml::greets"] == ids(result)


def test_a_project_in_a_hidden_folder_is_like_any_other(
    run: Runner, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = pytester.path / ".work/desk"
    desk.lay(project, basic=desk.scenario("basic"))
    (project / "tests/test_unit.py").write_text("def test_unit(): pass")
    monkeypatch.chdir(project)

    assert [f"{desk.SCENARIOS}/basic.json::basic", "tests/test_unit.py::test_unit"] == ids(run("--collect-only", "-q"))


def test_a_folder_that_pytest_leaves_out_is_gone_into_for_what_is_opted_in(
    run: Runner, pytester: pytest.Pytester
) -> None:
    (pytester.path / "build/agents").mkdir(parents=True)
    (pytester.path / "build/agents/basic.json").write_text(desk.scenario("basic"))
    (pytester.path / "build/test_other.py").write_text("def test_other(): pass")

    assert ["build/agents/basic.json::basic"] == ids(run("--collect-only", "-q", "--agenttest", "build/agents"))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "is not there"),
        (lambda path: path.mkdir(), "holds no scenario file (.json) and no contract"),
    ],
    ids=["missing", "empty"],
)
def test_a_path_with_nothing_to_collect_is_an_error_of_the_call(
    run: Runner, pytester: pytest.Pytester, make: Callable[[Path], None], said: str
) -> None:
    make(pytester.path / "nowhere")

    result = run("--agenttest", "nowhere")

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines([f"ERROR: agenttest: *nowhere {said}*"])


def test_an_invalid_file_is_told_with_its_place_and_stops_the_run(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, good=desk.scenario("good"), bad='{"id": "bad",\n "expect": {}}')

    result = run()

    assert pytest.ExitCode.INTERRUPTED == result.ret
    result.stdout.fnmatch_lines([f"{desk.SCENARIOS}/bad.json:2:2: unknown key 'expect'*did you mean 'expected'?"])
    assert "Traceback" not in result.stdout.str()


def test_files_that_share_an_id_are_both_errors(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, one=desk.scenario("same"), two=desk.scenario("SAME"))

    result = run()

    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*/one.json:*: id 'same' is also that of *two.json*"])


def test_the_double_is_found_where_only_one_of_the_files_is_named(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, one=desk.scenario("same"), two=desk.scenario("same"))

    run(f"{desk.SCENARIOS}/one.json").assert_outcomes(errors=1)


def test_a_contract_without_a_recording_is_an_error_that_names_the_plugins_option(
    run: Runner, pytester: pytest.Pytester
) -> None:
    place = desk.lay(pytester.path)
    (place / "clerk.yml").write_text(projects.contract("greets"))

    result = run()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*clerk.yml: has no observations: *, or name them with --agenttest-observations"])


@pytest.mark.parametrize("how", ["flag", "ini"])
def test_contracts_are_judged_by_the_recordings_that_are_named(
    run: Runner, pytester: pytest.Pytester, how: str
) -> None:
    place = desk.lay(pytester.path, basic=desk.scenario("basic"))
    projects.lay(place, "clerk.yml", greets="good day")
    other = projects.recording(projects.observation("greets", "hello"))
    (pytester.path / "seen").mkdir()
    (pytester.path / "seen/clerk.json").write_text(other)

    result = run(*(("--agenttest-observations", "seen") if how == "flag" else ("-o", "agenttest_observations=seen")))

    result.assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        ("-k safety", ["high"]),
        ("-m risk_low", ["low"]),
        ("-m agent_risk(level='high')", ["high"]),
        ("-m agent_tag(name='two words')", ["low"]),
        ("-m agent_gate", ["high"]),
        ("-m agent_scenario and not risk_low", ["greets", "high"]),
    ],
)
def test_scenarios_are_selected_by_risk_and_tag(
    run: Runner, pytester: pytest.Pytester, expression: str, names: list[str]
) -> None:
    place = desk.lay(
        pytester.path,
        high=desk.scenario("high", risk="High", tags=("safety",)),
        low=desk.scenario("low", tags=("two words",)),
    )
    projects.lay(place, "clerk.yml", greets="hello")

    result = run("--collect-only", "-q", *expression.split(" ", 1))

    assert names == [name.rpartition("::")[2] for name in ids(result)]


def test_a_file_behind_a_link_to_a_folder_is_an_error(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path, basic=desk.scenario("basic"))
    (pytester.path / "away").mkdir()
    (pytester.path / "away/other.json").write_text(desk.scenario("other"))
    (place / "linked").symlink_to(pytester.path / "away", target_is_directory=True)

    result = run()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"{desk.SCENARIOS}/linked: is a symbolic link to a folder, *"])


def test_the_root_of_the_project_can_be_opted_in(run: Runner, pytester: pytest.Pytester) -> None:
    (pytester.path / "basic.json").write_text(desk.scenario("basic"))

    result = run("--agenttest", ".", "-q", "--collect-only")

    assert ["basic.json::basic"] == ids(result)


def test_a_project_behind_a_link_has_its_recordings(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path / "desk", basic=desk.scenario("basic"))
    projects.lay(place, "clerk.yml", greets="hello")
    (place / "clerk.observations.json").rename(pytester.path / "desk/seen.json")
    link = pytester.path / "link"
    link.symlink_to(pytester.path / "desk", target_is_directory=True)

    result = run(
        "--rootdir", str(link), "-c", f"{link}/pytest.ini", f"--agenttest-observations={link}/seen.json", str(link)
    )

    result.assert_outcomes(passed=2)


def test_a_recording_outside_of_the_project_is_refused(run: Runner, pytester: pytest.Pytester) -> None:
    place = desk.lay(pytester.path / "desk")
    (place / "clerk.yml").write_text(projects.contract("greets"))
    (pytester.path / "seen.json").write_text(projects.recording(projects.observation("greets", "hello")))

    result = run("-c", "desk/pytest.ini", "--agenttest-observations=seen.json", "desk")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*seen.json: is outside the project; *"])


def test_a_folder_inside_another_one_is_opted_in_once(run: Runner, pytester: pytest.Pytester) -> None:
    desk.lay(pytester.path, basic=desk.scenario("basic"))

    result = run("--agenttest", "tests", "-q", "--collect-only")

    assert [f"{desk.SCENARIOS}/basic.json::basic"] == ids(result)


def test_a_project_is_run_from_elsewhere_with_another_root(
    run: Runner, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.lay(pytester.path / "desk", basic=desk.scenario("basic"), other=desk.scenario("other", desk.BROKEN))
    (pytester.path / "root").mkdir()
    monkeypatch.chdir(pytester.path / "root")

    result = run("--rootdir", ".", "-c", "../desk/pytest.ini", f"../desk/{desk.SCENARIOS}", "--agenttest-gates")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*scenario-discovery: 2 scenarios found"])
