"""For tests of your own: scenarios as parameters of a test, and the assertion that one passes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agenttest.errors import InvalidInput
from agenttest.plugin.cases import Case, load
from agenttest.plugin.failures import ScenarioFailure, ScenarioIncomplete, checked
from agenttest.plugin.marks import marks
from agenttest.plugin.paths import name
from agenttest.plugin.wording import problems

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

__all__ = ["Case", "ScenarioFailure", "ScenarioIncomplete", "assert_passes", "scenarios"]


def scenarios(path: str | os.PathLike[str], observations: str | os.PathLike[str] | None = None) -> list[ParameterSet]:
    """Every scenario of a folder, a scenario file or a contract as a parameter, with its id and marks.

    Relative paths start from the working directory; a contract's recording is beside it, or at `observations`.
    pytest.UsageError, which is an error of the collection, where there is no scenario or some file is not valid: pytest
    would only skip a test without parameters.
    """
    __tracebackhide__ = True
    place, here = Path(os.path.abspath(path)), Path.cwd()
    top = here if place.is_relative_to(here) and place != here else place.parent
    try:
        loaded = load(top, place, None if observations is None else Path(os.path.abspath(observations)))
    except InvalidInput as error:
        raise pytest.UsageError(problems(error.problems)) from None
    if loaded.suite.problems:
        raise pytest.UsageError(problems(loaded.suite.problems))
    found = [case for cases in loaded.cases.values() for case in cases]
    if not found:
        raise pytest.UsageError(f"{place} holds no scenario; name a folder or file that does")
    return parameters(found)


def parameters(cases: Sequence[Case]) -> list[ParameterSet]:
    """The cases as pytest.mark.parametrize takes them."""
    return [pytest.param(case, id=name(case.scenario), marks=[*marks(case.scenario)]) for case in cases]


def assert_passes(scenario: Case) -> None:
    """Fail where the scenario does not pass: ScenarioFailure says what does not hold, and where that stands."""
    __tracebackhide__ = True
    checked(scenario.judge())
