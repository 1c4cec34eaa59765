"""A file at an opted-in path → one test for each scenario in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenttest.errors import InvalidInput
from agenttest.plugin.cases import Case
from agenttest.plugin.failures import ScenarioFailure, checked, properties
from agenttest.plugin.marks import marks
from agenttest.plugin.paths import Paths, name
from agenttest.plugin.wording import headline, problems
from agenttest.quote import one_line


class Collection:
    """The hooks by which pytest finds what is opted in."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Let pytest into a folder on the way to an opted-in path, such as a hidden one, and there to nothing else."""
        return self.paths.ignored(collection_path)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """A scenario file or a contract at an opted-in path."""
        if self.paths.root_of(file_path) is None:
            return None
        name, nodeid = one_line(file_path.name), self.paths.node_id(file_path)
        found: ScenarioFile = ScenarioFile.from_parent(
            parent, path=file_path, name=name, nodeid=nodeid, paths=self.paths
        )
        return found


class ScenarioFile(pytest.File):
    """A scenario file, or a contract with its recording."""

    def __init__(self, *, paths: Paths, **given: Any) -> None:
        super().__init__(**given)
        self.paths = paths

    def collect(self) -> Iterator[pytest.Item]:
        """A test for each scenario; where the file is not valid, all that is wrong with it in place of any."""
        try:
            found = self.paths.cases(self.path)
        except InvalidInput as error:
            raise self.CollectError(problems(error.problems)) from error
        for case in found:
            yield ScenarioItem.from_parent(self, name=name(case.scenario), case=case)


class ScenarioItem(pytest.Item):
    """The test that one scenario is."""

    def __init__(self, *, case: Case, **given: Any) -> None:
        super().__init__(**given)
        self.case = case
        self.extra_keyword_matches.update(case.tags)
        for mark in marks(case.scenario):
            self.add_marker(mark)

    def runtest(self) -> None:
        """Judge the scenario."""
        told = self.case.judge()
        self.user_properties.extend(properties(told))
        checked(told)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What does not hold, without the way through this package that it came."""
        failure = excinfo.value
        if not isinstance(failure, ScenarioFailure):
            return super().repr_failure(excinfo, style)
        shown = excinfo.getrepr(style="value")
        if shown.reprcrash is not None:
            place = failure.told.judged.scenario.line
            shown.reprcrash.path, shown.reprcrash.lineno = one_line(str(self.path)), place
            shown.reprcrash.message = headline(failure.told.judged)
        return shown

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the scenario begins; a name that is no text is told as one, as reports cannot hold it."""
        return Path(one_line(str(self.path))), self.case.scenario.line - 1, self.name
